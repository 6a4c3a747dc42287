"""Which archives a folder offers, and what is wrong with the others.

Only names, sizes and headers are looked at; an archive that is still being copied is a problem until it is
whole.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from appliance.errors import ArchiveError
from appliance.sources.zimfile import archive_name, check_whole, is_part, parts

_EDITION = re.compile(r"(?P<series>.+)_(?P<date>\d{4}-\d{2}(?:-\d{2})?[a-z]?)")


@dataclass(frozen=True, slots=True)
class Problem:
    """A file that is not served; `sentence` says why and what to do."""

    name: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Older:
    """An edition that a newer one replaces. It stays open for old citations and may be removed."""

    path: Path
    newest: Path


@dataclass(frozen=True, slots=True)
class Shelf:
    """What is there: archives to serve by name, older editions of them, problems."""

    archives: tuple[Path, ...]
    older: tuple[Older, ...] = ()
    problems: tuple[Problem, ...] = ()


def scan(places: Sequence[Path]) -> Shelf:
    """Looks into folders (not below them) and at archives named one by one; those are all served, whatever
    their editions. Of an archive that lies in two places the first is served. A split archive is given by its
    first part, `NAME.zimaa`. Files that begin with a dot and files that are no archives are passed over in
    silence."""
    whole: dict[str, Path] = {}
    uuids: dict[str, str] = {}
    asked: set[str] = set()
    problems: list[Problem] = []
    for place in places:
        if not place.is_dir():
            asked.add(archive_name(place))
        for path in _candidates(place, problems):
            name = archive_name(path)
            try:
                uuid = check_whole(path).uuid
            except ArchiveError as error:
                problems.append(Problem(path.name, f"{error} {error.hint}".strip()))
                continue
            if name in whole and whole[name].resolve() != path.resolve() and uuids[name] != uuid:
                problems.append(
                    Problem(
                        path.name,
                        f"{path} is not used: {whole[name]} has the same name. Rename or remove one.",
                    )
                )
                continue
            whole.setdefault(name, path)
            uuids.setdefault(name, uuid)
    older = _older({name: path for name, path in whole.items() if name not in asked})
    replaced = {edition.path for edition in older}
    served = tuple(path for _, path in sorted(whole.items()) if path not in replaced)
    return Shelf(served, tuple(older), tuple(problems))


def _candidates(place: Path, problems: list[Problem]) -> list[Path]:
    """The archives that a place names, whole or not."""
    if not place.is_dir():
        return [place]
    try:
        files = sorted(file for file in place.iterdir() if not file.name.startswith(".") and file.is_file())
    except OSError as error:
        problems.append(Problem(place.name, f"The folder {place} cannot be read: {error.strerror}."))
        return []
    plain = [file for file in files if file.name.endswith(".zim")]
    names = {file.name for file in plain}
    split: dict[str, list[Path]] = {}
    for file in files:
        if is_part(file) and file.name[:-2] not in names:
            split.setdefault(file.name[:-2], []).append(file)
    for base, found in split.items():
        first = place / f"{base}aa"
        there = parts(first)
        if len(there) < len(found):
            missing = _part_after(there[-1].name) if there else first.name
            problems.append(
                Problem(
                    base, f"{base} is split and its part {missing} is missing. Copy it beside the others."
                )
            )
        else:
            plain.append(first)
    return plain


def _part_after(name: str) -> str:
    first, second = name[-2], name[-1]
    following = f"{first}{chr(ord(second) + 1)}" if second < "z" else f"{chr(ord(first) + 1)}a"
    return name[:-2] + following


def _older(archives: dict[str, Path]) -> list[Older]:
    """All editions of a series but the newest; the date in the name decides."""
    series: dict[str, list[tuple[str, Path]]] = {}
    for name, path in archives.items():
        if found := _EDITION.fullmatch(name):
            series.setdefault(found["series"], []).append((found["date"], path))
    return [older for editions in series.values() for older in _replaced(sorted(editions))]


def _replaced(editions: Sequence[tuple[str, Path]]) -> Iterable[Older]:
    *before, (_, newest) = editions
    return [Older(path, newest) for _, path in before]
