"""Step 1: Debian for the card, as one tar file in the cache, made with mmdebstrap.

Kept under a name made of the lists of packages, the lock and this step, so that it is made again only when
one of them changes. The step leaves out what a card does not need (manuals, translations) and runs no hook of
a kernel: the first steps of the kernel are made by step60_boot, once.
"""

import os
from collections.abc import Sequence
from pathlib import Path

from appliance.install.commands import counting, run
from appliance.log import step
from recipe.lock import Lock, preferences
from recipe.plan import Plan, key, packages

COMPONENTS = "main,non-free-firmware"
RECORD = "usr/share/lamplight/debian-packages"  # in the root: every package with version and SHA-256
HOOKS = ("unpack-hook.sh", "debian-hook.sh")  # after the essential packages, and at the end
LEFT_OUT = (
    "/usr/share/doc/*",
    "/usr/share/info/*",
    "/usr/share/lintian/*",
    "/usr/share/locale/*",
    "/usr/share/man/*",
    "/etc/kernel/postinst.d/initramfs-tools",
    "/etc/kernel/postinst.d/z50-raspi-firmware",
    "/etc/initramfs/post-update.d/z50-raspi-firmware",
)
KEPT = ("/usr/share/doc/*/copyright", "/usr/share/locale/locale.alias")


def wanted(plan: Plan) -> list[str]:
    """What apt is asked for."""
    lists = ["packages.txt", *(["packages-kiosk.txt"] if plan.kiosk else [])]
    return packages((plan.recipe / name).read_text("utf-8") for name in lists)


def tarball(plan: Plan, lock: Lock) -> Path:
    """Where the finished root lies, or will."""
    parts = [Path(__file__).read_text("utf-8"), *((plan.recipe / hook).read_text("utf-8") for hook in HOOKS)]
    made_from = key(*wanted(plan), preferences(lock.packages.values()), str(plan.epoch), lock.suite, *parts)
    return plan.cache / "debian" / f"{made_from}.tar"


def make(plan: Plan, lock: Lock) -> Path:
    """The root as a tar file. Raises SetupError."""
    target = tarball(plan, lock)
    if target.exists():
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    pins = target.with_suffix(".preferences")
    pins.write_text(preferences(lock.packages.values()), "utf-8")
    aside = target.with_suffix(".part.tar")
    with step("Making the card's Debian", len(lock.packages) or None, "packages") as current:
        command = _mmdebstrap(wanted(plan), lock, pins, [plan.recipe / hook for hook in HOOKS], aside)
        configured = counting(current, r"Setting up ")
        run(command, "The card's Debian", plan.log, configured, SOURCE_DATE_EPOCH=str(plan.epoch))
    pins.unlink()
    aside.replace(target)
    return target


def _mmdebstrap(names: list[str], lock: Lock, pins: Path, hooks: Sequence[Path], target: Path) -> list[str]:
    unpack, last = hooks
    command = ["mmdebstrap", "--verbose", "--mode=root", "--architectures=arm64", "--variant=essential"]
    command += [f"--components={COMPONENTS}", f"--include={','.join(names)}"]
    command += [f"--dpkgopt=path-exclude={pattern}" for pattern in LEFT_OUT]
    command += [f"--dpkgopt=path-include={pattern}" for pattern in KEPT]
    # mmdebstrap's own list of sources is for the suite and its updates; backports come from the same mirror.
    backports = f"s/ {lock.suite} / {lock.suite}-backports /p"
    command += [
        f'--setup-hook=sed -n "{backports}" "$1/etc/apt/sources.list" >"$1/etc/apt/sources.list.d/more.list"'
    ]
    command += [f'--setup-hook=cp "{pins}" "$1/etc/apt/preferences.d/lock"']
    command += [f'--essential-hook="{unpack}" "$1"', f'--customize-hook="{last}" "$1" "{RECORD}"']
    command += [lock.suite, str(target)]
    if mirror := os.environ.get("DEBIAN_MIRROR"):
        command.append(mirror)
    return command
