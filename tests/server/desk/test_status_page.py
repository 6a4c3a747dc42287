"""The status page of the desk: the gravest first, and the public one, which says no more than it may."""

from pathlib import Path

import pytest

from appliance.device.verbs import Journal
from appliance.server.desk.status import by_severity
from server import fakes
from server.desk import boxes
from server.test_pages import words

pytestmark = pytest.mark.slow


def test_what_needs_somebody_comes_first_with_its_remedy(tmp_path: Path) -> None:
    with boxes.application(tmp_path) as app, boxes.admin(app) as desk:
        page = words(desk.get("/desk").text)
    places = [page.index(text) for text in ("Something needs help now", "Make a backup.", "Copy it again.")]
    assert places == sorted(places)
    assert page.index("81 °C") < page.index("by the time that was kept") < page.index("About 3 in the last")
    assert "lamplight-web" in page  # the table of programs


def test_off_the_card_it_says_what_is_not_watched(tmp_path: Path) -> None:
    with boxes.application(tmp_path, device=False) as app, boxes.admin(app) as desk:
        page = words(desk.get("/desk").text)
    assert "This is an ordinary computer" in page
    assert "lamplight-web" not in page


def test_everybody_learns_only_that_there_is_more(tmp_path: Path) -> None:
    with boxes.application(tmp_path) as app, boxes.visitor(app) as anybody:
        page = words(anybody.get("/status").text)
        told = anybody.get("/healthz").text
    assert "2 more things to look at, for whoever looks after this box" in page
    for text in (page, told):
        assert "mmcblk0p3" not in text
        assert "About 3" not in text


def test_the_headline_is_of_the_gravest() -> None:
    assert by_severity(fakes.FakeHealth()).worst == "warning"
    assert by_severity(fakes.FakeHealth(checks=(fakes.FakeCheck("A", "off"),))).worst == "fine"


def test_the_helper_is_asked_for_errors_of_the_card_once_in_a_while(tmp_path: Path) -> None:
    with boxes.application(tmp_path) as app, boxes.admin(app) as desk:
        with boxes.helped(tmp_path) as root:
            pages = [words(desk.get("/desk").text) for _ in range(3)]
        assert root.asked == [Journal("kernel", 3, 200)]
    assert all("met since this start: 1." in page for page in pages)


def test_a_helper_that_does_not_answer_is_told(tmp_path: Path) -> None:
    with boxes.application(tmp_path) as app, boxes.admin(app) as desk:
        assert "Helper needs a look" in words(desk.get("/desk").text)
