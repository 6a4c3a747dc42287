"""Cases as files: tests/cases/contradictions/*.toml."""

import tomllib
from pathlib import Path

import pytest
from every import every

from answer.fakes import evidence
from appliance.answer.contradictions import disagreements

CASES = [
    pytest.param(case, id=f"{file.stem}-{n}")
    for file in sorted((Path(__file__).parents[1] / "cases/contradictions").glob("*.toml"))
    for n, case in enumerate(tomllib.loads(file.read_text("utf-8"))["case"], 1)
]


@every("case", CASES)
@every("turned", [False, True])
def test_case(case, turned: bool) -> None:
    """In either order of the passages."""
    texts = case["passages"][::-1] if turned else case["passages"]
    parts = (text.split(" | ", 1) for text in texts)
    found = disagreements(case["question"], [evidence(text, title) for title, text in parts])
    shown = {side.value for one in found for side in one.sides}
    expected = set() if case.get("missed") else set(case.get("sides", ()))
    assert shown == expected, case.get("why")
    for one in found:
        for side in one.sides:
            assert all(side.value in texts[n - 1] for n in side.ns)
            assert side.sentence in texts[side.ns[0] - 1]
