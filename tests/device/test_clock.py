"""The clock is never put back, by a power cut or a request, nor to a year that cannot be (case 39)."""

import pytest
from every import every

from appliance.device import clock
from appliance.errors import DeviceError

BUILT = 1_790_000_000.0  # September 2026
YEAR = 365 * 86_400.0


@every(
    ("now", "kept", "begins"),
    [
        (0.0, None, BUILT),  # 1970, nothing kept: the image's date
        (0.0, BUILT + 5, BUILT + 5),
        (BUILT + 9, BUILT + 5, BUILT + 9),  # a clock with a battery is ahead
        (BUILT - 9, BUILT - 5, BUILT),
        (0.0, BUILT + 73 * YEAR, BUILT),  # 2099 was kept: a mistake
        (BUILT + 73 * YEAR, BUILT + 5, BUILT + 5),  # 2099 in the clock
        (0.0, float("nan"), BUILT),
        (0.0, float("inf"), BUILT),
    ],
)
def test_a_start_begins_at_the_latest_time_that_can_be(now, kept, begins):
    assert clock.at_start(now, kept, BUILT) == begins


@every("wanted", [0.0, BUILT, BUILT + 99.0, BUILT + 73 * YEAR, 1e300, float("nan"), -1.0])
def test_a_request_for_the_past_or_for_2099_is_refused(wanted):
    with pytest.raises(DeviceError, match="The clock stays"):
        clock.forward(BUILT + 100.0, wanted, BUILT)


@pytest.mark.parametrize("wanted", [BUILT + 100.0, BUILT + YEAR, BUILT + 19 * YEAR])
def test_a_request_for_the_future_is_taken(wanted):
    assert clock.forward(BUILT + 100.0, wanted, BUILT) == wanted


def test_what_is_kept_comes_back(tmp_path):
    assert clock.read(tmp_path) is None
    clock.keep(tmp_path, BUILT + 0.7)
    assert clock.read(tmp_path) == BUILT


@pytest.mark.parametrize("content", [b"", b"soon", b"\xff", b"17\n18\n"])
def test_a_damaged_note_counts_as_none(tmp_path, content):
    (tmp_path / clock.KEPT).write_bytes(content)
    assert clock.read(tmp_path) is None


def test_power_cuts_do_not_turn_the_clock_back():
    """A box that is cut off again and again, at moments between two notes."""
    now, kept = 0.0, None
    seen = 0.0
    for uptime in (1, 299, 150, 3, 280):
        now = clock.at_start(0.0, kept, BUILT)
        assert now >= seen
        kept = now + clock.EVERY
        seen = now + uptime  # the next note would come after EVERY seconds at most
