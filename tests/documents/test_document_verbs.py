"""The verbs `appliance documents …` as somebody types them: what is not there is said, with the next step."""

from pathlib import Path

import pytest

from appliance.__main__ import main
from appliance.documents.backup import NO_BACKUP
from appliance.documents.search import FOLDER, Documents
from appliance.vectors import HashEncoder
from documents.keep import add, ready


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """With three documents and no conversation."""
    documents = Documents.open(tmp_path / FOLDER, HashEncoder.model_sha256)
    for text in ("# The well\n\nDug in 1911.\n", "# The goat\n\nIt ran.\n", "# The mill\n\nIt turns.\n"):
        add(documents, text)
    ready(documents).close()
    return tmp_path


def said(capsys: pytest.CaptureFixture[str], home: Path, *words: str) -> tuple[int, str]:
    code = main(["documents", *words, "--home", str(home)])
    told = capsys.readouterr()
    return code, told.out + told.err


@pytest.mark.slow
def test_what_is_not_there_is_named(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, told = said(capsys, home, "remove", "x")
    assert (code, told) == (
        2,
        "0 of 1 document deleted\nNot there: x. `appliance documents list` gives the numbers.\n",
    )
    code, told = said(capsys, home, "remove", "1", "77", "1")
    assert code == 2
    assert told.startswith("1 of 2 documents deleted\nNot there: 77. ")
    assert said(capsys, home, "remove", "2", "--owner", "nobody")[1].endswith(
        "Not there in the area nobody: 2. `appliance documents list` gives the numbers.\n"
    )
    assert said(capsys, home, "remove", "2") == (0, "1 of 1 document deleted\n")


@pytest.mark.slow
def test_an_empty_list_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, told = said(capsys, tmp_path, "list")
    assert (code, "No document is here yet. `appliance documents add PATH`" in told) == (0, True)
    told = said(capsys, tmp_path, "list", "--owner", "ada", "--folder", "mill")[1]
    assert "No document is in the folder mill in the area ada." in told
    code, told = said(capsys, tmp_path, "areas")
    assert (code, "No area yet. `appliance documents area NAME`" in told) == (0, True)


@pytest.mark.slow
def test_a_restore_says_what_came_back(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = home / "kept.db"
    assert said(capsys, home, "backup", str(kept))[0] == 0
    code, told = said(capsys, home, "restore", str(kept))
    assert code == 0
    assert told.splitlines()[0] == f"3 documents and 0 conversations restored from {kept}"
    assert said(capsys, home, "restore", __file__)[1].splitlines()[-1] == NO_BACKUP
