"""The model of the bundle in use is loaded where the machine carries it, and goes with the bundle."""

import threading
from dataclasses import replace

import pytest

from appliance import chosen, models, settings, wiring
from appliance.bundles import sums
from appliance.bundles.manifest import SUMS
from appliance.bundles.store import Store
from appliance.device.board import Board
from appliance.errors import ModelFileError
from appliance.services import language
from appliance.services.llama_main import leave_for_another
from appliance.vectors import HashEncoder

OWN, BETTER = (models.catalogue().find(f"qwen2.5-{size}-instruct") for size in ("0.5b", "1.5b"))
SMALL, LARGE = Board("Raspberry Pi 4", 1849, False), Board("Raspberry Pi 5", 8062, True)


@pytest.fixture
def given(tmp_path):
    """A box with the small model of its own; its file has the right size and nothing in it."""
    found = settings.load({"home": tmp_path}, {})
    (tmp_path / "models").mkdir()
    with (tmp_path / "models" / OWN.file).open("wb") as file:
        file.truncate(OWN.bytes)
    return found


def use(given, version, model=None, sha256="", answered=True):
    """Puts a bundle in use that has this model, or none; only its list is there."""
    store = Store(given.store)
    folder = store.root / f"valley-{version}"
    (folder / "models").mkdir(parents=True)
    listed = {"bundle.toml": "0" * 64}
    if model is not None:
        listed[f"models/{model.file}"] = sha256 or model.sha256
    (folder / SUMS).write_text(sums.render(listed))
    store.switch(folder)
    if answered:
        store.answered(folder)
    return folder


def test_without_a_bundle_it_is_the_boxs_own(given):
    assert language.choose(given, LARGE) == language.Choice(OWN.name, given.home / "models" / OWN.file)
    use(given, 1)
    assert language.choose(given, LARGE).name == OWN.name


def test_the_bundles_model_is_loaded_and_goes_with_it(given):
    use(given, 1)
    folder = use(given, 2, BETTER)
    assert language.choose(given, LARGE) == language.Choice(BETTER.name, folder / "models" / BETTER.file)
    Store(given.store).roll_back()
    assert language.choose(given, LARGE).name == OWN.name


def test_a_bundle_on_trial_changes_nothing(given):
    use(given, 1, BETTER, answered=False)
    assert language.choose(given, LARGE).name == OWN.name


def test_what_the_board_does_not_carry_is_said(given):
    use(given, 1, BETTER)
    found = language.choose(given, SMALL)
    assert found.name == OWN.name
    assert "too little memory for qwen2.5-1.5b-instruct" in found.passed_over


@pytest.mark.parametrize("named", [{"model": OWN.name}, {"bundle_model": False}])
def test_an_owner_who_named_another_has_it(given, named):
    use(given, 1, BETTER)
    own = language.Choice(OWN.name, given.home / "models" / OWN.file)
    assert language.choose(replace(given, **named), LARGE) == own


def test_only_models_of_the_catalogue_byte_for_byte(given):
    """The right name over other bytes is nothing that is loaded."""
    use(given, 1, BETTER, "1" * 64)
    found = language.choose(given, LARGE)
    assert (found.name, found.passed_over) == (OWN.name, language.UNKNOWN)


def test_a_model_that_the_box_has_already_is_not_loaded_anew(given):
    use(given, 1, OWN)
    assert language.choose(given, LARGE).file == given.home / "models" / OWN.file


def test_a_card_without_a_model_loads_it_at_its_next_start(given):
    use(given, 1, BETTER)
    off = replace(given, search_only=True, device="/run/lamplight")
    assert language.choose(off, LARGE).passed_over == language.LATER.format(name=BETTER.name)
    assert language.choose(off, SMALL) == language.Choice()


def test_the_models_process_leaves_for_another_and_not_before(given):
    left = threading.Event()

    def wait_with(loaded):
        work = (given, loaded, 0.01, left.set)
        threading.Thread(target=leave_for_another, args=work, daemon=True).start()

    wait_with(OWN.name)
    assert not left.wait(0.1)
    wait_with(BETTER.name)  # loaded with a bundle that is gone
    assert left.wait(60)


def test_the_status_page_says_why_it_is_passed_over(given):
    use(given, 1, BETTER, "1" * 64)
    box = wiring.open_appliance(given, HashEncoder())
    lines = {check.name: check for check in box.health().checks}
    assert lines["Language model of the bundle"].sentence == language.UNKNOWN


def test_a_model_that_another_version_s_desk_chose_keeps_no_box_from_starting(given):
    chosen.write(given.home, {"model": "qwen9-of-tomorrow"})
    assert language.choose(settings.again(given), LARGE).name == OWN.name
    with pytest.raises(ModelFileError, match="no model"):
        language.choose(settings.load({"home": given.home, "model": "qwen9-of-tomorrow"}, {}), LARGE)
