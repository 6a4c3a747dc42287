"""What the helper does, as root, for each verb. Standard library alone."""

import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from appliance import durable
from appliance.device import card, clock, journal, problems, trial
from appliance.device.problems import Problem
from appliance.device.verbs import (
    CloseStick,
    Journal,
    KeepNetwork,
    OpenStick,
    PowerOff,
    Report,
    Restart,
    SetClock,
    TryNetwork,
    Verb,
)
from appliance.errors import DeviceError

STICKS = "sticks"  # folder where they are mounted; a hidden file for each device has its folder's name
CLOSED = (
    "Somebody may still read from it: try again in a moment. Look for a lock on it. If it was pulled out of "
    "a computer in use, let that computer check it."
)
HOTSPOT, WEB = "lamplight-hotspot.service", "lamplight-web.service"
BEGIN, TIMER = "lamplight-trial-begin.timer", "lamplight-trial.timer"
SOON = "lamplight-stop@{what}.timer"  # seconds later, so that the page that says so reaches its phone


@dataclass(frozen=True, slots=True)
class Actions:
    """On the box with these folders."""

    run: Path
    data: Path
    card: Path

    def act(self, verb: Verb) -> str:
        """Does it; gives a sentence. Raises DeviceError or OSError."""
        match verb:
            case SetClock(seconds):
                return self._set_clock(seconds)
            case Restart():
                systemctl("start", SOON.format(what="reboot"))
                return "The box starts again in a few seconds."
            case PowerOff():
                systemctl("start", SOON.format(what="poweroff"))
                return "The box stops in a few seconds. Wait until its light is still, then pull the plug."
            case Report(found):
                return self._report(found)
            case TryNetwork():
                trial.stage(self.run, self.card, verb)
                systemctl("restart", BEGIN)
                return "The new network begins in a few seconds, and is on trial for three minutes."
            case KeepNetwork():
                trial.keep(self.run, self.card)
                systemctl("stop", TIMER)
                return "The new network stays."
            case Journal(source, severity, lines):
                return journal.told(source, severity, lines)
            case OpenStick(device):
                return self._open(self._stick(device))
            case CloseStick(device):
                systemctl("stop", self._stick(device))
                return "The stick is for reading again."

    def _open(self, unit: str) -> str:
        try:
            systemctl("start", unit)
        except DeviceError as error:
            raise DeviceError("The stick cannot be opened for writing.", CLOSED) from error
        return "The stick can be written to."

    def _stick(self, device: str) -> str:
        """The unit that makes a stick writable. Raises DeviceError for what the sticks' own unit, which udev
        starts, has not mounted: nothing else is ever opened for writing."""
        if not (self.run / STICKS / f".{device}").is_file():
            raise DeviceError(f"There is no stick {device}.", "Plug it in again.")
        return f"lamplight-usb-write@{device}.service"

    def _set_clock(self, seconds: int) -> str:
        wanted = clock.forward(time.time(), float(seconds), clock.built())
        time.clock_settime(time.CLOCK_REALTIME, wanted)
        clock.keep(self.data, wanted + clock.EVERY)
        durable.replace(self.run / clock.SET, b"")
        return clock.STANDS.format(now=clock.told(wanted))

    def _report(self, found: tuple[Problem, ...]) -> str:
        problems.write(self.run, "pages", found)
        everything = problems.read(self.run)
        card.write(self.card, card.PROBLEMS, card.told(everything) if everything else None)
        return f"{card.PROBLEMS} tells {len(everything)} problems."


def begin_trial(run: Path, place: Path) -> str:
    """What the first timer does: the new network, for as long as the second one runs. Raises DeviceError or
    OSError; then everything is as before, since nothing else would bring it back."""
    try:
        renamed = trial.begin(run, place)
        systemctl("restart", TIMER)
    except (DeviceError, OSError):
        trial.back(run)
        raise
    _restart(renamed)
    return "The new network is on trial for three minutes."


def end_trial(run: Path) -> str:
    """What the second timer does: the old network, unless the new one was kept."""
    renamed = trial.back(run)
    if renamed is None:
        return "Nothing was on trial."
    _restart(renamed)
    return "The trial is over; the old network is back."


def _restart(renamed: bool) -> None:
    """The network, which opens when the pages answer; these too where the box has another name."""
    systemctl("--no-block", "restart", *((WEB,) if renamed else ()), HOTSPOT)


def systemctl(*words: str) -> None:
    """Raises DeviceError with what it said."""
    done = subprocess.run(["systemctl", *words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise DeviceError(
            f"systemctl {' '.join(words)} failed: {done.stderr.strip()}", "Start the box again."
        )
