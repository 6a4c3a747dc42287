"""`python3 -m appliance.install run|test [--search-only]`, called by build.sh: all that Python needs.

Prints nothing when everything is there. Says what is missing before it works for long.
"""

import argparse
import fcntl
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from appliance import settings
from appliance.downloads import require_space
from appliance.errors import LamplightError, SetupError
from appliance.install import engine
from appliance.install.environment import Environment
from appliance.log import say

PROJECT = Path(__file__).parent.parent.parent
SETS = {
    "run": ("requirements", "requirements-desktop"),
    "test": ("requirements", "requirements-desktop", "requirements-test"),
}
SPACE = {  # bytes that each takes on the disk at most
    "requirements": 400_000_000,
    "requirements-desktop": 250_000_000,
    "requirements-test": 400_000_000,
    "engine": 1_200_000_000,
}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="appliance.install", description="The Python environment of a box.")
    parser.add_argument("purpose", choices=SETS)
    parser.add_argument("--search-only", action="store_true", help="leave the language model's engine out")
    given = parser.parse_args(arguments)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        install(settings.load({}).home, SETS[given.purpose], model=not given.search_only)
    except LamplightError as error:
        print(f"{error}\n{error.hint}".rstrip(), file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        say("Stopped. What is finished is kept: the next start goes on from here.")
        return 130
    return 0


def install(home: Path, sets: Sequence[str], model: bool) -> None:
    """Brings the environment in `home` to what the pins say. Raises SetupError before or after work."""
    environment = Environment(home / "venv", PROJECT, home / "setup.log")
    wheels = home / "wheels"
    work = environment.missing(sets)
    if model and not engine.kept(wheels, environment):
        work.append("engine")
    require_space(home, sum(SPACE[name] for name in work), "The set-up of Python")
    with _alone(home):
        environment.prepare(sets)
        environment.link(PROJECT)
        if model:
            engine.install(wheels, environment)


@contextmanager
def _alone(home: Path) -> Iterator[None]:
    try:
        home.mkdir(parents=True, exist_ok=True)
        with (home / "setup.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield
    except BlockingIOError as error:
        raise SetupError(f"Another set-up works in {home}.", "Wait for it to end, or end it.") from error
    except PermissionError as error:
        raise SetupError(f"The folder {home} cannot be written.", "Set LAMPLIGHT_HOME to another.") from error


if __name__ == "__main__":
    sys.exit(main())
