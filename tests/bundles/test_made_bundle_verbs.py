"""The verbs `appliance bundle …` of bundles that are made, as somebody types them."""

from pathlib import Path

import pytest

from appliance.__main__ import main


def test_the_verbs_say_that_there_is_no_such_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = ("--home", str(tmp_path))
    (tmp_path / "file").write_text("x")
    for verb in ("verify", "install"):
        assert main(["bundle", verb, str(tmp_path / "nope"), *home]) == 2
        assert f"There is no folder {tmp_path}/nope." in capsys.readouterr().err
    assert main(["bundle", "verify", str(tmp_path / "file"), *home]) == 2
    assert f"{tmp_path}/file is no folder." in capsys.readouterr().err
    assert main(["bundle", "installed", *home]) == 0
    assert "No bundle is installed yet." in capsys.readouterr().err
