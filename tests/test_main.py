"""The command line: every setting is an option, errors are sentences, nothing ends in a traceback."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from appliance import __version__, chosen, settings
from appliance.__main__ import OPTIONS, VERBS, main, parser

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent


def parsed(*words):
    given = parser().parse_args(words)
    return settings.load({row.name: getattr(given, row.name) for row in settings.TABLE}, {})


def test_every_setting_is_an_option_of_every_verb():
    for verb in VERBS:
        options = OPTIONS.get(verb, ())
        names = ["x" for flags, _ in options if not flags[0].startswith("-")]
        needed = [word for flags, rest in options if rest.get("required") for word in (flags[0], "x")]
        given = parser().parse_args([*verb.split(), *names, *needed])
        assert all(getattr(given, row.name) is None for row in settings.TABLE)


def test_options_become_settings():
    found = parsed("run", "--port", "81", "--archive", "/a.zim", "--archive", "/b c.zim", "--search-only")
    assert (found.port, found.search_only) == (81, True)
    assert found.archive == (Path("/a.zim"), Path("/b c.zim"))
    assert parsed("run", "--no-search-only").search_only is False


def test_the_version(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"Lamplight {__version__}\n"


def test_settings_are_printed_with_their_values(capsys):
    assert main(["settings", "--port", "81"]) == 0
    printed = capsys.readouterr().out
    assert all(row.flag in printed and row.help in printed for row in settings.TABLE)
    assert "81" in printed.split("--port", 1)[1].splitlines()[0]
    assert "by default home/library.\n" in printed


def test_what_the_desk_chose_is_said_so(tmp_path, capsys):
    chosen.write(tmp_path, {"gate": "open", "language": "fr"})
    assert main(["settings", "--home", str(tmp_path), "--language", "es"]) == 0
    rows = {row.split()[0]: row for row in capsys.readouterr().out.split("--")[1:]}
    assert rows["gate"].split()[1] == "open"
    assert "Chosen at the desk." in rows["gate"]
    assert "Chosen at the desk." not in rows["language"]


def test_a_settings_file_is_read(tmp_path, capsys):
    (tmp_path / "box.toml").write_text("port = 82\n")
    assert main(["settings", "--settings", str(tmp_path / "box.toml")]) == 0
    assert "82" in capsys.readouterr().out.split("--port", 1)[1].splitlines()[0]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["run", "--port", "x"], "--port: found 'x', expected a whole number."),
        (["settings", "--settings", "absent.toml"], "absent.toml cannot be read"),
        (["index", "absent.zim"], "There is no archive absent.zim"),
        (["reader"], "--reader: found '', expected http://127.0.0.1:PORT."),
    ],
)
def test_an_error_is_a_sentence_and_exit_code_2(words, sentence, tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("LAMPLIGHT_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    printed = capsys.readouterr()
    assert sentence in printed.err
    assert printed.out == ""


@pytest.mark.parametrize("name", ["small.zim", "notes.txt", "folder.index"])
def test_an_index_never_overwrites_what_is_none(small_archive, tmp_path, capsys, name):
    archive = tmp_path / "small.zim"
    shutil.copy(small_archive, archive)
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "folder.index").mkdir()
    before = archive.read_bytes()
    assert main(["index", str(archive), "--to", str(tmp_path / name), "--home", str(tmp_path)]) == 2
    assert "it is not overwritten" in capsys.readouterr().err
    assert (archive.read_bytes(), (tmp_path / "notes.txt").read_text()) == (before, "mine")


def test_what_the_machine_refuses_is_a_sentence(tmp_path, capsys):
    (tmp_path / "library").write_text("a file where a folder belongs")
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "read").write_text("likewise")
    assert main(["reader", "--home", str(tmp_path), "--reader", "http://127.0.0.1:1"]) == 2
    assert f"{tmp_path / 'run' / 'read'}: File exists." in capsys.readouterr().err


@pytest.mark.parametrize("words", [[], ["fly"], ["run", "--wings"]])
def test_an_unknown_word_gets_the_usage(words, capsys):
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
    assert "usage: appliance" in capsys.readouterr().err


def test_a_reader_who_leaves_is_no_error():
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = f"{sys.executable} -m appliance settings | true; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", command], env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_processes_load_no_more_than_they_need():
    """`run` watches only; what it loads it would keep as long as the box runs."""
    heavy = "{'numpy', 'libzim', 'onnxruntime', 'fastapi', 'httpx', 'llama_cpp', 'apsw'}"
    script = f"import sys, appliance.services.run; sys.exit(str(sorted({heavy} & set(sys.modules))))"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False
    )
    assert done.stderr.strip() == "[]"


def test_a_name_that_is_no_text_is_a_sentence(tmp_path, capsys):
    assert main(["source", "remove", "caf\udce9", "--home", str(tmp_path)]) == 2
    assert "no text" in capsys.readouterr().err
