"""The card: how full it is, whether its file systems had errors, whether they can still be written to."""

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from appliance.device import files, said
from appliance.device.watched import Sources
from appliance.records import Check, CheckState

TIGHT, FULL = 0.05, 0.01  # share of the data partition below which somebody should look; nothing can be kept
OF_CARD = re.compile(
    r"\bmmcblk\d.*\b(error|failed|timed out)|\berror\b.*\bmmcblk\d|EXT4-fs error|JBD2.*error", re.I
)


def space(data: Path) -> Check:
    try:
        found = os.statvfs(data)
    except OSError as error:
        return Check(said.DATA, "failing", said.NO_DATA.format(why=error.strerror))
    free, whole = found.f_bavail * found.f_frsize, found.f_blocks * found.f_frsize
    state: CheckState = "failing" if free < whole * FULL else "wrong" if free < whole * TIGHT else "on"
    remedy = "" if state == "on" else said.REMOVE
    sentence = said.FREE_GB.format(free=f"{free / 1e9:,.1f}", whole=f"{whole / 1e9:,.1f}")
    return Check(said.SPACE, state, sentence, remedy)


def errors(sources: Sources) -> Iterator[Check]:
    """Of the file systems that ext4 keeps; it counts in the card itself, so that a new start forgets
    nothing."""
    counted = {device.parent.name: _number(device) for device in sources.ext4.glob("*/errors_count")}
    wrong = {device: count for device, count in sorted(counted.items()) if count}
    if wrong:
        told = ", ".join(f"{device}: {count:,}" for device, count in wrong.items())
        yield Check(said.CARD, "failing", said.ERRORS.format(where=told), said.REPLACE)
    elif counted:
        yield Check(said.CARD, "on", said.NO_ERROR)
    if read_only((files.read(sources.mounts) or b"").decode("utf-8", "replace"), sources.data):
        yield Check(said.WRITING, "failing", said.READ_ONLY, said.AGAIN)


def logged(messages: Sequence[str]) -> Iterator[Check]:
    """What the kernel has logged of the card since this start; the radio of these boards is on a bus of the
    same kind (mmc), so only a disk's name counts."""
    found = [text for text in messages if OF_CARD.search(text)]
    if found:
        sentence = said.BY_LOG.format(n=len(found), last=found[-1])
        yield Check(said.BY_KERNEL, "wrong", sentence, said.REPLACE)


def read_only(mounts: str, place: Path) -> bool:
    """Whether the file system at `place` takes no writes, from the text of /proc/self/mountinfo (proc(5)).
    Its own word counts (the last field), not that of the mount: the pages see most of the card for reading
    alone."""
    best, found = -1, False
    for line in mounts.splitlines():
        head, _, tail = line.partition(" - ")
        fields, own = head.split(), tail.split()
        if len(fields) < 6 or len(own) < 3:
            continue
        mounted = Path(fields[4].replace("\\040", " "))
        if (mounted == place or mounted in place.parents) and len(mounted.parts) >= best:
            best, found = len(mounted.parts), "ro" in own[2].split(",")
    return found


def _number(file: Path) -> int:
    text = (files.read(file, 20) or b"").strip()
    return int(text) if text.isdigit() else 0
