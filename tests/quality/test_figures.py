from itertools import pairwise

import numpy as np
import pytest

from appliance.quality import figures


def test_recall():
    assert figures.recall([1, 3, None, 21], 1) == 0.25
    assert figures.recall([1, 3, None, 21], 5) == 0.5
    assert figures.recall([1, 3, None, 21], 20) == 0.5


P = np.array([0.9, 0.6, 0.2, 0.7, 0.1, 0.0])
ANSWERABLE = np.array([True, True, True, False, False, False])


def test_both_error_rates():
    found = figures.errors(P, ANSWERABLE, 0.5)
    assert found.false_answers == pytest.approx(1 / 3)
    assert found.false_refusals == pytest.approx(1 / 3)
    assert figures.errors(P, ANSWERABLE, 0.0).false_answers == 1


def test_the_curve_trades_one_for_the_other():
    rows = figures.curve(P, ANSWERABLE)
    assert [row.threshold for row in rows] == sorted(row.threshold for row in rows)
    assert all(a.false_answers >= b.false_answers for a, b in pairwise(rows))
    assert all(a.false_refusals <= b.false_refusals for a, b in pairwise(rows))


def test_area():
    assert figures.area(np.array([3.0, 2.0, 1.0, 0.0]), np.array([True, True, False, False])) == 1
    assert figures.area(np.array([0.0, 1.0, 2.0, 3.0]), np.array([True, True, False, False])) == 0
    assert figures.area(np.array([1.0, 1.0, 1.0, 1.0]), np.array([True, True, False, False])) == 0.5


def test_calibration_counts_each_question_once():
    bins = figures.calibration(
        np.array([0.0, 0.05, 0.1, 0.95, 1.0]), np.array([False, True, True, True, False])
    )
    assert [one and one.count for one in bins] == [2, 1, *[None] * 7, 2]
    assert bins[0].promised == pytest.approx(0.025)
    assert bins[0].kept == 0.5


def test_calibration_error_weighs_by_count():
    sure = figures.calibration(np.array([0.0, 1.0]), np.array([False, True]))
    assert figures.calibration_error(sure) == 0
    # Three questions promise .8 and two of them hold it, one promises .1 and holds nothing.
    bins = figures.calibration(np.array([0.8, 0.8, 0.8, 0.1]), np.array([True, True, False, False]))
    assert figures.calibration_error(bins) == pytest.approx((3 * abs(0.8 - 2 / 3) + 0.1) / 4)
