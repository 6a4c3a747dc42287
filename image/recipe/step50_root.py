"""Step 5: the card's root, put together in the work folder: Debian, our program and its environment, models,
library, and image/rootfs/ and systemd/ as they lie in the tree.
"""

import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from appliance.install.commands import run
from appliance.log import step
from recipe import emulation, native, step30_engine
from recipe.placing import every, own, place
from recipe.plan import Plan, key
from recipe.step40_content import Content

HOME = Path("opt/lamplight")
# What of the project the box runs; the tests and the recipe stay at home.
PROGRAM = ("appliance", "bundles", "models", "web", "LICENSE")
PARTS = ("app", "engine", "library", "venv")  # whose sizes the lock has
CLOCK = "usr/lib/clock-epoch"  # its time is the image's: systemd and appliance/device/clock.py begin there
MOUNT_POINTS = ("boot/firmware", "data")
SITE = HOME / "venv/lib/python3.13/site-packages"
VENV = "home = /usr/bin\ninclude-system-site-packages = false\nversion = 3.13\n"
COMMAND = '#!/bin/sh\nexec /opt/lamplight/venv/bin/python -m appliance "$@"\n'


def make(plan: Plan, debian: Path, packages: Path, engines: Mapping[str, Path], content: Content) -> None:
    """Fills plan.root. Raises SetupError when a program of the card fails."""
    shutil.rmtree(plan.work, ignore_errors=True)
    plan.root.mkdir(parents=True)
    with step("Unpacking the card's Debian"):
        unpack = ["tar", "--xattrs", "--xattrs-include=*", "--numeric-owner", "-xpf", str(debian)]
        run([*unpack, "-C", str(plan.root)], "Debian", plan.log)
    with step("Putting our parts into it"):
        _environment(plan)
        _compiled(plan, [packages], SITE)
        _compiled(plan, [plan.project / name for name in PROGRAM], HOME / "app")
        (plan.root / SITE / "lamplight.pth").write_text(f"/{HOME}/app\n", "utf-8")
        for variant, wheels in engines.items():
            step30_engine.unpack(wheels, plan.root / HOME / "engine" / variant)
        for kind, files in (("models", content.models), ("library", content.library)):
            for file in files:
                place(file, plan.root / HOME / kind / file.name)
        own(plan.root / HOME, plan.epoch)
    _settings(plan)


def _environment(plan: Plan) -> None:
    """The virtual environment: this machine cannot run the card's Python to make one, nor need it."""
    venv = plan.root / HOME / "venv"
    (venv / "bin").mkdir(parents=True)
    for name in ("python", "python3", "python3.13"):
        (venv / "bin" / name).symlink_to("/usr/bin/python3.13")
    (venv / "pyvenv.cfg").write_text(VENV, "utf-8")
    (venv / "bin" / "appliance").write_text(COMMAND, "utf-8")
    (venv / "bin" / "appliance").chmod(0o755)


def _compiled(plan: Plan, sources: Sequence[Path], folder: Path) -> None:
    """Python in `folder` of the root, compiled: the content of one folder, or several
    files and folders by their names. Kept compiled under a name made of all that is in it."""
    made_from = key(native.compiler(plan.root), *(part for source in sources for part in _parts(source)))
    kept = plan.cache / "compiled" / made_from
    target = plan.root / folder
    if not kept.exists():
        for source in sources:
            place(source, target if len(sources) == 1 else target / source.name)
        native.compile_in(plan, folder)
        aside = kept.with_suffix(".part")
        shutil.rmtree(aside, ignore_errors=True)
        shutil.copytree(target, aside, symlinks=True)
        aside.replace(kept)
        shutil.rmtree(target)
    shutil.copytree(kept, target, symlinks=True)


def _parts(source: Path) -> Iterator[bytes | str]:
    """The names and contents of all files that `place` takes."""
    for path in every(source):
        if path.is_file() and path.suffix != ".pyc":
            yield f"{source.name}/{path.relative_to(source)}"
            yield path.read_bytes()


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
    (ours / CLOCK).touch()
    own(ours, plan.epoch)
    run(["cp", "-a", f"{ours}/.", str(plan.root)], "image/rootfs", plan.log)
    for name in MOUNT_POINTS:
        (plan.root / name).mkdir(parents=True, exist_ok=True)
    with step("Making users and enabling units"):
        emulation.inside(plan.root, ["systemd-sysusers"], "The users of the card", plan.log)
        emulation.inside(plan.root, ["systemctl", "preset-all"], "The units of the card", plan.log)
