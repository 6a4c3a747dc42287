"""From archives to a bundle: what it says of them, reused indexes, nothing half-made under its name."""

import errno
import os

import pytest
from small_bundle import DEFINITION, index_beside, write_small
from small_library import INDEX, METADATA, PAGES

from appliance.bundles.build import build
from appliance.bundles.folder import Disk
from appliance.bundles.manifest import ManifestError
from appliance.bundles.pack import PackError
from appliance.bundles.verify import fits, full, quick
from appliance.errors import ArchiveError, BundleError
from appliance.sources.zim import ZimArchive, write_archive

pytestmark = pytest.mark.slow


def test_a_bundle_says_what_its_archives_are(signed, keys):
    found = quick(Disk(signed), keys)
    archive = ZimArchive.open(signed / "archives/small_2025-06.zim")
    (said, _) = found.bundle.archives
    assert (said.name, said.uuid, said.language) == ("small_2025-06", archive.uuid, "eng")
    assert (said.title, said.licence, said.date) == ("A small library", "GPL-3.0-or-later", "2025-06-01")
    assert (said.files, said.index) == (("archives/small_2025-06.zim",), "indexes/small_2025-06.index")
    full(Disk(signed), found)
    assert sorted(path.name for path in signed.iterdir()) == [
        "SHA256SUMS", "archives", "bundle.sig", "bundle.toml", "indexes"
    ]  # fmt: skip


def test_archive_and_index_are_not_copied_on_one_disk(tmp_path):
    zim = write_small(tmp_path / "small.zim")
    index = index_beside(zim)
    build(DEFINITION, "1", [zim], {}, lambda _: index, tmp_path / "to")
    for file, place in ((zim, "archives/small.zim"), (index, "indexes/small.index")):
        assert (tmp_path / "to/valley-1" / place).stat().st_ino == file.stat().st_ino


def test_an_archive_without_text_has_no_index(tmp_path):
    zim = write_small(tmp_path / "small.zim")
    found = build(DEFINITION, "1", [zim], {}, lambda _: None, tmp_path / "to")
    assert found.bundle.archives[0].index == ""
    fits(Disk(tmp_path / "to/valley-1"), found)


def test_an_archives_own_words_become_lines(tmp_path):
    """Kiwix's archives have titles with spaces that do not break, and descriptions with ends of lines."""
    said = {
        "Title": "Wikip\u00e9dia\u00a0: m\u00e9decine\n",
        "License": "CC\tBY\r\nSA\x07",
        "Source": "\u202ex",
    }
    zim = tmp_path / "small.zim"
    write_archive(zim, [*PAGES, INDEX], METADATA | said, "fra", "index")
    (found,) = build(DEFINITION, "1", [zim], {}, lambda _: None, tmp_path / "to").bundle.archives
    assert (found.title, found.licence, found.source) == ("Wikip\u00e9dia : m\u00e9decine", "CC BY SA", "x")


def test_a_split_archive_stays_split(tmp_path):
    whole = write_small(tmp_path / "small.zim")
    index = index_beside(whole)
    content = whole.read_bytes()
    whole.unlink()
    (tmp_path / "small.zimaa").write_bytes(content[:50_000])
    (tmp_path / "small.zimab").write_bytes(content[50_000:])
    found = build(DEFINITION, "1", [tmp_path / "small.zimaa"], {}, lambda _: index, tmp_path / "to")
    assert found.bundle.archives[0].files == ("archives/small.zimaa", "archives/small.zimab")
    fits(Disk(tmp_path / "to/valley-1"), found)


def test_on_fat_large_files_go_in_pieces(tmp_path, monkeypatch):
    zim = write_small(tmp_path / "small.zim")

    def refused(*_args, **_options):
        raise OSError(errno.EXDEV, "Invalid cross-device link")

    monkeypatch.setattr(os, "link", refused)
    found = build(DEFINITION, "1", [zim], {}, lambda _: None, tmp_path / "to", piece_bytes=30_000)
    lying = sorted(os.listdir(tmp_path / "to/valley-1/archives"))
    assert lying[:2] == ["small.zimaa", "small.zimab"]
    assert "small.zim" not in lying
    full(Disk(tmp_path / "to/valley-1"), found)


def test_a_language_model_travels_along(tmp_path):
    zim = write_small(tmp_path / "small.zim")
    (tmp_path / "qwen.gguf").write_bytes(b"GGUF" + bytes(1000))
    found = build(
        DEFINITION, "1", [zim], {"qwen2.5-0.5b": tmp_path / "qwen.gguf"}, lambda _: None, tmp_path / "to"
    )
    assert [(model.name, model.file) for model in found.bundle.models] == [
        ("qwen2.5-0.5b", "models/qwen.gguf")
    ]


def test_nothing_is_overwritten_and_nothing_left_behind(tmp_path):
    zim = write_small(tmp_path / "small.zim")

    def make(version, path=zim, key=None):
        build(DEFINITION, version, [path], {}, lambda _: None, tmp_path, key)

    make("1")
    before = sorted(os.listdir(tmp_path))
    with pytest.raises(PackError, match="is there already"):
        make("1")
    with pytest.raises(ArchiveError):
        make("2", tmp_path / "absent.zim")
    with pytest.raises(BundleError, match="cannot be read"):
        make("3", key=zim)
    with pytest.raises(ManifestError):
        make("a version with spaces")
    assert sorted(os.listdir(tmp_path)) == before


def test_a_folder_that_cannot_be_written(tmp_path):
    zim = write_small(tmp_path / "small.zim")
    (tmp_path / "file").touch()
    with pytest.raises(PackError, match="cannot be written"):
        build(DEFINITION, "1", [zim], {}, lambda _: None, tmp_path / "file")
