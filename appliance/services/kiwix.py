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
from collections.abc import Sequence
from pathlib import Path

from appliance.errors import SettingsError, SetupError
from appliance.log import say
from appliance.services import runtime
from appliance.settings import Settings
from appliance.sources import folder
from appliance.sources.zimfile import archive_name, parts

ROOT = "/read"
PROGRAM, MANAGER = "kiwix-serve", "kiwix-manage"
HINT = "Install kiwix-tools (`apt install kiwix-tools`) to read archives in Kiwix; the rest works without."


def installed() -> bool:
    return shutil.which(PROGRAM) is not None


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
    given = folder / f"{reader_name(archive_name(archive))}.zim"
    for part in parts(archive):
        letters = part.suffix.removeprefix(".zim")
        given.with_suffix(f".zim{letters}").symlink_to(part.absolute())
    return given


def accepted(paths: Sequence[Path], scratch: Path) -> list[Path]:
    """Those of `paths` that this machine's libkiwix opens; says which it does not."""
    manager = shutil.which(MANAGER)
    if manager is None or not paths:
        return list(paths)
    scratch.unlink(missing_ok=True)
    command = [manager, str(scratch), "add", *map(str, paths)]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    complaints = done.stderr.decode("utf-8", "replace")
    refused = [path for path in paths if done.returncode and f"{path} " in complaints]
    for path in refused:
        say(f"kiwix-serve cannot open {path.stem}; it is not offered for reading.")
    return [path for path in paths if path not in refused]


def serve(settings: Settings) -> None:
    """Becomes kiwix-serve, at the port of `settings.reader` on 127.0.0.1, over the archives of the library.
    Raises SetupError without kiwix-serve or without any archive for it."""
    here = port(settings.reader)
    program = shutil.which(PROGRAM)
    if program is None:
        raise SetupError(f"The program {PROGRAM} is not installed.", HINT)
    runtime.prepare(settings.runtime)
    archives = folder.scan(settings.places).archives
    paths = accepted(link(archives, settings.runtime / "read"), settings.runtime / "read.xml")
    if not paths:
        raise SetupError(
            "There is no archive that kiwix-serve can open.", "Put a .zim file into the library."
        )
    options = ["--address=127.0.0.1", f"--port={here}", f"--urlRootLocation={ROOT}"]
    os.execv(program, [program, *options, "--blockexternal", *map(str, paths)])


def port(reader: str) -> int:
    """The port of `http://127.0.0.1:PORT`. Raises SettingsError for anything else."""
    found = re.fullmatch(r"http://127\.0\.0\.1:(\d{1,5})/?", reader)
    if not found:
        raise SettingsError(f"--reader: found {reader!r}, expected http://127.0.0.1:PORT.")
    return int(found[1])
