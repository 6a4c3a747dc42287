"""What the tests' own hooks leave out and keep together."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tiers import group, left_out, whole

ROOT = Path(__file__).parent.parent


def test_an_expression_that_only_leaves_out_is_read():
    assert left_out("not (slow or models or lint)") == {"slow", "models", "lint"}
    assert left_out(" not image ") == {"image"}


@pytest.mark.parametrize(
    "expression", ["", "slow", "not slow and models", "not (slow or not models)", "slow or x"]
)
def test_any_other_expression_leaves_no_module_out(expression):
    assert left_out(expression) == frozenset()


def test_only_what_a_module_says_of_all_its_tests_counts():
    assert whole("import pytest\n\npytestmark = pytest.mark.slow  # why\n") == {"slow"}
    assert whole("pytestmark = [pytest.mark.boot, pytest.mark.kiosk]\n") == {"boot", "kiosk"}
    assert whole("@pytest.mark.slow\ndef test_it():\n    pytestmark = pytest.mark.slow\n") == frozenset()


def test_models_and_browsers_are_one_group_and_a_slow_module_is_another():
    assert group(frozenset({"slow", "models"}), "a") == group(frozenset({"browser"}), "b") == "models"
    assert group(frozenset({"slow"}), "a") == "a"
    assert group(frozenset({"parametrize"}), "a") == ""


@pytest.mark.slow
@pytest.mark.parametrize("named", [False, True])
def test_a_module_of_another_tier_is_not_imported_unless_it_is_named(tmp_path, named):
    """pytest itself, with our hooks, over a module that cannot be imported."""
    (tmp_path / "conftest.py").write_text("from conftest_of_ours import *\n")
    (tmp_path / "conftest_of_ours.py").write_text((ROOT / "tests/conftest.py").read_text())
    (tmp_path / "test_here.py").write_text("def test_here():\n    pass\n")
    broken = tmp_path / "test_slow.py"
    broken.write_text("import pytest\n\npytestmark = pytest.mark.slow\nraise SystemError('imported')\n")
    asked = [tmp_path / "test_here.py", broken] if named else [tmp_path]
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-c",
        ROOT / "pyproject.toml",
        "--rootdir",
        tmp_path,
        *asked,
    ]
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT / 'tests'}"}
    found = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert ("imported" in found.stdout) is named, found.stdout
    assert found.returncode == (2 if named else 0), found.stdout
