import socket

import pytest
from every import every

from appliance.errors import GitError
from appliance.sources.reach import addresses, permitted


@every(
    "address",
    [
        "127.0.0.1", "127.9.9.9", "0.0.0.0", "169.254.169.254", "224.0.0.1", "255.255.255.255", "240.0.0.1",
        "192.0.2.1", "198.51.100.1", "198.18.0.1", "::", "::1", "fe80::1", "fe80::1%eth0", "ff02::1",
        "2001:db8::1", "::ffff:127.0.0.1", "::ffff:169.254.169.254", "64:ff9b::7f00:1", "2002:7f00:1::",
        "nonsense",
    ],
)  # fmt: skip
def test_no_setting_but_all_opens_the_box_itself_or_its_link(address: str) -> None:
    assert not permitted(address, "internet")
    assert not permitted(address, "network")


@every("address", ["10.1.2.3", "172.16.9.9", "192.168.77.77", "100.64.1.1", "fd00::1234"])
def test_networks_around_the_box_are_opened_by_the_setting(address: str) -> None:
    assert permitted(address, "network")
    assert not permitted(address, "internet")
    mapped = address if ":" in address else f"::ffff:{address}"
    assert permitted(mapped, "network")
    assert not permitted(mapped, "internet")


@pytest.mark.parametrize("address", ["140.82.121.4", "9.9.9.9", "2606:50c0:8000::153"])
def test_the_internet_is_open(address: str) -> None:
    assert permitted(address, "internet")
    assert permitted(address, "network")


def test_a_name_is_judged_by_all_that_it_stands_for() -> None:
    def look(_host: str, _port: int) -> list[str]:
        return ["9.9.9.9", "127.0.0.1"]

    with pytest.raises(GitError, match=r"127\.0\.0\.1, which is not opened") as refused:
        addresses("rebound.example.org", 443, "network", look)
    assert refused.value.kind == "refused"


def test_a_number_is_said_once() -> None:
    with pytest.raises(GitError) as refused:
        addresses("127.0.0.1", 443, "network")
    assert str(refused.value) == "127.0.0.1 is not opened from here."


@every("host", ["127.0.0.1", "localhost", "127.1", "0x7f.1", "2130706433", "0", "::1"])
def test_this_machine_by_any_of_its_names(host: str) -> None:
    """As the system itself reads them."""
    try:
        socket.getaddrinfo(host, 22)
    except OSError:
        pytest.fail(f"{host} is no name here, so nothing was tested")
    with pytest.raises(GitError, match="not opened"):
        addresses(host, 22, "network")


def test_the_setting_for_all_opens_this_machine() -> None:
    assert addresses("127.0.0.1", 22, "all") == ("127.0.0.1",)


def test_a_name_that_is_not_found_is_no_network() -> None:
    def look(_host: str, _port: int) -> list[str]:
        raise socket.gaierror("Name or service not known")

    with pytest.raises(GitError) as away:
        addresses("example.org", 443, "internet", look)
    assert away.value.kind == "away"


def test_no_way_to_an_address_is_no_network() -> None:
    with pytest.raises(GitError, match=r"no way to example\.org") as away:
        addresses("example.org", 443, "all", lambda _host, _port: [])
    assert away.value.kind == "away"
