"""schemathesis draws requests from the description of the API: none is answered with a server's error."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from security.target import furnished, running

pytestmark = pytest.mark.slow
OFF = ("/healthz", "/v1/embeddings")  # 503 where there is no embedder, as here


def test_what_is_drawn_from_the_description_is_answered(tmp_path: Path) -> None:
    """By an admin's program, so that what changes something is reached."""
    home = tmp_path / "home"
    token = furnished(home)
    left_out = [word for path in OFF for word in ("--exclude-path", path)]
    with running(home) as box:
        done = subprocess.run(
            [sys.executable, "-m", "schemathesis.cli", "run", f"{box.address}/openapi.json", *left_out,
             "--header", f"Authorization: Bearer {token}", "--checks", "not_a_server_error", "--seed", "7",
             "--max-examples", "15", "--phases", "examples,coverage,fuzzing", "--no-color"],
            capture_output=True, text=True, timeout=300, check=False, cwd=tmp_path,
            env={**os.environ, "NO_PROXY": "*"},
        )  # fmt: skip
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-1000:]
    assert "Selected: 0/" not in done.stdout
