from pathlib import Path

import pytest

from appliance import __main__
from appliance.label import NAME

pytestmark = pytest.mark.slow


def test_the_verb_writes_both_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["label", "--network", "Lamplight", "--passphrase", " kb7d-x2mq ", "--to", str(tmp_path / "a/b")]
    assert __main__.main(words) == 0
    said = capsys.readouterr()
    files = [Path(line) for line in said.out.splitlines()]
    assert [file.name for file in files] == [f"{NAME}.pdf", f"{NAME}.png"]
    assert [file.read_bytes()[1:4] for file in files] == [b"PDF", b"PNG"]
    assert "print does not show them" in said.err


def test_a_letter_that_cannot_be_printed_is_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert __main__.main(["label", "--network", "図", "--passphrase", "", "--to", str(tmp_path)]) == 2
    assert "no letter “図” (U+56F3)" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
