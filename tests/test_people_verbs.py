"""The verbs for whoever has the machine: who there is, another passphrase, another code."""

import io
import sys
from pathlib import Path

import pytest
from people.boxes import WORDS, people

from appliance.__main__ import main

pytestmark = pytest.mark.slow


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LAMPLIGHT_HOME", str(tmp_path))
    box = people(tmp_path / "people")
    box.persons.add("Ada", "admin", WORDS)
    box.sessions.begin(1, "Firefox")
    box.store.close()
    return tmp_path


def said(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    code = main(["people", *words])
    told = capsys.readouterr()
    return code, told.out + told.err


@pytest.mark.usefixtures("home")
def test_they_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    code, told = said(capsys, "list")
    assert (code, told.split()[:2]) == (0, ["admin", "Ada"])


def test_nobody_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["people", "list", "--home", str(tmp_path)]) == 0
    assert "Nobody yet." in capsys.readouterr().err


def test_a_forgotten_passphrase_is_replaced_and_nobody_stays_signed_in(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("another passphrase\n"))
    assert said(capsys, "reset", "ada")[0] == 0
    box = people(home / "people")
    assert box.persons.check("Ada", "another passphrase")
    assert box.sessions.listed() == []
    box.store.close()
    assert said(capsys, "reset", "nobody")[0] == 2


def test_a_code_is_made_for_the_page_of_first_use(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, told = said(capsys, "reset")
    shown = told.split()[-1]
    box = people(home / "people", home / "people/first-use-code")
    assert (code, box.first.is_code(shown)) == (0, True)
    box.store.close()
    assert said(capsys, "reset", "--admin-code", str(home / "of-the-card"))[0] == 2
