"""What the tools give, as schemas that an assistant reads. Offsets and lengths count Unicode code points."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal

from pydantic import BaseModel, Field, ValidationError

from appliance import __version__
from appliance.assistants.box import Box, Told
from appliance.errors import BoxError

Verdict = Literal["answer", "near", "nothing"]
OFFSET = "Where it begins in the article's text, in code points; for the tool read."
VERDICT = (
    "answer: the passages answer the question; near: they are close to it but do not; nothing: the library "
    "has nothing on it."
)


class Passage(BaseModel):
    """A passage of the library."""

    archive: str
    path: str = Field(description="Of the article in its archive; for the tool read.")
    title: str
    heading: str = Field(description="The headings above the passage.")
    text: str
    offset: int = Field(description=OFFSET)
    score: float = Field(description="0 to 1.")
    url: str = Field(description="The passage in its article, for people to open.")


class SearchOutput(BaseModel):
    query: str
    verdict: Verdict = Field(description=VERDICT)
    probability: float = Field(description="That the passages answer the query, 0 to 1.")
    passages: list[Passage]
    notes: list[str] = Field(description="What the reader should know: a part is off, the query was cut.")
    suggestion: str = Field(description="A corrected query; empty where there is none.")


class ReadOutput(BaseModel):
    archive: str
    path: str
    title: str
    text: str
    offset: int
    total: int = Field(description="Code points of the whole article.")
    next_offset: int | None = Field(description="Where to go on reading; null at the end.")
    url: str


class Citation(BaseModel):
    """What a mark [n] of the answer points at."""

    n: int
    archive: str
    path: str
    title: str
    quotes: list[str] = Field(description="What of the passage the answer rests on, word for word.")
    text: str = Field(description="The whole passage.")
    offset: int = Field(description=OFFSET)
    url: str


class AskOutput(BaseModel):
    verdict: Verdict = Field(description=VERDICT)
    refused: bool = Field(description="The library does not answer this; `answer` says why.")
    answer: str = Field(description="With marks [n] of its citations. Every statement was checked.")
    citations: list[Citation]
    limitations: list[str] = Field(description="What the sources do not say, and what was left out.")
    understood: str = Field(description="The question as it was searched for.")
    probability: float


class Archive(BaseModel):
    name: str = Field(description="For the tools search and read.")
    title: str
    description: str
    language: str
    licence: str
    date: str | None
    articles: int


class ArchivesOutput(BaseModel):
    archives: list[Archive]


@contextmanager
def _known_form() -> Iterator[None]:
    """Raises BoxError for a reply that lacks something."""
    try:
        yield
    except (LookupError, TypeError, ValidationError) as error:
        raise BoxError(
            f"The box answers in a form that version {__version__} of this program does not know.",
            "Bring both to the same version.",
        ) from error


@_known_form()
def search_output(box: Box, found: dict[str, Any]) -> SearchOutput:
    return SearchOutput(
        query=found["query"],
        verdict=found["gate"]["verdict"],
        probability=found["gate"]["probability"],
        passages=[Passage(**{**one, "url": box.link(one["url"])}) for one in found["results"]],
        notes=found.get("notes", []),
        suggestion=found.get("suggestion", ""),
    )


@_known_form()
def read_output(box: Box, found: dict[str, Any]) -> ReadOutput:
    return ReadOutput(**{**found, "url": box.link(found["url"])})


@_known_form()
def archives_output(found: dict[str, Any]) -> ArchivesOutput:
    return ArchivesOutput(**found)


@_known_form()
def ask_output(box: Box, told: Told) -> AskOutput:
    beside = told.lamplight
    return AskOutput(
        verdict=beside["verdict"],
        refused=beside["verdict"] != "answer",
        answer=told.text,
        citations=[_citation(box, one) for one in beside["citations"]],
        limitations=beside["limitations"],
        understood=beside["understood"],
        probability=beside["probability"],
    )


def _citation(box: Box, one: dict[str, Any]) -> Citation:
    quotes = list(dict.fromkeys(match["quote"] for match in one["matches"]))
    return Citation(**{**one, "url": box.link(one["url"]), "quotes": quotes})
