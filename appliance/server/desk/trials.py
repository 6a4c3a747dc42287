"""What the pages remember of a network on trial: its key, and until when it lasts.

Whoever started it may have to sign in again under the box's new name, in three minutes and with a phone in
the hand; so the link to keep it carries a key of its own. Only its hash is kept, in the private runtime
folder, since the pages start again when the box gets another name.
"""

import hashlib
import json
import secrets
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from appliance.server.rights import same

FILE = "network-trial.json"
LASTS = 180.0  # seconds, as lamplight-trial.timer has it
BEGINS = 5.0  # seconds until it begins, as lamplight-trial-begin.timer has it


@dataclass(frozen=True, slots=True)
class Trial:
    """Of one network; `ends` by the machine's monotonic clock, which no setting of the clock moves."""

    ssid: str
    name: str
    ends: float
    key_sha256: str


class Trials:
    def __init__(self, folder: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._file, self._clock = folder / FILE, clock

    def begin(self, ssid: str, name: str) -> str:
        """Remembers one that was just asked for; gives its key. Raises OSError."""
        key = secrets.token_urlsafe(18)
        self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        trial = Trial(ssid, name, self._clock() + BEGINS + LASTS, _hashed(key))
        beside = self._file.with_suffix(".part")
        beside.write_text(json.dumps(asdict(trial)), "utf-8")
        beside.replace(self._file)
        return key

    def now(self) -> Trial | None:
        """The one that goes on."""
        try:
            found = Trial(**json.loads(self._file.read_text("utf-8")))
            return found if 0 < found.ends - self._clock() <= BEGINS + LASTS else None
        except (OSError, ValueError, TypeError):
            return None

    def left(self, trial: Trial) -> int:
        """Seconds until the old network comes back."""
        return max(0, int(trial.ends - self._clock()))

    def opens(self, key: str) -> bool:
        """Whether this is the key of the one that goes on."""
        trial = self.now()
        return trial is not None and bool(key) and same(_hashed(key), trial.key_sha256)

    def end(self) -> None:
        self._file.unlink(missing_ok=True)


def _hashed(key: str) -> str:
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()
