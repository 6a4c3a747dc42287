"""What a passage says, clause by clause, and what of it supports a claim. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from appliance.answer.antecedent import antecedent
from appliance.answer.clauses import Clause, Token, listed
from appliance.answer.forms import by_beginning, terms
from appliance.answer.meaning import core

OPENING = 3  # words in which a clause names what it is about
_SPOKEN_OF = listed(
    """
    he she it they this these that those such il elle ils elles ce cet cette ces cela el ella ellos ellas este
    esta estos estas esto er sie es dieser diese dieses his her its their son sa ses leur leurs su sus sein
    """
)

_UNSPOKEN = listed("es era fue son eran fueron tiene tenia tuvo esta estaba ha habia")  # Spanish drops "it"


@dataclass(frozen=True)
class Said:
    """One clause of a sentence of the evidence; `around` it title, headings and what a pronoun stands for."""

    clause: Clause
    around: tuple[Token, ...]
    sentence: str
    title: tuple[Token, ...] = ()

    @cached_property
    def forms(self) -> dict[str, list[str]]:
        return by_beginning(terms([token.text for token in (*self.around, *self.clause.whole)]))

    @cached_property
    def near(self) -> dict[str, list[str]]:
        return by_beginning(terms([token.text for token in self.around]))

    @cached_property
    def text(self) -> str:
        return " ".join(token.text for token in (*self.around, *self.clause.whole))

    @cached_property
    def meant(self) -> Clause:
        """The clause with what its pronoun stands for in the place of its subject."""
        spoken_of = self.around if refers(self.clause.whole) else ()
        return Clause(self.clause.words, (*spoken_of, *self.clause.subject))

    @cached_property
    def subject(self) -> tuple[Token, ...]:
        """What it is about: its words that depend on nothing, and the title where that is its other name. A
        relative clause is about the phrase before it: "the king of Norland, which was the largest"."""
        nearest, alone = antecedent(self.clause)
        return (*nearest, *core(Clause(self.clause.words) if alone else self.meant), *self.title)


@dataclass(frozen=True)
class Support:
    """How much of a claim's words its clauses hold (0…1), and the sentences in which they stand."""

    share: float = 0.0
    said: tuple[Said, ...] = ()

    @property
    def text(self) -> str:
        return " ".join(dict.fromkeys(one.sentence for one in self.said))

    @property
    def around(self) -> tuple[Token, ...]:
        return tuple(token for one in self.said for token in one.around)


NONE = Support()


def refers(words: Sequence[Token]) -> bool:
    """Whether a clause begins with a pronoun, said or not: "It freezes", "In winter it does", "Es azul"."""
    unspoken = any(token.form in _UNSPOKEN for token in words[:1])
    return unspoken or any(token.form in _SPOKEN_OF for token in words[:OPENING])
