"""kiwix-serve, the reader: under which names it serves archives, and how it is started.

kiwix-serve (libkiwix 11 to 14) names an archive after its file: in lower case, without accents, spaces as
`_`, and one archive that it cannot open keeps it from starting. So it gets a folder of links whose names it
leaves alone, and only archives that its own kiwix-manage accepts. Both also hold for split archives, which it
opens by the name without the last two letters (`NAME.zim` for `NAME.zimaa`, `NAME.zimab`, …). It serves from
a list (library.xml) that it reads again when the list is replaced, so bundles come and go while it runs."""

import hashlib
import os
import re
import shutil
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from appliance.errors import SettingsError, SetupError
from appliance.log import say
from appliance.services import runtime
from appliance.services.holdings import places
from appliance.services.probe import answers
from appliance.settings import Settings
from appliance.sources import folder
from appliance.sources.zimfile import archive_name, parts

ROOT = "/read"
PATIENCE = 5.0  # seconds until kiwix-serve serves a new list
SETTLED = 1.3  # seconds after which it has: it looks every second
LEFT_BEHIND = 60.0  # seconds that the links of an older list stay
PROGRAM, MANAGER = "kiwix-serve", "kiwix-manage"
HINT = "Install kiwix-tools (`apt install kiwix-tools`) to read archives in Kiwix; the rest works without."


def installed() -> bool:
    return shutil.which(PROGRAM) is not None and shutil.which(MANAGER) is not None


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


def write_library(settings: Settings, archives: Sequence[Path]) -> list[str]:
    """Replaces the list that kiwix-serve serves from, as a whole, and gives the names that are on it. A
    running kiwix-serve reads it again within a second; links of the list before stay for what is being
    read."""
    links = settings.runtime / "read"
    links.mkdir(parents=True, exist_ok=True)
    made = sorted(int(path.name) for path in links.iterdir() if path.name.isdecimal())
    for before in (links / str(number) for number in made[:-1]):
        if time.time() - before.stat().st_mtime > LEFT_BEHIND:
            shutil.rmtree(before, ignore_errors=True)
    folder = links / str(made[-1] + 1 if made else 1)
    paths = accepted(link(archives, folder), library_file(settings).with_name("read.xml.new"))
    _put_in_place(library_file(settings).with_name("read.xml.new"), library_file(settings))
    return [path.stem for path in paths]


def library_file(settings: Settings) -> Path:
    return settings.runtime / "read.xml"


def _put_in_place(new: Path, file: Path) -> None:
    """kiwix-serve looks at the time in whole seconds: each list must be of another second than the one
    before."""
    if not new.exists():
        new.write_text('<?xml version="1.0"?>\n<library version="20110515">\n</library>\n', "utf-8")
    before = file.stat().st_mtime if file.exists() else 0.0
    moment = max(new.stat().st_mtime, before + 1)
    os.utime(new, (moment, moment))
    os.replace(new, file)


def accepted(paths: Sequence[Path], listing: Path) -> list[Path]:
    """Those of `paths` that this machine's libkiwix opens, written to `listing`; says which it does not."""
    listing.unlink(missing_ok=True)
    if not paths:
        return []
    command = [MANAGER, str(listing), "add", *map(str, paths)]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    complaints = done.stderr.decode("utf-8", "replace")
    if not done.returncode:
        return list(paths)
    # With one that it cannot open it lists none of them.
    refused = [path for path in paths if f"{path} " in complaints or len(paths) == 1]
    if not refused:
        refused = [path for path in paths if not accepted([path], listing)]
    for path in refused:
        say(f"kiwix-serve cannot open {path.stem}; it is not offered for reading.")
    return accepted([path for path in paths if path not in refused], listing)


def publish(settings: Settings, archives: Sequence[Path], patience: float = PATIENCE) -> None:
    """Gives a running kiwix-serve these archives, and waits until it serves them, at most `patience` seconds.
    Without one, the list is there for when it starts."""
    if not settings.reader:
        return
    began = time.monotonic()
    names = write_library(settings, archives)
    where = ("127.0.0.1", port(settings.reader))
    while answers(where, f"{ROOT}/") and time.monotonic() - began < patience:
        names = [name for name in names if not answers(where, f"{ROOT}/{name}/")]
        if not names and time.monotonic() - began > SETTLED:
            return
        time.sleep(0.1)


def serve(settings: Settings) -> None:
    """Becomes kiwix-serve, at the port of `settings.reader` on 127.0.0.1, over all archives of this box, and
    over those that `publish` names later. Raises SetupError without kiwix-serve."""
    here = port(settings.reader)
    program = shutil.which(PROGRAM)
    if program is None:
        raise SetupError(f"The program {PROGRAM} is not installed.", HINT)
    runtime.prepare(settings.runtime)
    write_library(settings, folder.scan(places(settings)).archives)
    options = ["--address=127.0.0.1", f"--port={here}", f"--urlRootLocation={ROOT}", "--blockexternal"]
    os.execv(program, [program, *options, "--library", "--monitorLibrary", str(library_file(settings))])


def port(reader: str) -> int:
    """The port of `http://127.0.0.1:PORT`. Raises SettingsError for anything else."""
    found = re.fullmatch(r"http://127\.0\.0\.1:(\d{1,5})/?", reader)
    if not found:
        raise SettingsError(f"--reader: found {reader!r}, expected http://127.0.0.1:PORT.")
    return int(found[1])
