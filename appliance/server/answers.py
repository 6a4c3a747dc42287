"""The shape of an answer as programs read it, the same at every address that answers."""

from pydantic import BaseModel, Field

from appliance.answer.shape import Shape
from appliance.records import Citation, Evidence, Match, MatchKind
from appliance.server import links
from appliance.server.phrases import Phrases


class MatchReply(BaseModel):
    """A stretch of the source that a sentence of the answer is. `claim` is the sentence's number from 0, -1
    for what was computed; `quote` stands so at `offset` of the document's text, in code points; `kind`: the
    sentence is copied from it, or it gives a figure; in answers kept from earlier versions it may only have
    its words."""

    claim: int
    kind: MatchKind
    quote: str
    offset: int
    length: int


class PassageReply(BaseModel):
    """Passage `n` (a mark `[n]` in the answer), as it stands at `offset` of its document's text."""

    n: int
    archive: str
    path: str
    title: str
    text: str
    offset: int
    length: int
    url: str


class CitationReply(PassageReply):
    matches: list[MatchReply]


class LineReply(BaseModel):
    """A sentence around the answer, as it stands in passage `citations[0]` at `offset`."""

    text: str
    citations: list[int]
    offset: int


class StretchReply(BaseModel):
    """A stretch of a text, in code points."""

    offset: int
    length: int


class ShapeReply(BaseModel):
    """`direct` answers in one sentence, "" where nothing does; `limitations` are what the archive does not
    say and what was left out."""

    direct: str = Field(description="The answer itself, with its marks; empty where there is none.")
    stressed: list[StretchReply] = Field(
        description="The words of it that answer; none where all of it does, or nothing tells them."
    )
    context: list[LineReply] = Field(description="What the archive says around it.")
    limitations: list[str] = Field(description="What it does not say, and what was left out.")
    citations: list[CitationReply]


def shaped(made: Shape, say: Phrases) -> ShapeReply:
    return ShapeReply(
        direct=made.direct,
        stressed=[StretchReply(offset=offset, length=length) for offset, length in made.stressed],
        context=[
            LineReply(text=line.text, citations=list(line.ns), offset=line.start) for line in made.context
        ],
        limitations=[say(one) for one in made.limitations],
        citations=[cited(citation) for citation in made.citations],
    )


def passage(n: int, found: Evidence) -> PassageReply:
    return PassageReply(
        n=n,
        archive=found.archive,
        path=found.path,
        title=found.title,
        text=found.text,
        offset=found.start,
        length=len(found.text),
        url=links.source_url(found.archive, found.path, found.start, len(found.text)),
    )


def cited(citation: Citation) -> CitationReply:
    return CitationReply(
        **passage(citation.n, citation.evidence).model_dump(),
        matches=[_match(match) for match in citation.matches],
    )


def _match(match: Match) -> MatchReply:
    return MatchReply(
        claim=match.claim,
        kind=match.kind,
        quote=match.quote,
        offset=match.start,
        length=len(match.quote),
    )
