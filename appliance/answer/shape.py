"""The shape of every answer, on pages and for programs: the answer itself, what the archive says around it,
and what the archive does not say. Pure.

Limitations come from code, never from the language model: names and words of the question that no cited
passage has, a single source, sources that disagree, what was left out. They are sentences of the pages, with
values in them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from appliance.answer.events import Finished, Passages
from appliance.answer.forms import among, by_beginning, terms
from appliance.answer.lexicon import CALLED
from appliance.answer.lifespan import lifespan
from appliance.records import Calculation, Citation, Disagreement, Evidence, Match, Quote, Stretch
from appliance.retrieval.sentences import sentences
from appliance.retrieval.words import content, fold, listed, told, words

LACKING = "None of the passages mentions {names}."
UNSAID = "The passages that this rests on do not have these words of the question: {names}."
ONE_SOURCE = "It rests on a single source."
DISAGREE = "They cannot all be right as they stand. None is preferred here: read the passages."
FROM_QUESTION = "Computed from your question alone: no passage says whether its figures are right."
LEFT_OUT_ONE = "The language model said one thing that no passage says; it was left out."
LEFT_OUT = "The language model said {n} things that no passage says; they were left out."
CUT = "The answer was longer than this machine writes and ends here."
# What a question asks for by its kind ("how old", "in what year", "quel pays") or says in passing ("take
# place", "come from"); no answer need say the word.
_KINDS = listed(
    """
    old tall big long far high deep large fast heavy wide hot cold often size age height length weight number
    year date day month century decade time name names country city town place person people kind type sort
    cause causes reason reasons purpose term phrase profession job nickname title entity thing things member
    members information area areas position terms website device
    come comes coming came go goes went take takes took put start started starts begin began end ends happen
    happened happens occur occurred run located stored found created add added achieve result considered
    estimated viewed used help helps back again likely typically initially originally
    certain different total approximate lot also
    an annee date jour mois siecle heure nom noms pays ville lieu personne age taille longueur nombre sorte
    ano fecha dia mes siglo hora nombre nombres pais ciudad lugar persona edad altura longitud numero tipo
    """
)
# Share of the question's words above which their lack tells more of the language than of the text.
MOST_UNSAID = 0.5


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence of the context, as it stands in the text of passage `ns[0]`, at `start`."""

    text: str
    ns: tuple[int, ...]
    start: int


@dataclass(frozen=True, slots=True)
class Shape:
    """`direct` answers in a sentence, with its marks; "" where nothing does; `stressed` are the words of it
    that do. `citations` has the passage of each mark."""

    direct: str
    stressed: tuple[Stretch, ...]
    context: tuple[Line, ...]
    limitations: tuple[str, ...]
    citations: tuple[Citation, ...]


def shape(passages: Passages, finished: Finished) -> Shape:
    """What a finished answer says, in its parts."""
    answer = finished.answer
    written = [sentence.strip() for sentence in sentences(answer.text) if sentence.strip()]
    quote = None if passages.calculation or written else passages.quote
    direct = _computed(passages.calculation) or (written[0] if written else _quoted(quote))
    context = (
        *_further(answer.citations, 0 if passages.calculation else 1),
        *_sides(passages.disagreement, answer.citations),
    )
    cited = _with_quoted(answer.citations, quote, passages.found.evidence)
    first = written[0] if written and not passages.calculation else ""
    stressed = tuple(one for one in answer.stressed if sum(one) <= len(first))
    return Shape(direct, stressed, context, tuple(_limits(passages, finished, bool(direct))), cited)


def _computed(calculation: Calculation | None) -> str:
    if calculation is None:
        return ""
    marks = "".join(f"[{n}]" for n in calculation.sources)
    return f"{calculation.formula} {'≈' if calculation.rounded else '='} {calculation.result} {marks}".strip()


def _quoted(quote: Quote | None) -> str:
    return f"“{quote.sentence}” [{quote.n}]" if quote else ""


def _with_quoted(
    citations: tuple[Citation, ...], quote: Quote | None, evidence: Sequence[Evidence]
) -> tuple[Citation, ...]:
    if quote is None or quote.n in {citation.n for citation in citations}:
        return citations
    copied = Match(0, "copied", quote.sentence, quote.start)
    return (*citations, Citation(quote.n, evidence[quote.n - 1], (copied,)))


def _further(citations: Sequence[Citation], first: int) -> list[Line]:
    """What the answer quotes, from its sentence `first` on, in its order."""
    found = [
        (match.claim, Line(match.quote, (citation.n,), match.start))
        for citation in citations
        for match in citation.matches
        if match.claim >= first
    ]
    return [line for _, line in sorted(found, key=lambda one: one[0])]


def _sides(disagreement: Disagreement | None, citations: Sequence[Citation]) -> list[Line]:
    by_number = {citation.n: citation for citation in citations}
    found = []
    for side in disagreement.sides if disagreement else ():
        first = by_number.get(side.ns[0])
        match = first.matches[0] if first and first.matches else None
        if match:
            found.append(Line(match.quote, side.ns, match.start))
    return found


def _limits(passages: Passages, finished: Finished, answered: bool) -> list[str]:
    """What the archive does not say, and what the answer lacks."""
    answer, found = finished.answer, passages.found
    limits = [LACKING.format(names=_listed(found.judgement.lacking))] if found.judgement.lacking else []
    if passages.disagreement:
        limits.append(DISAGREE)
    if passages.calculation and not passages.calculation.sources:
        limits.append(FROM_QUESTION)
    if answered and answer.citations and not passages.disagreement:
        if unsaid := _unsaid(found.question, answer.citations):
            limits.append(UNSAID.format(names=_listed(unsaid)))
        if len({(one.evidence.archive, one.evidence.path) for one in answer.citations}) == 1:
            limits.append(ONE_SOURCE)
    if answer.struck and answer.text:
        limits.append(LEFT_OUT_ONE if answer.struck == 1 else LEFT_OUT.format(n=answer.struck))
    if answer.finish == "length":
        limits.append(CUT)
    return list(dict.fromkeys([*(() if found.judgement.lacking else finished.notes), *limits]))


def _unsaid(question: str, citations: Sequence[Citation]) -> list[str]:
    """Words that say what the question is about and that no cited passage has in any form. None where most
    are lacking: then the passages are in another language, or in other words altogether."""
    asked = [word for word in content(question) if fold(word) not in CALLED | _KINDS]
    texts = [
        words(
            " ".join(
                (
                    one.title,
                    *one.headings,
                    one.text,
                    *lifespan(next(iter(sentences(one.text)), ""), one.title),
                )
            )
        )
        for one in (citation.evidence for citation in citations)
    ]
    languages = {told(text) for text in texts} - {""}
    if (spoken := told(words(question))) and languages and spoken not in languages:
        return []
    held = by_beginning([term for text in texts for term in terms(text)])
    lacking = [word for word in asked if not all(among(term, held) for term in terms([word]))]
    return [] if len(lacking) > MOST_UNSAID * len(asked) else lacking


def _listed(names: Sequence[str]) -> str:
    return f"“{'”, “'.join(names)}”"
