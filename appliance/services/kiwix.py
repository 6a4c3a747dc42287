"""kiwix-serve, the reader: under which names it serves archives, and how it is started.

kiwix-serve (libkiwix 11 to 14) names an archive after its file: in lower case, without accents, spaces as
`_`, and one archive that it cannot open keeps it from starting. So it gets a folder of links whose names it
leaves alone, and only archives that its own kiwix-manage accepts. Both also hold for split archives, which it
opens by the name without the last two letters (`NAME.zim` for `NAME.zimaa`, `NAME.zimab`, …).
"""

import hashlib
import os
import re
import shutil
import subprocess
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from pathlib import Path

from appliance.errors import SetupError
from appliance.log import say

ROOT = "/read"
PROGRAM, MANAGER = "kiwix-serve", "kiwix-manage"
HINT = "Install kiwix-tools (`apt install kiwix-tools`) to read archives in Kiwix; the rest works without."


def reader_name(archive: str) -> str:
    """The name of an archive in addresses of kiwix-serve: its own name, unless that has characters that
    kiwix-serve changes; then a plain form with eight digits that keep it apart from others."""
    if re.fullmatch(r"[a-z0-9._-]+", archive):
        return archive
    plain = re.sub(r"[^a-z0-9.-]+", "_", archive.lower())
    return f"{plain}-{hashlib.sha256(archive.encode()).hexdigest()[:8]}"


def link(archives: Sequence[Path], folder: Path) -> list[Path]:
    """Fills `folder` anew with links, and gives the paths that kiwix-serve takes, in the same order."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return [_link(archive, folder) for archive in archives]


def _link(archive: Path, folder: Path) -> Path:
    given = folder / f"{reader_name(archive.stem)}.zim"
    if archive.suffix == ".zimaa":
        for part in archive.parent.iterdir():
            if part.stem == archive.stem and re.fullmatch(r"\.zim[a-z]{2}", part.suffix):
                given.with_suffix(part.suffix).symlink_to(part.absolute())
    else:
        given.symlink_to(archive.absolute())
    return given


def accepted(paths: Sequence[Path], scratch: Path) -> list[Path]:
    """Those of `paths` that this machine's libkiwix opens; says which it does not."""
    manager = shutil.which(MANAGER)
    if manager is None or not paths:
        return list(paths)
    scratch.unlink(missing_ok=True)
    command = [manager, str(scratch), "add", *map(str, paths)]
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    books = ET.parse(scratch).iter("book") if scratch.exists() else ()
    opened = {Path(os.path.normpath(scratch.parent / book.get("path", ""))).name for book in books}
    for path in paths:
        if path.name not in opened:
            say(f"kiwix-serve cannot open {path.stem}; it is not offered for reading.")
    return [path for path in paths if path.name in opened]


def serve(archives: Sequence[Path], runtime: Path, port: int) -> None:
    """Becomes kiwix-serve on 127.0.0.1. Raises SetupError without kiwix-serve or any archive for it."""
    program = shutil.which(PROGRAM)
    if program is None:
        raise SetupError(f"The program {PROGRAM} is not installed.", HINT)
    paths = accepted(link(archives, runtime / "read"), runtime / "read.xml")
    if not paths:
        raise SetupError(
            "There is no archive that kiwix-serve can open.", "Put a .zim file into the library."
        )
    options = ["--address=127.0.0.1", f"--port={port}", f"--urlRootLocation={ROOT}", "--blockexternal"]
    os.execv(program, [program, *options, *map(str, paths)])
