"""Step 5: the card's root, put together in the work folder: Debian, our program and its environment, models,
library, and image/rootfs/ and systemd/ as they lie in the tree.
"""

import shutil
from collections.abc import Mapping
from pathlib import Path

from appliance.install.commands import run
from appliance.log import step
from recipe import emulation, step30_engine
from recipe.placing import own, place
from recipe.plan import Plan
from recipe.step40_content import Content

HOME = Path("opt/lamplight")
# What of the project the box runs; the tests and the recipe stay at home.
PROGRAM = ("appliance", "bundles", "models", "web", "LICENSE")
PARTS = ("app", "engine", "library", "venv")  # whose sizes the lock has
MOUNT_POINTS = ("boot/firmware", "data")
SITE = HOME / "venv/lib/python3.13/site-packages"
VENV = "home = /usr/bin\ninclude-system-site-packages = false\nversion = 3.13\n"
COMMAND = '#!/bin/sh\nexec /opt/lamplight/venv/bin/python -m appliance "$@"\n'
# The card is read-only: what is compiled now is never compared with its source again.
COMPILE = [
    "/usr/bin/python3.13",
    "-m",
    "compileall",
    "-q",
    "-j",
    "0",
    "--invalidation-mode",
    "unchecked-hash",
]


def make(plan: Plan, debian: Path, packages: Path, engines: Mapping[str, Path], content: Content) -> None:
    """Fills plan.root. Raises SetupError when a program of the card fails."""
    shutil.rmtree(plan.work, ignore_errors=True)
    plan.root.mkdir(parents=True)
    with step("Unpacking the card's Debian"):
        unpack = ["tar", "--xattrs", "--xattrs-include=*", "--numeric-owner", "-xpf", str(debian)]
        run([*unpack, "-C", str(plan.root)], "Debian", plan.log)
    with step("Putting our parts into it"):
        _environment(plan, packages, debian.stem)
        for variant, wheels in engines.items():
            step30_engine.unpack(wheels, plan.root / HOME / "engine" / variant)
        for name in PROGRAM:
            place(plan.project / name, plan.root / HOME / "app" / name)
        for kind, files in (("models", content.models), ("library", content.library)):
            for file in files:
                place(file, plan.root / HOME / kind / file.name)
        own(plan.root / HOME, plan.epoch)
    _compile(plan, HOME / "app")
    _settings(plan)


def _environment(plan: Plan, packages: Path, debian: str) -> None:
    """The virtual environment: this machine cannot run the card's Python to make one, nor need it."""
    venv = plan.root / HOME / "venv"
    (venv / "bin").mkdir(parents=True)
    for name in ("python", "python3", "python3.13"):
        (venv / "bin" / name).symlink_to("/usr/bin/python3.13")
    (venv / "pyvenv.cfg").write_text(VENV, "utf-8")
    (venv / "bin" / "appliance").write_text(COMMAND, "utf-8")
    (venv / "bin" / "appliance").chmod(0o755)
    compiled = packages.with_name(f"{packages.name}-{debian}")
    shutil.copytree(compiled if compiled.exists() else packages, plan.root / SITE, symlinks=True)
    if not compiled.exists():
        _compile(plan, SITE)
        aside = packages.with_suffix(".part")
        shutil.copytree(plan.root / SITE, aside, symlinks=True)
        aside.replace(compiled)
    (plan.root / SITE / "lamplight.pth").write_text(f"/{HOME}/app\n", "utf-8")


def _compile(plan: Plan, folder: Path) -> None:
    with step(f"Compiling the Python in /{folder}"):
        emulation.inside(plan.root, [*COMPILE, f"/{folder}"], f"The Python in /{folder}", plan.log)


def _settings(plan: Plan) -> None:
    """image/rootfs and systemd/, through a folder of their own, where they get their owner; then what follows
    from them: users, and the units that start."""
    ours = plan.work / "ours"
    units = ours / "usr/lib/systemd"
    place(plan.recipe / "rootfs", ours)
    place(plan.project / "systemd", units / "system")
    for preset in list((units / "system").glob("*.preset")):
        (units / "system-preset").mkdir(exist_ok=True)
        preset.replace(units / "system-preset" / preset.name)
    own(ours, plan.epoch)
    run(["cp", "-a", f"{ours}/.", str(plan.root)], "image/rootfs", plan.log)
    for name in MOUNT_POINTS:
        (plan.root / name).mkdir(parents=True, exist_ok=True)
    with step("Making users and enabling units"):
        emulation.inside(plan.root, ["systemd-sysusers"], "The users of the card", plan.log)
        emulation.inside(plan.root, ["systemctl", "preset-all"], "The units of the card", plan.log)
