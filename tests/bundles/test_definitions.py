"""Finding definitions: the program's, the user's own, and what is said of those that are not there."""

from pathlib import Path

import pytest

from appliance.__main__ import main
from appliance.bundles import definitions
from appliance.bundles.manifest import DefinitionError

OWN = 'title = "Mine"\ndescription = "Ours"\nlanguages = ["eng"]\n[[zim]]\npath = "own.zim"\n'


@pytest.fixture
def own(tmp_path: Path) -> Path:
    file = tmp_path / "bundles" / "mine.toml"
    file.parent.mkdir()
    file.write_text(OWN)
    return file


def test_the_shipped_definitions(tmp_path: Path) -> None:
    found = {file.stem: definitions.read(file).definition for file in definitions.files(tmp_path)}
    languages = {f"minimal-{code}" for code in ("es", "fr", "ar", "hi")}
    assert set(found) == {"minimal", "balanced", "comprehensive", "starter"} | languages
    about = {name: plan.about_bytes / 1e9 for name, plan in found.items() if not plan.unsized}
    assert 4.5 < about["minimal"] < 5.5
    assert 23 < about["balanced"] < 25
    assert 405 < about["comprehensive"] < 417
    assert [found[f"minimal-{code}"].languages[0] for code in ("es", "fr", "ar", "hi")] == [
        *("spa", "fra", "ara", "hin")
    ]
    for name, plan in found.items():
        assert not plan.about_bytes or plan.needs.disk_gb > 1.5 * plan.about_bytes / 1e9
        assert f"`{name}`" in (definitions.SHIPPED / "README.md").read_text("utf-8")


def test_one_archive_has_one_size_in_all_definitions(tmp_path: Path) -> None:
    sizes: dict[str, set[int]] = {}
    for file in definitions.files(tmp_path):
        for archive in definitions.read(file).definition.kiwix:
            sizes.setdefault(str(archive), set()).add(archive.about_mb)
    assert {name: found for name, found in sizes.items() if len(found) > 1} == {}


def test_own_ones_by_name_and_by_path(own: Path, tmp_path: Path) -> None:
    by_name, by_path = definitions.find("mine", tmp_path), definitions.find(str(own), tmp_path / "absent")
    assert by_name == by_path
    assert by_name.lock == own.with_name("mine.lock.toml")
    assert by_name.beside("own.zim") == own.parent / "own.zim"
    assert by_name.beside("/data/own.zim") == Path("/data/own.zim")


def test_a_lock_is_no_definition(own: Path, tmp_path: Path) -> None:
    own.with_name("mine.lock.toml").write_text("format = 1")
    assert own.with_name("mine.lock.toml") not in [*definitions.files(tmp_path)]


def test_a_name_that_is_nearly_right(tmp_path: Path) -> None:
    with pytest.raises(DefinitionError, match="no bundle 'startr'") as raised:
        definitions.find("startr", tmp_path)
    assert raised.value.hint.startswith("Did you mean starter?")


def test_two_of_one_name(own: Path, tmp_path: Path) -> None:
    own.rename(own.with_name("starter.toml"))
    with pytest.raises(DefinitionError, match="Two definitions have one name"):
        definitions.find("starter", tmp_path)


@pytest.mark.parametrize("content", [None, b"\xff\xfe"])
def test_a_file_that_cannot_be_read(content: bytes | None, tmp_path: Path) -> None:
    file = tmp_path / "x.toml"
    if content:
        file.write_bytes(content)
    with pytest.raises(DefinitionError, match=r"x\.toml cannot be read"):
        definitions.find(str(file), tmp_path)


def test_list_and_show(own: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own.with_name("broken.toml").write_text("title = 3")
    assert main(["bundle", "list", "--home", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert "Starter library" in printed
    assert "Mine" in printed
    assert "broken" in printed
    assert "title is 3" in printed
    assert main(["bundle", "show", "mine", "--home", str(tmp_path)]) == 0
    assert str(own.parent / "own.zim") in capsys.readouterr().out
    assert main(["bundle", "show", "nothing", "--home", str(tmp_path)]) == 2
