"""The place of a bundle that is to be built, before any work is put into it."""

import os
import shutil

import pytest

from appliance import __main__
from appliance.bundles import target
from appliance.bundles.pack import PIECE_BYTES, SPARE, PackError


@pytest.fixture
def narrow(monkeypatch):
    """A disk with so much free."""

    def make(free):
        usage = shutil.disk_usage("/")
        monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=free))

    return make


def test_a_good_place_is_left_as_it_was(tmp_path):
    target.require(tmp_path / "not/there/yet/valley-1", [])
    assert os.listdir(tmp_path) == []


def test_what_is_there_is_not_overwritten(tmp_path):
    (tmp_path / "valley-1").symlink_to("nowhere")
    with pytest.raises(PackError, match="is there already"):
        target.require(tmp_path / "valley-1")


def test_a_place_that_cannot_be_written_to():
    with pytest.raises(PackError, match="/proc/self cannot be written to"):
        target.require(target.Path("/proc/self/valley-1"))


def test_what_lies_on_the_same_disk_needs_no_room(tmp_path, narrow):
    archive = tmp_path / "large.zim"
    archive.write_bytes(bytes(1000))
    narrow(SPARE)
    target.require(tmp_path / "valley-1", [archive])
    narrow(SPARE - 1)
    with pytest.raises(PackError, match="alone need"):
        target.require(tmp_path / "valley-1", [archive])


def test_what_lies_on_another_disk_does(tmp_path, narrow):
    archive = target.Path("/dev/shm") / f"lamplight-{os.getpid()}.zim"
    archive.write_bytes(bytes(1000))
    try:
        narrow(SPARE + 999)
        with pytest.raises(PackError, match="alone need"):
            target.require(tmp_path / "valley-1", [archive])
    finally:
        archive.unlink()


@pytest.mark.parametrize(("kind", "limit"), [("vfat", PIECE_BYTES), ("exfat", None), ("ext4", None)])
def test_only_fat_needs_pieces(tmp_path, kind, limit):
    device = tmp_path.stat().st_dev
    listing = tmp_path / "mountinfo"
    number = f"{os.major(device)}:{os.minor(device)}"
    listing.write_text(f"36 35 {number} / /mnt rw,noatime master:1 - {kind} /dev/sda1 rw\n")
    assert target.piece_bytes(tmp_path / "not/there", listing) == limit


def test_the_verb_looks_before_anything_is_fetched(tmp_path, capsys):
    """The bundle has no lock, so that fetching would be an error of its own."""
    (tmp_path / "own.toml").write_text(
        'title = "Own"\ndescription = "Own"\nlanguages = ["eng"]\n[[kiwix]]\nname = "absent"\n'
    )
    (tmp_path / "own-1").mkdir()
    words = ["bundle", "build", str(tmp_path / "own.toml"), "--to", str(tmp_path), "--edition", "1"]
    assert __main__.main([*words, "--home", str(tmp_path / "home")]) == 2
    assert "own-1 is there already" in capsys.readouterr().err
