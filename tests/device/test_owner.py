"""Owners' files: what is taken exactly, what is refused with a sentence, and what is in force then (case 36).

The files of tests/cases/owner say in their names whether they are good; the first line of one that is refused
is how its sentence begins.
"""

import random
import re
import tomllib
from dataclasses import fields
from pathlib import Path

from every import every

from appliance.device.owner import DEFAULT, FIELDS, Owner
from appliance.device.ownerfile import decide, parse
from appliance.settings import TABLE

ROOT = Path(__file__).parents[2]
CASES = sorted((ROOT / "tests/cases/owner").glob("*.toml"))
SHIPPED = (ROOT / "image/boot/lamplight.toml").read_bytes()
LEFT = {"language", "gate", "model", "documents", "kiosk"}  # to the desk
NOT_UTF8 = "lamplight.toml: Byte 1 is not UTF-8"  # of a file that has no line for us to read


def known(zone):
    return zone in ("UTC", "Africa/Nairobi")


@every("case", [file for file in CASES if file.name.startswith("good-")], ids=lambda f: f.stem)
def test_a_good_file_is_taken_as_it_stands(case):
    content = case.read_bytes()
    owner = parse(content, known)
    assert isinstance(owner, Owner), owner
    for name, value in tomllib.loads(content.decode("utf-8-sig")).items():
        assert getattr(owner, name) == value


@every("case", [file for file in CASES if file.name.startswith("refuse-")], ids=lambda f: f.stem)
def test_a_wrong_file_is_refused_with_a_sentence(case):
    content = case.read_bytes()
    first = content.split(b"\n")[0]
    expected = first.decode().removeprefix("# ") if first.startswith(b"# ") else NOT_UTF8
    (problem,) = parse(content, known)
    assert str(problem).startswith(expected)
    assert problem.remedy


def test_a_line_of_an_earlier_version_spoils_nothing():
    assert parse(b'changes = "code"\n', known) == DEFAULT


def test_every_case_has_its_verdict():
    assert all(file.name.startswith(("good-", "refuse-")) for file in CASES)
    assert len(CASES) > 30


@every("case", CASES, ids=lambda f: f.stem)
def test_no_sentence_quotes_a_passphrase(case):
    found = parse(case.read_bytes(), known)
    if isinstance(found, Owner):
        return
    for passphrase in ("1234567", "sunshine", "santé publique", "12345678", "abcdefgh"):
        assert passphrase not in " ".join(map(str, found))


def test_all_that_is_wrong_is_told_at_once():
    found = parse(b'passphrase = "short"\ncountry = "XX"\nchanel = 3\n', known)
    assert [problem.about for problem in found] == ["chanel", "passphrase", "country"]
    assert [problem.kind for problem in found] == ["key", "value", "value"]


def test_a_file_in_another_code_page_is_refused():
    (problem,) = parse('ssid = "Bibliothèque"'.encode("latin-1"))
    assert "Byte 17 is not UTF-8" in str(problem)


@every(
    ("content", "reason"),
    [
        (b"", "It is empty"),
        (b"\r\n\r\n", "It is empty"),
        (b"\0" * 512, "It cannot be read"),
        (b"phones = " + b"9" * 5000, "It cannot be read"),
        (b"ssid = " + b"[" * 50_000, "It cannot be read"),
        (b"# a remark\n" * 1_000_000, "It has more than 65,536 bytes"),
    ],
)
def test_what_is_no_file_of_settings_leaves_the_last_good_one_in_force(content, reason):
    decision = decide(content, GOOD, known)
    assert (decision.source, decision.owner.ssid) == ("kept", "Clinic")
    assert reason in str(decision.problems[0])


def test_no_sign_of_a_file_reaches_the_console_that_cannot_be_shown():
    (problem,) = parse(b'"\\u001b[2Ja\\nb" = 1\n', known)
    assert str(problem).isprintable()


def test_the_file_on_the_card_is_what_the_box_does_anyway():
    assert parse(SHIPPED, known) == DEFAULT
    assert set(tomllib.loads(SHIPPED.decode())) == {field.name for field in FIELDS} - LEFT


def test_what_the_file_on_the_card_leaves_to_the_desk_stands_in_it_as_it_is():
    said = re.sub(r"(?m)^#(?=[a-z]+ = )", "", SHIPPED.decode())
    assert parse(said.encode(), known) == DEFAULT
    assert set(tomllib.loads(said)) == {field.name for field in FIELDS}


def test_every_setting_is_documented():
    rows = (ROOT / "docs/device.md").read_text("utf-8").splitlines()
    for field in FIELDS:
        default = str(field.default).lower() if field.kind is bool else field.default
        assert f"| `{field.name}` | `{default}` | {field.help} |" in rows


def test_choices_are_those_of_the_pages():
    for row in TABLE:
        if row.name in ("gate", "language"):
            for choice in row.choices:
                assert isinstance(parse(f'{row.name} = "{choice}"'.encode()), Owner)
        if row.name == "profile":
            assert {"pi4", "pi5"} <= set(row.choices)


GOOD = b'ssid = "Clinic"\npassphrase = "water and light"\n'
WRONG = b'ssid = "Clinic"\npassphrase = "short"\nopen_network = false\n'


def test_a_wrong_file_leaves_the_last_good_one_in_force():
    decision = decide(WRONG, GOOD, known)
    assert (decision.source, decision.owner.passphrase) == ("kept", "water and light")
    assert [problem.about for problem in decision.problems] == ["passphrase"]


@every("kept", [None, b"", b"\xff", WRONG])
def test_without_a_good_file_the_network_is_closed(kept):
    decision = decide(WRONG, kept, known)
    assert not decision.owner.open_network
    assert decision.problems


def test_a_card_without_the_file_says_so():
    decision = decide(None, GOOD, known)
    assert decision.source == "kept"
    assert "is not there" in str(decision.problems[0])


def test_no_scribble_opens_the_network():
    """Whatever becomes of a good closed file by chance, it does not open the network."""
    chance = random.Random(4)
    for _ in range(3000):
        content = bytearray(SHIPPED)
        for _ in range(chance.randint(1, 6)):
            place = chance.randrange(len(content))
            kind = chance.randrange(3)
            if kind == 0:
                content[place] = chance.randrange(256)
            elif kind == 1:
                del content[place : place + chance.randint(1, 40)]
            else:
                content[place:place] = chance.choice((b'"', b"\\", b"\n", b"#", b"=", b"true", b"\0"))
        decision = decide(bytes(content), GOOD, known)
        assert not decision.owner.open_network or b"open_network = true" in content


def test_settings_and_their_table_have_the_same_names():
    assert [*(field.name for field in FIELDS), "said"] == [field.name for field in fields(Owner)]
