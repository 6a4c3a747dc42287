"""Form, lint, types and shell are tests like others, of a tier of their own: one command tells all."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
pytestmark = pytest.mark.lint
ON_THE_CARD = [
    file
    for file in (ROOT / "image/rootfs/usr/lib/lamplight").glob("*")
    if file.read_bytes().startswith(b"#!/bin/sh")
]
SCRIPTS = [ROOT / "build.sh", ROOT / ".ci" / "run", *ROOT.glob("image/**/*.sh"), *ON_THE_CARD]


def run(*command: str | Path) -> None:
    found = subprocess.run(list(map(str, command)), cwd=ROOT, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout + found.stderr


def test_ruff_finds_nothing() -> None:
    run(sys.executable, "-m", "ruff", "check", "--quiet", ".")


def test_code_is_formatted() -> None:
    run(sys.executable, "-m", "ruff", "format", "--check", "--quiet", ".")


def test_types_hold() -> None:
    run(sys.executable, "-m", "mypy", "--no-error-summary")


def test_shell_scripts_are_clean() -> None:
    if shutil.which("shellcheck") is None:
        pytest.fail("shellcheck is not here: apt install shellcheck")
    run("shellcheck", *SCRIPTS)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_shell_scripts_can_be_run(script: Path) -> None:
    assert script.stat().st_mode & 0o111
