"""A question that its asker corrected while asking, without what was taken back; pure, English.

"When was, no wait, where was X born?" -> "Where was X born?". Only marks of a correction that do not occur in
plain questions count, and only where it is clear how much was taken back: a question that begins anew, a
phrase that begins with the same little word, one name for another. (One word for another was right in only
six of ten, and is left.)
"""

import re

from appliance.retrieval.words import words

_FILLER = r"(?:u+m+|u+h+|er+m?|h+m+)"
_SORRY = (
    r"(?:sorry|wait|oops|scratch that|make (?:that|it)|i meant?|actually|rather|not that|better yet|tell me)"
)
_ASKS = r"(?:what|who|when|where|why|how|which|in what)\b"
_MARK = re.compile(
    rf"[\s,.]*(?<!\w)(?:(?:or|no|and|oh|ugh|{_FILLER}|but)[\s,]+)*(?:"
    rf"(?:no|or|{_FILLER})[\s,]+{_SORRY}|{_FILLER}[\s,]+no|or[\s,]+no|or[\s,]+{_FILLER}"
    rf"|i meant?(?= \S)|oops|scratch that|oh wait|{_FILLER}(?= {_ASKS})"
    rf"|(?:no|instead|sorry|rather)(?= (?:the\b|an?\b|tell me\b|{_ASKS}))|(?<=, )(?:sorry|rather|no)(?=,)"
    rf")(?:[\s,]+(?:{_SORRY}|{_FILLER}|no|to|that|is|not|rather)(?=[\s,]))*[\s,]+",
    re.IGNORECASE,
)
_ONLY_FILLER = re.compile(rf"(?:(?<=\w),)?\s+{_FILLER}(?!\w),?(?= [a-z])")  # not between two names or years
_UNSURE = re.compile(
    rf"\b(?:sorry|rather|instead|oops|ugh|wait|i want to know|not that|{_FILLER})\b", re.IGNORECASE
)
_ANEW = re.compile(
    r"(?:tell me )?(?:(?:in|at|to|from|for|on|by|of|with|under|after|before|during) )?"
    r"(?:what|who|whom|whose|when|where|why|how|which)\b",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(r"\b(?:it|its|they|them|their|he|him|his|she|her)\b", re.IGNORECASE)
_LITTLE = re.compile(
    r"(?:the|an?|in|on|at|of|to|for|from|by|with|near|during|his|her|its|their)", re.IGNORECASE
)
_NAME_AT_END = re.compile(r"(?:[A-Z][\w.'’-]*(?: (?:of|de|the) (?=[A-Z])| (?=[A-Z])|$))+$")
REACH = 5  # words before the mark among which a correction begins


def cleaned(question: str) -> str:
    """The question as it was meant; unchanged when there is no mark of a correction or no sure way."""
    text = " ".join(question.split())
    for _ in range(3):
        mark = _MARK.search(text)
        if mark is None or not mark.start():
            break
        mended = _mended(text[: mark.start()].rstrip(" ,"), text[mark.end() :])
        if not mended:
            return question
        text = mended
    text = _ONLY_FILLER.sub("", text)
    if text == " ".join(question.split()) or _UNSURE.search(text):
        return question
    return text[:1].upper() + text[1:]


def _mended(said: str, meant: str) -> str:
    """What was said before the mark with what was meant after it in place; "" when that is not sure."""
    if _ANEW.match(meant):
        sure = len(words(meant)) >= 4 and not _POINTS_BACK.search(meant)
        return "" if not sure else re.sub(r"^tell me ", "", meant, flags=re.IGNORECASE)
    first = re.match(r"\S+", meant)
    if first is None or not said:
        return ""
    before = said.split(" ")
    if _LITTLE.fullmatch(first.group()):
        places = [n for n, word in enumerate(before) if word.lower() == first.group().lower()]
        return (
            " ".join([*before[: places[-1]], meant]) if places and places[-1] >= len(before) - REACH else ""
        )
    name = _NAME_AT_END.search(said)
    if first.group()[:1].isupper() and name and name.start():
        return said[: name.start()] + meant
    return ""
