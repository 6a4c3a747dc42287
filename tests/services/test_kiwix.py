"""Names and links for kiwix-serve; the real one opens the odd archives through them."""

import shutil

import pytest
from every import every

from appliance.errors import SettingsError
from appliance.services import kiwix


@pytest.mark.parametrize("name", ["wiki_dev", "wikipedia_en_ray_charles_2015-06", "a.b-c_9"])
def test_a_plain_name_stays(name):
    assert kiwix.reader_name(name) == name


@every("name", ["corner_cases#&", "Köln", "C++", "two words", "WIKI", "東京", "a/b"])
def test_an_odd_name_becomes_plain_and_stays_apart(name):
    found = kiwix.reader_name(name)
    assert kiwix.reader_name(found) == found
    assert found != kiwix.reader_name(name + "!")


def test_links_hold_for_split_archives(tmp_path):
    places = tmp_path / "Some where#&"
    places.mkdir()
    for name in ("Köln.zim", "big.zimaa", "big.zimab", "big.zimac", "big.index", "bigger.zimab"):
        (places / name).write_text(name)
    found = kiwix.link([places / "Köln.zim", places / "big.zimaa"], tmp_path / "read")
    assert found == [tmp_path / "read" / f"{kiwix.reader_name('Köln')}.zim", tmp_path / "read" / "big.zim"]
    assert found[0].read_text() == "Köln.zim"
    assert sorted(path.name for path in (tmp_path / "read").glob("big*")) == [
        "big.zimaa",
        "big.zimab",
        "big.zimac",
    ]


def test_links_are_made_anew(tmp_path):
    for name in ("one.zim", "two.zim"):
        (tmp_path / name).touch()
        kiwix.link([tmp_path / name], tmp_path / "read")
    assert [path.name for path in (tmp_path / "read").iterdir()] == ["two.zim"]


@pytest.mark.skipif(not shutil.which(kiwix.MANAGER), reason="kiwix-tools is not installed")
def test_only_what_libkiwix_opens_is_given_to_it(tmp_path, shared, capsys):
    zims = shared / "data" / "zims"
    (tmp_path / "torn.zim").write_bytes((zims / "odd" / "small.zim").read_bytes()[:10_000])
    archives = [
        tmp_path / "torn.zim",
        zims / "odd" / "corner_cases#&.zim",
        zims / "real" / "wikipedia_en_ray_charles_2015-06.zimaa",
    ]
    found = kiwix.accepted(kiwix.link(archives, tmp_path / "read"), tmp_path / "read.xml")
    odd = kiwix.reader_name("corner_cases#&")
    assert [path.stem for path in found] == [odd, "wikipedia_en_ray_charles_2015-06"]
    assert "kiwix-serve cannot open torn" in capsys.readouterr().err


def test_the_port_is_in_the_address():
    assert kiwix.port("http://127.0.0.1:8081") == 8081
    with pytest.raises(SettingsError, match="expected http://127"):
        kiwix.port("http://elsewhere:80")
