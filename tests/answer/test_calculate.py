"""Cases as files: tests/cases/calculations/*.toml."""

import tomllib
from pathlib import Path

import pytest
from every import every

from answer.fakes import evidence
from appliance.answer.calculate import calculate

CASES = [
    pytest.param(case, id=f"{file.stem}-{n}")
    for file in sorted((Path(__file__).parents[1] / "cases/calculations").glob("*.toml"))
    for n, case in enumerate(tomllib.loads(file.read_text("utf-8"))["case"], 1)
]


def passages(case) -> list:
    parts = (text.split(" | ", 1) for text in case.get("passages", []))
    return [evidence(text, title) for title, text in parts]


@every("case", CASES)
def test_case(case) -> None:
    found = calculate(case["question"], passages(case))
    if "result" not in case:
        assert found is None, case["why"]
        return
    assert found is not None
    assert found.result == case["result"]
    assert found.formula == case.get("formula", found.formula)
    assert found.sources == tuple(case["sources"])
    assert found.rounded == case.get("rounded", False)


def test_evidence_that_the_gate_refused_is_not_calculated_with() -> None:
    case = CASES[1].values[0]
    assert calculate(case["question"], passages(case)) is not None
    assert calculate(case["question"], ()) is None


@every(
    "said",
    ["9" * 5000, "9 " * 3000, "9.9 " * 2000, "1 000" * 2000, "at least " * 2000 + "3",
     "3 " + "km/" * 2000 + "h", "between 3 " * 1000, "12 March 1854 – " * 500],
)  # fmt: skip
def test_a_passage_full_of_figures_ends_in_silence(said: str) -> None:
    found = [evidence(f"The cheetah runs at {said} km/h.", "Cheetah")]
    assert calculate("How far does a cheetah run in 30 seconds?", found) is None
