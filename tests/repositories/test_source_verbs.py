"""`appliance source …`, as people type it."""

from pathlib import Path

import pytest

from appliance.__main__ import main

pytestmark = pytest.mark.slow  # ssh-keygen


def run(home: Path, *words: str) -> int:
    return main(["source", *words, "--home", str(home)])


def test_a_source_is_added_listed_and_removed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path, "add", "git@example.org:team/The.Wiki.git", "--everyone") == 0
    told = capsys.readouterr().out
    assert told.startswith("the-wiki\n")
    assert "ssh-ed25519 " in told
    key = next(line for line in told.splitlines() if line.startswith("ssh-ed25519"))
    assert run(tmp_path, "key", "the-wiki") == 0
    assert capsys.readouterr().out.strip() == key
    assert run(tmp_path, "list") == 0
    told = capsys.readouterr().out
    assert "git@example.org:team/The.Wiki.git" in told
    assert "not synced yet" in told
    assert "everyone" in told
    assert run(tmp_path, "key", "the-wiki", "--trust-host") == 0
    assert run(tmp_path, "remove", "the-wiki") == 0
    capsys.readouterr()
    assert run(tmp_path, "list") == 0
    told = capsys.readouterr()
    assert (told.out, "No source yet." in told.err) == ("", True)


@pytest.mark.parametrize(
    "words",
    [("add", "file:///etc"), ("add", "ext::id"), ("remove", "x"), ("key", "x"), ("add", "https://a:b@c/d")],
)
def test_what_cannot_be_done_is_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    assert run(tmp_path, *words) == 2
    told = capsys.readouterr().err
    assert told
    assert "Traceback" not in told
    assert "a:b" not in told
