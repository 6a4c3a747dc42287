"""Which test modules a run needs at all, and which of its tests must not run beside each other.

Collecting is half of the default tier's time: a module that says in one line that all of it is of another
tier is not even imported for it, nor is the conftest.py of a folder of such modules.
"""

import re
from collections.abc import Iterable
from pathlib import Path

CHROMIUM = "_in_chromium.py"  # the end of the name of each module with a browser
_LEFT_OUT = re.compile(r"not \(?(\w+(?: or \w+)*)\)?")
_WHOLE = re.compile(r"^pytestmark = (.+)$", re.MULTILINE)
_LONGEST = ({"browser"}, {"models"}, {"slow", "lint"})
_MARKER = re.compile(r"pytest\.mark\.(\w+)")


def left_out(expression: str) -> frozenset[str]:
    """The markers that pytest's `-m` leaves out where it does nothing else, as in `not (slow or models)`."""
    found = _LEFT_OUT.fullmatch(expression.strip())
    return frozenset(found[1].split(" or ")) if found else frozenset()


def whole(source: str) -> frozenset[str]:
    """The markers that a module gives to all its tests."""
    found = _WHOLE.search(source)
    return frozenset(_MARKER.findall(found[1])) if found else frozenset()


def all_left_out(place: Path, unwanted: frozenset[str]) -> bool:
    """Whether a module, or each module in a folder (there is at least one), is wholly of those tiers."""
    if place.is_dir():
        modules = [*place.rglob("test_*.py")]
        return bool(modules) and all(all_left_out(module, unwanted) for module in modules)
    return place.match("test_*.py") and not unwanted.isdisjoint(whole(place.read_text("utf-8")))


def group(test: str) -> str:
    """The tests that one process runs one after the other, where two run tests, by the id of one of them. A
    module starts once what all its tests use. Browsers wait for what they show, and two at a time would wait
    for each other."""
    module = test.partition("::")[0]
    return "browser" if module.endswith(CHROMIUM) else module


def turns(tests: Iterable[tuple[Path, frozenset[str]]]) -> dict[Path, int]:
    """When each module begins, where two processes run tests: what takes longest comes first, and at the end
    are many short ones, so that both are done at the same time. `tests` are of a module, with markers."""
    found: dict[Path, int] = {}
    for module, markers in tests:
        turn = next((n for n, tier in enumerate(_LONGEST) if markers & tier), len(_LONGEST))
        found[module] = min(turn, found.get(module, turn))
    return found
