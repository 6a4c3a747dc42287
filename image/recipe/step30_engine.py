"""Step 3: the language model's engine for the card, cross-compiled in two variants, kept in the cache.

Which one is used is chosen at start by what the processor can do: the Pi 5 has the dot product, the Pi 3, 4
and Zero 2 W have not, and a build for it would end there with an illegal instruction.
"""

import shutil
import subprocess
import zipfile
from pathlib import Path

from appliance.errors import SetupError
from appliance.install import engine
from appliance.install.environment import Environment
from appliance.log import step
from recipe.plan import Plan, key

VARIANTS = {"armv8-a": "armv8-a", "armv8.2-a": "armv8.2-a+dotprod+fp16"}
COMPILER = "aarch64-linux-gnu-"
FLAGS = (
    "-DCMAKE_SYSTEM_NAME=Linux",
    "-DCMAKE_SYSTEM_PROCESSOR=aarch64",
    f"-DCMAKE_C_COMPILER={COMPILER}gcc",
    f"-DCMAKE_CXX_COMPILER={COMPILER}g++",
    "-DGGML_NATIVE=OFF",
    engine.FLAGS,
)


def flags(variant: str) -> str:
    """What CMake is told for a variant."""
    return " ".join([*FLAGS, f"-DGGML_CPU_ARM_ARCH={VARIANTS[variant]}"])


def folder(plan: Plan, variant: str) -> Path:
    """Where a variant's wheel lies, or will."""
    pins = [(plan.project / f"{name}.lock").read_bytes() for name in (engine.PINS, engine.TOOLS)]
    return plan.cache / "engine" / f"{variant}-{key(*pins, flags(variant), _compiler())}"


def make(plan: Plan) -> dict[str, Path]:
    """The folder of each variant's wheel, compiled when it is not there yet. Raises SetupError."""
    made = {}
    for variant in VARIANTS:
        target = folder(plan, variant)
        if not target.exists():
            _compile(plan, variant, target)
        made[variant] = target
    return made


def _compile(plan: Plan, variant: str, target: Path) -> None:
    environment = Environment(plan.home / "venv", plan.project, plan.log)
    # No path of this machine in what is compiled.
    nameless = f"-ffile-prefix-map={plan.cache.resolve()}=. -ffile-prefix-map={plan.cache}=."
    title = f"Compiling the language model's engine for the card, {variant}"
    engine.build(
        environment,
        target,
        title,
        CMAKE_ARGS=flags(variant),
        _PYTHON_HOST_PLATFORM="linux-aarch64",
        CFLAGS=nameless,
        CXXFLAGS=nameless,
    )


def unpack(wheels: Path, target: Path) -> None:
    """The engine of one variant as a folder for PYTHONPATH."""
    (wheel,) = wheels.glob("llama_cpp_python-*.whl")
    shutil.rmtree(target, ignore_errors=True)
    with step(f"Unpacking the engine {target.name}"), zipfile.ZipFile(wheel) as packed:
        # The libraries lie in the wheel twice; the package loads its own.
        packed.extractall(target, [name for name in packed.namelist() if name.startswith("llama_cpp")])


def _compiler() -> str:
    """The version of the cross-compiler: another one gives other bytes."""
    try:
        ended = subprocess.run([f"{COMPILER}g++", "--version"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise SetupError(
            f"There is no cross-compiler {COMPILER}g++ for the language model's engine.",
            "Install g++-aarch64-linux-gnu, or leave the model out: --model none.",
        ) from error
    return ended.stdout.splitlines()[0]
