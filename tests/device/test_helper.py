"""The helper over a real socket: it does the closed list and nothing else, whatever it is sent."""

import json
import os
import random
import socket
import threading
import time
from contextlib import contextmanager

import pytest

from appliance.device import client, helper, verbs
from appliance.device.problems import Problem
from appliance.device.verbs import (
    CloseStick,
    Journal,
    KeepNetwork,
    OpenStick,
    PowerOff,
    Report,
    Restart,
    SetClock,
    TryNetwork,
    parse,
    request,
)
from appliance.errors import DeviceError, ServiceDown
from appliance.records import Check

pytestmark = pytest.mark.slow

PROBLEM = Problem("box", "Library", "small.zim is damaged.", "Copy it again.")
VERBS = (
    SetClock(1_790_000_000),
    Restart(),
    PowerOff(),
    Report((PROBLEM,)),
    Report(()),
    TryNetwork("lamplight", "Clinic", "water and light", "00", "2.4", 0),
    TryNetwork("clinic-2", 'say "hi"', "back\\slash 'n quote\" ", "KE", "5", 36),
    TryNetwork("lamplight", "Clinic", "", "00", "2.4", 11),
    KeepNetwork(),
    Journal("all", 7, 200),
    Journal("kernel", 0, 1),
    OpenStick("sda1"),
    CloseStick("sdb"),
)
WELL = {
    "verb": "try-network", "name": "lamplight", "ssid": "Clinic", "passphrase": "12345678", "country": "00",
    "band": "2.4", "channel": 0,
}  # fmt: skip
WRONG = (
    b"",
    b"\n",
    b"reboot",
    b"[]",
    b"null",
    b'"restart"',
    b"{}",
    b'{"verb": "Restart"}',
    b'{"verb": "restart", "now": true}',
    b'{"verb": ["restart"]}',
    b'{"verb": "run", "command": "id"}',
    b'{"verb": "set-clock"}',
    b'{"verb": "set-clock", "seconds": true}',
    b'{"verb": "set-clock", "seconds": 1.5}',
    b'{"verb": "set-clock", "seconds": "1790000000"}',
    b'{"verb": "set-clock", "seconds": -1}',
    b'{"verb": "set-clock", "seconds": 1e400}',
    b'{"verb": "set-clock", "seconds": 99999999999999999999999999}',
    b'{"verb": "report", "problems": {}}',
    b'{"verb": "report", "problems": [{"about": "x", "sentence": "y"}]}',
    b'{"verb": "report", "problems": [{"about": "x\\n", "sentence": "y", "remedy": ""}]}',
    b'{"verb": "report", "problems": [{"about": "x", "sentence": "y", "remedy": "", "path": "/etc"}]}',
    *(
        json.dumps({**WELL, **change}).encode()
        for change in (
            {"passphrase": "1234567"},
            {"passphrase": "é" * 10},
            {"passphrase": None},
            {"ssid": ""},
            {"ssid": "\ud800"},
            {"ssid": "a\nwpa=0"},
            {"ssid": "x" * 33},
            {"name": ""},
            {"name": "Clinic"},
            {"name": "a.b"},
            {"name": "a\nb"},
            {"name": "-a"},
            {"country": "XX"},
            {"country": "gb"},
            {"band": "6"},
            {"band": "5"},
            {"band": 5},
            {"channel": 12},
            {"channel": 36},
            {"channel": True},
            {"channel": "6"},
            {"channel": 1.0},
            {"channel": -1},
            {"open": True},
            {"open_network": True},
        )
    ),
    b'{"verb": "try-network"}',
    b'{"verb": "try-network", "ssid": "Clinic", "passphrase": "12345678"}',
    b'{"verb": "keep-network", "ssid": "x"}',
    b'{"verb": "journal"}',
    b'{"verb": "journal", "source": "ssh", "severity": 7, "lines": 10}',
    b'{"verb": "journal", "source": "all --flush", "severity": 7, "lines": 10}',
    b'{"verb": "journal", "source": "all", "severity": 8, "lines": 10}',
    b'{"verb": "journal", "source": "all", "severity": true, "lines": 10}',
    b'{"verb": "journal", "source": "all", "severity": 7, "lines": 0}',
    b'{"verb": "journal", "source": "all", "severity": 7, "lines": 100000}',
    b'{"verb": "journal", "source": "all", "severity": 7, "lines": 10, "since": "-1h"}',
    b'{"verb": "open-stick"}',
    b'{"verb": "open-stick", "device": 1}',
    b'{"verb": "open-stick", "device": ""}',
    b'{"verb": "open-stick", "device": "../sda1"}',
    b'{"verb": "open-stick", "device": "sda1\\n"}',
    b'{"verb": "open-stick", "device": "sda1.service x"}',
    b'{"verb": "open-stick", "device": "sda1", "options": "exec"}',
    b'{"verb": "close-stick", "device": "-all"}',
    b"[" * 5000,
    b"\xff\xfe\x00",
    b" " * 70_000,
)


@contextmanager
def served(folder, act, users=None, idle=5.0, patience=5.0):
    """The helper in a thread, at folder/helper.sock, as systemd would hand it the socket."""
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(folder / client.SOCKET))
        listening.listen()
        allowed = {os.getuid()} if users is None else users
        thread = threading.Thread(target=helper.serve, args=(listening, act, allowed, idle, patience))
        thread.start()
        yield
        thread.join(idle + 5)
        assert not thread.is_alive()


def say(folder, line):
    """Sends bytes and gives the answer."""
    with socket.socket(socket.AF_UNIX) as caller:
        caller.settimeout(10)
        caller.connect(str(folder / client.SOCKET))
        caller.sendall(line)
        caller.shutdown(socket.SHUT_WR)
        with caller.makefile("rb") as answers:
            return json.loads(answers.read())


@pytest.mark.parametrize("verb", VERBS, ids=str)
def test_what_is_asked_arrives(verb):
    assert parse(request(verb).rstrip(b"\n")) == verb


@pytest.mark.parametrize("line", WRONG, ids=lambda line: repr(line[:60]))
def test_everything_else_is_refused(line):
    with pytest.raises(DeviceError):
        parse(line)


def test_the_pages_ask_and_get_a_sentence(tmp_path):
    asked = []

    def act(verb):
        asked.append(verb)
        return "Done."

    with served(tmp_path, act, idle=0.5):
        for verb in VERBS:
            assert client.ask(tmp_path, verb) == "Done."
    assert asked == list(VERBS)


def test_a_refusal_comes_back_as_what_it_is(tmp_path):
    def act(_verb):
        raise DeviceError("The clock stays.", "Forward only.")

    with served(tmp_path, act, idle=0.5), pytest.raises(DeviceError, match="The clock stays") as error:
        client.ask(tmp_path, Restart())
    assert error.value.hint == "Forward only."


def test_a_disk_that_cannot_be_written_is_a_sentence(tmp_path):
    def act(_verb):
        raise OSError(30, "Read-only file system", "/boot/firmware")

    with served(tmp_path, act, idle=0.5), pytest.raises(DeviceError, match="Read-only file system"):
        client.ask(tmp_path, Restart())


def test_what_is_wrong_with_the_library_reaches_the_card(tmp_path):
    asked, here = [], threading.Event()

    def act(verb):
        asked.append(verb)
        here.set()
        return "Done."

    long = "It cannot be read:\n" + "x" * 900
    with served(tmp_path, act, idle=0.5):
        client.tell(tmp_path, [Check("small.zim", "wrong", long, "Copy it again.")] * 30)
        assert here.wait(60)
    (report,) = asked
    assert len(report.problems) == verbs.MOST_PROBLEMS
    first = report.problems[0]
    assert (first.about, first.remedy, len(first.sentence)) == ("small.zim", "Copy it again.", verbs.TEXT)
    assert first.sentence.startswith("It cannot be read: xxx")


def test_pages_start_without_a_helper(tmp_path):
    client.tell(tmp_path, [Check("small.zim", "wrong", "It is damaged.")])


def test_the_longest_report_fits_into_a_line():
    text = "\U0001f3e5" * verbs.TEXT
    line = request(Report((Problem("box", text, text, text),) * verbs.MOST_PROBLEMS))
    assert len(line) <= verbs.LONGEST
    assert isinstance(parse(line), Report)


def test_other_users_are_refused(tmp_path):
    with served(tmp_path, lambda verb: pytest.fail(f"did {verb}"), users={os.getuid() + 1}, idle=0.5):
        assert "another user" in say(tmp_path, b'{"verb": "restart"}\n')["error"]


def test_without_a_helper_the_pages_get_a_sentence(tmp_path):
    with pytest.raises(ServiceDown, match="does not answer"):
        client.ask(tmp_path, Restart())


def test_a_caller_that_says_nothing_does_not_hold_up_the_next(tmp_path):
    with (
        served(tmp_path, lambda _verb: "Done.", idle=2.0, patience=0.2),
        socket.socket(socket.AF_UNIX) as silent,
    ):
        silent.connect(str(tmp_path / client.SOCKET))
        began = time.monotonic()
        assert client.ask(tmp_path, Restart()) == "Done."
        assert time.monotonic() - began < 2


def test_a_caller_that_leaves_at_once_harms_nobody(tmp_path):
    with served(tmp_path, lambda _verb: "Done.", idle=0.5):
        for _ in range(20):
            with socket.socket(socket.AF_UNIX) as caller:
                caller.connect(str(tmp_path / client.SOCKET))
        assert client.ask(tmp_path, Restart()) == "Done."


def test_it_ends_when_nobody_asks(tmp_path):
    began = time.monotonic()
    with served(tmp_path, lambda _verb: "Done.", idle=0.2):
        pass
    assert time.monotonic() - began < 3


def scribbled(chance):
    """A line near those that mean something: bytes changed, parts of others put in, types swapped."""
    line = bytearray(chance.choice([*map(request, VERBS), *WRONG])[:4000])
    for _ in range(chance.randint(0, 5)):
        at = chance.randrange(len(line) + 1)
        kind = chance.randrange(4)
        if kind == 0:
            line[at : at + 1] = bytes([chance.randrange(256)])
        elif kind == 1:
            del line[at : at + chance.randint(1, 20)]
        elif kind == 2:
            line[at:at] = chance.choice(
                [b"{", b"}", b'"', b"\\u0000", b"1e9", b"null", b"[", b"\n", b",", b"true"]
            )
        else:
            other = request(chance.choice(VERBS))
            line[at:at] = other[chance.randrange(len(other)) :]
    return bytes(line)


def test_no_scribble_brings_it_down_or_does_what_is_not_in_the_list(tmp_path):
    chance, done = random.Random(4), []

    def act(verb):
        done.append(verb)
        return "Done."

    with served(tmp_path, act, idle=1.0):
        for _ in range(1500):
            answer = say(tmp_path, scribbled(chance))
            assert set(answer) in ({"done"}, {"error", "hint"})
    assert done
    for verb in done:
        assert isinstance(verb, verbs.Verb)
        assert parse(request(verb).rstrip(b"\n")) == verb
