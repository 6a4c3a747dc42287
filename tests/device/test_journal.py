"""The journal for the desk: a closed list of sources, bounded, without questions and addresses."""

import json

import pytest
from every import every

from appliance.device import journal
from appliance.device.verbs import LONGEST
from appliance.errors import DeviceError

NGINX = (
    'upstream timed out, client: 10.42.0.77, server: _, request: "GET /ask?q=am+I+ill HTTP/1.1", '
    'upstream: "http://127.0.0.1:8080/ask?q=am+I+ill", host: "lamplight"'
)


def row(message, **fields):
    words = {"__REALTIME_TIMESTAMP": "1790000000123456", "PRIORITY": "6", "_SYSTEMD_UNIT": "nginx.service"}
    return json.dumps({**words, "MESSAGE": message, **fields}).encode() + b"\n"


@every(
    ("said", "shown"),
    [
        (
            NGINX,
            'upstream timed out, client: [address], server: _, request: "…", upstream: "…", host: "…"',
        ),
        ("GET /ask?q=am+I+pregnant", "GET …"),
        (
            "wlan0: STA 02:00:00:aB:01:00 IEEE 802.11: associated",
            "wlan0: STA [device] IEEE 802.11: associated",
        ),
        ("DHCPACK(wlan0) 10.42.0.77 02:00:00:00:01:00 Annas-phone", "DHCPACK(wlan0) …"),
        ("from fe80::1ff:fe23:4567:890a%wlan0", "from [address]%wlan0"),
        ("from 2001:db8:1:2:3:4:5:6 and ::1", "from [address] and [address]"),
        ("at 12:30:45 the answer was 3.2.1", "at 12:30:45 the answer was 3.2.1"),
        ("x" * 400, "x" * 299 + "…"),
    ],
)
def test_what_is_asked_for_and_addresses_are_taken_out(said, shown):
    assert journal.redacted(said) == shown


def test_lines_come_back_as_they_were():
    said = row("It started.") + row([82, 195, 169, 255], PRIORITY="3", UNIT="lamplight-web.service")
    said += row("a\tb\nc\x1b[31m") + b"noise\n[]\n{}\n" + row(None) + row("x", PRIORITY="high")
    found = journal.read(journal.told("all", 7, 10, lambda _words: said))
    assert found == (
        journal.Line(1_790_000_000, 6, "nginx.service", "It started."),
        journal.Line(1_790_000_000, 3, "lamplight-web.service", "Ré\ufffd"),
        journal.Line(1_790_000_000, 6, "nginx.service", "a b c [31m"),
    )


def test_however_much_was_said_the_latest_fits_into_the_answer():
    said = b"".join(row(f"{n} " + "\U0001f3e5" * 290) for n in range(journal.MOST))
    told = journal.told("all", 7, journal.MOST, lambda _words: said)
    assert len(json.dumps({"done": told})) < LONGEST
    lines = journal.read(told)
    assert lines[-1].message.startswith(f"{journal.MOST - 1} ")
    assert 0 < len(lines) < journal.MOST


@every("source", journal.SOURCES)
def test_only_the_list_is_asked_for(source):
    words = journal.command(source, 4, 50)
    assert words[0] == "journalctl"
    assert {"--lines=50", "--priority=4", "--boot"} <= set(words)
    units = [word for word in words if word.startswith("--unit=")]
    assert bool(units) == (source != journal.KERNEL)
    assert all("lamplight-" in unit or "nginx" in unit for unit in units)


def test_a_journal_that_cannot_be_read_is_a_sentence(tmp_path, monkeypatch):
    (tmp_path / "journalctl").write_text("#!/bin/sh\necho no such luck >&2\nexit 1\n")
    (tmp_path / "journalctl").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    with pytest.raises(DeviceError, match="no such luck"):
        journal.told("all", 7, 10)
