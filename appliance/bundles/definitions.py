"""Where definitions lie: the program's in bundles/, the user's own in LAMPLIGHT_HOME/bundles or anywhere."""

import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from appliance.bundles.manifest import Definition, DefinitionError, read_definition

SHIPPED = Path(__file__).parent.parent.parent / "bundles"
LOCK = ".lock.toml"


@dataclass(frozen=True, slots=True)
class Defined:
    """A definition and its file."""

    definition: Definition
    file: Path

    @property
    def lock(self) -> Path:
        """Where its lock lies, made by `bundle lock`."""
        return self.file.with_name(self.definition.name + LOCK)

    def beside(self, path: str) -> Path:
        """A path that the definition gives for something of the user's own."""
        return (self.file.parent / Path(path).expanduser()).absolute()


def read(file: Path) -> Defined:
    """Raises DefinitionError when the file cannot be read or says something that cannot be used."""
    try:
        text = file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DefinitionError(f"The definition {file} cannot be read: {error}.") from error
    return Defined(read_definition(file.name.removesuffix(".toml"), text), file.absolute())


def find(name: str, home: Path, shipped: Path = SHIPPED) -> Defined:
    """A definition by its name, or by the path of its file. Raises DefinitionError."""
    if name.endswith(".toml") or "/" in name:
        return read(Path(name).expanduser())
    known = {file.name.removesuffix(".toml"): file for file in files(home, shipped)}
    if name not in known:
        near = difflib.get_close_matches(name, known, 1)
        meant = f"Did you mean {near[0]}?" if near else f"There are {', '.join(known)}."
        raise DefinitionError(f"There is no bundle {name!r}.", f"{meant} Your own lie in {home / 'bundles'}.")
    return read(known[name])


def files(home: Path, shipped: Path = SHIPPED) -> Iterator[Path]:
    """Every definition's file, the program's first. Raises DefinitionError where two have one name."""
    seen: dict[str, Path] = {}
    for folder in (shipped, home / "bundles"):
        for file in sorted(folder.glob("*.toml"), key=lambda file: file.stem):
            if file.name.endswith(LOCK):
                continue
            if other := seen.get(file.name):
                raise DefinitionError(f"Two definitions have one name: {other} and {file}.", "Rename yours.")
            seen[file.name] = file
            yield file
