"""Which archives a folder offers: whole ones, the newest edition of each, the rest with a sentence."""

import shutil

import pytest
from small_library import METADATA, PAGES

from appliance.errors import ArchiveError
from appliance.sources.folder import scan
from appliance.sources.zim import ZimArchive, archive_name, write_archive
from appliance.sources.zimfile import check_whole


def sentences(shelf):
    return {problem.name: problem.sentence for problem in shelf.problems}


def split(archive, target, size):
    content = archive.read_bytes()
    for n in range(-(-len(content) // size)):
        part = target.with_name(f"{target.name}a{chr(ord('a') + n)}")
        part.write_bytes(content[n * size : (n + 1) * size])


def test_the_good_one_is_served_and_the_broken_ones_are_listed(small_archive, tmp_path):
    shutil.copy(small_archive, tmp_path / "good.zim")
    (tmp_path / "cut.zim").write_bytes(small_archive.read_bytes()[:10_000])
    (tmp_path / "empty.zim").touch()
    (tmp_path / "._good.zim").write_bytes(b"\0" * 4096)
    (tmp_path / "page.zim").write_bytes(b"<!DOCTYPE html>" * 20)
    (tmp_path / "notes.txt").write_text("not an archive")
    shelf = scan([tmp_path])
    assert shelf.archives == (tmp_path / "good.zim",)
    found = sentences(shelf)
    assert set(found) == {"cut.zim", "empty.zim", "page.zim"}
    assert "10,000 of" in found["cut.zim"]
    assert "0 bytes" in found["empty.zim"]
    assert "not a ZIM archive" in found["page.zim"]


def test_an_archive_that_is_being_copied_is_served_once_it_is_whole(small_archive, tmp_path):
    content = small_archive.read_bytes()
    growing = tmp_path / "growing.zim"
    for size in (40, 80, len(content) // 2, len(content) - 1):
        growing.write_bytes(content[:size])
        assert scan([tmp_path]).archives == ()
        with pytest.raises(ArchiveError):
            ZimArchive.open(growing)
    growing.write_bytes(content)
    assert scan([tmp_path]).archives == (growing,)


def test_the_newest_edition_is_served_and_the_others_are_offered_for_removal(small_archive, tmp_path):
    for name in ("x_2025-01", "x_2025-06", "x_2024-12", "y_2020-01", "x"):
        shutil.copy(small_archive, tmp_path / f"{name}.zim")
    shelf = scan([tmp_path])
    assert [path.name for path in shelf.archives] == ["x.zim", "x_2025-06.zim", "y_2020-01.zim"]
    assert [(older.path.name, older.newest.name) for older in shelf.older] == [
        ("x_2024-12.zim", "x_2025-06.zim"),
        ("x_2025-01.zim", "x_2025-06.zim"),
    ]


def test_a_cut_newer_edition_does_not_hide_the_whole_older_one(small_archive, tmp_path):
    shutil.copy(small_archive, tmp_path / "x_2025-01.zim")
    (tmp_path / "x_2025-06.zim").write_bytes(small_archive.read_bytes()[:5000])
    shelf = scan([tmp_path])
    assert [path.name for path in shelf.archives] == ["x_2025-01.zim"]
    assert set(sentences(shelf)) == {"x_2025-06.zim"}


def test_archives_named_one_by_one_are_all_served(small_archive, tmp_path):
    paths = [tmp_path / "x_2025-01.zim", tmp_path / "x_2025-06.zim"]
    for path in paths:
        shutil.copy(small_archive, path)
    assert scan(paths).archives == tuple(paths)


def test_a_split_archive_is_one_archive(small_archive, tmp_path):
    split(small_archive, tmp_path / "parted.zim", 20_000)
    shelf = scan([tmp_path])
    assert shelf.archives == (tmp_path / "parted.zimaa",)
    assert shelf.problems == ()
    archive = ZimArchive.open(shelf.archives[0])
    assert archive.name == "parted"
    assert archive.document("Tetanus").title == "Tetanus"


@pytest.mark.parametrize(
    ("lost", "named"), [("aa", "parted.zimaa"), ("ab", "parted.zimab"), ("last", "is not whole")]
)
def test_a_split_archive_with_a_part_missing_is_a_problem(small_archive, tmp_path, lost, named):
    split(small_archive, tmp_path / "parted.zim", 20_000)
    parts = sorted(tmp_path.iterdir())
    (parts[-1] if lost == "last" else tmp_path / f"parted.zim{lost}").unlink()
    shelf = scan([tmp_path])
    assert shelf.archives == ()
    assert [named in problem.sentence for problem in shelf.problems] == [True]


def test_the_same_name_in_two_folders_is_a_problem(small_archive, tmp_path):
    folders = [tmp_path / "a", tmp_path / "b"]
    for folder in folders:
        folder.mkdir()
        shutil.copy(small_archive, folder / "x.zim")
    shelf = scan(folders)
    assert (shelf.archives, shelf.problems) == ((folders[0] / "x.zim",), ())  # the same archive twice
    assert scan([folders[0], folders[0] / "x.zim"]).problems == ()
    write_archive(folders[1] / "x.zim", PAGES[:3], METADATA, "eng", "Tetanus")
    shelf = scan(folders)
    assert shelf.archives == (folders[0] / "x.zim",)
    assert "same name" in sentences(shelf)["x.zim"]


def test_a_place_that_is_not_there_is_a_problem(tmp_path):
    shelf = scan([tmp_path / "missing.zim"])
    assert shelf.archives == ()
    assert "no archive missing.zim" in sentences(shelf)["missing.zim"]


def test_a_later_part_of_a_split_archive_leads_to_the_first(small_archive, tmp_path):
    split(small_archive, tmp_path / "parted.zim", 20_000)
    with pytest.raises(ArchiveError, match=r"parted\.zimab is one part") as caught:
        check_whole(tmp_path / "parted.zimab")
    assert "parted.zimaa" in caught.value.hint


def test_a_folder_is_no_archive(tmp_path):
    with pytest.raises(ArchiveError, match="is a folder, not an archive") as caught:
        check_whole(tmp_path)
    assert "--library" in caught.value.hint


@pytest.mark.parametrize("name", ["x.zim", "x.zimaa"])
def test_an_archive_is_named_by_its_stem(tmp_path, name):
    assert archive_name(tmp_path / name) == "x"


def test_a_name_with_signs_is_kept(tmp_path):
    assert archive_name(tmp_path / "corner_cases#&.zim") == "corner_cases#&"
    assert archive_name(tmp_path / "sahara.zim") == "sahara"
