"""Step 6: the files of the boot partition: the Raspberry Pi's firmware, the kernel with its first steps
(initramfs), the device trees of all boards, and the owner's settings.

Debian's own hook knows neither where kernels since 7.0 keep their device trees nor the Pi 5, so this step
places all.
"""

import re
import shutil
from pathlib import Path

from appliance.errors import SetupError
from appliance.log import step
from recipe import emulation
from recipe.placing import every, place
from recipe.plan import Plan, key

FIRMWARE = "usr/lib/raspi-firmware"
# The first three for the Pi 3 and Zero 2 W, the others for the Pi 4 and 400; the Pi 5 has its own in a chip.
NEEDED = ("bootcode.bin", "start.elf", "fixup.dat", "start4.elf", "fixup4.dat")
TREES = ("bcm2710*.dtb", "bcm2711*.dtb", "bcm2712*.dtb", "bcm2837*.dtb")
BOARDS = {  # each must find its device tree
    "Pi 3": "bcm2837-rpi-3-b.dtb",
    "Pi 3+": "bcm2837-rpi-3-b-plus.dtb",
    "Zero 2 W": "bcm2837-rpi-zero-2-w.dtb",
    "Pi 4": "bcm2711-rpi-4-b.dtb",
    "Pi 400": "bcm2711-rpi-400.dtb",
    "Pi 5": "bcm2712-rpi-5-b.dtb",
    "Pi 5, later chip": "bcm2712-d-rpi-5-b.dtb",
}
# What of image/rootfs goes into an initramfs.
NOT_IN_IT = (".network", ".netdev")  # of etc/systemd/network: udev's .link files are
INGREDIENTS = (
    "etc/fstab",
    "etc/initramfs-tools",
    "etc/modprobe.d",
    "etc/modules",
    "etc/systemd/network",
    "etc/udev",
    "usr/lib/modprobe.d",
    "usr/lib/udev",
    "usr/share/initramfs-tools",
)


def make(plan: Plan, debian: str) -> None:
    """Fills plan.boot. Raises SetupError for a kernel that lacks a board."""
    place(plan.recipe / "boot", plan.boot)
    modules = _kernel(plan.root)
    place(modules / "vmlinuz", plan.boot / "vmlinuz")
    for pattern in TREES:
        for tree in (modules / "dtb/broadcom").glob(pattern):
            place(tree, plan.boot / tree.name)
    for name in NEEDED:
        place(plan.root / FIRMWARE / name, plan.boot / name)
    missing = [board for board, tree in BOARDS.items() if not (plan.boot / tree).exists()]
    if missing:
        raise SetupError(f"The kernel {modules.name} has no device tree for: {', '.join(missing)}.")
    place(_initramfs(plan, debian, modules.name), plan.boot / "initrd.img")
    # None of this is read from the root: the firmware reads the boot partition.
    for folder in (plan.root / FIRMWARE, modules / "dtb"):
        shutil.rmtree(folder)
    for name in ("vmlinuz", "System.map"):
        (modules / name).unlink()
    _owner(plan)


def _kernel(root: Path) -> Path:
    found = sorted((root / "usr/lib/modules").glob("*/vmlinuz"))
    if len(found) != 1:
        raise SetupError(f"The card's Debian has {len(found)} kernels, expected one.")
    return found[0].parent


def _initramfs(plan: Plan, debian: str, kernel: str) -> Path:
    """Kept under a name made of Debian's root and of our files that go into it."""
    ours = [
        part
        for name in INGREDIENTS
        if (plan.recipe / "rootfs" / name).exists()
        for path in every(plan.recipe / "rootfs" / name)
        if path.is_file() and path.suffix not in NOT_IN_IT
        for part in (str(path.relative_to(plan.recipe)), path.read_bytes())
    ]
    target = plan.cache / "initramfs" / f"{key(debian, kernel, *ours)}.img"
    if not target.exists():
        with step("Making the kernel's first steps (initramfs)"):
            made = "/boot/initrd.img"
            command = ["mkinitramfs", "-o", made, kernel]
            emulation.inside(plan.root, command, "The initramfs", plan.log, SOURCE_DATE_EPOCH=str(plan.epoch))
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.move(f"{plan.root}{made}", target.with_suffix(".part"))
            target.with_suffix(".part").replace(target)
    return target


def _owner(plan: Plan) -> None:
    """The builder's options in the settings that the owner of the card will find."""
    changed = {"country": plan.country, "name": plan.hostname, "kiosk": "true" if plan.kiosk else ""}
    settings, command = plan.boot / "lamplight.toml", plan.boot / "cmdline.txt"
    for name, value in changed.items():
        if value:
            settings.write_text(with_value(settings.read_text("utf-8"), name, value), "utf-8")
    if plan.country:
        line = re.sub(r"(?<=regdom=)\S+", plan.country, command.read_text("utf-8"))
        command.write_text(line, "utf-8")


def with_value(text: str, name: str, value: str) -> str:
    """The settings with one key at another value, all else as it was, and a key that was left to the desk
    said. Raises SetupError without that key."""
    written = value if value == "true" else f'"{value}"'
    changed, count = re.subn(rf"^#?{name} = .*$", f"{name} = {written}", text, count=1, flags=re.MULTILINE)
    if not count:
        raise SetupError(f"image/boot/lamplight.toml has no {name}, which an option names.")
    return changed
