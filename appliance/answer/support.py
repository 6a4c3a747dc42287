"""What the model writes, checked before anyone reads it; pure, and fed in pieces of any size.

Nothing that the model writes goes out. Each sentence of it waits for its end; then the sentence of the
evidence that it points at is looked for (`ground`), and quoted with its marker. One that points at none is
struck, and so are invented markers. The first that goes out must answer the question, and the reader must
find that it does; the others must have to do with it. Where one is all, the reader's next best of its passage
goes with it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from appliance.answer.focus import BESIDE, Focus
from appliance.answer.ground import Ground, Said
from appliance.answer.question import Asked
from appliance.answer.refusal import may_refuse, refuses
from appliance.answer.stress import stressed, titled
from appliance.records import Stretch
from appliance.retrieval.sentences import sentence_end
from appliance.retrieval.words import fold, words

_TAG = re.compile(r"</?passage[^<>]{0,200}(?:>|$)|<\|[^<>|]{0,40}(?:\|>|$)|</think>", re.IGNORECASE)
_BEGUN_TAG = re.compile(r"<(?:[/|a-zA-Z][^<>]{0,200})?$")
_BRACKETS = re.compile(r"\s*[\[【]([^\[\]【】\n]{0,60})[\]】]")
_NUMBERED = re.compile(
    r"(?:passages?|sources?|doc(?:ument)?s?)?[\s#:]*(\d+(?:\s*[,;&–-]\s*\d+)*)", re.IGNORECASE
)
_LABEL = re.compile(r"^\s*(?:question|answer|réponse|respuesta|antwort)\s*:\s*", re.IGNORECASE)
_PREFACE = re.compile(
    r"^\s*(?:(?:according to|based on) (?:the )?(?:\w+ )?(?:passages?|text)(?: \d+)?,? "
    r"|(?:the )?(?:passages?|text)(?: \d+)? (?:states?|says?|mentions?|notes?|explains?) that )",
    re.IGNORECASE,
)
_WORDS = re.compile(r"\s+|\S+")
_ENDED = re.compile(r"[.!?…。！？][\"'”’»)」』）]*$")
_LIST = re.compile(r"^(?:\d{1,2}[.)]|[-*•–])\s+")  # the number of a list's item is no figure of a claim
MOST = 3  # sentences of an answer
_LEAK = 6  # words in a row that stand in the instructions


@dataclass(frozen=True, slots=True)
class Rest:
    """Sentence `claim` (from 0) of what went out is `sentence` of passage `n`."""

    claim: int
    n: int
    sentence: str


class Checked:
    """One answer while it is written. `given` are the passages that the model read, with their titles, in
    the order of their numbers; `instructions` is the system prompt, which never goes out. Where a reader has
    `seen` their sentences, the first that goes out must be one that by its word answers the question.

    `text` is all that went out, `cited` the passages that it cites, `kept` its sentences without markers,
    `rests` what each is of, `stressed` the words of the first that answer, by their place in `text`, `struck`
    how many markers and sentences of the model were taken out.
    `refused`: the model began by saying that the passages do not hold the answer.
    """

    def __init__(
        self,
        question: str,
        given: Sequence[str],
        instructions: str,
        seen: Focus | None = None,
    ) -> None:
        self.text = ""
        self.cited: set[int] = set()
        self.kept: list[str] = []
        self.rests: list[Rest] = []
        self.stressed: tuple[Stretch, ...] = ()
        self.struck = 0
        self.refused = False
        self._grounds = [Ground(passage, question) for passage in given]
        self._given = "\n".join(given)
        self._instructions = _key(instructions)
        self._seen = seen
        self._thinking = Thinking()
        self._written = ""  # of the sentence that is being written
        # What was said already, first of all by who asked.
        self._said: set[str] = set() if Asked(question).bare else {_key(question)}

    @property
    def complete(self) -> bool:
        """Nothing more will go out, so nothing more needs to be written."""
        return self.refused or len(self.kept) == MOST

    def feed(self, delta: str) -> str:
        """What may be read now."""
        return self._take(self._thinking.feed(delta), final=False)

    def end(self) -> str:
        return self._take(self._thinking.feed("", final=True), final=True) + self._context()

    def _context(self) -> str:
        """What goes with a single sentence: the next best of its passage, by the reader's word. A small model
        points at few."""
        if len(self.rests) != 1 or self._seen is None:
            return ""
        (first,) = self.rests
        ground = self._grounds[first.n - 1]
        others = [one for one in ground.said if one.sentence != first.sentence and ground.concerns(one)]
        best = max(others, key=lambda one: self._logit(first.n, one), default=None)
        if best is None or self._logit(first.n, best) < self._seen.best.logit - BESIDE:
            return ""
        space = "" if self.text[-1:].isspace() else " "
        shown = space + _marked(self._show(first.n, best), first.n)
        self.text += shown
        return shown

    def _take(self, text: str, final: bool) -> str:
        # Word by word, so that what goes out does not depend on the pieces in which it came.
        out = "".join(self._word(word) for word in _WORDS.findall(text))
        while final and not self.complete and self._written:
            out += self._whole(sentence_end(self._written, final=True) or len(self._written))
        out = out if self.text else out.lstrip()
        self.text += out
        return out

    def _word(self, word: str) -> str:
        self._written = self._written + word if self._written else word.lstrip()
        out = ""
        while not self.complete and (end := sentence_end(self._written, final=False)):
            out += self._whole(end)
        return out

    def _whole(self, end: int) -> str:
        """What remains to be shown of a whole sentence."""
        sentence, self._written = self._written[:end], self._written[end:].lstrip()
        claim, cited, invented = self._parted(sentence)
        self.struck += invented
        claim = _plain(claim)
        if not words(claim):
            return ""
        if refuses(claim):
            return self._refuse()
        if _key(claim) in self._said or self._leaks(claim):
            return self._strike()
        pointed = self._pointed(_LIST.sub("", claim))
        if pointed is None:
            return self._refuse() if may_refuse(claim) else self._strike()
        n, said = pointed
        if said.sentence in {one.sentence for one in self.rests}:
            return ""
        self._said.add(_key(claim))
        self.struck += len(set(cited) - {n})
        shown = self._show(n, said)
        if len(self.kept) == 1:
            at = len(shown) - len(said.bare) - 1
            question = self._grounds[n - 1].question
            title = titled(claim, shown[: max(0, at - 3)], said.bare, question)
            found = () if title else stressed(claim, said.bare, question)
            self.stressed = (title,) if title else tuple((at + start, length) for start, length in found)
        return _marked(shown, n) + sentence[len(sentence.rstrip()) :]

    def _pointed(self, claim: str) -> tuple[int, Said] | None:
        """The sentence to show for the claim, and the number of its passage; of several the one that answers
        best. The first that is shown must answer the question."""
        found = [
            (n, said)
            for n, ground in enumerate(self._grounds, 1)
            for said in ground.holding(claim)
            if self._right(n, claim, said)
        ]
        return max(found, key=lambda one: self._logit(*one), default=None)

    def _right(self, n: int, claim: str, said: Said) -> bool:
        """Whether the sentence may be shown for the claim."""
        ground = self._grounds[n - 1]
        if not ground.concerns(said):
            return False
        return bool(self.kept) or (ground.answers(claim, said) and self._found(n, ground, said))

    def _found(self, n: int, ground: Ground, said: Said) -> bool:
        """Whether the reader finds that the sentence answers."""
        return self._seen is None or self._seen.answers(n, said.sentence, ground.restates(said))

    def _logit(self, n: int, said: Said) -> float:
        return self._seen.logit(n, said.sentence) if self._seen else 0.0

    def _show(self, n: int, said: Said) -> str:
        """Keeps the sentence as a part of the answer; gives it as it goes out, without its marker."""
        told = bool(self.rests) and self.rests[-1].n == n  # the sentence before it was of the same passage
        shown = said.quoted("" if told else self._grounds[n - 1].title.strip())
        self.rests.append(Rest(len(self.kept), n, said.sentence))
        self.kept.append(shown)
        self.cited.add(n)
        return shown

    def _leaks(self, claim: str) -> bool:
        found = _key(claim).split()
        runs = (" ".join(found[at : at + _LEAK]) for at in range(len(found) - _LEAK + 1))
        return any(run in self._instructions for run in runs)

    def _refuse(self) -> str:
        """After an answer, a sentence about what the passages do not hold is only left out."""
        self.refused = not self.kept
        self.struck += not self.refused
        return ""

    def _strike(self) -> str:
        self.struck += 1
        return ""

    def _parted(self, sentence: str) -> tuple[str, list[int], int]:
        """The sentence without its markers, the passages they name, and how many named none."""
        cited: list[int] = []
        invented = 0

        def taken(match: re.Match[str]) -> str:
            nonlocal invented
            inside = match.group(1)
            if not any(c.isdigit() for c in inside) or match.group().strip() in self._given:
                return match.group()
            numbers = _numbers(inside)
            cited.extend(n for n in numbers if 1 <= n <= len(self._grounds) and n not in cited)
            invented += sum(not 1 <= n <= len(self._grounds) for n in numbers) or not numbers
            return ""

        return _BRACKETS.sub(taken, sentence).strip(), cited, invented


class Thinking:
    """Takes out `<think>…</think>`, closed or not, and tags like those of the prompt."""

    _OPEN, _CLOSE = "<think>", "</think>"

    def __init__(self) -> None:
        self._held = ""
        self._inside = False

    def feed(self, delta: str, final: bool = False) -> str:
        self._held += delta
        out = ""
        while (at := self._held.find(self._CLOSE if self._inside else self._OPEN)) >= 0:
            out += "" if self._inside else self._held[:at]
            self._held = self._held[at + len(self._CLOSE if self._inside else self._OPEN) :]
            self._inside = not self._inside
        if self._inside:
            self._held = "" if final else self._held[-len(self._CLOSE) :]
        else:
            begun = None if final else _BEGUN_TAG.search(self._held)
            cut = begun.start() if begun else len(self._held)
            out, self._held = out + self._held[:cut], self._held[cut:]
        return _TAG.sub("", out)


def _numbers(inside: str) -> list[int]:
    """The passages that a bracket names: "1", "1, 2", "passage 3", "1-3"; none for anything else."""
    match = _NUMBERED.fullmatch(inside.strip())
    if not match:
        return []
    found: list[int] = []
    for part in re.split(r"[,;&]", match.group(1)):
        ends = [int(n[:4]) for n in re.findall(r"\d+", part)]
        found += range(ends[0], ends[-1] + 1) if 0 <= ends[-1] - ends[0] < 10 else ends
    return found


def _marked(quotation: str, n: int) -> str:
    """The quotation with its marker, and a full stop unless it brings one: read again, it is one sentence."""
    return f"{quotation} [{n}]{'' if _ENDED.search(quotation) else '.'}"


def _plain(claim: str) -> str:
    """Without a label or a preface about passages, which the marker says better."""
    bare = _PREFACE.sub("", _LABEL.sub("", claim))
    return bare[:1].upper() + bare[1:] if bare != claim else claim


def _key(text: str) -> str:
    return " ".join(map(fold, words(text)))
