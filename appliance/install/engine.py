"""The language model's engine, llama-cpp-python: it comes as source and is compiled once for this processor.

The wheel is kept under a name made of all that it depends on. Until it is there the build's folder stays, so
that an interrupted build goes on with the next part.
"""

import hashlib
import os
import platform
import shutil
import tarfile
from pathlib import Path

from appliance.errors import SetupError
from appliance.install.commands import ninja
from appliance.install.environment import Environment
from appliance.log import step

PINS, TOOLS = "requirements-model", "requirements-build"
# Models that read pictures are nothing that this product uses; the rest is the package's own choice.
FLAGS = "-DLLAVA_BUILD=OFF"


def key(environment: Environment) -> str:
    """Names what a compiled wheel depends on: the pins, the compiler's flags, the processor."""
    parts = [environment.digest(PINS), environment.digest(TOOLS), _flags(), platform.machine(), processor()]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def processor(file: Path = Path("/proc/cpuinfo")) -> str:
    """What the processor can do, as the kernel lists it."""
    try:
        lines = file.read_text("utf-8", "replace").splitlines()
    except OSError:
        return platform.processor()
    features = (line for line in lines if line.lower().startswith(("flags", "features")))
    return " ".join(sorted(next(features, "").split()))


def kept(wheels: Path, environment: Environment) -> list[Path]:
    """The compiled wheels for this machine; empty when there are none yet."""
    return sorted((wheels / key(environment)).glob("*.whl"))


def install(wheels: Path, environment: Environment) -> None:
    """Puts the engine into the environment, compiling it when it was not yet. Raises SetupError."""
    if environment.made().get(PINS) == key(environment):
        return
    if not kept(wheels, environment):
        _compile(wheels, environment)
    files = map(str, kept(wheels, environment))
    with step("Installing the language model's engine"):
        arguments = ["install", "--no-index", "--no-deps", "--force-reinstall", *files]
        environment.pip(arguments, "The language model's engine")
    environment.note({PINS: key(environment)})


def _compile(wheels: Path, environment: Environment) -> None:
    if not (shutil.which("c++") or os.environ.get("CXX")):
        raise SetupError(
            "There is no C++ compiler to build the language model's engine with.",
            "Install one (`apt install g++`), or start with --search-only.",
        )
    title = "Compiling the language model's engine, once for this machine"
    build(environment, wheels / key(environment), title, CMAKE_ARGS=_flags())


def build(environment: Environment, target: Path, title: str, **variables: str) -> None:
    """Compiles the pinned source into wheels in the folder `target`, with `variables` for the compilers.
    Until it is there, `target.build` keeps what is done. Raises SetupError."""
    work = target.with_name(f"{target.name}.build")
    tools = Environment(work / "venv", environment.locks, environment.log)
    tools.prepare([TOOLS])
    fetched = work / "fetched"
    with step("Fetching the source of the language model's engine"):
        arguments = ["download", "--no-deps", "--require-hashes", "--no-build-isolation"]
        arguments += ["--progress-bar", "off", "--dest", str(fetched), "-r", str(tools.lock(PINS))]
        tools.pip(arguments, "The source of the language model's engine")
        sources = [_unpack(file, work) for file in sorted(fetched.glob("*.tar.gz"))]
    with step(title, unit="parts") as current:
        arguments = ["wheel", "--verbose", "--no-deps", "--no-index", "--no-build-isolation"]
        arguments += ["--config-settings", f"build-dir={work / 'objects'}", "--wheel-dir", str(work / "out")]
        arguments += map(str, [*sources, *sorted(fetched.glob("*.whl"))])
        tools.pip(arguments, "The language model's engine", ninja(current), **variables)
    (work / "out").replace(target)
    shutil.rmtree(work)


def _unpack(file: Path, folder: Path) -> Path:
    """Unpacks a source package, once; the times of its files are kept, so that nothing is compiled twice."""
    target = folder / file.name.removesuffix(".tar.gz")
    if not target.exists():
        aside = folder / "unpacking"
        shutil.rmtree(aside, ignore_errors=True)
        with tarfile.open(file) as packed:
            # Debian 12's Python has no filters yet; the package's SHA-256 was checked before.
            packed.extraction_filter = getattr(tarfile, "data_filter", lambda member, _: member)
            packed.extractall(aside)
        (aside / target.name).replace(target)
    return target


def _flags() -> str:
    return os.environ.get("CMAKE_ARGS", FLAGS)
