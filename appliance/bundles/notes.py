"""An archive made of a folder of Markdown files (CommonMark with tables): each file becomes a page, and a
first page leads to all of them.

Links from file to file stay; pictures become their description, and HTML in a file is shown as it is written.
The archive says what it was made of, so that it is made again only when a file has changed.
"""

import hashlib
import re
import urllib.parse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape
from pathlib import Path, PurePosixPath

from markdown_it import MarkdownIt
from markdown_it.token import Token

from appliance.bundles.manifest import OwnFolder
from appliance.bundles.wholepage import whole_page
from appliance.errors import ArchiveError, BundleError
from appliance.log import several, step
from appliance.sources.zim import Page, ZimArchive, write_archive

MAKER = 1  # counts versions of what a page looks like
MADE_OF = "X-Made-Of"  # the archive's own metadata: what `fingerprint` gave
ENDINGS = (".md", ".markdown")
FILE_BYTES, FOLDER_BYTES, FILES = 5_000_000, 500_000_000, 100_000
_FRONT = re.compile(r"\A---[ \t]*\n(.*?\n)?(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_TITLE = re.compile(r"^title:[ \t]*[\"']?(.+?)[\"']?[ \t]*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Note:
    """One file: its path below the folder without its ending, and its text without front matter."""

    path: str
    title: str
    text: str


def make(folder: OwnFolder, source: Path, target: Path) -> Path:
    """Writes the archive `target` of the folder `source`, unless it was made of the same. Raises BundleError
    for a folder or a file that cannot be read, ArchiveError when the archive cannot be written."""
    files = _files(source)
    mark = fingerprint(folder, files)
    if target.exists() and _made_of(target) == mark:
        return target
    notes = [read(path, content) for path, (content, _) in files.items()]
    newest = max(changed for _, changed in files.values())
    metadata = {
        "Title": folder.title,
        "Description": folder.title,
        "Creator": folder.title,
        "Date": datetime.fromtimestamp(newest, UTC).date().isoformat(),
        "Tags": "_pictures:no;_videos:no;_details:yes;_ftindex:yes",
        MADE_OF: mark,
    }
    target.parent.mkdir(parents=True, exist_ok=True)
    main = "index"
    while main in {note.path for note in notes}:
        main += "_"
    with step(f"Making {target.name} of {several(len(notes), 'file')}"):
        write_archive(target, pages(folder, notes, main), metadata, folder.language, main)
    return target


def fingerprint(folder: OwnFolder, files: Mapping[str, tuple[bytes, float]]) -> str:
    """SHA-256 of all that the archive's pages depend on."""
    found = hashlib.sha256(repr((MAKER, folder.name, folder.title, folder.language)).encode())
    for path, (content, _) in files.items():
        found.update(f"{path}\0{len(content)}\0".encode())
        found.update(content)
    return found.hexdigest()


def _made_of(archive: Path) -> str:
    try:
        return ZimArchive.open(archive).metadata(MADE_OF)
    except ArchiveError:  # of another making, or damaged: it is made again
        return ""


def _files(source: Path) -> dict[str, tuple[bytes, float]]:
    """Each file's content and when it was changed, by its path with its ending; nothing hidden, no links."""
    if not source.is_dir():
        raise BundleError(f"{source} is no folder that is there.")
    found: dict[str, tuple[bytes, float]] = {}
    total = 0
    for file in sorted(source.rglob("*")):
        path = file.relative_to(source)
        if file.suffix.lower() not in ENDINGS or any(part.startswith(".") for part in path.parts):
            continue
        if file.is_symlink() or not file.is_file():
            continue
        if (size := file.stat().st_size) > FILE_BYTES:
            raise BundleError(f"{file} has {size:,} bytes, expected at most {FILE_BYTES:,}.")
        if (total := total + size) > FOLDER_BYTES:
            raise BundleError(f"The Markdown files of {source} have over {FOLDER_BYTES:,} bytes.")
        found[path.as_posix()] = (file.read_bytes(), file.stat().st_mtime)
    if not 0 < len(found) <= FILES:
        raise BundleError(f"{source} has {len(found):,} Markdown files, expected 1 to {FILES:,}.")
    return found


def read(path: str, content: bytes) -> Note:
    """A file as a note. Its title is that of its front matter, else its first heading, else its name."""
    try:
        text = content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise BundleError(f"{path} is not UTF-8: {error}.") from error
    front = _FRONT.match(text)
    named = _TITLE.search(front[1] or "") if front else None
    text = text[front.end() :] if front else text
    heading = re.match(r"\s*#{1,3}[ \t]+(.+?)[ \t]*#*[ \t]*(?:\n|\Z)", text)
    place = PurePosixPath(path).with_suffix("").as_posix()
    first = _words(MarkdownIt("commonmark").parseInline(heading[1])[0]) if heading else ""
    title = named[1] if named else first or PurePosixPath(place).name.replace("_", " ").replace("-", " ")
    if heading and first == title:
        text = text[heading.end() :]
    return Note(place, " ".join(title.split()), text)


def pages(folder: OwnFolder, notes: Sequence[Note], main: str) -> Iterator[Page]:
    """The first page, which leads to all, and a page of each note."""
    paths = {note.path for note in notes}
    if len(paths) < len(notes):
        raise BundleError(f"The folder of {folder.name} has two files that differ in their ending only.")
    links = "".join(
        f'<li><a href="{urllib.parse.quote(note.path)}">{escape(note.title)}</a></li>' for note in notes
    )
    yield Page(main, folder.title, whole_page(folder.language, folder.title, f"<nav><ul>{links}</ul></nav>"))
    for note in notes:
        body = f'<div dir="auto">{render(note, paths)}</div>'
        yield Page(note.path, note.title, whole_page(folder.language, note.title, body))


def render(note: Note, paths: set[str]) -> str:
    """The note as HTML; a link to a file that is not there loses its address and keeps its words."""
    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    tokens = parser.parse(note.text)
    for token in tokens:
        for inner in token.children or ():
            if inner.type == "link_open":
                _lead(inner, note.path, paths)
            elif inner.type == "image":
                inner.type, inner.content = "text", _words(inner)
    return str(parser.renderer.render(tokens, parser.options, {}))


def _lead(link: Token, here: str, paths: set[str]) -> None:
    """Makes a link to another file lead to that file's page."""
    address = str(link.attrs.get("href", ""))
    parts = urllib.parse.urlsplit(address)
    if parts.scheme or parts.netloc or not parts.path:
        return
    bare = urllib.parse.unquote(parts.path)
    place = bare.removesuffix(PurePosixPath(bare).suffix) if PurePosixPath(bare).suffix in ENDINGS else bare
    steps: list[str] = [] if place.startswith("/") else list(PurePosixPath(here).parts[:-1])
    for part in PurePosixPath(place.lstrip("/")).parts:
        if part == ".." and steps:
            steps.pop()
        elif part != "..":
            steps.append(part)
    target = "/".join(steps)
    if target not in paths:
        del link.attrs["href"]
        return
    up = "../" * (len(PurePosixPath(here).parts) - 1)
    fragment = f"#{parts.fragment}" if parts.fragment else ""
    link.attrs["href"] = f"{up}{urllib.parse.quote(target)}{fragment}"


def _words(token: Token) -> str:
    """The text of inline Markdown without its marks."""
    return "".join(inner.content for inner in token.children or ())
