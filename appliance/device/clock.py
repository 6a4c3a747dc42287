"""The box's clock, which has no battery: kept on the data partition, never set back.

While the box runs, what is kept lies `EVERY` seconds ahead, so that after a power cut the clock starts behind
nothing that anybody saw; when the box stops in peace, the exact time is kept. It stays between the image's
own date and `LATEST` after it. Standard library alone.
"""

import time
from pathlib import Path

from appliance import durable
from appliance.device import files
from appliance.errors import DeviceError

STAYS = "The clock stays: found {found}, expected a time from {now} on, before {latest}."
FORWARD = "The clock can be put forward, not back."
STANDS = "The clock stands at {now}."
EPOCH = Path("/usr/lib/clock-epoch")  # its time is the image's; systemd goes by it too
KEPT = "clock"
SET = "clock-set"  # in /run: there when somebody has set the clock since this start
EVERY = 300  # seconds between two times kept
LATEST = 20 * 365 * 86_400  # seconds after the image's date: what is later is a mistake


def at_start(now: float, kept: float | None, built: float) -> float:
    """The time to begin with: the latest that is known and possible."""
    return max(time for time in (now, kept or 0.0, built) if time <= built + LATEST)


def forward(now: float, wanted: float, built: float) -> float:
    """`wanted`, if the clock may be set to it. Raises DeviceError."""
    if not now <= wanted <= built + LATEST:
        told_all = STAYS.format(found=told(wanted), now=told(now), latest=told(built + LATEST))
        raise DeviceError(told_all, FORWARD)
    return wanted


def told(seconds: float) -> str:
    """`2026-11-30 09:40 UTC`; numbers that no calendar has as they are."""
    try:
        return time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(seconds))
    except (OverflowError, ValueError, OSError):
        return f"{seconds:g} s"


def read(data: Path) -> float | None:
    """The time that was kept; None when none was, or not a whole one."""
    try:
        return float((files.read(data / KEPT) or b"").decode("ascii"))
    except ValueError:
        return None


def keep(data: Path, seconds: float) -> None:
    """Raises OSError."""
    durable.replace(data / KEPT, f"{int(seconds)}\n".encode())


def built() -> float:
    """The image's date, in seconds. Raises OSError without the file that has it."""
    return EPOCH.stat().st_mtime


def start(data: Path) -> float:
    """Sets the clock at the start of the box, as root; gives the time."""
    now = time.time()
    begin = at_start(now, read(data), built())
    if begin != now:
        time.clock_settime(time.CLOCK_REALTIME, begin)
    return begin
