"""Bytes -> text, and plain text -> Document: paragraphs are what blank lines part. Pure."""

import codecs
import re

from appliance.records import Block, Document

MAX_CHARACTERS = 8_000_000
_CHARSET = re.compile(rb"""charset\s*=\s*["']?\s*([A-Za-z0-9_.:-]+)""", re.IGNORECASE)
_PARAGRAPH = re.compile(r"\S(?:.*\S)?(?:\n(?:.*\S.*))*")


def extract(text: str, path: str, title: str) -> Document:
    """Each run of lines without a blank line between them is one paragraph; nothing else is changed."""
    text = text[:MAX_CHARACTERS].replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")
    blocks = tuple(Block("paragraph", found.start(), found.end()) for found in _PARAGRAPH.finditer(text))
    return Document(path, title, text, blocks)


def decoded(content: bytes, mimetype: str) -> str:
    """UTF-8 where it is, else what the type or the first lines name, else UTF-8 with marks for the rest."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        named = _CHARSET.search(mimetype.encode()) or _CHARSET.search(content[:2048])
        try:
            return content.decode(codecs.lookup(named[1].decode()).name if named else "utf-8", "replace")
        except LookupError:
            return content.decode("utf-8", "replace")
