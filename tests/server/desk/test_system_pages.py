"""The pages that touch the system, over the helper's real socket: network, clock, power, logs."""

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from appliance.device.journal import LEAST
from appliance.device.verbs import Journal, KeepNetwork, PowerOff, Restart, SetClock, TryNetwork
from appliance.errors import DeviceError
from appliance.server.desk.trials import FILE, Trials
from appliance.server.rights import COOKIE
from server.desk import boxes
from server.test_pages import words as shown_words

pytestmark = pytest.mark.slow

PAGES = ("/desk/network", "/desk/clock", "/desk/power", "/desk/power/stop", "/desk/logs")
FORM = {
    "name": "lamplight",
    "ssid": "Lamplight",
    "passphrase": "",
    "country": "00",
    "band": "2.4",
    "channel": "0",
}


def words(page: str) -> str:
    return unescape(shown_words(page))


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A card whose helper does not answer."""
    with boxes.application(tmp_path_factory.mktemp("alone")) as app, boxes.admin(app) as found:
        yield found


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[TestClient, boxes.Root]]:
    """A card with its helper; signing in takes a tenth of a second, so all tests share one."""
    tmp = tmp_path_factory.mktemp("box")
    with boxes.application(tmp) as app, boxes.admin(app) as found, boxes.helped(tmp) as root:
        yield found, root


@pytest.fixture
def root(box: tuple[TestClient, boxes.Root]) -> boxes.Root:
    """Its helper, which has not been asked for anything."""
    box[1].asked.clear()
    box[1].refusal = None
    return box[1]


@pytest.fixture
def desk(box: tuple[TestClient, boxes.Root], root: boxes.Root) -> TestClient:
    assert root.asked == []
    return box[0]


def send(desk: TestClient, page: str, **form: str):
    return desk.post(page, data={"token": boxes.token(desk.get(page).text), **form})


def test_off_the_card_each_page_says_what_is_not_there(tmp_path: Path) -> None:
    with boxes.application(tmp_path, device=False) as app, boxes.admin(app) as desk:
        for page in PAGES:
            shown = desk.get(page)
            assert shown.status_code == 200, page
            assert "This is an ordinary computer: " in words(shown.text), page
            assert "<form" not in shown.text.partition("<main")[2], page


@pytest.mark.parametrize("page", [page for page in PAGES if page != "/desk/power"])
def test_without_a_helper_a_page_says_so_calmly(alone: TestClient, page: str) -> None:
    form = {**FORM, "ssid": "Other", "seconds": "1790000100"}
    sent = alone.get(page) if page == "/desk/logs" else send(alone, page, **form)
    assert sent.status_code in (200, 400, 503)
    assert "helper does not answer" in words(sent.text)
    assert "Traceback" not in sent.text


def test_a_network_is_tried_and_kept_with_the_key_of_its_link(desk: TestClient, root: boxes.Root) -> None:
    sent = send(
        desk, "/desk/network", **{**FORM, "name": "School", "ssid": "School", "passphrase": "water & light"}
    )
    assert sent.status_code == 200
    assert root.asked == [TryNetwork("school", "School", "water & light", "00", "2.4", 0)]
    assert "water & light" in words(sent.text)
    (link,) = re.findall(r'"(http://school\.home\.arpa/desk/network/keep\?key=[^"]+)"', unescape(sent.text))
    key = link.partition("key=")[2]
    phone = boxes.visitor(desk.app)  # under the new name it has no session
    for wrong in ("", "x", key[:-1]):
        assert phone.get("/desk/network/keep", params={"key": wrong}).status_code in (401, 403)
        assert phone.post("/desk/network/keep", data={"key": wrong}).status_code in (401, 403)
    page = phone.get("/desk/network/keep", params={"key": key})
    assert "You have joined School" in words(page.text)
    assert "/desk/logs" not in page.text  # the key opens nothing else
    by_number = TestClient(desk.app, "http://127.0.0.1", follow_redirects=False)  # where nobody is signed in
    assert "You have joined School" in words(by_number.get("/desk/network/keep", params={"key": key}).text)
    assert "It stays" in words(phone.post("/desk/network/keep", data={"key": key}).text)
    assert root.asked[1:] == [KeepNetwork()]
    assert phone.post("/desk/network/keep", data={"key": key}).status_code in (401, 403)


def test_who_has_signed_in_keeps_it_without_the_link(desk: TestClient, root: boxes.Root) -> None:
    sent = send(desk, "/desk/network", **{**FORM, "ssid": "Other"})
    assert "http://localhost/desk/network/keep?key=" in sent.text  # the name stays, so does the session
    page = desk.get("/desk/network")
    assert "A network is on trial" in words(page.text)
    kept = desk.post("/desk/network/keep", data={"token": boxes.token(page.text)})
    assert "It stays" in words(kept.text)
    assert root.asked[-1] == KeepNetwork()
    assert "on trial" not in words(desk.get("/desk/network").text)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({}, "Nothing was changed."),
        ({"passphrase": "short"}, "found 5 characters"),
        ({"ssid": "x" * 33}, "found 33 bytes"),
        ({"ssid": ""}, "network's name cannot be used"),
        ({"name": "two words"}, "box's name cannot be used"),
        ({"country": "XX"}, "country cannot be used"),
        ({"band": "5"}, "allowed in some countries only"),
        ({"channel": "36"}, "one of 1, 6, 11"),
        ({"channel": "99999999999999999999", "ssid": "Y", "name": "<b>"}, "box's name cannot be used"),
    ],
)
def test_what_cannot_be_used_is_said_before_the_helper_is_asked(
    desk: TestClient, root: boxes.Root, change: dict[str, str], said: str
) -> None:
    sent = send(desk, "/desk/network", **{**FORM, **change})
    assert sent.status_code == 400
    assert said in words(sent.text)
    assert root.asked == []


def test_a_refusal_of_the_helper_is_on_the_page(desk: TestClient, root: boxes.Root) -> None:
    root.refusal = DeviceError("A network is on trial already.", "Keep it, or wait.")
    sent = send(desk, "/desk/network", **{**FORM, "ssid": "Other"})
    assert "A network is on trial already. Keep it, or wait." in words(sent.text)
    assert 'value="Other"' in sent.text  # what was typed is still there


def test_a_trial_is_over_when_its_time_is(tmp_path: Path) -> None:
    now = [1000.0]
    trials = Trials(tmp_path / "run", lambda: now[0])
    key = trials.begin("Other", "lamplight")
    assert trials.opens(key)
    assert key not in (tmp_path / "run" / FILE).read_text()
    now[0] += 184
    assert trials.opens(key)
    now[0] += 2
    assert not trials.opens(key)
    now[0] = 5.0  # the machine has started again
    assert trials.now() is None
    for content in ("", "[]", "{}", '{"ends": "x"}'):
        (tmp_path / "run" / FILE).write_text(content)
        assert not trials.opens(key)


@pytest.mark.parametrize(("what", "verb"), [("stop", PowerOff()), ("restart", Restart())])
def test_power_takes_two_steps(desk: TestClient, root: boxes.Root, what: str, verb: object) -> None:
    assert f"/desk/power/{what}" in desk.get("/desk/power").text
    sure = desk.get(f"/desk/power/{what}")
    assert root.asked == []
    done = desk.post(f"/desk/power/{what}", data={"token": boxes.token(sure.text)})
    assert root.asked == [verb]
    assert ("the plug may be pulled" in words(done.text)) == (what == "stop")
    assert desk.get("/desk/power/explode").status_code == 400


def test_the_clock_is_put_forward_by_the_visitors_own(desk: TestClient, root: boxes.Root) -> None:
    mine = boxes.admin(desk.app)
    before = mine.cookies[COOKIE]
    form = {"token": boxes.token(mine.get("/desk/clock").text), "local": "2001-01-01T00:00"}
    sent = mine.post("/desk/clock", data={**form, "seconds": "1790000100"}, follow_redirects=False)
    assert root.asked == [SetClock(1_790_000_100)]
    assert (sent.status_code, sent.headers["location"]) == (303, "/desk/clock?set")
    # By the new time the session from before may have ended, so there is another one.
    new, old = (
        TestClient(desk.app, desk.base_url, cookies={COOKIE: one}) for one in (sent.cookies[COOKIE], before)
    )
    assert "The clock stands at " in words(new.get("/desk/clock?set").text)
    assert old.get("/desk/clock", follow_redirects=False).status_code == 303


def test_the_clock_is_not_put_back(desk: TestClient, root: boxes.Root) -> None:
    assert root.asked == []
    back = send(desk, "/desk/clock", seconds="1700000000")
    assert "The clock can be put forward, not back." in words(back.text)
    french = desk.post("/desk/clock", data={"token": boxes.token(back.text), "seconds": "1700000000"},
                       headers={"accept-language": "fr"})  # fmt: skip
    assert "L’horloge s’avance" in words(french.text)


@pytest.mark.parametrize("form", [{}, {"seconds": "soon"}, {"local": "2026-13-01"}, {"seconds": "9" * 13},
                                  {"local": "1890-01-01T00:00"}, {"seconds": "²"}])  # fmt: skip
def test_what_is_no_time_is_said(desk: TestClient, root: boxes.Root, form: dict[str, str]) -> None:
    sent = send(desk, "/desk/clock", **form)
    assert sent.status_code == 400
    assert "This is no time." in words(sent.text)
    assert root.asked == []


def test_the_logs_are_filtered_and_the_latest_come_first(desk: TestClient, root: boxes.Root) -> None:
    page = desk.get("/desk/logs", params={"source": "kernel", "level": "3"})
    assert root.asked == [Journal("kernel", 3, 100)]
    text = words(page.text)
    assert text.index("dev mmcblk0") < text.index("upstream timed out") < text.index("Started lamplight-web")
    assert '<li class="error">' in page.text
    desk.get("/desk/logs", params={"source": "../etc", "level": "7"})
    assert root.asked[-1] == Journal("all", LEAST, 100)
    assert desk.get("/desk/logs", params={"level": "8"}).status_code == 400
