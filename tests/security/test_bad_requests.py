"""Some of the bad requests of `appliance bench --only hostile`, of another seed, against a box of our own."""

import os
import re
import time
from itertools import islice
from pathlib import Path

import pytest

from appliance.quality.bench_hostile import volley
from appliance.quality.box import memory
from appliance.quality.hostile import Attempts
from security.target import URL, Target, furnished, running

pytestmark = pytest.mark.slow
COUNT = 500
DATABASE = re.compile(r"\.db(-wal|-shm)?$")


def left(target: Target) -> tuple[int, float]:
    """Descriptors and memory of its process. Connections to a database are kept for whoever asks next, as
    many as have asked at once: they are no leak, and no count of what one leaves behind."""
    assert target.own
    found = Path(f"/proc/{target.own.pid}/fd").iterdir()
    return sum(not DATABASE.search(_of(one)) for one in found), memory(target.own.pid)[1]


def _of(descriptor: Path) -> str:
    try:
        return os.readlink(descriptor)
    except FileNotFoundError:  # closed meanwhile
        return "a.db"


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
