"""Step 2: the card's Python packages, in the cache: wheels for aarch64 and Python 3.13, fetched by the hashes
of our pins and unpacked by this machine's pip. No program of the card runs here.
"""

import shutil
import sys
from pathlib import Path

from appliance.install.commands import counting, run
from appliance.log import step
from recipe import pins
from recipe.plan import Plan, key

LOCKS = ("requirements.lock", "requirements-model.lock")
ENGINE = "llama-cpp-python"  # has no wheels: step30_engine compiles it
# Packages' own tests and type stubs: nothing on the card reads them.
LEFT_OUT = ("**/tests", "**/*.pyi", "bin")


def wanted(plan: Plan) -> str:
    """The pins of what goes into the card's environment."""
    locks = [(plan.project / name).read_text("utf-8") for name in LOCKS]
    return pins.for_the_card(locks, without=frozenset([ENGINE]))


def folder(plan: Plan) -> Path:
    """Where the packages lie, or will: what becomes site-packages."""
    return plan.cache / "python" / key(wanted(plan), Path(__file__).read_text("utf-8"))


def make(plan: Plan) -> Path:
    """The unpacked packages. Raises SetupError."""
    target = folder(plan)
    if target.exists():
        return target
    wheels = plan.cache / "wheels"
    wheels.mkdir(parents=True, exist_ok=True)
    listed = wheels / "wanted.txt"
    listed.write_text(wanted(plan), "utf-8")
    pip = [sys.executable, "-m", "pip", "--no-input", "--disable-pip-version-check"]
    chosen = ["--no-deps", "--require-hashes", "--progress-bar", "off", *pins.options(), "-r", str(listed)]
    total = len(listed.read_text("utf-8").splitlines())
    with step("Fetching the card's Python packages", total, "packages") as current:
        command = [*pip, "download", *chosen, "--dest", str(wheels)]
        run(command, "The card's Python packages", plan.log, counting(current, "Collecting "))
    aside = target.with_suffix(".part")
    shutil.rmtree(aside, ignore_errors=True)
    with step("Unpacking them"):
        # pip holds Requires-Python against the Python that runs it; the pins were made for the card's, too.
        found = ["--no-index", "--find-links", str(wheels), "--no-compile", "--ignore-requires-python"]
        found += ["--target", str(aside)]
        run([*pip, "install", *chosen, *found], "The card's Python packages", plan.log)
        _strip(aside)
    aside.replace(target)
    return target


def _strip(packages: Path) -> None:
    for pattern in LEFT_OUT:
        for found in list(packages.glob(pattern)):
            if found.is_dir():
                shutil.rmtree(found)
            else:
                found.unlink(missing_ok=True)
