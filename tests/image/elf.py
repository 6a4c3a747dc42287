"""Whether every program and library in a root finds what it is linked with, as ld.so(8) looks for it."""

import re
import struct
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from root import inside

AARCH64 = 183  # e_machine
STANDARD = ("/lib/aarch64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/lib", "/usr/lib")


@dataclass(frozen=True, slots=True)
class Linked:
    """An ELF file: what it needs, by name, and where it says to look first (RPATH or RUNPATH)."""

    path: str
    machine: int
    needed: tuple[str, ...]
    places: tuple[str, ...]


def linked(root: Path) -> list[Linked]:
    """Every ELF file in a root, in the order of their paths."""
    files = [file for file in sorted(root.rglob("*")) if _machine(file) is not None]
    return [_parsed(root, file, rows) for file, rows in _dynamic(files)]


def missing(root: Path, files: list[Linked]) -> list[str]:
    """The libraries that are not where their user looks, as `FILE needs LIBRARY`. A private library may leave
    that to its users: what each of them needs and finds is loaded already."""
    standard = (*STANDARD, *_configured(root))

    def found(file: Linked, name: str) -> bool:
        return any(inside(root, f"{place}/{name}") for place in (*file.places, *standard))

    def brought(file: Linked, name: str) -> bool:
        users = [one for one in files if file.path.rpartition("/")[2] in one.needed]
        return bool(users) and all(name in user.needed and found(user, name) for user in users)

    return [
        f"{file.path} needs {name}"
        for file in files
        for name in file.needed
        if not found(file, name) and not brought(file, name)
    ]


def _machine(file: Path) -> int | None:
    if file.is_symlink() or not file.is_file():
        return None
    with file.open("rb") as opened:
        head = opened.read(20)
    return int(struct.unpack_from("<H", head, 18)[0]) if head[:4] == b"\x7fELF" and len(head) == 20 else None


def _dynamic(files: list[Path]) -> Iterator[tuple[Path, str]]:
    """What readelf says of the dynamic section of each file; it ends with an error for one without."""
    for at in range(0, len(files), 500):
        some = files[at : at + 500]
        # Of one file alone readelf does not say the name, so the first goes along twice.
        command = ["readelf", "-dW", *map(str, [*some, some[0]])]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
        parts = re.split(r"^File: (.*)$", done.stdout, flags=re.MULTILINE)
        said = dict(zip(parts[1::2], parts[2::2], strict=True))
        yield from ((file, said[str(file)]) for file in some)


def _parsed(root: Path, file: Path, rows: str) -> Linked:
    path = f"/{file.relative_to(root)}"
    origin = path.rpartition("/")[0]
    places = ":".join(re.findall(r"\(R(?:UN)?PATH\).*\[(.*)\]", rows))
    return Linked(
        path,
        _machine(file) or 0,
        tuple(re.findall(r"\(NEEDED\).*\[(.+)\]", rows)),
        tuple(re.sub(r"\$(?:ORIGIN|\{ORIGIN\})", origin, one) for one in places.split(":") if one),
    )


def _configured(root: Path) -> list[str]:
    lines = [
        line.split("#")[0].strip()
        for file in sorted((root / "etc/ld.so.conf.d").glob("*.conf"))
        for line in file.read_text("utf-8").splitlines()
    ]
    return [line for line in lines if line]
