import numpy as np
import pytest

from appliance.quality.logistic import SWAPPED, Examples, fit, probabilities


def examples(rows, label, swapped=None, lost=None):
    n = len(rows)
    none = np.zeros(n, bool)
    return Examples(
        ("a", "b"),
        np.array(rows, float),
        np.array(label, bool),
        np.arange(n) % 2 == 0,
        np.arange(n) % 4,
        none if swapped is None else np.array(swapped, bool),
        none if lost is None else np.array(lost, bool),
    )


ROWS = [(x, x * x % 3) for x in range(40)]
LABEL = [x >= 20 for x in range(40)]


def test_what_tells_gets_the_weight():
    found = fit(examples(ROWS, LABEL))
    assert found.signals["a"] > 5 * abs(found.signals["b"])
    p = probabilities(found, examples(ROWS, LABEL))
    assert np.all((p > 0.5) == LABEL)


def test_the_units_of_a_signal_do_not_matter():
    one = probabilities(fit(examples(ROWS, LABEL)), examples(ROWS, LABEL))
    scaled = examples([(1000 * a + 7, b) for a, b in ROWS], LABEL)
    assert probabilities(fit(scaled), scaled) == pytest.approx(one)


def test_what_an_exact_check_refuses_is_nothing():
    rows = examples(ROWS, LABEL, lost=[x == 39 for x in range(40)])
    assert probabilities(fit(rows), rows)[39] == 0


def test_swapped_questions_weigh_a_little_together_however_many_they_are():
    more = [(30, 0)] * 4
    alone = fit(examples(ROWS, LABEL)).probability({"a": 30, "b": 0})
    few = fit(examples(ROWS + more, LABEL + [False] * 4, [False] * 40 + [True] * 4))
    many = fit(examples(ROWS + more * 2, LABEL + [False] * 8, [False] * 40 + [True] * 8))
    assert few.probability({"a": 30, "b": 0}) < alone
    assert few.probability({"a": 30, "b": 0}) == pytest.approx(many.probability({"a": 30, "b": 0}), abs=0.02)
    assert 0 < SWAPPED < 1


def test_swapped_questions_that_are_refused_anyway_weigh_nothing():
    rows = examples([*ROWS, (30, 0)], [*LABEL, False], [False] * 40 + [True], [False] * 40 + [True])
    assert fit(rows).probability({"a": 30, "b": 0}) > 0.5
