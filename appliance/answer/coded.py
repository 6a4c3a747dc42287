"""Codes such as ERR-4471: what a text says of one, or a table's row, says nothing of another. Pure."""

import re

_CODE = re.compile(
    r"(?<![\w.-])(?!(?:pre|post|mid|non|anti|ex)-)(?:[a-z]{2,10}[-_]\d{2,8}|(?-i:[A-Z]{2,10})\d{2,8})(?![\w-])",
    re.IGNORECASE,
)
_KIND = re.compile(r"[-_]?\d+$")
_FIRST_CELL = re.compile(r"\s*\|([^|]*)\|")


def codes(text: str) -> frozenset[str]:
    """The codes of a text, in small letters."""
    return frozenset(match.group().lower() for match in _CODE.finditer(text))


def of_another(question: str, sentence: str) -> bool:
    """Whether a sentence tells of a code of a kind that the question names, and of none that it names; of a
    table's row its first cell counts, whatever its kind."""
    asked, told = codes(question), codes(sentence)
    if not asked or asked & told:
        return False
    kinds = {_KIND.sub("", code) for code in asked}
    row = _FIRST_CELL.match(sentence)
    return bool(row and codes(row[1])) or any(_KIND.sub("", code) in kinds for code in told)
