"""Many cases as one test: none is passed over, and each that fails is named."""

import inspect

import pytest
from every import every


def failures(test, **fixtures) -> str:
    with pytest.raises(pytest.fail.Exception) as caught:
        test(**fixtures)
    return str(caught.value)


def test_every_case_is_tried_and_each_that_fails_is_named_with_what_was_wrong() -> None:
    tried = []

    @every(("one", "other"), [(1, 1), (1, 2), pytest.param(0, 0, id="nought"), pytest.param(3, 4, id="last")])
    def equal(one: int, other: int) -> None:
        tried.append(one)
        assert one == other

    told = failures(equal)
    assert tried == [1, 1, 0, 3]
    assert told.startswith("2 of 4 cases:")
    assert "[1, 2]" in told
    assert "assert 1 == 2" in told
    assert "[last]" in told
    assert "assert 3 == 4" in told
    assert "nought" not in told


def test_an_error_what_was_not_raised_and_a_skip_are_failures_too() -> None:
    @every("key", ["a", "b", "", "c"], ids=lambda key: f"key {key}")
    def is_missing(key: str) -> None:
        with pytest.raises(KeyError):
            {"a": 1}[key or 1 / 0]
        if key == "c":
            pytest.skip("not here")

    told = failures(is_missing)
    assert told.startswith("3 of 4 cases:")
    assert "[key c]" in told
    assert "[key a]" in told
    assert "DID NOT RAISE" in told
    assert "ZeroDivisionError" in told
    assert "[key b]" not in told


def test_what_is_no_failure_ends_the_test() -> None:
    @every("signal", [KeyboardInterrupt])
    def raises(signal: type[BaseException]) -> None:
        raise signal

    with pytest.raises(KeyboardInterrupt):
        raises()


def test_what_is_left_of_the_parameters_is_fixtures_and_cases_may_be_stacked() -> None:
    seen = []

    @every("y", [3, 4])
    @every("x", [1, 2])
    def sees(x: int, given: str, y: int) -> None:
        seen.append((x, y, given))
        assert (x, y) != (2, 3)

    assert list(inspect.signature(sees).parameters) == ["given"]
    told = failures(sees, given="g")
    assert seen == [(1, 3, "g"), (2, 3, "g"), (1, 4, "g"), (2, 4, "g")]
    assert told.startswith("1 of 2 cases:")
    assert "[3]" in told
    assert "1 of 2 cases:" in told[5:]
    assert "[2]" in told


@pytest.mark.parametrize(
    ("names", "cases"),
    [("x", []), ("x, y", [(1,)]), ("z", [1]), ("x", [pytest.param(1, marks=pytest.mark.slow)])],
)
def test_cases_that_would_be_lost_are_none(names: str, cases: list) -> None:
    def test(x: int) -> None:
        assert x

    with pytest.raises(AssertionError):
        every(names, cases)(test)
