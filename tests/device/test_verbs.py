"""The parser of what the helper is asked, alone: whatever comes in, it is one of the list or a refusal."""

import json
import random
import string
from dataclasses import fields
from typing import get_args

import pytest
from test_helper import VERBS

from appliance.device import verbs
from appliance.device.verbs import parse, request
from appliance.errors import DeviceError

WORDS = (
    "set-clock",
    "restart",
    "power-off",
    "report",
    "try-network",
    "keep-network",
    "journal",
    "open-stick",
)
KEYS = ("verb", "seconds", "problems", "source", "severity", "lines", "device", *verbs.NETWORK, "command", "")
VALUES = (None, True, False, 0, 1, -1, 6, 36, 2**70, 1.5, 1e300, "", "00", "2.4", "5", "KE", "all", "kernel",
          "lamplight", "sda1", "../sda1", "a\nb", "12345678", [], [[]], {}, {"verb": "restart"})  # fmt: skip


def drawn(chance: random.Random) -> object:
    """Something near a request: the list's own words, with values of every kind."""
    found = {key: chance.choice(VALUES) for key in chance.sample(KEYS, chance.randint(0, len(KEYS)))}
    if chance.random() < 0.8:
        found["verb"] = chance.choice(WORDS)
    base = json.loads(request(chance.choice(VERBS)))
    if chance.random() < 0.5:
        for key in chance.sample(list(base), chance.randint(0, len(base))):
            base[key] = chance.choice(VALUES)
        found = base
    return found if chance.random() < 0.95 else chance.choice(VALUES)


def test_whatever_comes_in_is_one_of_the_list_or_a_refusal() -> None:
    chance, taken = random.Random(7), 0
    for _ in range(800):
        line = json.dumps(drawn(chance)).encode()
        try:
            found = parse(line)
        except DeviceError:
            continue
        taken += 1
        assert parse(request(found).rstrip(b"\n")) == found
        assert json.loads(request(found)) == json.loads(line)  # nothing beside the list was let through
    assert taken > 50


@pytest.mark.parametrize("noise", [7, 8])
def test_noise_is_refused(noise: int) -> None:
    chance = random.Random(noise)
    for _ in range(500):
        text = "".join(chance.choices(string.printable, k=chance.randint(0, 60))).encode()
        with pytest.raises(DeviceError):
            parse(text)


def test_every_verb_is_tried() -> None:
    assert {type(verb) for verb in VERBS} == set(get_args(verbs.Verb))
    assert {name.name for name in fields(verbs.TryNetwork)} == set(verbs.NETWORK)
