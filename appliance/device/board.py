"""The board and what it carries: which profile, which language model, which build of the engine. Pure but for
`look`. Standard library alone.

The language model is left out where it would drive everything else out of memory: on boards with 1 GB, and
on the Zero 2 W. What does not fit goes to a smaller model, or to search only, and a sentence says so.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from appliance.device import files
from appliance.device.owner import AUTO, NO_MODEL, Owner
from appliance.models import Catalogue, ModelFile

MODEL_FILE, MEMORY, PROCESSOR = Path("/proc/device-tree/model"), Path("/proc/meminfo"), Path("/proc/cpuinfo")
DOT_PRODUCT = "asimddp"  # in /proc/cpuinfo: the processor has armv8.2-a's dot product
# What the language model leaves to the rest: pages, embedder, Kiwix, the system and its file cache.
OTHERS_MB = 600
# Beside its file a model needs context and buffers: 260 MB with four answers of 2,048 tokens, on a desktop.
BESIDE_MB = 300
SEARCH_ONLY_MB = 1500  # boards sold with 1 GB or less stay below it
LARGE, LARGE_MB = "qwen2.5-1.5b-instruct", 7000  # for a Pi 5 sold with 8 GB
PASSAGES = "Questions get passages."


@dataclass(frozen=True, slots=True)
class Board:
    """`name` as the device tree has it, "" where there is none; memory that Linux has, in MB."""

    name: str
    memory_mb: int
    dot_product: bool

    @property
    def is_pi5(self) -> bool:
        return self.name.startswith(("Raspberry Pi 5", "Raspberry Pi 500", "Raspberry Pi Compute Module 5"))

    @property
    def is_zero2(self) -> bool:
        return self.name.startswith("Raspberry Pi Zero 2")


@dataclass(frozen=True, slots=True)
class Load:
    """What the box runs. `model` "" means search only; `sentence` says why it is less than was asked for."""

    profile: str
    model: str
    sentence: str = ""

    @property
    def search_only(self) -> bool:
        return not self.model


def load(
    board: Board, owner: Owner, catalogue: Catalogue, here: Collection[str], bundled: Sequence[str] = ()
) -> Load:
    """What this board runs of the models whose files are `here` (names of the catalogue); `bundled` are those
    of them that came with the bundle in use."""
    profile = owner.profile if owner.profile != AUTO else "pi5" if board.is_pi5 else "pi4"
    if owner.model == NO_MODEL:
        return Load(profile, "", f'The owner left the language model out (model = "{NO_MODEL}"). {PASSAGES}')
    named = () if owner.model == AUTO else (owner.model,)
    if not named and (board.is_zero2 or board.memory_mb < SEARCH_ONLY_MB):
        return Load(profile, "", f"{_this(board)} has too little memory for a language model. {PASSAGES}")
    large = (LARGE,) if board.is_pi5 and board.memory_mb >= LARGE_MB else ()
    wanted = dict.fromkeys((*named, *bundled, *large, *catalogue.languages[profile]))
    chosen = next((name for name in wanted if name in here and _fits(board, catalogue.files[name])), "")
    return Load(profile, chosen, _why(board, catalogue, here, named, chosen))


def _why(
    board: Board, catalogue: Catalogue, here: Collection[str], named: tuple[str, ...], chosen: str
) -> str:
    """Why it is not the model that the owner named, or none at all; "" when nothing was given up."""
    if chosen and (not named or named[0] == chosen):
        return ""
    instead = f"{chosen} is used instead." if chosen else PASSAGES
    if not named:
        return f"No language model that fits this board is on the card. {PASSAGES}"
    if named[0] not in catalogue.files:
        return f"There is no model {named[0]}. {instead}"
    if named[0] not in here:
        return f"The model {named[0]} is not on this card. {instead}"
    needed = needed_mb(catalogue.files[named[0]])
    return f"With {named[0]} the box needs {needed:,} MB of memory; {_this(board)} has less. {instead}"


def carries(board: Board, model: ModelFile) -> bool:
    """Whether a model that nobody named may be loaded on this board."""
    return not board.is_zero2 and board.memory_mb >= SEARCH_ONLY_MB and _fits(board, model)


def needed_mb(model: ModelFile) -> int:
    """Memory of a board on which this model runs beside everything else."""
    return model.bytes // 1_000_000 + BESIDE_MB + OTHERS_MB


def _fits(board: Board, model: ModelFile) -> bool:
    return needed_mb(model) <= board.memory_mb


def _this(board: Board) -> str:
    return f"{board.name or 'This board'} ({board.memory_mb:,} MB)"


def read(name: bytes, memory: str, processor: str) -> Board:
    """A board from what the kernel says of it."""
    found = re.search(r"^MemTotal:\s+(\d+) kB$", memory, re.MULTILINE)
    features = re.search(r"^Features\s*:(.*)$", processor, re.MULTILINE)
    return Board(
        name.decode("utf-8", "replace").rstrip("\0").strip(),
        int(found[1]) // 1000 if found else 0,
        DOT_PRODUCT in (features[1].split() if features else ()),
    )


def look() -> Board:
    """The board that this runs on."""
    return read(
        files.read(MODEL_FILE) or b"",
        (files.read(MEMORY) or b"").decode(),
        (files.read(PROCESSOR) or b"").decode("utf-8", "replace"),
    )
