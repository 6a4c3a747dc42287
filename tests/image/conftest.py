"""The image under test, its boot files, and the test's own disk."""

import os
from pathlib import Path

import pytest
import testdisk
from card import BootFiles, boot_files

ROOT = Path(__file__).parent.parent.parent


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
def files(image: Path, tmp_path_factory: pytest.TempPathFactory) -> BootFiles:
    return boot_files(image, tmp_path_factory.mktemp("firmware"))


@pytest.fixture(scope="session")
def tools() -> Path:
    """The test's disk, kept from run to run outside the tree."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "lamplight"
    return testdisk.made(cache / "test-image")
