"""Does a passage support a claim? A lexical rule, pure, and strict where being wrong hurts.

A claim is held against one clause of one sentence at a time, with the clause's subject and the passage's
title and headings; a sentence that begins with a pronoun also has the subject of the one before it. There
its numbers, names and decisive words ("north", "first", "largest") must stand, in any written form
(`retrieval.exact`), of its other words all that the question does not say and most of the rest; and nothing
may turn its meaning (`meaning`). So words that lie scattered over a passage support nothing. A sentence
copied from a passage supports itself.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile

from appliance.answer import antecedent
from appliance.answer.amounts import amounts, amounts_hold, is_number
from appliance.answer.belonging import misplaced, owners
from appliance.answer.clauses import ARTICLES, PREPOSITIONS, Clause, Token, clauses, first_verb, tokens
from appliance.answer.coded import of_another
from appliance.answer.dates import MONTHS
from appliance.answer.deeds import untold
from appliance.answer.forms import CJK, alike, among, by_beginning, content, terms
from appliance.answer.lifespan import lifespan
from appliance.answer.meaning import copular, decisive, head, opening, turned
from appliance.answer.naming import also_called, joined, narrower, other_kind, other_owner, other_side
from appliance.answer.nominal import told_by_noun, told_of_another
from appliance.answer.orders import gives_orders
from appliance.answer.question import Asked
from appliance.answer.said import NONE, Said, Support, refers
from appliance.answer.superlatives import raised, scopes
from appliance.retrieval import exact
from appliance.retrieval.sentences import sentences
from appliance.retrieval.words import fold, words

ENOUGH = 0.75  # share of a claim's words that must stand in the clause; of those that the question lacks all
OWN = 0.65  # share of those that title and headings lack
LETTERS = 0.75  # share of those that must where a word has no end: each letter counts
LEAST = 4  # words of a sentence that counts as copied
RESTATED = 2  # words of a question that tell what it is about; one alone stands in too many sentences
MEMORY = 12  # words that a pronoun may stand for
MARGIN = 0.15  # a cited passage this much weaker than the best one gives way to it
_NAME_FIRST = re.compile(r"[A-ZÀ-Þ][\w'’-]+ [A-ZÀ-Þ]")  # a capital tells nothing at the start; two do
_ASIDE = re.compile(r" \([^()]*\)$")  # what tells a title from others: "Mercury (planet)"


@dataclass(frozen=True)
class Ground:
    """What a claim is held against: one passage (title and headings on lines before its text), and the
    question that was asked."""

    passage: str
    question: str

    def support(self, claim: str) -> Support:
        """What supports the claim here; NONE when one of its clauses has no support."""
        if copied := self._copied(claim):
            return Support(1.0, copied)
        parts = [self._best(part) for part in clauses(claim) if content(part.whole)]
        if not parts or not all(part.share for part in parts):
            return NONE
        return Support(min(part.share for part in parts), tuple(said for part in parts for said in part.said))

    def answers(self, claim: str, support: Support) -> bool:
        """Whether the claim, so supported, answers the question."""
        if other_side(tokens(self.question), tokens(claim), alike):  # of South Africa, asked for Africa
            return False
        held = by_beginning(terms([*words(support.text), *(token.text for token in support.around)]))
        new = [term for term in content(tokens(claim)) if not among(term, self._asked)]
        return Asked(self.question).answered(
            claim, new, lambda word: among(word, held), lambda word: among(word, self._words)
        )

    def concerns(self, support: Support) -> bool:
        """Whether the sentences have to do with the question: one of its words stands in them, or a pronoun
        for the title, when the question is about the page and nothing else ("She was an engineer")."""
        asked = Asked(self.question).content
        said = by_beginning(terms(words(support.text)))
        if any(among(word, said) for word in asked):
            return True
        titled = by_beginning(terms([token.text for token in support.around]))
        referring = any(refers(tokens(one.sentence)) for one in support.said)
        return referring and (not asked or any(among(word, titled) for word in asked))

    def restates(self, support: Support) -> bool:
        """Whether the sentences, with their title and headings, hold every word that the question is about:
        then they are about what was asked, whatever a reader finds nearer."""
        asked = Asked(self.question).content
        held = by_beginning(terms([*words(support.text), *(token.text for token in support.around)]))
        return len(asked) >= RESTATED and all(among(word, held) for word in asked)

    def _best(self, claim: Clause) -> Support:
        said = (*self.said, *self._by_noun(claim))
        return max((self._held(claim, one) for one in said), key=lambda found: found.share, default=NONE)

    def _by_noun(self, claim: Clause) -> Iterator[Said]:
        """What the passage tells of the claim's deed by a noun."""
        for one in self.said:
            if words_of := told_by_noun(claim.whole, one.clause.words, alike):
                yield Said(Clause(words_of), one.around, one.sentence)

    def _held(self, claim: Clause, said: Said) -> Support:
        counted = amounts(claim.whole)
        wordy = [token for place, token in enumerate(claim.whole) if place not in counted]
        claimed = content(wordy) or content(claim.whole)
        held = [term for term in claimed if among(term, said.forms)]
        own = [term for term in claimed if not among(term, said.near)]
        new = [term for term in claimed if not among(term, self._asked)]
        enough = (
            len(held) >= ENOUGH * len(claimed)
            and sum(term in held for term in own) >= OWN * len(own)
            and all(term in held for term in new if term < CJK)
            and sum(term in held for term in new) >= LETTERS * len(new)
        )
        if not held or not enough or self._added(claim, said) or not self._spoken_of(claim, said):
            return NONE
        if not all(among(word, said.forms) for word in decisive(claim.whole)):
            return NONE
        if raised(claim.whole, said.clause.whole, alike) or self._of_question(claim):
            return NONE
        spoken_of = [*owners(claim.whole), *scopes(claim.whole)]
        if not all(among(word, said.forms) for word in content(spoken_of)):
            return NONE
        if self._lacking(claim, said):
            return NONE
        if not amounts_hold(claim.whole, said.clause.whole, self._dated(said.around), alike, self._excused):
            return NONE
        turns = turned(claim, said.meant, alike) or misplaced(claim.whole, said.clause.whole, alike)
        return NONE if turns else Support(len(held) / len(claimed), (said,))

    def _added(self, claim: Clause, said: Said) -> bool:
        """Whether a clause has another verb than was said, though the question's, or goes on from another
        with what only the question said: "a poet, who used verse in his songs"."""
        if untold(claim, lambda form: among(form, said.forms)):
            return True
        own = content(claim.words) if claim.subject else []
        return sum(among(term, said.forms) for term in own) < OWN * len(own)

    def _spoken_of(self, claim: Clause, said: Said) -> bool:
        """Whether the clause is about what the claim is about."""
        if told_of_another(claim.whole, said.clause.words, alike):
            return False
        if antecedent.of_before(claim, said.clause, alike):
            return False
        if (
            copular(claim)
            and not copular(said.clause)
            and antecedent.of_another(claim.whole, said.clause.whole, alike)
        ):
            return False
        if other_kind(head(claim), claim.whole, said.meant.whole):
            return False
        if other_owner(claim.whole, said.clause.whole, said.around, alike):
            return False
        if narrower(
            head(claim), claim.whole, said.clause.whole, lambda name: self._known(name, claim), alike
        ):
            return False
        subject = by_beginning(terms([token.text for token in said.subject]))
        nearest, alone = antecedent.antecedent(claim)
        spoken_of = nearest if alone else head(claim)
        about = content([one for one in spoken_of if one.form < CJK and not is_number(one)])
        lacking = [term for term in about if not among(term, subject)]
        beside = by_beginning(terms([token.text for token in (*said.around, *opening(said.meant))]))
        return not lacking or (len(lacking) < len(about) and all(among(term, beside) for term in lacking))

    def _of_question(self, claim: Clause) -> bool:
        """Whether the claim is a name alone, and part of it the question's: who played Mr Marrow is not
        "Thomas Marrow"."""
        named = all(
            token.text[:1].isupper() for token in claim.whole if token.form not in PREPOSITIONS | ARTICLES
        )
        return named and any(among(term, self._asked) for term in content(claim.whole))

    def _known(self, name: str, claim: Clause) -> bool:
        """Whether the name stands in the question, in title or headings, or in the claim."""
        told = " ".join(token.text for token in (*self.named, *claim.whole))
        return not exact.missing(exact.Named(names=(fold(name),)), f"{self.question} {told}")

    def _lacking(self, claim: Clause, said: Said) -> bool:
        """Whether the clause lacks a name of the claim, or has its parts in two names."""
        names = [
            name
            for name in exact.named(_named(claim)).names
            if not (name in MONTHS and among(name, said.forms))
        ]
        if exact.missing(exact.Named(names=tuple(names)), said.text):
            return True
        return joined(claim.whole, self._parts)

    @cached_property
    def _parts(self) -> list[tuple[Token, ...]]:
        """What names may stand in: the question, each line above the text and each sentence."""
        above, _, text = self.passage.rpartition("\n")
        return [tokens(part) for part in (self.question, *above.split("\n"), *sentences(text))]

    def _dated(self, around: Sequence[Token]) -> list[Token]:
        """Without the numbers that only tell one title from others, as in "The Lantern (2016 film)"."""
        aside = _ASIDE.search(self.passage.partition("\n")[0])
        telling = {token.form for token in tokens(aside.group())} if aside else set()
        return [token for token in around if token.form not in telling or not token.form[:1].isdigit()]

    def _excused(self, term: str) -> bool:
        return among(term, self._asked) and not among(term, self._words)

    def _copied(self, claim: str) -> tuple[Said, ...]:
        wanted = [token.form for token in tokens(claim)]
        if len(wanted) < LEAST:
            return ()
        return tuple(said for said in self.said if wanted == [token.form for token in tokens(said.sentence)])

    @cached_property
    def said(self) -> list[Said]:
        """Every clause of the passage."""
        about, _, text = self.passage.rpartition("\n")
        name = _ASIDE.sub("", about.partition("\n")[0])
        title = tokens(name)
        found: list[Said] = []
        before: tuple[Token, ...] = ()
        heads: tuple[Token, ...] = ()  # of the table whose rows are read
        for sentence in sentences(text):
            if gives_orders(sentence):
                break
            heads = (heads or tokens(sentence)) if sentence.startswith("|") else ()
            parts = clauses(sentence)
            if not parts or of_another(self.question, sentence):
                continue
            called = title if not found and also_called(sentence, name) else ()
            if not found:
                found += [
                    Said(Clause(tokens(text)), self.named, sentence) for text in lifespan(sentence, name)
                ]
            subject = _subject(parts[0])
            spoken_of = before if refers(parts[0].words) else ()
            around = (*self.named, *heads, *spoken_of)
            found += [Said(part, around, sentence, called) for part in parts]
            before = (*spoken_of, *subject)[:MEMORY]
        return found

    @cached_property
    def named(self) -> tuple[Token, ...]:
        """Title and headings."""
        return tokens(self.passage.rpartition("\n")[0])

    @cached_property
    def _words(self) -> dict[str, list[str]]:
        return by_beginning(terms(words(self.passage)))

    @cached_property
    def _asked(self) -> dict[str, list[str]]:
        return by_beginning(terms(words(self.question)))


def supporting(claim: str, cited: Sequence[int], grounds: Sequence[Ground]) -> dict[int, Support]:
    """The passages (numbers from 1) that a claim may cite and what supports it there; empty when none does.

    Cited ones that support it stay unless another is clearly closer; else the closest one is named, also
    for a claim that cites nothing.
    """
    found = {n: support for n, ground in enumerate(grounds, 1) if (support := ground.support(claim)).share}
    best = max((support.share for support in found.values()), default=0.0)
    kept = {n: found[n] for n in cited if n in found and found[n].share >= best - MARGIN}
    closest = (n for n, support in found.items() if support.share == best)
    return kept or {n: found[n] for n in [*closest][:1]}


def _subject(clause: Clause) -> tuple[Token, ...]:
    """Up to the verb; where none is known, the name or the one word that it begins with."""
    verb = first_verb(clause.words)
    name = sum(1 for _ in takewhile(lambda token: token.text[:1].isupper(), clause.words))
    return clause.words[: verb or name or 1]


def _named(claim: Clause) -> str:
    text = " ".join(token.text for token in claim.whole)
    return f"so {text}" if _NAME_FIRST.match(text) else text
