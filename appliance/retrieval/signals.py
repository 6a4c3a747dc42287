"""What the gate weighs: signals of a passage, and of a question with its best passages. Pure.

Each means the same in every archive. `gate` turns them into probabilities.
"""

import math
from collections.abc import Callable, Sequence

import numpy as np

from appliance.records import Evidence
from appliance.retrieval import answertype, opposites
from appliance.retrieval.deeds import untold
from appliance.retrieval.exact import Named, missing, named
from appliance.retrieval.lexical import Term
from appliance.retrieval.sentences import sentences
from appliance.retrieval.words import fold, words

CONSIDERED = 5  # passages that the gate looks at
OF_PASSAGE = ("read", "cosine", "share")
OF_SENTENCES = (*OF_PASSAGE, "told")
OF_WORDS = ("share", "sentence", "margin", "words", "kind", "side", "unsaid", "absent")
SIGNALS = ("best", "lead", "cosine", *OF_WORDS)
Stem = Callable[[str], Sequence[str]]


def of_passage(item: Evidence) -> dict[str, float]:
    """The signals of OF_PASSAGE."""
    return {"read": item.read or 0.0, "cosine": item.cosine or 0.0, "share": item.lexical}


def of_sentences(item: Evidence) -> dict[str, float]:
    """The signals of OF_SENTENCES; `told`: the logit of the sentence that answers best."""
    return {**of_passage(item), "told": max(one.logit for one in item.told)}


def measure(
    question: str,
    terms: Sequence[Term],
    evidence: Sequence[Evidence],
    fitting: Sequence[Evidence],
    stem: Stem,
) -> dict[str, float]:
    """The signals of SIGNALS, from the first CONSIDERED passages; of OF_WORDS where none was read.

    Only passages that hold all that the question names count (`fitting`, see `parted`), so that one which
    holds the name cannot vouch for another that holds the rest; `evidence` is what they are compared with.
    best: the first passage's score, as a logit. lead: that less the mean of the others'. cosine: the best of
    them. share: weight of the question's words in the passage that holds most. sentence: the same for a
    single sentence of the first three. margin: share of the first less the mean of the others. words: log of
    how many words there are. kind: the sentence that holds most, or its neighbour, has what the question asks
    for (a name, a date, a number; .5: no telling). side: it does not say the opposite of what is asked
    (largest and smallest; .5: silent). unsaid: the first lacks a name that the question writes small and the
    evidence with a capital. absent: how much of a name the archives make of words that each of them lacks.
    """
    considered = fitting or evidence[:CONSIDERED]
    others = [item for item in evidence[:CONSIDERED] if item is not considered[0]]
    wanted = [(stems, term.weight) for term in terms if (stems := frozenset(stem(term.word)))]
    total = sum(weight for _, weight in wanted) or 1.0

    def share(text: str) -> float:
        present = frozenset(stem(text))
        return sum(weight for stems, weight in wanted if stems <= present) / total

    shares = [share(whole(item)) for item in considered]
    best = [_best_sentence(item, share) for item in considered[:3]]
    held, around = max(best)
    said = frozenset(map(fold, words(question)))
    signals = {
        "share": max(shares),
        "sentence": held,
        "margin": shares[0] - float(np.mean([share(whole(item)) for item in others] or [0.0])),
        "words": math.log1p(len(terms)),
        "kind": answertype.given(answertype.expected(question), said, around),
        "side": opposites.met(opposites.asked(question), f"{considered[0].title} {around}"),
        "unsaid": float(_unsaid(question, terms, evidence[:CONSIDERED], considered[0])),
        "absent": _absent(terms, considered),
    }
    if considered[0].read is not None:
        signals["best"] = _logit(considered[0].score)
        signals["lead"] = signals["best"] - float(np.mean([_logit(item.score) for item in others] or [-6.0]))
        signals["cosine"] = max(item.cosine or 0.0 for item in considered)
    return signals


def _best_sentence(item: Evidence, share: Callable[[str], float]) -> tuple[float, str]:
    """How much of the question the best sentence holds, and it with its neighbours."""
    parts = sentences(item.text)
    held = [share(part) for part in parts]
    place = held.index(max(held))
    return held[place], "".join(parts[max(0, place - 1) : place + 2])


def _logit(probability: float) -> float:
    p = min(max(probability, 1e-4), 1 - 1e-4)
    return math.log(p / (1 - p))


def parted(question: str, evidence: Sequence[Evidence]) -> tuple[list[Evidence], list[str]]:
    """Those of the first CONSIDERED passages that hold all that the question names; and where there are none,
    what the one that comes nearest lacks, else the deed it asks for that none of them tells."""
    wanted = named(question)
    lost = [missing(wanted, whole(item)) for item in evidence[:CONSIDERED]]
    fitting = [item for item, lacking in zip(evidence, lost, strict=False) if not lacking]
    if not fitting:
        return [], min(lost, key=len)
    return fitting, untold(question, [whole(item) for item in fitting])


def whole(item: Evidence) -> str:
    """A passage with where it stands, as its words are compared."""
    return " ".join((item.title, *item.headings, item.text))


def _unsaid(question: str, terms: Sequence[Term], evidence: Sequence[Evidence], first: Evidence) -> bool:
    wanted = named(question, terms, map(whole, evidence))
    return bool(missing(wanted, whole(first)))


def _absent(terms: Sequence[Term], considered: Sequence[Evidence]) -> float:
    """Of the passage that lacks least."""
    capital = {fold(term.word): term.capital for term in terms if term.capital}
    if not capital:
        return 0.0
    wanted = Named(names=tuple(capital))
    return min(sum(capital[name] for name in missing(wanted, whole(item))) for item in considered)
