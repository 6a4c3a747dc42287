"""Puts files into the card's root as they are there: owned by root, with plain modes and the time of the
lock, so that nothing of the builder's machine goes with them."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.pyc", ".*.swp", ".gitkeep")


def place(source: Path, target: Path) -> None:
    """Copies a file, or a folder's content with all below it."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(
            source, target, symlinks=True, ignore=LEFT_OUT, dirs_exist_ok=True, copy_function=_copy
        )
    else:
        _copy(source, target)


def _copy(source: str | Path, target: str | Path) -> None:
    """Runnable files get mode 0755, others 0644, whatever umask they were checked out with."""
    Path(target).unlink(missing_ok=True)  # never write through what lies there: it may be a link
    shutil.copyfile(source, target, follow_symlinks=False)
    if not os.path.islink(target):
        os.chmod(target, 0o755 if os.stat(source).st_mode & 0o100 else 0o644)


def every(root: Path) -> Iterator[Path]:
    """All that lies below `root`, itself first, links not followed, in a fixed order."""
    yield root
    for folder, folders, files in os.walk(root):
        folders.sort()
        yield from (Path(folder, name) for name in sorted([*folders, *files]))


def own(folder: Path, epoch: int) -> None:
    """Everything in `folder` belongs to root and is of the time `epoch`; folders get mode 0755."""
    for path in every(folder):
        os.chown(path, 0, 0, follow_symlinks=False)
        if path.is_dir() and not path.is_symlink():
            path.chmod(0o755)
        os.utime(path, (epoch, epoch), follow_symlinks=False)


def settle(root: Path, epoch: int) -> None:
    """No file is younger than `epoch`, and all were read at that time; folders are of it, since programs that
    ran leave another. Older times of Debian's files stay: its compiled Python is valid for them only."""
    for path in list(every(root)):  # all folders are read first: reading changes their times
        folder = path.is_dir() and not path.is_symlink()
        time = epoch if folder else min(int(path.lstat().st_mtime), epoch)
        os.utime(path, (epoch, time), follow_symlinks=False)


def weigh(root: Path) -> tuple[int, int]:
    """Bytes in files below `root`, each hard-linked one once, and how many files and folders there are."""
    seen = {(found.st_dev, found.st_ino): found for path in every(root) for found in (path.lstat(),)}
    return sum(found.st_size for found in seen.values()), len(seen)
