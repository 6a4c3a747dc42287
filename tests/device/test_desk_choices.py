"""What the desk chose under what the owner's file says: the file is the stronger, line by line."""

from every import every

from appliance.device.board import Board, Load
from appliance.device.desk import free, with_choices
from appliance.device.environment import variables
from appliance.device.ownerfile import parse

CHOSEN = {"gate": "open", "language": "fr", "kiosk": True, "documents": "nobody", "conversations": 7}


def merged(content, chosen=CHOSEN):
    return with_choices(parse(content), chosen)


def test_the_desk_chooses_what_the_file_does_not_say():
    owner = merged(b'gate = "strict"\ndocuments = "everyone"\n')
    assert (owner.gate, owner.documents, owner.language, owner.kiosk) == ("strict", "everyone", "fr", True)
    assert {"language", "kiosk", "conversations", "usage", "model", "search_only"} <= free(owner)
    assert not {"gate", "documents"} & free(owner)


def test_a_line_that_says_what_is_usual_is_a_line():
    assert merged(b'gate = "balanced"\n').gate == "balanced"


@every(
    ("content", "chosen", "model"),
    [
        (b"phones = 5\n", {"search_only": True}, "none"),
        (b"phones = 5\n", {"search_only": False, "model": "qwen2.5-1.5b-instruct"}, "qwen2.5-1.5b-instruct"),
        (b"phones = 5\n", {"search_only": True, "model": "qwen2.5-1.5b-instruct"}, "none"),
        (b'model = "auto"\n', {"search_only": True}, "auto"),
        (b"phones = 5\n", {"model": "../../etc/shadow"}, "auto"),
    ],
)
def test_the_language_model(content, chosen, model):
    assert merged(content, chosen).model == model


def test_no_choice_opens_the_network():
    """Root reads the file, the pages write it."""
    owner = merged(b"phones = 5\n", {"open_network": True, "passphrase": "", "ssid": "x", "said": "y"})
    assert (owner.open_network, owner.ssid) == (False, "Lamplight")


def test_the_units_are_told_what_the_desk_may_still_choose():
    owner = merged(b'gate = "strict"\nmodel = "none"\n')
    found = variables(owner, Board("x", 3795, False), Load("pi4", ""))
    assert (found["LAMPLIGHT_GATE"], found["LAMPLIGHT_KIOSK"]) == ("strict", "yes")
    assert not {"LAMPLIGHT_LANGUAGE", "LAMPLIGHT_DOCUMENTS"} & set(found)  # may be taken back meanwhile
    assert found["LAMPLIGHT_FREE"].split(",") == ["conversations", "documents", "kiosk", "language", "usage"]
