"""The vocabulary: frozen records without behaviour, imported by everything and importing nothing of ours.

Offsets and lengths count Unicode code points in `Document.text`, the text that the extractor gives
for an entry. They mean the same thing when indexing, searching and showing a source.
"""

from dataclasses import dataclass
from typing import Literal

Verdict = Literal["answer", "near", "nothing"]
BlockKind = Literal["heading", "paragraph", "item", "row", "formula", "code"]
MatchKind = Literal["copied", "words", "figure"]
Stretch = tuple[int, int]
"""Offset and length in code points."""


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of a document that is read as one: a paragraph, a list item, a row of a table.

    `headings` is the path of headings above it, outermost first, without the document's title.
    `anchor` is the id of the element itself or of the last one before it, for links into the page.
    """

    kind: BlockKind
    start: int
    end: int
    headings: tuple[str, ...] = ()
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """One entry of an archive as plain text. `path` is the ZIM entry's path, never changed in any way."""

    path: str
    title: str
    text: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of one document that the embedder reads whole; what is indexed, found and cited."""

    start: int
    length: int
    headings: tuple[str, ...] = ()
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence of a passage as it stands there, and the reader's logit that it answers by itself."""

    sentence: str
    logit: float


@dataclass(frozen=True, slots=True)
class Evidence:
    """A found passage with its text, ready to be ranked, judged, shown and cited.

    `cosine` (-1…1) is None where the dense leg was off; `lexical` is the word score of its leg.
    `score` (0…1) orders results; `read` is the reader's logit that the passage answers, None where it was
    not read; `told` has its sentences where they were read one by one.
    """

    archive: str
    path: str
    title: str
    headings: tuple[str, ...]
    anchor: str
    text: str
    start: int
    score: float
    cosine: float | None = None
    lexical: float = 0.0
    read: float | None = None
    told: tuple[Told, ...] = ()


@dataclass(frozen=True, slots=True)
class Quote:
    """A sentence of passage `n` (from 1) that answers by itself, at `start` of its document's text. `sure`
    has the unit of the score that picked it."""

    n: int
    sentence: str
    start: int
    sure: float


@dataclass(frozen=True, slots=True)
class Judgement:
    """The gate's word on a question and its evidence. `probability` (0…1) that the evidence answers it;
    `reason` is a sentence for the reader of a refusal, empty for an answer; `lacking` is what the question
    names and no passage does, and stands in that sentence."""

    verdict: Verdict
    probability: float
    reason: str = ""
    lacking: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """What a search gives. `notes` are sentences for the reader (a question cut, a leg that is off);
    `suggestion` is a corrected question, empty when there is none."""

    question: str
    evidence: tuple[Evidence, ...]
    judgement: Judgement
    notes: tuple[str, ...] = ()
    suggestion: str = ""


@dataclass(frozen=True, slots=True)
class Match:
    """What of a passage one sentence of an answer is (`claim`, from 0; -1: what code made of the passages).
    `quote` stands so in the document's text, at `start`. `kind`: the sentence is copied from it, or takes a
    figure from it; in answers kept from earlier versions it may only have its words."""

    claim: int
    kind: MatchKind
    quote: str
    start: int


@dataclass(frozen=True, slots=True)
class Citation:
    """A marker `[n]` of an answer and the passage that it opens; `matches` are the stretches of it that the
    answer rests on, none where they cannot be told apart from the rest."""

    n: int
    evidence: Evidence
    matches: tuple[Match, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """A finished answer. `struck` counts markers and sentences taken out before anyone read them;
    `finish` says how it ended: stop, length, refused, calculated, disagreement, search_only, busy, broken or
    cancelled. `stressed` are the words of `text` that answer, none where all of it does."""

    text: str
    citations: tuple[Citation, ...]
    struck: int
    finish: str
    stressed: tuple[Stretch, ...] = ()


@dataclass(frozen=True, slots=True)
class Input:
    """A figure that a calculation starts from, as its source writes it; `n` is the passage's number, 0 for
    the question itself."""

    text: str
    n: int


@dataclass(frozen=True, slots=True)
class Calculation:
    """A result computed in code from figures that stand in the passages or the question. `formula` and
    `result` are as people of the question's language write them; `rounded`: the result is not exact."""

    inputs: tuple[Input, ...]
    formula: str
    result: str
    rounded: bool = False

    @property
    def sources(self) -> tuple[int, ...]:
        """The passages that it rests on; empty when all figures are the question's."""
        return tuple(sorted({given.n for given in self.inputs} - {0}))


@dataclass(frozen=True, slots=True)
class Side:
    """What one side of a disagreement says: the value as written, the sentence that it stands in, and the
    numbers of the passages that agree on it; `sentence` is of the first."""

    value: str
    sentence: str
    ns: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Passages that answer the same question with values that cannot both hold: two sides or more, in the
    order of the passages. None of them is preferred."""

    kind: Literal["date", "number", "name"]
    sides: tuple[Side, ...]


# Of a part: on; starting for the first time; off by choice; noticed: it works, and something is worth
# knowing; wrong: somebody should look; failing: readers lose something now, or will.
CheckState = Literal["on", "starting", "off", "noticed", "wrong", "failing"]
Severity = Literal["fine", "notice", "warning", "critical"]
SEVERITY: dict[CheckState, Severity] = {
    "on": "fine",
    "off": "fine",
    "starting": "notice",
    "noticed": "notice",
    "wrong": "warning",
    "failing": "critical",
}
SEVERITIES: tuple[Severity, ...] = ("fine", "notice", "warning", "critical")  # the gravest last


@dataclass(frozen=True, slots=True)
class Check:
    """One line of a status page; its `remedy` is the next step."""

    name: str
    state: CheckState
    sentence: str = ""
    remedy: str = ""
