"""Programs of the card's Debian, of its very versions, for this machine's own processor: its Python, which
compiles, and its mke2fs. What they make does not depend on the processor, and the card's own would take
minutes of emulation for it.
"""

import os
import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from appliance.errors import SetupError
from appliance.install.commands import run
from appliance.log import step
from recipe import emulation, lock, step10_debian
from recipe.plan import Plan, key

PYTHON = "/usr/bin/python3.13"
COMPILER = ("libpython3.13-minimal", "libpython3.13-stdlib", "python3.13", "python3.13-minimal")
PACKAGES = ("e2fsprogs", *COMPILER)
# The card is read-only: what is compiled now is never compared with its source again.
COMPILE = (PYTHON, "-m", "compileall", "-q", "-j", "0", "--invalidation-mode", "unchecked-hash")
MAGIC = re.compile(r"^MAGIC_NUMBER = (.+)$", re.MULTILINE)  # the version of compiled files
BOOTSTRAP = "usr/lib/python3.13/importlib/_bootstrap_external.py"


def compiler(root: Path) -> str:
    """What compiles the card's Python, and how: the versions of Debian's packages in `root`, the options."""
    versions = [found.version for found in _packages(root, COMPILER)]
    return " ".join([*versions, *COMPILE])


def compile_in(plan: Plan, folder: Path) -> None:
    """Compiles what lies in `folder` of the card's root, under its names there. Raises SetupError."""
    tree = _tree(plan)
    (tree / folder).mkdir(parents=True, exist_ok=True)
    with step(f"Compiling the Python in /{folder}"):
        shown = {f"/{folder}": plan.root / folder}
        emulation.inside(tree, [*COMPILE, f"/{folder}"], f"The Python in /{folder}", plan.log, shown)


def inside(
    plan: Plan, command: Sequence[str], what: str, shown: Mapping[str, Path], **variables: str
) -> None:
    """Runs one of the programs; else as emulation.inside. Raises SetupError."""
    emulation.inside(_tree(plan), command, what, plan.log, shown, **variables)


def _packages(root: Path, names: Sequence[str] = PACKAGES) -> Sequence[lock.Package]:
    found = lock.recorded((root / step10_debian.RECORD).read_text("utf-8"))
    return [found[name] for name in names]


def kept(plan: Plan, versions: Sequence[str]) -> Path:
    """Where the packages of these versions lie unpacked, or will."""
    return plan.cache / "native" / key(lock.read(plan.lock).suite, *versions)


def _tree(plan: Plan) -> Path:
    wanted = _packages(plan.root)
    target = kept(plan, [found.version for found in wanted])
    if not target.exists():
        _fetch(plan, wanted, target)
    theirs, ours = (MAGIC.findall((root / BOOTSTRAP).read_text("utf-8")) for root in (plan.root, target))
    if theirs != ours:
        raise SetupError(f"The card's Python reads what {theirs} compiles, this machine's mirror has {ours}.")
    return target


def _fetch(plan: Plan, wanted: Sequence[lock.Package], target: Path) -> None:
    aside = target.with_suffix(".part")
    shutil.rmtree(aside, ignore_errors=True)
    target.parent.mkdir(parents=True, exist_ok=True)
    pins = target.with_suffix(".preferences")
    pins.write_text(lock.preferences(wanted), "utf-8")
    command = ["mmdebstrap", "--mode=root", "--variant=extract", f"--include={','.join(PACKAGES)}"]
    command += [f'--setup-hook=cp "{pins}" "$1/etc/apt/preferences.d/lock"']
    command += [lock.read(plan.lock).suite, str(aside), *filter(None, [os.environ.get("DEBIAN_MIRROR")])]
    with step("Fetching the card's Python and mke2fs for this machine"):
        run(command, "Programs of the card for this machine", plan.log)
    pins.unlink()
    # Unpacked and not installed: these are base-files' work.
    for folder in ("dev", "mnt", "proc", "tmp"):
        (aside / folder).mkdir(exist_ok=True)
    for link in ("lib", "lib64"):
        if (aside / "usr" / link).exists():
            (aside / link).symlink_to(f"usr/{link}")
    aside.replace(target)
