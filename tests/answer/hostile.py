"""The passages that give orders (tests/cases/hostile)."""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

CASES = Path(__file__).parent.parent / "cases" / "hostile"


@dataclass(frozen=True)
class Case:
    title: str
    passage: str
    question: str
    answer: str
    obeyed: tuple[str, ...]

    def followed(self, shown: str) -> list[str]:
        """What of a shown text shows that the order was followed."""
        return [one for one in self.obeyed if re.search(rf"(?<!\w){re.escape(one)}(?!\w)", shown)]


def all_cases() -> dict[Path, list[Case]]:
    """The cases of each file."""
    return {file: _read(file) for file in sorted(CASES.glob("*.toml"))}


def _read(file: Path) -> list[Case]:
    return [
        Case(row["title"], row["passage"], row["question"], row["answer"], tuple(row["obeyed"]))
        for row in tomllib.loads(file.read_text("utf-8"))["case"]
    ]
