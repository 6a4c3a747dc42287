"""What the desk chooses reaches a running box with the next request, and survives its being opened anew."""

from dataclasses import replace

import pytest

from appliance import settings
from appliance.retrieval.gate import Gate
from appliance.retrieval.search import Library
from appliance.shelving.live import Live
from appliance.sources.folder import Shelf
from appliance.vectors import HashEncoder
from appliance.wiring import GATE, Appliance


@pytest.fixture
def box(tmp_path):
    given = settings.load({"home": tmp_path}, {})
    return Appliance(given, Library((), None, Gate.load(GATE)), HashEncoder(), None, Shelf(()), ())


def test_another_setting_of_the_gate_counts_from_the_next_request_on(box):
    live = Live(box)
    with live.held():
        live.choose(replace(box.settings, gate="strict", documents="nobody"))
        assert live.library.gate.level == "balanced"
    assert (live.library.gate.level, live.settings.documents) == ("strict", "nobody")
    assert live.library.gate.both == box.library.gate.both
    assert box.library.gate.level == "balanced"


def test_a_box_that_was_being_opened_meanwhile_takes_the_choice_over(box):
    live = Live(box)
    opened = replace(box, library=box.library.holding(()))
    live.choose(replace(box.settings, gate="open"))
    live.replace(opened)
    assert (live.library.gate.level, live.settings.gate) == ("open", "open")
