"""Where a new index goes."""

from pathlib import Path

import pytest

from appliance import settings
from appliance.services.shelf import NoPlace, place_to_make


def places(tmp_path: Path, beside: int, own: int) -> Path:
    """The place of a new index, with these modes of the archive's folder and of the library."""
    for name, mode in (("stick", beside), ("library", own)):
        (tmp_path / name).mkdir()
        (tmp_path / name).chmod(mode)
    try:
        return place_to_make(settings.load({"home": tmp_path}, {}), tmp_path / "stick" / "x.zim")
    finally:
        for name in ("stick", "library"):
            (tmp_path / name).chmod(0o755)


def test_beside_the_archive_or_in_the_library(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    assert places(tmp_path / "a", 0o755, 0o755) == tmp_path / "a" / "stick" / "x.index"
    assert places(tmp_path / "b", 0o555, 0o755) == tmp_path / "b" / "library" / "x.index"


def test_no_folder_that_can_be_written_to_is_said(tmp_path: Path) -> None:
    with pytest.raises(NoPlace, match=r"No index of x\.zim can be made") as caught:
        places(tmp_path, 0o555, 0o555)
    assert "searched by its own words" in caught.value.hint
