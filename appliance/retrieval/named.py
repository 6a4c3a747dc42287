"""What the gate's word becomes where a question names a flag, a path, a code or a program's name; pure.

In own documents and sources these are exact. Where the best passage is of one of these, and no passage has
what is named, the question is refused: --force-if-includes is no --force-with-lease, however near. Where the
best passage stands under a heading that is just what is named, it answers a question that says hardly more
("E2041", "What do I do about E2041?"), of which the reader, who knows no codes, can say nothing.
"""

import re
from collections.abc import Collection, Sequence

from appliance.records import Evidence, Judgement
from appliance.retrieval.answertype import expected
from appliance.retrieval.gate import lacks
from appliance.retrieval.rescue import Token, stands
from appliance.retrieval.words import content, fold, words

CONSIDERED = 5  # passages
MORE = 1  # words of a question besides what it names
_CODE = re.compile(r"([a-z]+)[-_.]?(\d{3,})")


def held_to(
    judged: Judgement,
    question: str,
    evidence: Sequence[Evidence],
    archives: Collection[str],
    named: Sequence[Token],
) -> Judgement:
    """The gate's word, or another. `archives` are those in which names are exact, `evidence` best first."""
    strict = [token.text for token in named if token.strict]
    if not strict or not evidence or evidence[0].archive not in archives:
        return judged
    texts = [" ".join((one.title, *one.headings, one.text)) for one in evidence[:CONSIDERED]]
    lost = [name for name in strict if not any(_there(name, text) for text in texts)]
    if judged.verdict == "answer":
        return lacks(lost) if lost else judged
    above = " ".join((evidence[0].title, *evidence[0].headings))
    if lost or judged.lacking or expected(question) or not all(_there(name, above) for name in strict):
        return judged
    return Judgement("answer", judged.probability) if _little_more(question, strict) else judged


def _there(name: str, text: str) -> bool:
    """Whether a text has a name by itself; a code also with another sign, or none, before its digits."""
    if stands(name, text):
        return True
    code = _CODE.fullmatch(fold(name))
    if code is None:
        return False
    return re.search(rf"(?<![^\W_]){code[1]}[-_. ]?{code[2]}(?![^\W_])", fold(text)) is not None


def _little_more(question: str, strict: Sequence[str]) -> bool:
    parts = {fold(word) for name in strict for word in words(name)}
    return sum(fold(word) not in parts for word in content(question)) <= MORE
