"""The page of answers: what is in force, where it is from, what is chosen and when it counts."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from appliance import chosen, settings
from appliance.retrieval.gate import Gate, Rate
from appliance.server.app import create_app
from appliance.server.desk import answers
from appliance.server.desk.choosing import Choosing, checks
from appliance.services.runtime import ServiceState, prepare, write_states
from appliance.wiring import GATE
from server import fakes, signing
from server.test_pages import words

pytestmark = pytest.mark.slow

PAGE = answers.PAGE


def opened(home: Path, **given: object) -> TestClient:
    """As an admin sees it, with these settings given at the start."""
    app = create_app(fakes.appliance(home, **given))
    client = TestClient(app, signing.NAMED, client=("127.0.0.1", 50000), follow_redirects=False)
    signing.signed_in(client, app.state.rights)
    return client


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def served(home: Path) -> TestClient:
    """A box on which nothing is said at the start."""
    return opened(home)


@pytest.fixture
def desk(served: TestClient, home: Path) -> Iterator[TestClient]:
    """The same, and nothing chosen yet."""
    yield served
    (home / chosen.FILE).unlink(missing_ok=True)


def sent(client: TestClient, address: str = PAGE, **form: str) -> int:
    token = re.search(r'name="token" value="([^"]+)"', client.get(PAGE).text)
    assert token
    return client.post(address, data={"token": token[1], **form}).status_code


def test_each_setting_of_the_gate_has_its_two_measured_rates(desk: TestClient) -> None:
    page = words(desk.get(PAGE).text)
    for name, (answered, refused) in {"Strict": ("4–10", "17–23"), "Open": ("16–27", "5")}.items():
        assert f"{name} " in page
        assert (
            f"it should refuse it answered {answered}; of 100 that it should answer it refused {refused}."
            in page
        )


def test_the_rates_are_those_of_the_file() -> None:
    found = {level.name: level for level in answers.levels(Gate.load(GATE).rates)}
    assert found["balanced"].false_answers == "9–17"
    one = [Rate(level, "NQ", 0.101, 0.2) for level in ("strict", "balanced", "open")]
    assert answers.levels(one)[0].false_answers == "10"
    assert answers.levels(())[0].false_answers == ""


def test_what_is_chosen_is_kept_and_shown(desk: TestClient, home: Path) -> None:
    assert sent(desk, gate="open", documents="nobody", language="fr", conversations="30", model="none") == 303
    assert settings.choices(home).values == {
        "gate": "open",
        "documents": "nobody",
        "language": "fr",
        "conversations": 30,
        "search_only": True,
    }
    page = desk.get(PAGE).text
    assert re.search(r'value="open" checked', page)
    assert re.search(r'name="model" value="none" checked', page)
    assert "Chosen, but not in force yet: " in words(page)
    assert words(page).count("Chosen, not in force yet.") == 5  # all five, the gate too: nobody is told here


def test_what_is_as_the_box_has_it_is_not_kept(desk: TestClient, home: Path) -> None:
    """So that a later version may know better."""
    sent(desk, gate="open", model="none")
    sent(desk, gate="balanced", model="auto", **{"kiosk-row": "yes"})
    assert settings.choices(home).values == {}
    assert "not in force" not in desk.get(PAGE).text


def test_a_row_that_is_fixed_at_the_start_says_so_and_stays(tmp_path: Path) -> None:
    client = opened(tmp_path, gate="strict", search_only=True)
    page = client.get(PAGE).text
    assert page.count("<fieldset disabled>") == 2
    assert words(page).count("Fixed where Lamplight was started") == 2
    sent(client, gate="open", model="auto", language="es")
    assert settings.choices(tmp_path).values == {"language": "es"}


def test_on_the_card_the_owner_s_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "device").mkdir()
    client = opened(tmp_path, device=str(tmp_path / "device"), free="kiosk,language", kiosk=False)
    assert "Fixed by lamplight.toml on the card." in words(client.get(PAGE).text)
    assert ("made without what a screen needs" in client.get(PAGE).text) is not answers.SCREEN.exists()
    sent(client, **{"kiosk-row": "yes", "kiosk": "yes"})
    page = client.get(PAGE)
    assert "Changes when the box starts again. Chosen, not in force yet." in words(page.text)
    assert 'href="/desk/power/restart"' in page.text


@pytest.mark.parametrize(
    "form",
    [
        {"gate": "closed"},
        {"conversations": "-1"},
        {"conversations": "x"},
        {"model": "minilm"},
        {"model": "../x"},
    ],
)
def test_what_is_no_choice_is_refused_and_nothing_is_kept(
    desk: TestClient, home: Path, form: dict[str, str]
) -> None:
    assert sent(desk, **{"language": "fr", **form}) == 400
    assert not (home / chosen.FILE).exists()


def test_in_every_language(desk: TestClient) -> None:
    assert "Équilibrée" in words(desk.get(PAGE, headers={"accept-language": "fr"}).text)
    assert "Modelo de lenguaje" in words(desk.get(PAGE, headers={"accept-language": "es"}).text)


@pytest.mark.slow
def test_starting_again_is_offered_where_somebody_would_do_it(tmp_path: Path) -> None:
    client = opened(tmp_path, runtime=tmp_path / "run")
    sent(client, language="fr")
    assert "End Lamplight and start it again." in words(client.get(PAGE).text)
    assert sent(client, f"{PAGE}/again") == 409
    prepare(tmp_path / "run")
    write_states(tmp_path / "run", [ServiceState("web", "ready")])
    assert "Start Lamplight again now" in words(client.get(PAGE).text)
    assert sent(client, f"{PAGE}/again") == 200
    assert (tmp_path / "run/again").exists()


def test_what_counts_at_once_is_told(tmp_path: Path) -> None:
    now = settings.load({"home": tmp_path, "documents": "here"}, {})
    choosing, told = Choosing(lambda: now), list[settings.Settings]()
    choosing.told.append(told.append)
    choosing.choose({"gate": "open", "documents": "nobody", "conversations": 7, "language": "fr"})
    (found,) = told
    assert (found.gate, found.documents, found.conversations, found.language) == ("open", "here", 7, "en")
    choosing.choose({"conversations": 0})
    assert told[1].conversations == now.conversations  # whether any are kept is for the next start


def test_what_cannot_be_read_and_what_waits_is_on_the_status_page(tmp_path: Path) -> None:
    given = settings.load({"home": tmp_path}, {})
    assert checks(given) == ()
    (tmp_path / chosen.FILE).write_text('gate = "closed"\n')
    (tmp_path / "restore/ready").mkdir(parents=True)
    found = {check.name: check for check in checks(given)}
    assert "found 'closed', expected one of strict" in found["Choices of the desk"].sentence
    assert found["Backup"].state == "noticed"
