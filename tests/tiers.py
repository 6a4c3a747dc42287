"""Which test modules a run needs at all, and which of its tests must not run beside each other.

Collecting is half of the default tier's time: a module that says in one line that all of it is of another
tier is not even imported for it.
"""

import re

_LEFT_OUT = re.compile(r"not \(?(\w+(?: or \w+)*)\)?")
_WHOLE = re.compile(r"^pytestmark = (.+)$", re.MULTILINE)
_MARKER = re.compile(r"pytest\.mark\.(\w+)")


def left_out(expression: str) -> frozenset[str]:
    """The markers that pytest's `-m` leaves out where it does nothing else, as in `not (slow or models)`."""
    found = _LEFT_OUT.fullmatch(expression.strip())
    return frozenset(found[1].split(" or ")) if found else frozenset()


def whole(source: str) -> frozenset[str]:
    """The markers that a module gives to all its tests."""
    found = _WHOLE.search(source)
    return frozenset(_MARKER.findall(found[1])) if found else frozenset()


def group(markers: frozenset[str], module: str) -> str:
    """The tests that one process runs one after the other, where two run tests; "": any. Models in both would
    fight for memory and cores; a slow module starts once what all its tests use."""
    if markers & {"models", "browser"}:
        return "models"
    return module if "slow" in markers else ""
