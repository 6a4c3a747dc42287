"""Everything as plain Markdown in a folder: a file for each document and conversation, and a list of them.

A document that is Markdown is written as it is. Others get what is known about them as front matter, and
their headings, items and code marked as Markdown marks them.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from appliance.documents import rows, turns
from appliance.documents.incoming import plain_folder
from appliance.documents.records import Document, Scope
from appliance.documents.store import Store
from appliance.errors import DocumentError
from appliance.records import Block

LONGEST = 200  # bytes of a file's name without what is put behind it
DOCUMENTS, CONVERSATIONS, LIST = "documents", "conversations", "index.md"
_AS_IT_IS = ("text/markdown", "text/plain")


def export(store: Store, folder: Path) -> tuple[int, int]:
    """Writes into a folder that is new or empty; gives how many documents and conversations. Raises
    DocumentError."""
    try:
        return _export(store, folder)
    except OSError as error:
        raise DocumentError(
            f"{folder} cannot be written: {error.strerror}.", "Give another folder."
        ) from error


def _export(store: Store, folder: Path) -> tuple[int, int]:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise DocumentError(f"{folder} is not empty.", "Give a new folder.")
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    listed: list[str] = []
    documents = 0
    for document, blocks in _documents(store):
        target = _free(folder / DOCUMENTS, document)
        _write(target, markdown(document, blocks))
        place = target.relative_to(folder).as_posix().replace(" ", "%20")
        listed.append(f"- [{_line(document.title)}]({place}), added {document.added}")
        documents += 1
    conversations = 0
    for number, title, text in _conversations(store):
        _write(folder / CONVERSATIONS / f"{number}.md", text)
        listed.append(f"- [{_line(title)}]({CONVERSATIONS}/{number}.md)")
        conversations += 1
    _write(folder / LIST, "# Documents and conversations\n\n" + "\n".join(listed) + "\n")
    return documents, conversations


def markdown(document: Document, blocks: tuple[Block, ...]) -> str:
    """A document as Markdown."""
    if document.media_type == "text/markdown":
        return document.text
    about = {
        "title": document.title,
        "date": document.written,
        "lang": document.language,
        "file": document.name,
        "added": document.added,
        **document.meta,
    }
    front = "".join(
        f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in about.items() if value
    )
    if document.media_type in _AS_IT_IS:
        return f"---\n{front}---\n\n{document.text}"
    return f"---\n{front}---\n\n" + "\n\n".join(_marked(document.text, block) for block in blocks) + "\n"


def _marked(text: str, block: Block) -> str:
    piece = text[block.start : block.end]
    match block.kind:
        case "heading":
            return f"{'#' * min(6, len(block.headings) + 1)} {piece}"
        case "item" | "row":
            return f"- {piece}"
        case "code":
            return f"```\n{piece}\n```"
    return piece


def _documents(store: Store) -> Iterator[tuple[Document, tuple[Block, ...]]]:
    with store.read() as connection:
        found: list[Any] = connection.execute("SELECT id, owner FROM document ORDER BY id").fetchall()
        for number, owner in found:
            scope = Scope((owner,))
            document, drawn = rows.find(connection, number, scope), rows.drawn(connection, number, scope)
            if document and drawn:
                yield document, drawn.blocks


def _conversations(store: Store) -> Iterator[tuple[int, str, str]]:
    with store.read() as connection:
        found: list[Any] = connection.execute(
            "SELECT id, title, begun FROM conversation ORDER BY id"
        ).fetchall()
        for number, title, begun in found:
            text = [f"# {_line(title)}\n\nBegun {begun}.\n"]
            for turn in turns.select(connection, "conversation_id = ?", (number,)):
                answer = turn.kept.finished.answer if turn.kept else None
                text.append(f"## {_line(turn.asked)}\n\n{answer.text if answer else ''}\n")
                for citation in answer.citations if answer else ():
                    place = f"{_line(citation.evidence.title)} ({citation.evidence.archive})"
                    text.append(f"[{citation.n}] {place}: {_line(citation.evidence.text)}\n")
            yield number, title, "\n".join(text)


def _line(text: str) -> str:
    return " ".join(text.split()).replace("[", "(").replace("]", ")")


def _free(folder: Path, document: Document) -> Path:
    """A place below a folder that nothing has, of names that every disk takes."""
    for part in plain_folder(f"{document.owner}/{document.folder}").split("/"):
        folder = folder / _short(part) if part else folder
        while folder.is_file():
            folder = folder.with_name(f"{folder.name}_")
    stem = _short(os.path.splitext(document.name)[0].strip(". ")) or "document"
    target, times = folder / f"{stem}.md", 0
    while target.exists():
        target, times = folder / f"{stem}-{document.id}{'_' * times}.md", times + 1
    return target


def _short(name: str) -> str:
    """No longer than a disk takes, which counts bytes."""
    return name.encode()[:LONGEST].decode("utf-8", "ignore").strip()


def _write(target: Path, text: str) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("w", encoding="utf-8", newline="") as file:
        file.write(text)
