"""What a reader of a file format gives: the text in blocks, and what the file says about itself. Pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from appliance.records import Document

_PARTIAL = re.compile(r"(\d{4})(?:-?(0[1-9]|1[0-2])(?:-?(0[1-9]|[12]\d|3[01]))?)?(?![\d])")


@dataclass(frozen=True, slots=True)
class Reading:
    """`document.path` is the file's name. `written`: the document's own date, ISO, maybe a year or month
    alone. `language`: as the file says (BCP 47), "" where it does not. `meta`: what else it says."""

    document: Document
    language: str = ""
    written: str | None = None
    meta: Mapping[str, str] = field(default_factory=dict)


def partial_date(text: str) -> str | None:
    """The ISO date at the beginning of a text, as far as it goes: 1923, 1923-04, 1923-04-12; None without."""
    found = _PARTIAL.match(text.strip())
    return "-".join(part for part in found.groups() if part) if found else None


def stem(name: str) -> str:
    """A title for a file that has none: its name without ending, underscores as spaces."""
    bare = name.rsplit("/", 1)[-1]
    return " ".join((bare.rpartition(".")[0] or bare).replace("_", " ").split()) or name
