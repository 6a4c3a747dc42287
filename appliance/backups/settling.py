"""Putting a backup in place that is ready: at a start, before anything is opened, by renames alone.

Each part of the box goes aside, the backup's takes its place; when all of them open, what was before is
removed, else all go back. Which step is next can be told from the names alone, so that a start after a power
cut goes on where the last one was: the box ends as it was or as the backup says, never in between.

    restore/ready    the backup's parts that are not in place yet; while it is there, this is not over
    restore/before   the box's parts that were in their place
    restore/back     the backup could not be opened: all goes back
    restore/said     how the last one ended, for the page
"""

import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from appliance import durable, settings
from appliance.backups.coming import COMING, FOLDER, READY, locked
from appliance.backups.parts import PARTS, Part, alone, opens
from appliance.backups.saving import forget_work
from appliance.errors import BackupError, LamplightError
from appliance.log import say
from appliance.settings import Settings
from appliance.sqlite import Error

BEFORE, BACK, OVER, SAID = "before", "back", "over", "said"
WAITS = "A backup waits to be put in place when Lamplight starts again."
DONE = "The backup is in place."
UNDONE = "The backup could not be opened: {error} The box is as it was before."
SIDES = ("-wal", "-shm", "-journal")  # files of SQLite beside a database
Move = Callable[[Path, Path], object]


def settle(home: Path, move: Move = os.replace, check: Callable[[Part, Path], None] = opens) -> str:
    """A sentence when a backup was put in place, or could not be; "" when there was nothing to do. `move`
    renames. Raises BackupError, and nothing is touched, while another program has a part open."""
    forget_work(home)
    folder = home / FOLDER
    if not folder.is_dir():
        return ""
    with locked(folder):
        for left in (COMING, OVER, *(() if (folder / READY).exists() else (BEFORE,))):
            shutil.rmtree(folder / left, ignore_errors=True)
        if not (folder / READY).exists():
            (folder / BACK).unlink(missing_ok=True)
            return ""
        said = _undone(home, move) if (folder / BACK).exists() else _done(home, move, check)
        with suppress(OSError):
            (folder / SAID).write_text(said, "utf-8")
        move(folder / READY, folder / OVER)
        durable.flush(folder)
        (folder / BACK).unlink(missing_ok=True)
        for left in (BEFORE, OVER):
            shutil.rmtree(folder / left, ignore_errors=True)
    say(said)
    return said


def at_start(given: Settings) -> Settings:
    """The settings after a backup that was ready has been put in place, with what is chosen in it. While
    another program has the box's files open the box starts as it is, and says so."""
    try:
        done = settle(given.home)
    except BackupError as error:
        say(f"A backup waits to be put in place. {error} {error.hint}")
        return given
    return settings.again(given) if done else given


def said(home: Path) -> str:
    """How the last one ended; "" when there was none."""
    try:
        return (home / FOLDER / SAID).read_text("utf-8")[:1000]
    except (OSError, UnicodeDecodeError):
        return ""


def waits(home: Path) -> bool:
    """Whether one is ready and not in place yet."""
    return (home / FOLDER / READY).exists()


def _done(home: Path, move: Move, check: Callable[[Part, Path], None]) -> str:
    ready, before = home / FOLDER / READY, home / FOLDER / BEFORE
    for part in PARTS:
        if (ready / part.name).exists() and not (before / part.name).exists():
            _close(part, home / part.place)
    try:
        before.mkdir(mode=0o700, exist_ok=True)
        for part in PARTS:
            _put(part, home, move)
        for part in PARTS:
            check(part, home)
    except (LamplightError, Error, OSError) as error:
        (home / FOLDER / BACK).touch()
        durable.flush(home / FOLDER)
        _undone(home, move)
        return UNDONE.format(error=f"{str(error).rstrip('.')}.")
    return DONE


def _put(part: Part, home: Path, move: Move) -> None:
    """The box's part aside, the backup's in its place."""
    ready, before, live = _places(part, home)
    if not ready.exists():
        return  # it was put there by a start before this one
    live.parent.mkdir(mode=0o700, exist_ok=True)
    if live.exists() and not before.exists():
        for side in SIDES:  # there only where the database could not be closed: they belong to it
            if (beside := live.with_name(live.name + side)).exists():
                move(beside, before.with_name(before.name + side))
        move(live, before)
        durable.flush(before.parent)
    _remove(live)  # what something has made anew meanwhile
    move(ready, live)
    durable.flush(live.parent)
    durable.flush(ready.parent)


def _undone(home: Path, move: Move) -> str:
    """Every part of the backup out of its place again, the box's back."""
    for part in PARTS:
        ready, before, live = _places(part, home)
        if not ready.exists() and live.exists():
            move(live, ready)
            durable.flush(ready.parent)
            _remove(live)
        if before.exists():
            for side in SIDES:
                if (beside := before.with_name(before.name + side)).exists():
                    move(beside, live.with_name(live.name + side))
            move(before, live)
            durable.flush(live.parent)
    return UNDONE.format(error="").replace("  ", " ")


def _close(part: Part, live: Path) -> None:
    """So that all of a database is in its one file. Raises BackupError while another program has it open;
    one that is damaged is moved as it is."""
    if part.form is not None and live.exists():
        with suppress(Error):
            alone(live)


def _places(part: Part, home: Path) -> tuple[Path, Path, Path]:
    return home / FOLDER / READY / part.name, home / FOLDER / BEFORE / part.name, home / part.place


def _remove(live: Path) -> None:
    for side in ("", *SIDES):
        live.with_name(live.name + side).unlink(missing_ok=True)
