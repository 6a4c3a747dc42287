"""What the tests' own hooks leave out and keep together."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from every import every
from tiers import CHROMIUM, all_left_out, group, left_out, turns, whole

ROOT = Path(__file__).parent.parent


def test_an_expression_that_only_leaves_out_is_read():
    assert left_out("not (slow or models or lint)") == {"slow", "models", "lint"}
    assert left_out(" not image ") == {"image"}


@every("expression", ["", "slow", "not slow and models", "not (slow or not models)", "slow or x"])
def test_any_other_expression_leaves_no_module_out(expression):
    assert left_out(expression) == frozenset()


def test_only_what_a_module_says_of_all_its_tests_counts():
    assert whole("import pytest\n\npytestmark = pytest.mark.slow  # why\n") == {"slow"}
    assert whole("pytestmark = [pytest.mark.boot, pytest.mark.kiosk]\n") == {"boot", "kiosk"}
    assert whole("@pytest.mark.slow\ndef test_it():\n    pytestmark = pytest.mark.slow\n") == frozenset()


def test_a_folder_is_left_out_with_the_last_of_its_modules(tmp_path):
    (folder := tmp_path / "a/b").mkdir(parents=True)
    (folder / "conftest.py").write_text("pytestmark = pytest.mark.slow\n")
    slow = frozenset({"slow"})
    assert not all_left_out(tmp_path, slow)
    (one := folder / "test_one.py").write_text("pytestmark = pytest.mark.slow\n")
    assert all_left_out(one, slow)
    assert all_left_out(tmp_path, slow)
    assert not all_left_out(tmp_path, frozenset({"models"}))
    assert not all_left_out(folder / "conftest.py", slow)
    (tmp_path / "test_other.py").write_text("def test_it():\n    pass\n")
    assert not all_left_out(tmp_path, slow)
    assert all_left_out(folder, slow)


def test_browsers_are_one_group_and_any_other_module_is_another():
    assert group("a/test_a_in_chromium.py::test_1[x]") == group("test_b_in_chromium.py::test_2") == "browser"
    assert group("a/test_a.py::test_1[x::y]") == "a/test_a.py"


def test_a_module_with_a_browser_is_known_by_its_name():
    for file in ROOT.glob("tests/**/test_*.py"):
        assert ("browser" in whole(file.read_text("utf-8"))) == file.name.endswith(CHROMIUM), file


def test_what_takes_longest_begins_first_and_a_module_stays_whole():
    named = {"quick": {"parametrize"}, "slow": {"slow"}, "lint": {"lint"}, "model": {"models", "slow"}}
    tests = [(Path(name), frozenset(markers)) for name, markers in named.items()]
    tests += [(Path("page"), frozenset({"browser"})), (Path("quick"), frozenset({"models"}))]
    found = turns(tests)
    assert sorted(found, key=found.get) == [Path(one) for one in ("page", "quick", "model", "slow", "lint")]


def pytest_over(folder, *options):
    """pytest itself, with our hooks and our options, over modules in a folder."""
    (folder / "conftest.py").write_text("from conftest_of_ours import *\n")
    (folder / "conftest_of_ours.py").write_text((ROOT / "tests/conftest.py").read_text())
    command = [sys.executable, "-m", "pytest", "-c", ROOT / "pyproject.toml", "--rootdir", folder, *options]
    here = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    environment = {**here, "PYTHONPATH": f"{ROOT}:{ROOT / 'tests'}"}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.slow
@pytest.mark.parametrize("named", [False, True])
def test_a_module_of_another_tier_is_not_imported_unless_it_is_named(tmp_path, named):
    """Of a module that cannot be imported."""
    (tmp_path / "test_here.py").write_text("def test_here():\n    pass\n")
    broken = tmp_path / "test_slow.py"
    broken.write_text("import pytest\n\npytestmark = pytest.mark.slow\nraise SystemError('imported')\n")
    found = pytest_over(tmp_path, "-q", *([tmp_path / "test_here.py", broken] if named else [tmp_path]))
    assert ("imported" in found.stdout) is named, found.stdout
    assert found.returncode == (2 if named else 0), found.stdout


@pytest.mark.slow
def test_two_processes_keep_modules_whole_and_begin_with_what_takes_longest(tmp_path):
    """With the options of ./build.sh test."""
    marks = {"quick": "", "second": "", "slow": "slow", "model": "models"}
    marks |= {"a_in_chromium": "browser", "b_in_chromium": "browser"}
    for name, mark in marks.items():
        marked = f"import pytest\npytestmark = pytest.mark.{mark}\n" if mark else ""
        tests = "".join(f"def test_{n}(): pass\n" for n in range(4))
        (tmp_path / f"test_{name}.py").write_text(marked + tests)
    options = re.search(r"set -- (-n 2 .*)", (ROOT / "build.sh").read_text())[1].split()
    found = pytest_over(tmp_path, "-v", "-m", "", *options, tmp_path)
    ran: dict[str, list[str]] = {}
    for process, name in re.findall(r"^\[(gw\d)\].* PASSED .*test_(\w+)\.py::", found.stdout, re.MULTILINE):
        ran.setdefault(process, []).append(name)
    assert sorted(len(names) for names in ran.values())[-1] < 4 * len(marks), found.stdout
    begun = [list(dict.fromkeys(names)) for names in ran.values()]
    assert sorted(name for names in begun for name in names) == sorted(marks), found.stdout
    firsts = {"model": ["model"], "a_in_chromium": ["a_in_chromium", "b_in_chromium"]}
    for names in begun:
        assert names[: len(firsts[names[0]])] == firsts[names[0]]
        quick = [n for n, name in enumerate(names) if not marks[name]]
        assert quick == list(range(len(names) - len(quick), len(names)))
