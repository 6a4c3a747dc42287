"""A question that its asker began anew while asking, without what was taken back; pure, English.

"When was, no wait, where was X born?" -> "Where was X born?". Only marks of a correction that do not occur in
plain questions count, and only where a whole question follows them. Corrections inside one ("in Spain,
sorry, France") are left: mending them lost more passages than it found (disflqa, dev).
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
_UNSURE = re.compile(
    rf"\b(?:sorry|rather|instead|oops|ugh|wait|i want to know|not that|{_FILLER})\b", re.IGNORECASE
)
_ANEW = re.compile(
    r"(?:tell me )?(?:(?:in|at|to|from|for|on|by|of|with|under|after|before|during) )?"
    r"(?:what|who|whom|whose|when|where|why|how|which)\b",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(r"\b(?:it|its|they|them|their|he|him|his|she|her)\b", re.IGNORECASE)


def cleaned(question: str) -> str:
    """The question as it was meant; unchanged when there is no mark of a correction or no sure way."""
    text = " ".join(question.split())
    for _ in range(3):
        mark = _MARK.search(text)
        if mark is None or not mark.start():
            break
        mended = _mended(text[mark.end() :])
        if not mended:
            return question
        text = mended
    if text == " ".join(question.split()) or _UNSURE.search(text):
        return question
    return text[:1].upper() + text[1:]


def _mended(meant: str) -> str:
    """The question that follows a mark; "" when none does, or one that points back to what was said."""
    if not _ANEW.match(meant) or len(words(meant)) < 4 or _POINTS_BACK.search(meant):
        return ""
    return re.sub(r"^tell me ", "", meant, flags=re.IGNORECASE)
