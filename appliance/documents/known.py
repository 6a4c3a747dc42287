"""Differences that were found between own documents, told where a question asks for just that.

Found ahead of time by rules and reader (`contradictions`), they are told in an answer only when both
sentences are among its passages, the question asks for that kind of thing, and the reader says of both that
they answer it. One that was dismissed is not told.
"""

import json
from collections.abc import Sequence
from functools import partial
from typing import Any, Literal

from appliance.answer.ask import Known
from appliance.documents.claims import Claim, Kind
from appliance.documents.contradictions import placed
from appliance.documents.judging import Placed, Read
from appliance.documents.records import ARCHIVE
from appliance.documents.store import Store
from appliance.records import Disagreement, Evidence, Side
from appliance.retrieval import answertype, opposites
from appliance.sqlite import stems

SURE = 0.0  # logit of the reader, for each side
LESS_SURE = -5.0  # where the question says all that both sides say of their thing
MOST = 20  # pairs that are looked at
OWNING = frozenset(stems("belong own owner property whose appartient appartenait pertenece pertenecía"))
_ASKS: dict[Kind, tuple[answertype.Kind | None, ...]] = {
    "date": ("time", "year"),
    "number": ("number", "length", "duration", "age", "percent", "money"),
    "place": ("place",),
    "owner": ("name",),
}
_TOLD: dict[Kind, Literal["date", "number", "name"]] = {
    "date": "date", "number": "number", "place": "name", "owner": "name",
}  # fmt: skip


def known(store: Store, read: Read) -> Known:
    """What `answer.ask` asks."""
    return partial(_known, store, read)


def _known(store: Store, read: Read, question: str, evidence: Sequence[Evidence]) -> Disagreement | None:
    kinds = [kind for kind, asks in _ASKS.items() if answertype.expected(question) in asks]
    if not frozenset(stems(question)) & OWNING:
        kinds = [kind for kind in kinds if kind != "owner"]  # who bought it is another question
    best: tuple[float, Disagreement] | None = None
    for one, other in _pairs(store, evidence, kinds):
        sides = [_side(side, evidence) for side in (one, other)]
        if sides[0] is None or sides[1] is None or sides[0].ns == sides[1].ns:
            continue
        told = [f"{side.claim.told} {side.claim.value}" for side in (one, other)]
        if not all(opposites.met(opposites.asked(question), text) for text in told):
            continue  # who asks when it was closed is not told when it was opened
        logits = read(question, told)
        least = LESS_SURE if all(_asked_of(question, side.claim) for side in (one, other)) else SURE
        if logits and min(logits) >= least and (best is None or min(logits) > best[0]):
            first, second = sorted((sides[0], sides[1]), key=lambda side: side.ns)
            best = min(logits), Disagreement(_TOLD[one.claim.kind], (first, second))
    return best[1] if best else None


def _asked_of(question: str, claim: Claim) -> bool:
    """Whether a question has every word of what a claim says of its thing, or another one for owning it."""
    asked = frozenset(stems(question))
    return claim.about - asked <= (OWNING if claim.kind == "owner" else frozenset())


def _pairs(store: Store, evidence: Sequence[Evidence], kinds: Sequence[Kind]) -> list[tuple[Placed, Placed]]:
    """Pairs of these kinds of which both documents have passages here."""
    documents = json.dumps([int(item.path) for item in evidence if item.archive == ARCHIVE])
    sql = (
        "SELECT g.one, g.other FROM disagreement g JOIN claim a ON a.id = g.one "
        "JOIN claim b ON b.id = g.other WHERE dismissed IS NULL "
        "AND a.kind IN (SELECT value FROM json_each(?)) "
        "AND a.document_id IN (SELECT value FROM json_each(?)) "
        "AND b.document_id IN (SELECT value FROM json_each(?)) ORDER BY g.sure DESC LIMIT ?"
    )
    with store.read() as connection:
        rows: Any = connection.execute(sql, (json.dumps(kinds), documents, documents, MOST)).fetchall()
        found = [(placed(connection, one), placed(connection, other)) for one, other in rows]
    return [(one, other) for one, other in found if one and other]


def _side(side: Placed, evidence: Sequence[Evidence]) -> Side | None:
    """The sentence in the passage that holds it; None where none does."""
    for n, item in enumerate(evidence, 1):
        at = side.start - item.start
        if item.archive == ARCHIVE and item.path == str(side.document) and 0 <= at < len(item.text):
            return Side(side.claim.value, item.text[at : at + len(side.claim.sentence)], (n,))
    return None
