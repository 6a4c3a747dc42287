"""The image under test, its boot files, and the test's own disk."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import testdisk
from card import BootFiles, boot_files

ROOT = Path(__file__).parent.parent.parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What is seen without a start comes first: it takes a minute, and tells why a start would fail. The cuts
    of the power, which take longest, come last."""
    items.sort(key=_turn)


def _turn(item: pytest.Item) -> tuple[bool, bool]:
    return item.get_closest_marker("boot") is not None, item.path.name == "test_cuts.py"


@pytest.fixture(scope="session")
def image() -> Path:
    """`LAMPLIGHT_IMAGE`, or the newest in dist/."""
    named = os.environ.get("LAMPLIGHT_IMAGE")
    found = (
        [Path(named)]
        if named
        else sorted(ROOT.glob("dist/lamplight-*.img"), key=lambda file: file.stat().st_mtime)
    )
    if not found or not found[-1].is_file():
        pytest.fail(f"no image at {named or 'dist/lamplight-VERSION.img'}: run ./build.sh image")
    return found[-1]


@pytest.fixture(scope="session")
def cache() -> Path:
    """What is kept from run to run, outside the tree."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "lamplight/test-image"


@pytest.fixture(scope="session")
def tools(cache: Path) -> Path:
    """The test's disk."""
    return testdisk.made(cache)


@pytest.fixture(scope="module")
def place(cache: Path) -> Iterator[Path]:
    """A folder for cards and consoles, gone after the module: they are too large for pytest to keep."""
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache, prefix="run-") as folder:
        yield Path(folder)


@pytest.fixture(scope="module")
def files(image: Path, place: Path) -> BootFiles:
    (place / "firmware").mkdir()
    return boot_files(image, place / "firmware")
