"""What the helper does, as root, for each verb. Standard library alone."""

import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from appliance.device import card, clock, files, problems, trial
from appliance.device.problems import Problem
from appliance.device.verbs import (
    CloseStick,
    KeepWifi,
    OpenStick,
    PowerOff,
    Report,
    Restart,
    SetClock,
    TryWifi,
    Verb,
)
from appliance.errors import DeviceError

STICKS = "sticks"  # folder where they are mounted; a hidden file for each device has its folder's name
CLOSED = (
    "Somebody may still read from it: try again in a moment. Look for a lock on it. If it was pulled out of "
    "a computer in use, let that computer check it."
)
HOTSPOT, TIMER = "lamplight-hotspot.service", "lamplight-trial.timer"


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
                systemctl("--no-block", "reboot")
                return "The box starts again."
            case PowerOff():
                systemctl("--no-block", "poweroff")
                return "The box stops. Wait until its light is still, then pull the plug."
            case Report(found):
                return self._report(found)
            case TryWifi(ssid, passphrase):
                trial.begin(self.run, self.card, ssid, passphrase)
                systemctl("restart", TIMER)
                systemctl("--no-block", "restart", HOTSPOT)
                return "The new network is on trial for three minutes."
            case KeepWifi():
                trial.keep(self.run, self.card)
                systemctl("stop", TIMER)
                return "The new network stays."
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
        files.replace(self.run / clock.SET, b"")
        return f"The clock stands at {clock.told(wanted)}."

    def _report(self, found: tuple[Problem, ...]) -> str:
        problems.write(self.run, "pages", found)
        everything = problems.read(self.run)
        card.write(self.card, card.PROBLEMS, card.told(everything) if everything else None)
        return f"{card.PROBLEMS} tells {len(everything)} problems."


def end_trial(run: Path) -> str:
    """What the timer does: the old network, unless the new one was kept."""
    if not trial.back(run):
        return "Nothing was on trial."
    systemctl("--no-block", "restart", HOTSPOT)
    return "The trial is over; the old network is back."


def systemctl(*words: str) -> None:
    """Raises DeviceError with what it said."""
    done = subprocess.run(["systemctl", *words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise DeviceError(
            f"systemctl {' '.join(words)} failed: {done.stderr.strip()}", "Start the box again."
        )
