"""What is wrong with the box, in sentences for its owner: one file of each origin in /run, which the status
page reads; `card` writes all of them where any computer can read them. Standard library alone."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from appliance import durable

# What is wrong with a setting: the file itself, a key that does not exist, a value of the wrong type, the
# value, or two values that do not go together. `box`: not a setting.
Kind = Literal["file", "key", "type", "value", "conflict", "box"]
FOLDER = "problems"


@dataclass(frozen=True, slots=True)
class Problem:
    """`about` is the setting or the part; the sentence says what was found and what was expected; `remedy` is
    the next step. None of them quotes a passphrase."""

    kind: Kind
    about: str
    sentence: str
    remedy: str = ""

    def __str__(self) -> str:
        return f"{self.about}: {self.sentence} {self.remedy}".rstrip()


def write(runtime: Path, origin: str, problems: Sequence[Problem]) -> None:
    """Replaces what `origin` (settings, firstboot, …) found; what others found stays. Raises OSError."""
    folder = runtime / FOLDER
    folder.mkdir(mode=0o755, parents=True, exist_ok=True)
    durable.replace(folder / f"{origin}.json", json.dumps([asdict(problem) for problem in problems]).encode())


def read(runtime: Path) -> tuple[Problem, ...]:
    """All problems of this start, by origin; none where nothing was written."""
    return tuple(problem for file in sorted((runtime / FOLDER).glob("[a-z]*.json")) for problem in _of(file))


def _of(file: Path) -> tuple[Problem, ...]:
    try:
        return tuple(Problem(**row) for row in json.loads(file.read_text("utf-8")))
    except (OSError, ValueError, TypeError):
        return ()
