"""The data partition grown over the rest of the card, at the first start.

Three steps, each of which looks first and does nothing when it is done: the entry in the partition table (one
sector, written whole), what the kernel knows of it, and the file system (ext4 grows while mounted, by groups,
under its journal). So it may be run again and may lose power anywhere. Runs as root; standard library alone.
"""

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

from appliance.errors import DeviceError

SECTOR = 512  # bytes, of the table and of sysfs, whatever the card's own
GRAIN = 2048  # sectors, 1 MiB: the partition begins and ends at whole ones
SPARE = 2048  # sectors left at the card's end, where a GPT has its second header
BLOCK = 4096  # bytes, of ext4 on a partition of any size that matters here
WORTH = 8 * GRAIN  # sectors: less is not worth a change of the table


@dataclass(frozen=True, slots=True)
class Partition:
    """A partition in a table, in sectors: the disk (or a file with a disk's content) and its number there."""

    disk: Path
    number: int
    start: int
    size: int
    disk_size: int


def room(partition: Partition) -> int:
    """The size that the partition can have, in sectors; its own where nothing is to be gained. Raises
    DeviceError when the disk ends before the partition does."""
    if partition.start + partition.size > partition.disk_size:
        have, need = (n * SECTOR / 1e9 for n in (partition.disk_size, partition.start + partition.size))
        raise DeviceError(
            f"The card is too small: found {have:.2f} GB, the image needs {need:.2f} GB.",
            "Write the image onto a larger card.",
        )
    end = (partition.disk_size - SPARE) // GRAIN * GRAIN
    size = end - partition.start
    return size if size - partition.size >= WORTH else partition.size


def read_table(disk: Path, number: int, disk_size: int) -> Partition:
    """The entry as it stands in the table on the disk."""
    table = json.loads(_run("sfdisk", "--json", disk))["partitiontable"]["partitions"][number - 1]
    return Partition(disk, number, int(table["start"]), int(table["size"]), disk_size)


def grow_entry(partition: Partition) -> Partition:
    """Writes the larger entry, when there is room; the kernel is not told."""
    size = room(partition)
    if size == partition.size:
        return partition
    _run(
        "sfdisk", "--quiet", "--no-reread", "--no-tell-kernel", "--force", "-N", str(partition.number),
        partition.disk, given=f", {size}\n",
    )  # fmt: skip
    return read_table(partition.disk, partition.number, partition.disk_size)


def grow_filesystem(file: Path, partition: Partition, offset: int = 0) -> None:
    """ext4 over the whole partition, mounted or not; `file` is its device, or has the whole disk, with the
    partition at `offset` bytes."""
    if filesystem_size(file, offset) < partition.size // (BLOCK // SECTOR) * BLOCK:
        _run("resize2fs", f"{file}?offset={offset}" if offset else file, f"{partition.size}s")


def filesystem_size(file: Path, offset: int = 0) -> int:
    """In bytes, as the superblock says it (ext4, docs.kernel.org/filesystems/ext4/super.html)."""
    with file.open("rb") as disk:
        disk.seek(offset + 1024)
        found = disk.read(1024)
    low, high = (int.from_bytes(found[at : at + 4], "little") for at in (0x4, 0x150))
    return (high << 32 | low) << 10 + int.from_bytes(found[0x18:0x1C], "little")


@dataclass(frozen=True, slots=True)
class Device:
    """A partition that the kernel knows: `node` in /dev, `folder` in /sys/class/block."""

    node: Path
    folder: Path

    @classmethod
    def of(cls, node: Path) -> "Device":
        real = node.resolve()
        return cls(real, Path("/sys/class/block") / real.name)

    @property
    def number(self) -> int:
        return _number(self.folder / "partition")

    @property
    def size(self) -> int:
        return _number(self.folder / "size")

    @property
    def disk(self) -> Path:
        return Path("/dev") / self.folder.resolve().parent.name

    @property
    def disk_size(self) -> int:
        return _number(self.folder.resolve().parent / "size")


def grow(node: Path) -> int:
    """All steps for the partition at `node`; gives its size in bytes. Raises DeviceError."""
    device = Device.of(node)
    entry = grow_entry(read_table(device.disk, device.number, device.disk_size))
    if device.size != entry.size:
        _run("partx", "--update", "--nr", str(entry.number), entry.disk)
    if device.size != entry.size:
        raise DeviceError(
            f"The kernel does not take the new size of {device.node}: found {device.size}, "
            f"expected {entry.size} sectors.",
            "Start the box again: it goes on from here.",
        )
    grow_filesystem(device.node, entry)
    return entry.size * SECTOR


def _number(file: Path) -> int:
    return int(file.read_text())


def _run(program: str, *words: str | Path, given: str = "") -> str:
    """What the program prints. Raises DeviceError with what it said."""
    done = subprocess.run(
        [program, *map(str, words)], input=given, capture_output=True, text=True, check=False
    )
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines()
        raise DeviceError(
            f"{program} failed: {' '.join(said[-2:])}", "Start the box again: it goes on from here."
        )
    return done.stdout
