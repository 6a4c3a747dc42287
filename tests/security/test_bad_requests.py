"""Some of the bad requests of `appliance bench --only hostile`, of another seed, against a box of our own."""

import time
from itertools import islice
from pathlib import Path

import pytest

from appliance.quality.bench_hostile import descriptors, volley
from appliance.quality.box import memory
from appliance.quality.hostile import Attempts
from security.target import URL, Target, furnished, running

pytestmark = pytest.mark.slow
COUNT = 500


def left(target: Target) -> tuple[int, float]:
    """Descriptors, without kept connections to databases, and memory of its process."""
    assert target.own
    return descriptors(target.own.pid)[0], memory(target.own.pid)[1]


def test_bad_requests_are_answered_and_leave_nothing_behind(tmp_path: Path) -> None:
    """Half of them by an admin's program: what lies behind the door is tried, too."""
    home = tmp_path / "home"
    token = furnished(home)
    with running(home) as box:
        signed_in = [("authorization", f"Bearer {token}")]
        volley(box.where, islice(Attempts(1, box.addresses, signed_in), COUNT // 2), box.private)
        before = left(box)
        tally = volley(box.where, islice(Attempts(2, box.addresses, signed_in), COUNT), box.private)
        assert [(what, attempt.what, attempt.sent[:300]) for what, attempt in tally.wrong] == []
        assert sum(tally.statuses.values()) == COUNT
        assert len(tally.statuses) > 6
        until = time.monotonic() + 15
        while left(box)[0] > before[0] + 3 and time.monotonic() < until:
            time.sleep(0.2)
        assert left(box)[0] <= before[0] + 3
        assert left(box)[1] - before[1] < 50


@pytest.mark.skipif(not URL, reason="our own box has had more of them")
def test_a_box_elsewhere_answers_them_too(target: Target) -> None:
    """The one that ./build.sh test-security was given; nobody has signed in."""
    asked = Attempts(3, target.addresses, host=target.host)
    tally = volley(target.where, islice(asked, COUNT), target.private)
    assert [(what, attempt.what, attempt.sent[:300]) for what, attempt in tally.wrong] == []
