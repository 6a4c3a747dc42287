"""Step 7: the image: two ext4 and a FAT in files, put behind a table of partitions. No loop device, no mount.

The ext4 are made by a mke2fs of the card's version: it sorts directories and takes every time from
SOURCE_DATE_EPOCH, which older ones do not.
"""

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from appliance.install.commands import run
from appliance.log import say, step
from recipe import disk, native, sizes
from recipe.placing import settle, weigh
from recipe.plan import Plan

# Nothing that a builder, a log or a package manager leaves behind; machine-id is filled at each start.
EMPTIED = ("boot", "run", "tmp", "var/cache", "var/lib/apt", "var/log", "var/tmp", "root")
REMOVED = (
    "etc/apt",
    "etc/dpkg/dpkg.cfg.d/99mmdebstrap",
    "etc/.pwd.lock",
    "etc/group-",
    "etc/gshadow-",
    "etc/passwd-",
    "etc/resolv.conf",
    "etc/shadow-",
    "etc/subgid-",
    "etc/subuid-",
    "usr/lib/openssh/ssh-keysign",  # becomes root, and proves a machine by its keys, which a box has not
    "var/lib/dbus/machine-id",
    "var/lib/dpkg/available-old",
    "var/lib/dpkg/lock",
    "var/lib/dpkg/lock-frontend",
    "var/lib/dpkg/status-old",
    "var/lib/dpkg/triggers/Lock",
    "var/lib/systemd/catalog/database",
    "var/lib/systemd/random-seed",
)
READ_ONLY = ["-O", "^has_journal,^resize_inode", "-m", "0"]
GROWING = ["-m", "1", "-J", "size=8"]
BLOCK = 4096
LARGEST = 2 << 40  # bytes that the data may grow to: room in its tables, and an MBR counts no further


def clean(root: Path) -> None:
    """Removes what no two machines should share, and what a box has no use for."""
    for name in EMPTIED:
        for found in list((root / name).iterdir()) if (root / name).is_dir() else []:
            if found.is_dir() and not found.is_symlink():
                shutil.rmtree(found)
            else:
                found.unlink()
    for name in REMOVED:
        found = root / name
        if found.is_dir() and not found.is_symlink():
            shutil.rmtree(found)
        else:
            found.unlink(missing_ok=True)
    (root / "boot/firmware").mkdir(parents=True, exist_ok=True)
    (root / "etc/machine-id").write_bytes(b"")


def make(plan: Plan) -> None:
    """Writes plan.image, aside first. Raises SetupError."""
    clean(plan.root)
    parts = {name: plan.work / f"{name}.img" for name in ("boot", "root", "data")}
    for folder in (plan.root, plan.boot, plan.data):
        settle(folder, plan.epoch)
    with step("Making the file systems"):
        _fat(plan, parts["boot"])
        _ext4(plan, plan.root, parts["root"], disk.ROOT_LABEL, disk.ROOT_UUID, READ_ONLY)
        _ext4(plan, plan.data, parts["data"], disk.DATA_LABEL, disk.DATA_UUID, GROWING, sizes.DATA)
    partitions = disk.layout(*(parts[name].stat().st_size for name in ("boot", "root", "data")))
    plan.dist.mkdir(parents=True, exist_ok=True)
    with step(f"Putting {plan.image.name} together"):
        _assemble(plan, partitions, list(parts.values()))


def _fat(plan: Plan, target: Path) -> None:
    run(["truncate", "-s", str(sizes.BOOT), str(target)], "The boot partition", plan.log)
    # --invariant: the same volume number and time whenever it is made.
    command = ["mkfs.vfat", "-F", "32", "-n", disk.BOOT_LABEL, "--invariant", str(target)]
    run(command, "The boot partition", plan.log)
    files = [str(path) for path in sorted(plan.boot.iterdir())]
    copy = ["mcopy", "-s", "-m", "-i", str(target), *files, "::"]
    run(copy, "The boot partition", plan.log, SOURCE_DATE_EPOCH=str(plan.epoch), TZ="UTC")


def _ext4(
    plan: Plan, content: Path, target: Path, label: str, uuid: str, options: Sequence[str], spare: int = 0
) -> None:
    """With `spare` bytes left free and room in its tables to grow; without, nothing can be written to it."""
    inside, files = weigh(content)
    size = sizes.file_system(inside, files) + spare
    extended = f"hash_seed={disk.HASH_SEED},lazy_itable_init=0,nodiscard"
    extended += f",resize={LARGEST // BLOCK}" if spare else ""
    inodes = [] if spare else ["-N", str(files + 1000)]
    command = ["/usr/sbin/mke2fs", "-q", "-F", "-t", "ext4", "-b", str(BLOCK), "-L", label, "-U", uuid]
    command += [*options, *inodes, "-E", extended, "-d", "/mnt", f"/tmp/{target.name}"]
    run(["truncate", "-s", str(size), str(target)], label, plan.log)
    shown = {"/mnt": content, "/tmp": target.parent}
    epoch = {"SOURCE_DATE_EPOCH": str(plan.epoch)}
    native.inside(plan, command, label, shown, **epoch)
    say(f"{label}: {inside / 1e6:,.0f} MB in {files:,} files, {size / 1e6:,.0f} MB on the card")


def _assemble(plan: Plan, partitions: tuple[disk.Partition, ...], files: Sequence[Path]) -> None:
    aside = plan.work / "card.img"
    run(["truncate", "-s", str(disk.size(partitions)), str(aside)], "The image", plan.log)
    table = plan.work / "partitions.txt"
    table.write_text(disk.script(partitions), "utf-8")
    sfdisk = 'exec sfdisk --quiet --no-reread --no-tell-kernel "$0" <"$1"'
    run(["sh", "-c", sfdisk, str(aside), str(table)], "The partitions", plan.log)
    for partition, file in zip(partitions, files, strict=True):
        command = ["dd", f"if={file}", f"of={aside}", "bs=4M", f"seek={partition.start}", "oflag=seek_bytes"]
        run([*command, "conv=notrunc,sparse"], partition.name, plan.log)
    run(["fallocate", "--dig-holes", str(aside)], "The image", plan.log)
    os.sync()
    shutil.move(aside, plan.image)
