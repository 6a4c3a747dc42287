"""The table of partitions: boot (FAT), root (ext4, read-only), data (ext4, grown on the first start). Pure.

An MBR, since the boot ROM of the Pi 3 and Zero 2 W reads no other. Fixed identifiers: the same inputs give
the same bytes; nothing on the box asks for a file system but by its label.
"""

from dataclasses import dataclass
from itertools import accumulate

from recipe.sizes import START

SECTOR = 512
DISK_ID = "0x4c414d50"
ROOT_UUID = "6c616d70-0002-4c69-8c68-74726f6f7400"
DATA_UUID = "6c616d70-0003-4c69-8c68-746461746100"
HASH_SEED = "6c616d70-0000-4c69-8c68-7473656564aa"
BOOT_LABEL, ROOT_LABEL, DATA_LABEL = "LAMPLIGHT", "lamp-root", "lamp-data"


@dataclass(frozen=True, slots=True)
class Partition:
    """`start` and `size` in bytes; `kind` is the type of an MBR in hex."""

    name: str
    start: int
    size: int
    kind: str
    bootable: bool = False


def layout(boot: int, root: int, data: int) -> tuple[Partition, ...]:
    """Three partitions of these sizes (bytes, multiples of START) one after the other."""
    starts = list(accumulate((boot, root), initial=START))
    return (
        Partition("boot", starts[0], boot, "c", bootable=True),
        Partition("root", starts[1], root, "83"),
        Partition("data", starts[2], data, "83"),
    )


def size(partitions: tuple[Partition, ...]) -> int:
    """Bytes of the whole disk: data comes last, so that it can grow."""
    return partitions[-1].start + partitions[-1].size


def script(partitions: tuple[Partition, ...]) -> str:
    """What sfdisk(8) reads to write the table."""
    rows = "".join(
        f"start={part.start // SECTOR}, size={part.size // SECTOR}, type={part.kind}"
        + (", bootable\n" if part.bootable else "\n")
        for part in partitions
    )
    return f"label: dos\nlabel-id: {DISK_ID}\nunit: sectors\n\n{rows}"
