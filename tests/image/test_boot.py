"""One day of a box, from its first start: phones join, are welcomed, read and ask; services are killed.

Everything happens in one emulated machine, in the order of this file. What the figures are worth: a simulated
radio and emulated processors; no Raspberry Pi has seen this test.
"""

import json
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import health
import pytest
import table
import testdisk
import traffic
import visit
from card import BootFiles, Card
from phone import Phone
from probes import AFTER, PROBES
from qemu import SLOWNESS, Board, Machine

pytestmark = pytest.mark.boot

BOARD = Board(slowness=SLOWNESS)
CARD_BYTES = 8_000_000_000 * 97 // 100  # a card sold as 8 GB that is 3 % smaller (case 40)
VISITORS = "198.51.100.1"
NETWORKS = ["10.42.0.0/24", "10.43.0.0/22", f"{VISITORS}/32"]
IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148"
CITED, ANSWER = "What is the capital of Kenya?", "nairobi"  # the smallest model gets these right, too
SECOND, THIRD = "what is aspirin used for", "What is the capital of Japan?"
KILLED = (
    "lamplight-kiwix",
    "lamplight-embedder",
    "lamplight-web",
    "nginx",
    "lamplight-dnsmasq",
)
MODEL = 1200  # seconds at most until a language model that was started is ready, under emulation
FIRST_PAGE = 150  # seconds of this machine from power-on to the pages
ASKED = int(os.environ.get("LAMPLIGHT_QUESTIONS", "6"))  # before memory is read
QUESTIONS = (
    "Who is the mayor of Quibblonia?",
    "what is the capital of the kingdom of Zorvania",
    "how do I reset the password of my router",
)
NOT_HERE = "No answer was written"
MEMORY = 420  # MB of everything but the language model


class Day:
    """The machine, and what the tests learn of it on the way."""

    def __init__(self, machine: Machine, times: health.Times) -> None:
        self.machine, self.times, self.guest = machine, times, machine.guest
        self.box: dict[str, Any] = json.loads(self.guest.run("cat", "/run/lamplight/box.json"))
        self.address = self.box["address"].rstrip("/")


@pytest.fixture(scope="module")
def day(image: Path, files: BootFiles, tools: Path, place: Path) -> Iterator[Day]:
    card = Card.flash(image, place / "card", CARD_BYTES)
    with Machine(card, files, tools, place / "first", BOARD) as machine:
        machine.wait_for_agent(health.BOOT)
        traffic.capture(machine.guest)
        yield Day(machine, health.wait(machine))


@pytest.fixture(scope="module")
def first(day: Day) -> Phone:
    """A phone that has joined."""
    return joined(day, "first", "wlan1", IPHONE)


@pytest.fixture(scope="module")
def second(day: Day) -> Phone:
    """Another one."""
    return joined(day, "second", "wlan2")


@pytest.fixture(scope="module")
def third(day: Day) -> Phone:
    """One that has not joined yet."""
    return Phone(day.guest, "third", "wlan3")


def joined(day: Day, name: str, radio: str, agent: str = "") -> Phone:
    phone = Phone(day.guest, name, radio, agent)
    phone.join(day.box["ssid"], day.box["passphrase"])
    phone.lease()
    return phone


def test_the_pages_answer_in_time_and_nothing_has_failed(day: Day) -> None:
    print(f"first start: {day.times}")
    assert health.failed(day.machine) == []
    assert day.times.pages <= FIRST_PAGE


def test_the_root_is_read_only_and_the_data_partition_has_grown(day: Day) -> None:
    card = day.guest.run("findmnt", "-rno", "SOURCE,OPTIONS", "/run/card/lower").split()
    assert (card[0], card[1].split(",")[0]) == ("/dev/vda2", "ro")
    assert "lowerdir=/run/card/lower" in day.guest.run("findmnt", "-rno", "OPTIONS", "/")
    size = int(day.guest.run("findmnt", "-bno", "SIZE", "/data"))
    rest = CARD_BYTES - int(day.guest.run("cat", "/sys/class/block/vda3/start")) * 512
    assert rest * 0.9 < size <= rest


def test_systemd_finds_nothing_wrong_in_the_running_units(day: Day) -> None:
    names = day.guest.run("systemctl", "list-unit-files", "--no-legend", "--plain", "lamplight*").splitlines()
    units = [line.split()[0].replace("@.", "@x.") for line in names if testdisk.UNIT_NAME not in line]
    assert len(units) >= 10
    assert day.guest.run("systemd-analyze", "verify", "--man=no", *units, seconds=240) == ""


def test_a_phone_joins_and_gets_an_address(day: Day, first: Phone) -> None:
    assert first.joined()
    assert first.address.startswith("10.42.0.")
    found = first.run("busybox", "nslookup", "example.org")
    assert VISITORS in found
    assert day.box["passphrase"] in day.guest.run("cat", "/boot/firmware/lamplight-box.txt")


def test_a_wrong_passphrase_does_not_join(day: Day, third: Phone) -> None:
    with pytest.raises(AssertionError, match="third to join"):
        third.join(day.box["ssid"], day.box["passphrase"][::-1] + "x", seconds=20)
    third.leave()


def test_each_probe_leads_to_the_welcome_page_before_the_tap(day: Day, first: Phone) -> None:
    found = {probe: first.get(probe) for probe in PROBES}
    led = {probe: (reply.status, reply.location) for probe, reply in found.items()}
    assert led == dict.fromkeys(PROBES, (302, f"{day.address}/welcome"))


def test_the_visitor_taps_and_each_probe_succeeds(day: Day, first: Phone) -> None:
    welcome = f"{day.address}/welcome"
    page = first.get(welcome, "-H", "Accept-Language: fr")
    assert page.status == 200
    assert 'lang="fr"' in page.body
    pressed = visit.press(first, welcome, page)
    assert pressed.status == 303
    assert first.get(urljoin(welcome, pressed.location)).status == 200  # leads to no further redirect
    wrong = {}
    for probe, (status, body) in AFTER.items():
        reply = first.get(probe)
        if reply.status != status or body not in reply.body or (status == 204 and reply.body):
            wrong[probe] = (reply.status, reply.body)
    assert wrong == {}


def test_another_phone_is_still_welcomed(day: Day, third: Phone) -> None:
    """The tap counts for one visitor."""
    third.join(day.box["ssid"], day.box["passphrase"])
    third.lease()
    assert third.get(PROBES[0]).location == f"{day.address}/welcome"


def test_the_page_opens_by_its_names(day: Day, first: Phone) -> None:
    for name in (urlsplit(day.address).hostname, day.box["name"], VISITORS):
        page = first.get(f"http://{name}/")
        assert page.status == 200, name
        assert "Lamplight" in page.body
    refused = first.get("https://example.org/", seconds=10)
    assert (refused.status, refused.seconds < 2) == (0, True), refused.trouble  # at once: no phone waits


def test_a_question_gets_passages_that_open_in_kiwix_and_another_is_refused(day: Day, first: Phone) -> None:
    page = visit.reply_of(visit.ask(first, day.address, CITED))
    assert page.status == 200
    assert ANSWER in visit.text(page, "blockquote").lower()
    read = [link for link in visit.links(page, "li a") if link.startswith("/read/")]
    article = first.get(urljoin(day.address, read[0].partition("#")[0]), "-L")
    assert (article.status, "<html" in article.body) == (200, True)
    assert NOT_HERE not in page.body
    refused = visit.reply_of(visit.ask(first, day.address, QUESTIONS[0]))
    assert NOT_HERE in refused.body


def model_is_ready(day: Day) -> None:
    ready = "lamplight-llama"
    day.machine.until("the language model", MODEL, lambda: health.active(day.machine, ready), pause=5)


@pytest.mark.answers
def test_a_question_gets_a_cited_answer_that_opens_in_kiwix(day: Day, first: Phone) -> None:
    model_is_ready(day)
    began = day.machine.age()
    page = visit.reply_of(visit.ask(first, day.address, CITED))
    print(f"question with an answer: {day.machine.age() - began:.0f} s")
    assert page.status == 200
    cited = visit.links(page, "a.cite")
    assert cited, page.body[-3000:]
    source = first.get(urljoin(day.address, cited[0]))
    assert source.status == 200
    assert ANSWER in visit.text(source, "mark").lower()
    (kiwix,) = visit.links(source, "a.open")
    article = first.get(urljoin(day.address, kiwix), "-L")
    assert article.status == 200
    assert ANSWER in article.body.lower()


@pytest.mark.answers
def test_a_second_phone_asks_while_the_first_streams(day: Day, first: Phone, second: Phone) -> None:
    """The second sees its passages before the first has its answer, and both end with an answer."""
    model_is_ready(day)
    one = visit.ask(first, day.address, SECOND)
    day.machine.until("the first phone's passages", 300, lambda: b'id="p1"' in visit.so_far(one))
    two = visit.ask(second, day.address, THIRD)
    day.machine.until("the second phone's passages", 300, lambda: b'id="p1"' in visit.so_far(two))
    assert not one.ended.is_set()
    for running in (one, two):
        page = visit.reply_of(running)
        assert visit.links(page, "a.cite"), page.body[-3000:]


@pytest.mark.parametrize("unit", [*KILLED, pytest.param("lamplight-llama", marks=pytest.mark.answers)])
def test_a_service_that_is_killed_comes_back(day: Day, first: Phone, unit: str) -> None:
    before = main_process(day, unit)
    day.guest.run("systemctl", "kill", "--signal=KILL", unit)

    def again() -> bool:
        return main_process(day, unit) not in ("0", before) and health.active(day.machine, unit)

    seconds = MODEL if unit == "lamplight-llama" else 120
    day.machine.until(f"{unit} to come back", seconds, again, lambda: health.why(day.machine))
    day.machine.until("the pages to answer", 120, lambda: first.get(f"{day.address}/").status == 200)
    assert health.failed(day.machine) == []


def main_process(day: Day, unit: str) -> str:
    return day.guest.run("systemctl", "show", "--value", "--property=MainPID", unit).strip()


def test_memory_of_everything_but_the_model(day: Day, first: Phone) -> None:
    """After many questions; most are refused before the model, so that it takes no day under emulation."""
    asked = [f"{QUESTIONS[n % len(QUESTIONS)]} {n}" for n in range(ASKED)]
    for question in asked:
        page = visit.reply_of(visit.ask(first, day.address, question))
        assert page.status == 200
    shares = table.memory_shares(day.guest)
    print({name: round(share / table.MB) for name, share in shares.items() if share > 5 * table.MB})
    used = table.without_model(shares) / table.MB
    print(f"memory of everything but the language model after {len(asked)} questions: {used:.0f} MB PSS")
    assert used <= MEMORY


def test_nothing_that_was_asked_is_in_the_journal(day: Day) -> None:
    """The raw one, of the pages and of what stands around them: the desk's logs are taken from it."""
    names = ("lamplight-web", "lamplight-embedder", "lamplight-llama", "lamplight-kiwix", "nginx")
    units = [f"--unit={name}.service" for name in names]
    said = day.guest.run("journalctl", "--boot", "--no-pager", "--output=cat", *units).lower()
    assert "lamplight: the pages" in said  # systemd's word that it started
    assert [question for question in (CITED, *QUESTIONS) if question.lower() in said] == []
    assert "quibblonia" not in said


def test_no_packet_leaves_for_anywhere_else(day: Day) -> None:
    """Since before the box's own units were started. The cable is off (`ethernet = "off"`): not a frame."""
    sent = traffic.fetched(day.guest, day.machine.folder)
    assert traffic.leaving(sent, NETWORKS) == []
    assert traffic.counted(sent) > 100  # the capture was there: every reply to a phone
    assert traffic.counted(day.machine.folder / "eth0.pcap") == 0


def test_the_table_of_units(day: Day) -> None:
    rows = table.units(day.guest)
    print(f"\n{table.printed(rows)}")
    assert {"lamplight-web.service", "nginx.service"} <= {unit.name for unit in rows}
    assert [unit.name for unit in rows if unit.state == "failed"] == []


def test_the_clock_does_not_run_backwards(day: Day, files: BootFiles, tools: Path) -> None:
    """Switched off, and on again with a clock that has forgotten everything, the box goes on from there."""
    before = int(day.guest.run("date", "+%s"))
    day.guest.start("systemctl", "poweroff")
    day.machine.wait_for_end(180)
    day.machine.card.settle(None)
    folder = day.machine.folder.with_name("second")
    with Machine(
        day.machine.card, files, tools, folder, replace(BOARD, clock="1970-01-02T00:00:00")
    ) as machine:
        machine.wait_for_agent(health.BOOT)
        machine.until("the clock", 120, lambda: health.active(machine, "lamplight-clock"))
        assert int(machine.guest.run("date", "+%s")) >= before
        health.wait(machine)
