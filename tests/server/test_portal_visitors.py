from pathlib import Path

import pytest
from every import every

from appliance.server.portal_visitors import DAY, Leases, Visitors, network, parsed, visitor

PHONE, OTHER = "198.51.100.21", "198.51.100.22"
LEASES = (
    "1764500000 02:00:00:00:00:01 198.51.100.21 Amina-s-phone 01:02:00:00:00:00:01\n"
    "1764500000 02:00:00:00:00:02 198.51.100.22 * *\n"
    "duid 00:01:00:01:30:9b:2e:9e:02:00:00:00:00:09\n"
    "1764500000 12345 fd00::21 * 00:03:00:01:02:00:00:00:00:01\n"
)


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def known(folder: Path | None = None, clock: Clock | None = None, limit: int = 1024) -> Visitors:
    return Visitors(Leases(folder), clock or Clock(), limit)


def test_each_visitor_is_known_apart() -> None:
    visitors = known()
    visitors.welcome(PHONE)
    assert visitors.welcomed(PHONE)
    assert not visitors.welcomed(OTHER)


def test_after_a_day_a_visitor_is_welcomed_anew() -> None:
    clock = Clock()
    visitors = known(clock=clock)
    visitors.welcome(PHONE)
    clock.now += DAY - 1
    assert visitors.welcomed(PHONE)
    clock.now += 1
    assert not visitors.welcomed(PHONE)
    assert len(visitors) == 0


def test_who_taps_again_stays_for_another_day() -> None:
    clock = Clock()
    visitors = known(clock=clock)
    visitors.welcome(PHONE)
    clock.now += DAY - 1
    visitors.welcome(PHONE)
    clock.now += DAY - 1
    assert visitors.welcomed(PHONE)


def test_no_crowd_fills_the_memory() -> None:
    visitors = known(limit=3)
    for number in range(1, 100):
        visitors.welcome(f"198.51.100.{number}")
    assert len(visitors) == 3
    assert [visitors.welcomed(f"198.51.100.{n}") for n in (96, 97, 98, 99)] == [False, True, True, True]


@pytest.mark.parametrize(
    ("before", "after", "stays"),
    [
        pytest.param(LEASES, LEASES.replace("1764500000", "1764512345"), True, id="renewed"),
        pytest.param(LEASES, LEASES.replace("Amina-s-phone", "phone"), True, id="renamed"),
        pytest.param(LEASES, LEASES.replace("00:01 198", "00:0f 198"), False, id="another-device"),
        pytest.param(LEASES, LEASES.partition("\n")[2], False, id="ended"),
        pytest.param("duid 00:01\n", LEASES, False, id="a-first-lease"),
        pytest.param(LEASES, "", True, id="the-file-is-being-written"),
        pytest.param(LEASES, LEASES[:60], True, id="the-file-is-half-written"),
    ],
)
def test_a_new_lease_is_welcomed_anew(tmp_path: Path, before: str, after: str, stays: bool) -> None:
    file = tmp_path / "leases"
    file.write_text(before)
    visitors = known(tmp_path)
    visitors.welcome(PHONE)
    assert visitors.welcomed(PHONE)
    file.write_text(after)
    assert visitors.welcomed(PHONE) == stays
    assert visitors.welcomed(PHONE) == stays


def test_a_lease_file_that_comes_later_and_goes_away(tmp_path: Path) -> None:
    file = tmp_path / "leases"
    visitors = known(tmp_path)
    visitors.welcome(PHONE)
    assert visitors.welcomed(PHONE)
    file.write_text(LEASES)
    assert not visitors.welcomed(PHONE)
    visitors.welcome(PHONE)
    file.unlink()
    assert visitors.welcomed(PHONE)


def test_each_network_has_a_file_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "leases").write_text(LEASES)
    (tmp_path / "cable-leases").write_text("1764500000 02:00:00:00:00:07 10.43.0.9 * *\n")
    (tmp_path / "other").write_text("1764500000 02:00:00:00:00:08 10.43.0.8 * *\n")
    assert set(Leases(tmp_path).devices()) == {PHONE, OTHER, "10.43.0.9"}


def test_only_whole_ipv4_lines_are_leases() -> None:
    assert parsed(LEASES + "garbage\n\n") == {PHONE: "02:00:00:00:00:01", OTHER: "02:00:00:00:00:02"}


@every(
    ("peer", "said", "address"),
    [
        (("127.0.0.1", 5), "198.51.100.21", "198.51.100.21"),
        (("::1", 5), "198.51.100.21", "198.51.100.21"),
        (None, "198.51.100.21", "198.51.100.21"),
        (("127.0.0.1", 5), "::ffff:198.51.100.21", "198.51.100.21"),
        (("127.0.0.1", 5), "", "127.0.0.1"),
        (("127.0.0.1", 5), "nonsense", "127.0.0.1"),
        (None, "", ""),
        (("198.51.100.22", 5), "198.51.100.21", "198.51.100.22"),
        (("::ffff:198.51.100.22", 5), "198.51.100.21", "198.51.100.22"),
        (("::ffff:127.0.0.1", 5), "198.51.100.21", "198.51.100.21"),
        (("testclient", 5), "198.51.100.21", ""),
    ],
)
def test_the_header_counts_from_this_machine_only(
    peer: tuple[str, int] | None, said: str, address: str
) -> None:
    headers = [(b"x-real-ip", said.encode())] if said else []
    assert visitor({"type": "http", "client": peer, "headers": headers}) == address


@every(
    ("address", "household"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
        ("", ""),
    ],
)
def test_addresses_of_one_device_are_one(address: str, household: str) -> None:
    assert network(address) == household
