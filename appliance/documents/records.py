"""What the archive of own documents keeps, as frozen records. Offsets count code points of a `Document.text`,
as everywhere."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

ARCHIVE = "documents"
"""The name under which own documents stand in evidence, beside the names of ZIM archives; the path is the
document's id."""

COMMON = ""
"""The owner of what everyone who may see own documents sees."""

SectionKind = Literal["heading", "label", "entry", "body"]


@dataclass(frozen=True, slots=True)
class Document:
    """A document as it is kept. `text` is the text as it was, after decoding; `written` the document's own
    date (ISO; may be a year or a month alone), None where it tells none; `added` UTC (ISO)."""

    id: int
    sha256: bytes
    owner: str
    folder: str
    name: str
    title: str
    media_type: str
    language: str
    written: str | None
    added: str
    text: str
    meta: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Listed:
    """A document without its text, for lists; `letters` is the text's length, `passages` how many it has."""

    id: int
    owner: str
    folder: str
    name: str
    title: str
    media_type: str
    language: str
    written: str | None
    added: str
    letters: int
    passages: int


@dataclass(frozen=True, slots=True)
class Section:
    """A stretch under one heading, label ("Aim:") or dated entry; `body` is what stands before the first.
    `date` is an entry's, as `Document.written`."""

    id: int
    document: int
    ordinal: int
    headings: tuple[str, ...]
    start: int
    length: int
    kind: SectionKind
    date: str | None = None


@dataclass(frozen=True, slots=True)
class Passage:
    """What is searched and cited. Its id is never given to another one, also after it was deleted."""

    id: int
    document: int
    section: int
    ordinal: int
    start: int
    length: int


@dataclass(frozen=True, slots=True)
class Scope:
    """Which documents may be seen: those of `owners`, and of these one folder (with the folders in it) or one
    document where that is named."""

    owners: tuple[str, ...] = (COMMON,)
    folder: str | None = None
    document: int | None = None
