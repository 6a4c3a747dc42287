"""Texts as they are compared: without what nobody sees, and with one form for what is written in several.

Used for search only; offsets always point into the text as it was.
"""

import re
import unicodedata

from appliance.sqlite import lexical_text

# Soft hyphens, zero-width spaces and joiners, marks of direction, the byte order mark.
UNSEEN = re.compile("[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]")
_FORMS = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′`´ʼ", "'"),
        **dict.fromkeys("“”„‟″«»", '"'),
        **dict.fromkeys("‐‑‒–—―−﹣－", "-"),
        "…": "...",
        "⁄": "/",
        "×": "x",
    }
)


def searchable(text: str) -> str:
    """What FTS5 reads of a text, also of a question's word."""
    return lexical_text(plain(text))


def plain(text: str) -> str:
    """A text with plain quotes, hyphens and letters, without what is not seen."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", UNSEEN.sub("", text)).translate(_FORMS)


def alike(text: str) -> str:
    """For finding a stretch in another text: plain, in small letters, with single spaces."""
    return " ".join(plain(text).casefold().split())
