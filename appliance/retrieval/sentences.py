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
    jan feb apr aug sept sep oct nov inc ltd corp
    m mme mlle av env p.ex sra dra ud pág núm ej bzw z.b d.h usw
"""
_SHORT = frozenset(_ABBREVIATIONS.split())
_NUMBERS = frozenset(("no", "nos", "nr", "núm", "n°", "nº"))  # "No. 95", but also "He said no."
_LAST_WORD = re.compile(r"(\S*)$")


def sentence_end(text: str, final: bool) -> int | None:
    """Where the first sentence of a text ends, with the markers and spaces after it. None when that cannot be
    told yet; with `final` nothing more will come, so the end of the text ends its last sentence."""
    for stop in _END.finditer(text):
        end = stop.end()
        if markers := _MARKERS.match(text, end):
            end = markers.end()
        after = text[end:].lstrip()
        if not after or (after[0] == "[" and "]" not in after[:42]):
            if not final:
                return None
        elif (stop.group() in (".", "…") and _goes_on(text[: stop.start()], after)) or not text[
            : stop.start()
        ].strip():
            continue
        return len(text) - len(after)
    return len(text) if final and text else None


def _goes_on(before: str, after: str) -> bool:
    last = _LAST_WORD.search(before)
    word = (last.group(1) if last else "").lstrip("(\"'“«").casefold()
    initial = (len(word) == 1 and word.isalpha()) or re.fullmatch(r"(?:\w\.)+\w", word) is not None
    numbered = before.strip().isdigit() and "\n" not in before.strip()
    counted = word in _NUMBERS and after[0].isdigit()
    return initial or numbered or counted or word in _SHORT or after[0].islower()


def sentences(text: str) -> list[str]:
    """The sentences of a whole text, each with the spaces after it; joined they are the text."""
    found = []
    while text:
        end = sentence_end(text, final=True) or len(text)
        found.append(text[:end])
        text = text[end:]
    return found
