"""Bytes of a text file -> text: the one door to charset-normalizer."""

import codecs

from charset_normalizer import from_bytes

from appliance.errors import EntryUnreadable

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE = 200_000  # bytes that the guess looks at
_WESTERN = "cp1252"
_LETTERS = frozenset(
    "àâäáãåæçéèêëíìîïñóòôöõøœßúùûüÿÀÂÄÁÃÅÆÇÉÈÊËÍÌÎÏÑÓÒÔÖÕØŒÚÙÛÜ¿¡«»“”‘’„‚–—…•·°€£§©®½¼¾±×\xa0"
)
_MAINFRAMES = ["cp037", "cp273", "cp424", "cp500", "cp875", "cp1026", "cp1140"]  # EBCDIC


def decode(content: bytes, name: str) -> tuple[str, str]:
    """The text and the encoding it was in: what the file marks, UTF-8 where it is that, else the likeliest.

    NUL becomes U+FFFD, so that offsets stay. Raises EntryUnreadable for what is no text.
    """
    text, encoding = _decoded(content, name)
    if sum(text.count(letter) for letter in "\0\1\2\3\4\5\6") > len(text) // 100:
        raise EntryUnreadable(f"{name} is not a text file: it is full of control characters.", FORMAT)
    return text.replace("\0", "\ufffd"), encoding


FORMAT = "Save it as plain text in UTF-8, then add it again."


def _decoded(content: bytes, name: str) -> tuple[str, str]:
    marked = next((encoding for mark, encoding in _MARKS if content.startswith(mark)), "")
    for encoding in filter(None, (marked, "utf-8")):
        try:
            return content.decode(encoding), encoding.removesuffix("-sig")
        except UnicodeDecodeError:
            pass
    if _western(western := content.decode(_WESTERN, "replace")):
        return western, _WESTERN
    best = from_bytes(content[:_SAMPLE], cp_exclusion=_MAINFRAMES).best()
    if best is None:
        raise EntryUnreadable(f"{name} is not a text file in any known encoding.", FORMAT)
    return content.decode(best.encoding, "replace"), best.encoding


def _western(text: str) -> bool:
    """Whether a text reads as a Western language in Windows' code page. Short ones decode alike in many code
    pages, and a guess by letter frequencies then falls on rare ones; here all marked letters must be those of
    Western Europe, and no more than two to each plain one."""
    marked = [letter for letter in text if not letter.isascii()]
    plain = sum(letter.isascii() and letter.isalpha() for letter in text)
    return set(marked) <= _LETTERS and len(marked) <= 2 * plain
