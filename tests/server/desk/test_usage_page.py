"""The page of usage: charts that are a table too, CSV, and the switch."""

import csv
import io
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from appliance import settings
from appliance.server.app import create_app
from appliance.server.desk import usage as page
from appliance.server.desk.chart import HEIGHT, chart
from appliance.usage.usage import Usage
from server import fakes, signing
from server.desk import boxes
from server.test_pages import words

pytestmark = pytest.mark.slow


@pytest.fixture
def usage(tmp_path: Path) -> Usage:
    found = Usage(tmp_path)
    for _ in range(3):
        found.count("question")
    found.count("refusal")
    for _ in range(1234):
        found.count("article", "medicine")
    found.count("article", "=cmd()")
    return found


@pytest.fixture
def desk(tmp_path: Path, usage: Usage) -> Iterator[TestClient]:
    app = create_app(fakes.appliance(tmp_path), usage=usage)
    with boxes.admin(app) as found:
        yield found


def test_the_charts_say_in_words_what_they_show(desk: TestClient) -> None:
    text = desk.get(page.PAGE).text
    told = words(text)
    assert "Questions 3, of which 1 refused" in told
    assert "Opened articles 1,235" in told
    assert 'style="' not in text  # the policy of all pages forbids it
    assert re.search(rf'<th scope="row"><time>{date.today()}</time></th><td>3</td><td>1</td>', text)


def test_the_csv_is_for_spreadsheets_and_not_for_their_formulas(desk: TestClient) -> None:
    reply = desk.get(f"{page.PAGE}/counts.csv")
    assert reply.headers["content-disposition"].startswith("attachment")
    rows = list(csv.reader(io.StringIO(reply.text)))
    today = str(date.today())
    assert rows[0] == ["period", "what", "archive", "number"]
    assert [today, "question", "", "3"] in rows
    assert [today, "article", "'=cmd()", "1"] in rows


def test_the_switch_deletes_and_is_kept(desk: TestClient, usage: Usage, tmp_path: Path) -> None:
    usage.write()
    assert usage.file is not None
    assert usage.file.exists()
    token = re.search(r'name="token" value="([^"]+)"', desk.get(page.PAGE).text)
    assert token
    off = desk.post(page.PAGE, data={"token": token[1], "usage": "off"})
    assert "Counting is off, and nothing is kept." in words(off.text)
    assert settings.choices(tmp_path).values == {"usage": False}
    assert not usage.file.exists()
    on = desk.post(page.PAGE, data={"token": token[1], "usage": "on"})
    assert "Nothing was counted yet." in words(on.text)
    assert settings.choices(tmp_path).values == {}


def test_an_editor_looks_and_an_admin_switches(tmp_path: Path, usage: Usage) -> None:
    app = create_app(fakes.appliance(tmp_path), usage=usage)
    editor = TestClient(app, signing.NAMED, client=("10.0.0.7", 5000))
    token = signing.signed_in(editor, app.state.rights, "editor")
    told = words(editor.get(page.PAGE).text)
    assert "Questions 3, of which 1 refused" in told
    assert "Stop counting" not in told
    assert editor.post(page.PAGE, data={"token": token, "usage": "off"}).status_code == 403
    assert usage.counts()
    reader = TestClient(app, signing.NAMED, client=("10.0.0.8", 5000))
    signing.signed_in(reader, app.state.rights, "reader")
    assert reader.get(page.PAGE).status_code == reader.get(f"{page.PAGE}/counts.csv").status_code == 403


def test_days_after_today_are_explained() -> None:
    shown = page.drawn({("2099-01-01", "question", ""): 1}, date(2026, 11, 30))
    assert shown["later"]
    assert shown["questions"].empty


def test_bars_are_in_proportion_and_no_count_is_invisible() -> None:
    found = chart(["a", "b", "c"], [1000, 0, 1], [250, 0, 1])
    assert [bar.height for bar in found.bars] == [HEIGHT, 0, 1.5]
    assert found.bars[0].part_height == HEIGHT / 4
    assert (found.total, found.parts, found.most) == (1001, 251, 1000)
    assert chart(["a"], [0]).empty
