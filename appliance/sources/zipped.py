"""Files that are ZIP archives inside (.docx, .odt, .epub): opened with bounds, so that a small file cannot
unfold into gigabytes. The sizes that the file states are bounds for what is read of it, too."""

import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from xml.etree.ElementTree import Element, ParseError

from defusedxml import ElementTree
from defusedxml.common import DefusedXmlException

from appliance.errors import EntryUnreadable

__all__ = ["DAMAGED", "Element", "member", "opened", "xml"]

UNFOLDED = 400_000_000  # bytes of all members together
PART = 60_000_000  # bytes of one member that is read as text
MEMBERS = 20_000
RATIO = 200  # unfolded to folded, from a megabyte on; text folds to a twentieth at most
DAMAGED = "Open it in the program that made it, save it again, then add it."


@contextmanager
def opened(file: Path, name: str) -> Iterator[zipfile.ZipFile]:
    """The archive. Raises EntryUnreadable for one that is damaged, encrypted or unfolds beyond bounds."""
    try:
        with zipfile.ZipFile(file) as archive:
            _check(archive, name)
            yield archive
    except (zipfile.BadZipFile, zipfile.LargeZipFile, NotImplementedError, OSError, EOFError) as error:
        raise EntryUnreadable(f"{name} is damaged: {error}.", DAMAGED) from error
    except RuntimeError as error:  # zipfile raises no narrower one for what is encrypted
        raise EntryUnreadable(f"{name} cannot be read: {error}.", "Save it without a password.") from error


def _check(archive: zipfile.ZipFile, name: str) -> None:
    members = archive.infolist()
    unfolded = sum(member.file_size for member in members)
    folded = sum(member.compress_size for member in members)
    if len(members) > MEMBERS or unfolded > UNFOLDED or unfolded > max(1_000_000, RATIO * folded):
        raise EntryUnreadable(
            f"{name} unfolds to {unfolded / 1e6:,.0f} MB in {len(members):,} parts: no document does.",
            "If it is a real document, save its text as a file of its own.",
        )
    if any(member.flag_bits & 1 for member in members):
        raise EntryUnreadable(f"{name} is encrypted.", "Save it without a password, then add it.")


def member(archive: zipfile.ZipFile, path: str, name: str) -> bytes:
    """One part of it, at most PART bytes. Raises EntryUnreadable where it is missing or larger."""
    try:
        with archive.open(path) as file:
            content = file.read(PART + 1)
    except KeyError as error:
        raise EntryUnreadable(f"{name} is damaged: its part {path[:200]} is missing.", DAMAGED) from error
    if len(content) > PART:
        raise EntryUnreadable(f"{name} is too large: its part {path[:200]} has more than {PART:,} bytes.")
    return content


def xml(archive: zipfile.ZipFile, path: str, name: str) -> Element:
    """A part that is XML, as a tree. Entities are not followed."""
    try:
        tree: Element = ElementTree.fromstring(member(archive, path, name))
        return tree
    except (ParseError, DefusedXmlException, ValueError, LookupError) as error:
        raise EntryUnreadable(f"{name} is damaged: {path[:200]} is no XML ({error}).", DAMAGED) from error
