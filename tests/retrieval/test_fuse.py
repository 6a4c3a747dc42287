import numpy as np
import pytest

from appliance.retrieval import fuse


def test_reciprocal_ranks_add_up():
    joined = fuse.reciprocal_ranks([[7, 3], [3, 9]])
    assert [passage for passage, _ in joined] == [3, 7, 9]
    assert joined[0][1] == pytest.approx(1 / 62 + 1 / 61)


def test_reciprocal_ranks_of_nothing():
    assert fuse.reciprocal_ranks([[], []]) == []


def test_weighted_is_between_nought_and_one_and_rises_with_both():
    scores = fuse.weighted(np.float32([1, 0.5, 0.5, -0.2]), np.float32([1, 0.5, 0.4, 0]))
    assert scores[0] == pytest.approx(1)
    assert scores[1] > scores[2] > scores[3] == 0


def test_weighted_wants_as_many_of_each():
    with pytest.raises(ValueError, match="cosines"):
        fuse.weighted(np.float32([1]), np.float32([1, 2]))
