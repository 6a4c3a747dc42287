"""The box's journal for its desk: our units and the kernel, since this start, bounded and redacted.

The journal lies in memory and nothing of ours logs a question or an address; what other programs may say of
them is taken out here, as root, before the pages see a line. Standard library alone.
"""

import json
import re
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from appliance.errors import DeviceError

ALL, KERNEL = "all", "kernel"
# A source and the units in it (journalctl's patterns).
UNITS = {
    "pages": ("lamplight-web.service", "nginx.service"),
    "search": ("lamplight-embedder.service",),
    "model": ("lamplight-llama.service",),
    "reading": ("lamplight-kiwix.service",),
    "wifi": ("lamplight-hotspot.service", "lamplight-dnsmasq.service", "lamplight-cable.service"),
    "sticks": ("lamplight-usb@*.service", "lamplight-usb-write@*.service"),
    "start": ("lamplight-firstboot.service", "lamplight-settings.service", "lamplight-clock*.service"),
    "helper": ("lamplight-helper.service", "lamplight-trial*.service", "lamplight-stop@*.service"),
    "screen": ("lamplight-kiosk.service",),
}
SOURCES = (ALL, *UNITS, KERNEL)
LEAST = 7  # debug, of syslog's severities
MOST = 200  # lines of one answer
BYTES = 48_000  # of one answer, so that it fits into the helper's line
LENGTH = 300  # characters of a message
PATIENCE = 20  # seconds for journalctl
FIELDS = "PRIORITY,MESSAGE,_SYSTEMD_UNIT,UNIT,SYSLOG_IDENTIFIER"

# Taken out, in this order: what a request asked for, then addresses.
REDACTED = (
    (re.compile(r'(request|referrer|upstream|host): "[^"]*"'), r'\1: "…"'),
    (re.compile(r"\b(GET|POST|HEAD|PUT|DELETE|PATCH|OPTIONS) \S+"), r"\1 …"),
    (re.compile(r"\?\S+"), "?…"),
    (re.compile(r"\b(DHCP[A-Z]+\([^)]*\)).*"), r"\1 …"),  # dnsmasq's, with the names of phones
    (re.compile(r"\b(?:[0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}\b"), "[device]"),
    (re.compile(r"\b\d{1,3}(?:\.\d{1,3}){3}\b"), "[address]"),
    (
        re.compile(r"(?<![\w:])(?=[0-9A-Fa-f:]*::|(?:[0-9A-Fa-f]{1,4}:){7})[0-9A-Fa-f:]{3,39}(?![\w:])"),
        "[address]",
    ),
)


@dataclass(frozen=True, slots=True)
class Line:
    """One line: seconds since 1970, syslog's severity, the unit's or program's name, and what it said."""

    time: int
    severity: int
    unit: str
    message: str


def command(source: str, severity: int, lines: int) -> list[str]:
    """The call of journalctl(1) for this; nothing of it comes from the caller but numbers and a listed
    word."""
    chosen = (
        [pattern for found in UNITS.values() for pattern in found] if source == ALL else UNITS.get(source, ())
    )
    return [
        *("journalctl", "--no-pager", "--quiet", "--boot", "--output=json", f"--output-fields={FIELDS}"),
        *(f"--lines={lines:d}", f"--priority={severity:d}"),
        *(["--dmesg"] if source == KERNEL else [f"--unit={pattern}" for pattern in chosen]),
    ]


def told(source: str, severity: int, lines: int, run: Callable[[list[str]], bytes] | None = None) -> str:
    """The last lines as `read` takes them, the oldest first. Raises DeviceError."""
    said = (run or _run)(command(source, severity, lines))
    rows = [_written(line) for line in parsed(said)]
    size, kept = 0, []
    for row in reversed(rows):  # where not all fit, the latest do
        size += len(json.dumps(row))
        if size > BYTES:
            break
        kept.append(row)
    return "".join(reversed(kept))


def parsed(said: bytes) -> Iterator[Line]:
    """What journalctl said (--output=json), redacted; what is no line of it is left out."""
    for row in said.splitlines():
        try:
            found = json.loads(row)
            message = found["MESSAGE"]
            text = message if isinstance(message, str) else bytes(message).decode("utf-8", "replace")
            unit = found.get("UNIT") or found.get("_SYSTEMD_UNIT") or found.get("SYSLOG_IDENTIFIER") or KERNEL
            time, severity = int(found["__REALTIME_TIMESTAMP"]) // 1_000_000, int(found.get("PRIORITY", 6))
        except (ValueError, TypeError, KeyError, AttributeError):
            continue
        yield Line(time, severity, _plain(str(unit)), redacted(_plain(text)))


def redacted(text: str) -> str:
    """Without what was asked for and without addresses of any kind; not longer than LENGTH."""
    for pattern, instead in REDACTED:
        text = pattern.sub(instead, text)
    return text if len(text) <= LENGTH else f"{text[: LENGTH - 1]}…"


def read(told: str) -> tuple[Line, ...]:
    """The lines of an answer. Raises ValueError for what is none."""
    rows = (row.split("\t", 3) for row in told.splitlines())
    return tuple(Line(int(time), int(severity), unit, message) for time, severity, unit, message in rows)


def _written(line: Line) -> str:
    return f"{line.time}\t{line.severity}\t{line.unit}\t{line.message}\n"


def _plain(text: str) -> str:
    return "".join(sign if sign.isprintable() else " " for sign in text).strip()


def _run(words: list[str]) -> bytes:
    try:
        done = subprocess.run(words, capture_output=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired as error:
        raise DeviceError("The journal does not answer.", "Try again in a minute.") from error
    if done.returncode:
        raise DeviceError(
            f"The journal cannot be read: {done.stderr.decode('utf-8', 'replace').strip()[:200]}"
        )
    return done.stdout
