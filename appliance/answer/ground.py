"""Which sentence of a passage the model's sentence points at; pure.

A small model reads well and writes badly: it joins what it read with the words of the question into things
that no passage says (docs/decisions/0015-in-the-archives-words.md). So its sentence is only taken as a
pointer, to a sentence of the passage that has everything it says beyond the question: each name and other
word in some form (`forms`), each number with its unit and with what it counts, in any written form
(`amounts`).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile

from appliance.answer.amounts import amounts, amounts_hold
from appliance.answer.coded import of_another
from appliance.answer.forms import CJK, alike, among, by_beginning, content, terms
from appliance.answer.lexicon import Token, first_verb, listed, tokens
from appliance.answer.lifespan import lifespan
from appliance.answer.orders import gives_orders
from appliance.answer.question import Asked
from appliance.answer.sides import other_side
from appliance.retrieval.deeds import untold
from appliance.retrieval.sentences import ROW_END, sentences
from appliance.retrieval.words import words

LETTERS = 0.75  # share of the letters that must stand where a word has no end
RESTATED = 2  # words of a question that tell what it is about; one alone stands in too many sentences
MEMORY = 12  # words that a pronoun may stand for
_ASIDE = re.compile(r" \([^()]*\)$")  # what tells a title from others: "Mercury (planet)"
_EDITOR = re.compile(r"(?<=[.!?])(?:\s*\[[^\[\]]{1,40}\])+$")  # "[citation needed]"
_STOPS = (".", "!", "?", "…")  # what begins with one is a piece of a sentence
_PRONOUNS = listed(
    """
    he she it they this these that those his her its their il elle ils elles cela son sa ses leur leurs ella
    ellos ellas su sus esto er sie es
    era fue eran fueron tiene tenia tuvo esta estaba
    """
)  # the last line: Spanish drops "it"


@dataclass(frozen=True)
class Said:
    """One sentence of a passage; `around` it title, headings, a table's heads and what a pronoun stands
    for."""

    sentence: str
    around: tuple[Token, ...] = ()

    @cached_property
    def words(self) -> tuple[Token, ...]:
        return tokens(self.sentence)

    @cached_property
    def forms(self) -> dict[str, list[str]]:
        near = [token.text for token in self.around]
        return by_beginning(terms([*near, *_parts(self.sentence)]))

    @cached_property
    def own(self) -> dict[str, list[str]]:
        """Of the sentence alone."""
        return by_beginning(terms(_parts(self.sentence)))

    @property
    def refers(self) -> bool:
        """Whether it begins with a pronoun, said or not: "It freezes", "Es azul"."""
        return any(token.form in _PRONOUNS for token in self.words[:1])

    @property
    def bare(self) -> str:
        """Without its full stop, an editor's mark at its end and the bars around a row of a table."""
        row = self.sentence.strip("| ") if self.sentence.startswith("|") else _EDITOR.sub("", self.sentence)
        return row if row.endswith("..") else row.removesuffix(".").rstrip()

    def quoted(self, title: str) -> str:
        """As it goes out: behind its title where a pronoun begins it."""
        return f"{title}: “{self.bare}”" if self.refers and title else f"“{self.bare}”"


@dataclass(frozen=True)
class Ground:
    """What the model's sentences are held against: one passage (title and headings on lines before its
    text), and the question that was asked, "" where none was."""

    passage: str
    question: str = ""

    def holding(self, claim: str) -> list[Said]:
        """The sentences that have all that the claim says beyond the question, and something of it."""
        claimed = tokens(claim)
        counted = amounts(claimed)
        new = [
            term
            for term in content([token for place, token in enumerate(claimed) if place not in counted])
            if not among(term, self._asked)
        ]
        if not new and not counted:
            new = content(claimed)  # a claim that only says the question again points at what says it, too
        return [said for said in self.said if self._holds(said, claimed, new, bool(counted))]

    def answers(self, claim: str, said: Said) -> bool:
        """Whether the claim, that this sentence holds, answers the question."""
        around = " ".join(token.text for token in said.around)
        if other_side(tokens(self.question), said.words) or untold(self.question, [around, said.sentence]):
            return False  # of another place, or of no birth where one is asked for
        asked = self._question
        whole = asked.bare and all(among(word, said.forms) for word in asked.content)
        news = said.words if whole else tokens(claim)
        new = [term for term in content(news) if not among(term, self._asked)]
        return asked.answered(
            claim, new, lambda word: among(word, said.forms), lambda word: among(word, self._words)
        )

    def concerns(self, said: Said) -> bool:
        """Whether the sentence has to do with the question: one of its words stands there, or a pronoun for
        the title, when the question is about the page and nothing else ("She was an engineer")."""
        asked = self._question.content
        if any(among(word, said.own) for word in asked):
            return True
        around = by_beginning(terms([token.text for token in said.around]))
        return said.refers and (not asked or any(among(word, around) for word in asked))

    def restates(self, said: Said) -> bool:
        """Whether the sentence, with its title and headings, holds every word that the question is about:
        then it is about what was asked, whatever a reader finds nearer."""
        asked = self._question.content
        return len(asked) >= RESTATED and all(among(word, said.forms) for word in asked)

    def _holds(self, said: Said, claimed: Sequence[Token], new: Sequence[str], counted: bool) -> bool:
        held = [term for term in new if among(term, said.forms)]
        if not counted and not any(among(term, said.own) for term in held):
            return False
        whole = all(term in held for term in new if term < CJK)
        if not whole or len(held) < LETTERS * len(new):
            return False
        return amounts_hold(claimed, said.words, self._dated(said.around), alike, self._excused)

    def _dated(self, around: Sequence[Token]) -> list[Token]:
        """Without the numbers that only tell one title from others, as in "The Lantern (2016 film)"."""
        aside = _ASIDE.search(self.title)
        telling = {token.form for token in tokens(aside.group())} if aside else set()
        return [token for token in around if token.form not in telling or not token.form[:1].isdigit()]

    def _excused(self, term: str) -> bool:
        return among(term, self._asked) and not among(term, self._words)

    @property
    def title(self) -> str:
        return self.passage.rpartition("\n")[0].partition("\n")[0]

    @cached_property
    def said(self) -> list[Said]:
        """The sentences of the passage that may be quoted: none that gives orders, none that tells of another
        code than was asked for."""
        above, _, text = self.passage.rpartition("\n")
        named = tokens(above)
        found: list[Said] = []
        before: tuple[Token, ...] = ()
        heads: tuple[Token, ...] = ()  # of the table whose rows are read
        for told in sentences(text):
            sentence = told.partition(ROW_END)[0].strip()  # a mark may stand behind a line's end
            own = () if sentence.startswith(_STOPS) else tokens(sentence)
            heads = (heads or own) if sentence.startswith("|") else ()
            if not own or gives_orders(sentence) or of_another(self.question, sentence):
                continue
            spans = () if found else lifespan(sentence, _ASIDE.sub("", self.title))
            one = Said(sentence, (*named, *heads, *tokens(" ".join(spans))))
            one = Said(sentence, (*one.around, *before)) if one.refers else one
            found.append(one)
            before = (*(before if one.refers else ()), *_subject(own))[:MEMORY]
        return found

    @cached_property
    def _words(self) -> dict[str, list[str]]:
        return by_beginning(terms(words(self.passage)))

    @cached_property
    def _question(self) -> Asked:
        return Asked(self.question)

    @cached_property
    def _asked(self) -> dict[str, list[str]]:
        return by_beginning(terms(_parts(self.question)))


def _parts(text: str) -> list[str]:
    """The words of a text, those of codes and numbers also apart: "v2.8.1", "v2", "8", "1"."""
    return [*(token.text for token in tokens(text)), *words(text)]


def _subject(sentence: Sequence[Token]) -> tuple[Token, ...]:
    """Up to the verb; where none is known, the name or the one word that it begins with."""
    verb = first_verb(tuple(sentence))
    name = sum(1 for _ in takewhile(lambda token: token.text[:1].isupper(), sentence))
    return tuple(sentence[: verb or name or 1])
