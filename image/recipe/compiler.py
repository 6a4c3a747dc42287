"""A Python of this machine's own processor that compiles for the card: Debian's, of the card's very version.

What Python compiles to does not depend on the processor. The card's own Python takes minutes of emulation for
it, this one seconds.
"""

import os
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from appliance.errors import SetupError
from appliance.install.commands import run
from appliance.log import step
from recipe import emulation, lock, step10_debian
from recipe.plan import Plan, key

PYTHON = "/usr/bin/python3.13"
PACKAGES = ("libpython3.13-minimal", "libpython3.13-stdlib", "python3.13", "python3.13-minimal")
# The card is read-only: what is compiled now is never compared with its source again.
COMPILE = (PYTHON, "-m", "compileall", "-q", "-j", "0", "--invalidation-mode", "unchecked-hash")
MAGIC = re.compile(r"^MAGIC_NUMBER = (.+)$", re.MULTILINE)  # the version of compiled files
BOOTSTRAP = "usr/lib/python3.13/importlib/_bootstrap_external.py"


def identity(root: Path) -> str:
    """What compiles the card's Python, and how: the versions of Debian's packages in `root`, the options."""
    versions = [found.version for found in _packages(root)]
    return " ".join([*versions, *COMPILE])


def compile_in(plan: Plan, folder: Path) -> None:
    """Compiles what lies in `folder` of the card's root, under its names there. Raises SetupError."""
    tree = _tree(plan)
    (tree / folder).mkdir(parents=True, exist_ok=True)
    with step(f"Compiling the Python in /{folder}"):
        shown = {f"/{folder}": plan.root / folder}
        emulation.inside(tree, [*COMPILE, f"/{folder}"], f"The Python in /{folder}", plan.log, shown)


def _packages(root: Path) -> Sequence[lock.Package]:
    found = lock.recorded((root / step10_debian.RECORD).read_text("utf-8"))
    return [found[name] for name in PACKAGES]


def kept(plan: Plan, versions: Sequence[str]) -> Path:
    """Where the Python of these versions lies unpacked, or will."""
    return plan.cache / "compiler" / key(lock.read(plan.lock).suite, *versions)


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
    with step("Fetching a Python that compiles for the card"):
        run(command, "A Python that compiles", plan.log)
    pins.unlink()
    # Unpacked and not installed: these are base-files' work.
    for folder in ("dev", "proc", "tmp"):
        (aside / folder).mkdir(exist_ok=True)
    for link in ("lib", "lib64"):
        if (aside / "usr" / link).exists():
            (aside / link).symlink_to(f"usr/{link}")
    aside.replace(target)
