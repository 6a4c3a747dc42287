"""The image under test, its boot files, and the test's own disk."""

import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import testdisk
from card import BootFiles, boot_files

ROOT = Path(__file__).parent.parent.parent
LAST = ("test_cuts.py", "test_usb_stick.py")
NO_TIME = "the minutes that were given had passed"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What is seen without a start comes first: it takes a minute, and tells why a start would fail. The cuts
    of the power and the sticks, which take longest, come last."""
    items.sort(key=_turn)


def _turn(item: pytest.Item) -> tuple[bool, int]:
    starts = item.get_closest_marker("boot") is not None
    return starts, LAST.index(item.path.name) if item.path.name in LAST else -1


def pytest_runtest_setup() -> None:
    """`./build.sh test-image --within MINUTES`: what would begin later is not run, and says so."""
    if time.time() > float(os.environ.get("LAMPLIGHT_UNTIL") or "inf"):
        pytest.skip(NO_TIME)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = terminalreporter.stats.get("skipped", [])
    missed = [report.nodeid for report in skipped if NO_TIME in str(report.longrepr)]
    if missed:
        terminalreporter.section("NOT RUN", red=True)
        terminalreporter.line("\n".join(missed))
        terminalreporter.line(f"{len(missed)} tests were not run: {NO_TIME}.")
        terminalreporter.line("All of them: ./build.sh test-image")


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
