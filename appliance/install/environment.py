"""A virtual environment outside the project, made from exact pins with hashes.

What is finished is written down in `made.json` after it is finished, so an interrupted set-up goes on and
nothing is done twice. The environment is made anew only when the Python or a set of pins is another.
"""

import hashlib
import json
import platform
import re
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from appliance.errors import SetupError
from appliance.install.commands import OnLine, counting, run
from appliance.log import step


@dataclass(frozen=True, slots=True)
class Environment:
    """A virtual environment, the folder of the files of pins (`NAME.lock`), and the log of the set-up."""

    folder: Path
    locks: Path
    log: Path

    @property
    def python(self) -> Path:
        return self.folder / "bin" / "python"

    def lock(self, name: str) -> Path:
        return self.locks / f"{name}.lock"

    def digest(self, name: str) -> str:
        """The SHA-256 of a file of pins."""
        try:
            return hashlib.sha256(self.lock(name).read_bytes()).hexdigest()
        except OSError as error:
            raise SetupError(f"The pins in {self.lock(name)} cannot be read: {error.strerror}.") from error

    def made(self) -> dict[str, str]:
        """What is finished: the Python, and the digest of each set of pins. Empty when nothing is."""
        try:
            found = json.loads((self.folder / "made.json").read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) and self.python.exists() else {}

    def note(self, finished: Mapping[str, str]) -> None:
        """Adds to what is finished."""
        aside = self.folder / "made.part"
        aside.write_text(json.dumps({**self.made(), **finished}, indent=1), "utf-8")
        aside.replace(self.folder / "made.json")

    def missing(self, sets: Sequence[str]) -> list[str]:
        """Those of `sets` still to be installed; all of them when the environment must be made anew."""
        made = self.made()
        return list(sets) if self._outdated(sets, made) else [name for name in sets if name not in made]

    def prepare(self, sets: Sequence[str]) -> None:
        """Installs what is missing. Raises SetupError with what failed: the network, the disk, a package."""
        if self._outdated(sets, self.made()):
            self._create()
        for name in self.missing(sets):
            self._install(name)
            self.note({name: self.digest(name)})

    def link(self, project: Path) -> None:
        """Makes the code in `project` importable, and `bin/appliance` its command."""
        site = next((self.folder / "lib").glob("python3*/site-packages"))
        (site / "lamplight.pth").write_text(f"{project}\n", "utf-8")
        command = self.folder / "bin" / "appliance"
        command.write_text(f'#!/bin/sh\nexec "{self.python}" -m appliance "$@"\n', "utf-8")
        command.chmod(0o755)

    def pip(
        self, arguments: Sequence[str], what: str, on_line: OnLine | None = None, **variables: str
    ) -> None:
        """Runs the environment's own pip, which reads the user's own configuration."""
        command = [str(self.python), "-m", "pip", "--no-input", "--disable-pip-version-check", *arguments]
        run(command, what, self.log, on_line, **variables)

    def _outdated(self, sets: Sequence[str], made: Mapping[str, str]) -> bool:
        changed = any(made.get(name, self.digest(name)) != self.digest(name) for name in sets)
        return changed or made.get("python") != _python()

    def _create(self) -> None:
        with step(f"Making the Python environment in {self.folder}"):
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder.parent.mkdir(parents=True, exist_ok=True)
            run([sys.executable, "-m", "venv", str(self.folder)], "The Python environment", self.log)
        self.note({"python": _python()})

    def _install(self, name: str) -> None:
        pins = self.lock(name)
        total = sum(bool(re.match(r"[A-Za-z0-9]", line)) for line in pins.read_text("utf-8").splitlines())
        arguments = ["install", "--require-hashes", "--only-binary", ":all:", "--progress-bar", "off"]
        with step(f"Installing {pins.name}", total, "packages") as current:
            counted = counting(current, r"Collecting |Requirement already satisfied")
            self.pip([*arguments, "-r", str(pins)], f"What {pins.name} lists", counted)


def _python() -> str:
    return f"{sys.implementation.name} {platform.python_version()} {sys.base_prefix}"
