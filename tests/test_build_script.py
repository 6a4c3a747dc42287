"""build.sh on machines that lack something: a folder of stand-ins is all that it finds there."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from appliance.services.run import free_port

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
NEEDED = ("bash", "dirname", "cat", "env", "mkdir", "touch", "chmod")

Machine = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """A machine with Python, without kiwix-serve, compiler or apt-get; calls of Python are written down."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in NEEDED:
        (folder / name).symlink_to(shutil.which(name) or "")
    stand_in(folder, "id", "echo 0")
    checked = 'case "$*" in *" --check "*--search-only*) echo --search-only ;; esac'
    stand_in(folder, "python3", f'case $1 in -c) exit 0 ;; esac; echo "$@" >>{tmp_path}/calls; {checked}')
    (tmp_path / "home/venv/bin").mkdir(parents=True)
    stand_in(tmp_path / "home/venv/bin", "python", f'echo "venv: $@" >>{tmp_path}/calls')
    return folder


def stand_in(folder: Path, name: str, script: str) -> None:
    file = folder / name
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(0o755)


@pytest.fixture
def build(tools: Path, tmp_path: Path) -> Machine:
    def call(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        environment = {
            "PATH": str(tools),
            "HOME": str(tmp_path),
            "LAMPLIGHT_HOME": str(tmp_path / "home"),
            **variables,
        }
        command = [str(ROOT / "build.sh"), *arguments]
        return subprocess.run(
            command, env=environment, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
        )

    return call


def calls(tmp_path: Path, name: str = "calls") -> list[str]:
    file = tmp_path / name
    return file.read_text().splitlines() if file.exists() else []


def test_help_is_the_default_and_an_unknown_command_leads_to_it(build: Machine) -> None:
    assert "./build.sh run [options]" in build().stdout
    assert build("help").returncode == build("--help").returncode == 0
    wrong = build("install")
    assert wrong.returncode == 1
    assert wrong.stderr == "There is no ./build.sh install.\nTry: ./build.sh help\n"


def test_any_other_verb_is_called_once_it_is_set_up(build: Machine, tmp_path: Path) -> None:
    missing = build("appliance", "people", "list")
    assert (missing.returncode, "./build.sh run" in missing.stderr) == (1, True)
    stand_in(tmp_path / "home/venv/bin", "appliance", f'echo "$@" >>{tmp_path}/calls; exit 2')
    assert build("appliance", "people", "reset", "--home", "a b").returncode == 2
    assert calls(tmp_path) == ["people reset --home a b"]


def test_run_passes_its_options_on(build: Machine, tmp_path: Path) -> None:
    found = build("run", "--search-only", "--archive", "a b.zim")
    assert found.returncode == 0, found.stderr
    assert calls(tmp_path) == [
        "-m appliance run --check --search-only --archive a b.zim",
        "-m appliance.install run --search-only",
        "venv: -m appliance run --search-only --archive a b.zim",
    ]
    assert "reading in Kiwix is off, the rest works" in found.stderr


def with_real_checks(tools: Path, tmp_path: Path) -> None:
    """The options are checked by the software itself, with this Python, without any package."""
    (tools / "python3").unlink()
    real = f'exec {sys.executable} -S "$@"'
    stand_in(
        tools, "python3", f'case $2 in appliance.install) echo "$@" >>{tmp_path}/calls ;; *) {real} ;; esac'
    )


@pytest.mark.parametrize("verb", ["run", "bench"])
@pytest.mark.parametrize("where", ["option", "variable", "file"])
def test_search_only_is_seen_wherever_it_is_set(
    build: Machine, tools: Path, tmp_path: Path, verb: str, where: str
) -> None:
    with_real_checks(tools, tmp_path)
    (tmp_path / "given.toml").write_text("search_only = true\n")
    options = {
        "option": ["--search-only"],
        "variable": [],
        "file": ["--settings", str(tmp_path / "given.toml")],
    }
    variables = {"LAMPLIGHT_SEARCH_ONLY": "TRUE"} if where == "variable" else {}
    port = ["--port", str(free_port())]
    found = build(verb, *options[where], *port, PYTHONDONTWRITEBYTECODE="1", **variables)
    assert found.returncode == 0, found.stderr
    assert calls(tmp_path)[0] == "-m appliance.install run --search-only"


def test_nothing_is_started_when_the_set_up_fails(build: Machine, tools: Path, tmp_path: Path) -> None:
    script = f'case $1 in -c) exit 0 ;; esac; echo "$@" >>{tmp_path}/calls; [ "$2" = appliance ] || exit 2'
    stand_in(tools, "python3", script)
    assert build("run").returncode == 2
    assert calls(tmp_path) == ["-m appliance run --check", "-m appliance.install run"]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["run", "--prot", "81"], "Unrecognized arguments: --prot 81.\nTry: ./build.sh help\n"),
        (["run", "--search"], "Unrecognized arguments: --search.\nTry: ./build.sh help\n"),
        (["run", "--port", "x"], "--port: found 'x', expected a whole number."),
        (["run", "--archive", "absent.zim"], "There is no archive absent.zim"),
        (["run", "--host", "192.0.2.1"], "Give an address of this machine with --host"),
        (["bench", "--only", "wings"], "--only: invalid choice: 'wings'"),
        (["bench", "--settings", "absent.toml"], "The settings file absent.toml cannot be read"),
    ],
)
def test_wrong_options_are_said_before_any_work(
    build: Machine, tools: Path, tmp_path: Path, options: list[str], sentence: str
) -> None:
    """With this Python, without any package: nothing is installed when they are checked."""
    with_real_checks(tools, tmp_path)
    stand_in(tools, "apt-get", f'echo "$@" >>{tmp_path}/apt')
    found = build(*options, PYTHONDONTWRITEBYTECODE="1")
    assert found.returncode == 2
    assert sentence in found.stderr
    assert calls(tmp_path) == calls(tmp_path, "apt") == []


@pytest.mark.parametrize(("given", "found"), [(["soon"], "soon"), (["0"], "0"), ([], "")])
def test_minutes_that_are_none_are_said_before_an_image_is_made(
    build: Machine, tmp_path: Path, given: list[str], found: str
) -> None:
    wrong = build("test-image", "--short", "--within", *given)
    assert (wrong.returncode, calls(tmp_path)) == (1, [])
    assert wrong.stderr == f"--within: found '{found}', expected minutes, from 1 to 9999.\n"


@pytest.mark.parametrize("verb", ["run", "bench"])
def test_help_for_a_verb_installs_nothing(build: Machine, tmp_path: Path, verb: str) -> None:
    found = build(verb, "--help")
    assert (found.returncode, calls(tmp_path)) == (0, [])
    assert "./build.sh run [options]" in found.stdout


def test_without_a_python_that_is_new_enough(build: Machine, tools: Path) -> None:
    stand_in(tools, "python3", 'case $1 in --version) echo "Python 3.9.2" ;; *) exit 1 ;; esac')
    found = build("run")
    assert found.returncode == 1
    assert "needs Python 3.11 or newer" in found.stderr
    assert "Found: Python 3.9.2" in found.stderr


def test_another_python_is_found_by_its_name(build: Machine, tools: Path, tmp_path: Path) -> None:
    (tools / "python3").rename(tools / "python3.12")
    assert build("run").returncode == 0
    assert calls(tmp_path)[1] == "-m appliance.install run"


def test_packages_are_installed_with_one_update_and_only_when_missing(
    build: Machine, tools: Path, tmp_path: Path
) -> None:
    script = f'echo "$@" >>{tmp_path}/apt; for last; do :; done\n'
    script += (
        "case $last in kiwix-tools) p=kiwix-serve ;; openssh-client) p=git ;; g++) p=c++ ;; *) exit 0 ;; "
    )
    script += "esac\n"
    script += f"touch {tools}/$p; chmod +x {tools}/$p"
    stand_in(tools, "apt-get", script)
    assert build("run").returncode == 0
    assert calls(tmp_path, "apt") == [
        "-q -o APT::Status-Fd=1 update",
        "-q -o APT::Status-Fd=1 install -y --no-install-recommends kiwix-tools",
        "-q -o APT::Status-Fd=1 install -y --no-install-recommends git openssh-client",
        "-q -o APT::Status-Fd=1 install -y --no-install-recommends g++",
    ]
    build("run")
    assert len(calls(tmp_path, "apt")) == 4


def test_apt_get_is_shown_as_progress_and_its_failure_said(
    build: Machine, tools: Path, tmp_path: Path
) -> None:
    lines = "Get:1 something\npmstatus:kiwix-tools:42.5:Unpacking kiwix-tools\nE: no such thing\n"
    stand_in(tools, "apt-get", f"printf '{lines}'; exit 100")
    found = build("run", "--search-only")
    assert found.returncode == 0
    assert "42 % installed" in found.stderr
    assert f"its output is in {tmp_path}/home/apt.log" in found.stderr
    assert "E: no such thing" in (tmp_path / "home/apt.log").read_text()


def test_a_later_start_asks_for_no_packages(build: Machine, tools: Path, tmp_path: Path) -> None:
    stand_in(tools, "apt-get", f'echo "$@" >>{tmp_path}/apt')
    (tmp_path / "home/venv/made.json").touch()
    assert build("run", "--search-only").returncode == 0
    assert calls(tmp_path, "apt") == []


def test_someone_who_is_not_root_and_has_no_sudo_goes_on_without(
    build: Machine, tools: Path, tmp_path: Path
) -> None:
    stand_in(tools, "id", "echo 1000")
    stand_in(tools, "apt-get", f'echo "$@" >>{tmp_path}/apt')
    found = build("run", "--search-only")
    assert found.returncode == 0
    assert "kiwix-serve could not be installed" in found.stderr
    assert calls(tmp_path, "apt") == []


def test_the_default_home_is_the_one_of_the_settings(build: Machine, tmp_path: Path) -> None:
    (tmp_path / ".local/share").mkdir(parents=True)
    (tmp_path / "home").rename(tmp_path / ".local/share/lamplight")
    assert build("run", "--search-only", LAMPLIGHT_HOME="").returncode == 0
    assert calls(tmp_path)[-1] == "venv: -m appliance run --search-only"
    assert os.path.exists(tmp_path / ".local/share/lamplight")
