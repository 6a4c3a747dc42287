"""The pins as the card sees them. pip reads `; python_full_version …` with the Python that runs it, whatever
it fetches for: so the lines of another Python or system are left out here first. Pure."""

from collections.abc import Iterable, Iterator

from packaging.markers import default_environment
from packaging.requirements import Requirement

PYTHON = "3.13"  # Debian 13's
GLIBC = 41  # 2.41, Debian 13's
OLDEST_GLIBC = 17  # that manylinux2014 stands for


def environment() -> dict[str, str]:
    """What markers are compared with on the card."""
    return {
        **{name: str(value) for name, value in default_environment().items()},
        "implementation_name": "cpython",
        "os_name": "posix",
        "platform_machine": "aarch64",
        "platform_python_implementation": "CPython",
        "platform_system": "Linux",
        "python_full_version": f"{PYTHON}.5",
        "python_version": PYTHON,
        "sys_platform": "linux",
    }


def blocks(lock: str) -> Iterator[tuple[Requirement, str]]:
    """The requirements of a file of pins, and the text of each without its marker: name, version, hashes."""
    logical = lock.replace("\\\n", " ").splitlines()
    for line in filter(str.strip, logical):
        wanted, *hashes = line.split(" --hash=")
        requirement = Requirement(wanted)
        pinned = f"{requirement.name}{requirement.specifier}"
        yield requirement, " ".join([pinned, *(f"--hash={found.strip()}" for found in hashes)])


def for_the_card(locks: Iterable[str], without: frozenset[str] = frozenset()) -> str:
    """One file of pins for the card, from several of ours, without the packages named in `without`."""
    here = environment()
    return "".join(
        f"{text}\n"
        for lock in locks
        for requirement, text in blocks(lock)
        if requirement.name not in without and (not requirement.marker or requirement.marker.evaluate(here))
    )


def options() -> list[str]:
    """What tells pip to take wheels for the card only."""
    platforms = [f"manylinux_2_{minor}_aarch64" for minor in range(GLIBC, OLDEST_GLIBC - 1, -1)]
    named = [word for tag in (*platforms, "manylinux2014_aarch64") for word in ("--platform", tag)]
    abis = [word for abi in (f"cp{PYTHON.replace('.', '')}", "abi3", "none") for word in ("--abi", abi)]
    return ["--python-version", PYTHON, "--implementation", "cp", *abis, *named, "--only-binary", ":all:"]
