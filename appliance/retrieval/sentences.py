"""Where sentences end, in a whole text and in one that is still being written. Pure.

A full stop ends a sentence unless it belongs to an abbreviation, an initial or a list number, or small
letters follow. Citation markers after the stop belong to the sentence before them.
"""

import re

ROW_END = "\u2028"  # ends a table's row in a text that was put on one line
_END = re.compile(r"[.!?…]+[\"'”’»)]*(?=\s|$|\[)|[。！？]+[」』）]*|[\n\u2028]+")
_MARKERS = re.compile(r"(?:[ \t]*\[[^\[\]\n]{0,40}\])+")
_ABBREVIATIONS = """
    dr mr mrs ms prof st sr jr vs vol fig p pp ca approx etc al e.g i.e cf gen col capt lt sgt rev hon
    mt mts gov sen rep messrs bros dept ch chap vols eds
    jan feb apr aug sept sep oct nov inc ltd corp
    m mme mlle av env p.ex sra dra ud pág núm ej bzw z.b d.h usw
"""
_SHORT = frozenset(_ABBREVIATIONS.split())
_NUMBERS = frozenset(("no", "nos", "nr", "núm", "n°", "nº"))  # "No. 95", but also "He said no."
_SPACES = re.compile(r"\s*")
_NEAR = 80  # letters before a stop in which its last word, or a list's number, stands
_MARKER = 42  # letters in which a marker that has begun ends


def sentence_end(text: str, final: bool) -> int | None:
    """Where the first sentence of a text ends, with the markers and spaces after it. None when that cannot be
    told yet; with `final` nothing more will come, so the end of the text ends its last sentence."""
    return _end(text, 0, final)


def _end(text: str, start: int, final: bool) -> int | None:
    """The same of the text from `start`. Looks at each letter a few times, however long the text is."""
    first = _after_spaces(text, start)
    for stop in _END.finditer(text, start):
        end = stop.end()
        if markers := _MARKERS.match(text, end):
            end = markers.end()
        after = _after_spaces(text, end)
        if after == len(text) or (text[after] == "[" and "]" not in text[after : after + _MARKER]):
            if not final:
                return None
        elif stop.start() <= first or (stop.group() in (".", "…") and _goes_on(text, start, stop, after)):
            continue
        return after
    return len(text) if final and len(text) > start else None


def _after_spaces(text: str, at: int) -> int:
    found = _SPACES.match(text, at)
    return found.end() if found else at


def _goes_on(text: str, start: int, stop: re.Match[str], after: int) -> bool:
    """Whether the sentence that begins at `start` goes on at `after`, behind the stop."""
    before = text[max(start, stop.start() - _NEAR) : stop.start()]
    last = before.split()[-1] if before[-1:].strip() else ""
    word = last.lstrip("([\"'“«").rpartition("-")[2].casefold()
    initial = (len(word) == 1 and word.isalpha()) or re.fullmatch(r"(?:\w\.)+\w", word) is not None
    numbered = stop.start() - start <= _NEAR and before.strip(" \n(\"'“«").isdigit()
    counted = word in _NUMBERS and text[after].isdigit()
    return initial or numbered or counted or word in _SHORT or text[after].islower()


def sentences(text: str) -> list[str]:
    """The sentences of a whole text, each with the spaces after it; joined they are the text."""
    found = []
    start = 0
    while start < len(text):
        end = _end(text, start, final=True) or len(text)
        found.append(text[start:end])
        start = end
    return found
