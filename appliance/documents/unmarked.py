"""A stretch of Markdown as a line that is read: without the marks of headings, lists, quotes, tables, links
and emphasis. For showing; what is searched and where it stands is the text as it was. Pure.
"""

import re

MEDIA_TYPE = "text/markdown"
_RULE = re.compile(r"(?:^|(?<=\n))[ \t]*(?:\|[ \t:|-]+\||[-*_=]{3,}|```.*|~~~.*)[ \t]*(?=\n|$)")
_HEADING = re.compile(r"(?:^|(?<=\n))[ \t]{0,3}#{1,6}[ \t]+([^\n]*)(?=\n)")
_CUT_HEADING = re.compile(r"(?:^|(?<=\n))[ \t]{0,3}#{1,6}[ \t]+")
_QUOTE = re.compile(r"(?:^|(?<=\n))(?:[ \t]*>[ \t]?)+")
_ITEM = re.compile(r"(?:^|(?<=\n))[ \t]*[-*+][ \t]+")
_LINK = re.compile(r"!?\[([^\]\n]{1,200})\]\([^)\n]{0,2000}\)")
# Spaces are looked at from their first on alone: from each of many, it would take a square of them.
_BAR = re.compile(r"(?:(?<![ \t])[ \t]+)?(?<!\\)\|[ \t]*")
_EMPHASIS = re.compile(r"(?<![\w*_\\])[*_]{1,3}(?=\S)|(?<=\S)[*_]{1,3}(?![\w*_])|(?<=\s)[*_]{2,3}$|`+")
_APART = " · "
_SEVERAL = re.compile(r"(?:(?<!\s)\s+)?·(?:\s*·)+\s*")


def unmarked(text: str, begins: bool = True) -> str:
    """`begins`: the stretch begins with a line, so that a mark at its front is one."""
    text = _RULE.sub("", text if begins else f"\0{text}")
    text = _CUT_HEADING.sub("", _HEADING.sub(_as_heading, text))
    text = _ITEM.sub(_APART, _QUOTE.sub("", text))
    text = _EMPHASIS.sub("", _LINK.sub(r"\1", _BAR.sub(_APART, text)))
    text = re.sub(r"\s+", " ", _SEVERAL.sub(_APART, text))
    return text.lstrip(_APART) if begins else text.removeprefix("\0")


def _as_heading(found: re.Match[str]) -> str:
    return found[1].rstrip(" \t#") + _APART
