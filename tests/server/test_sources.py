from html.parser import HTMLParser

from every import every
from starlette.testclient import TestClient

from appliance.server import links
from appliance.server.layout import filled, lay_out
from appliance.server.sources import anchor_at
from appliance.sources.textblocks import read as read_text
from server.fakes import ODD_TITLES, TETANUS


class Marks(HTMLParser):
    """The text inside <mark>, and the ids on the page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.marked: list[str] = []
        self.ids: list[str] = []
        self._inside = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.ids += [value for name, value in attrs if name == "id" and value]
        self._inside = self._inside or tag == "mark"
        if tag == "mark":
            self.marked.append("")

    def handle_endtag(self, tag: str) -> None:
        self._inside = self._inside and tag != "mark"

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.marked[-1] += data


def test_runs_of_items_are_one_list_and_headings_have_ids() -> None:
    parts = list(lay_out(TETANUS, 0, 0))
    assert [part.tag for part in parts] == ["paragraph", "h2", "paragraph", "h2", "item", "row", "code"]
    assert [part.id for part in parts if part.id] == ["h-1", "h-2"]
    assert len(parts[4].lines) == 2
    assert not any(piece.marked for part in parts for line in part.lines for piece in line)


def test_the_passage_is_marked_across_blocks_once_scrolled_to() -> None:
    start, end = TETANUS.text.index("ten years"), TETANUS.text.index(" wound is cleaned")
    pieces = [piece for part in lay_out(TETANUS, start, end) for line in part.lines for piece in line]
    marked = [piece for piece in pieces if piece.marked]
    assert [piece.text for piece in marked] == [
        "ten years; then it is given again.",
        "Every deep or dirty",
    ]
    assert [piece.first for piece in marked] == [True, False]
    assert "".join(piece.text for piece in pieces) == TETANUS.text.replace("\n    ", "\t").replace(
        "\n", ""
    ).replace("\t", "\n    ")


def test_anchor_at() -> None:
    assert anchor_at(TETANUS, 0) == ""
    assert anchor_at(TETANUS, TETANUS.text.index("poison")) == "Cause"


def test_page_marks_exactly_the_passage(client: TestClient) -> None:
    start = TETANUS.text.index("poison of")
    page = client.get(links.source_url("first_aid_en", "Tetanus", start, 26))
    found = Marks(page.text)
    assert found.marked == [TETANUS.text[start : start + 26]]
    assert {"passage", "h-1", "h-2"} <= set(found.ids)
    assert "CC BY-SA 4.0" in page.text
    assert "2026-05-01" in page.text
    assert 'href="#h-1"' in page.text


@every("title", ODD_TITLES)
def test_odd_titles_open(client: TestClient, title: str) -> None:
    page = client.get(links.source_url("first_aid_en", title))
    assert page.status_code == 200
    assert "<svg" not in page.text
    assert "All about" in page.text


def test_a_passage_that_is_no_longer_there_says_so(client: TestClient) -> None:
    page = client.get(links.source_url("first_aid_en", "Tetanus", 90_000, 50))
    assert page.status_code == 200
    assert "no longer at this place" in page.text


def test_a_citation_of_an_older_edition_opens_in_the_newer_one(client: TestClient) -> None:
    page = client.get(links.source_url("first_aid_en_2020-01", "Tetanus", 77, 50))
    assert page.status_code == 200
    assert "older edition first_aid_en_2020-01" in page.text
    assert Marks(page.text).marked == []


@every(
    ("query", "status"),
    [
        ("archive=first_aid_en&path=Nowhere", 404),
        ("archive=first_aid_en&path=Tet%00anus", 404),
        ("archive=nowhere&path=Tetanus", 404),
        ("archive=&path=Tetanus", 404),
        ("archive=first_aid_en&path=tetanus", 404),  # nothing is lower-cased
        ("archive=first_aid_en", 400),
        ("archive=first_aid_en&path=Tetanus&start=-1&length=4", 400),
        ("archive=first_aid_en&path=Tetanus&start=x&length=4", 400),
        ("archive=first_aid_en&path=Tetanus&start=99999999999999999999&length=4", 400),
    ],
)
def test_bad_input_is_a_calm_page(client: TestClient, query: str, status: int) -> None:
    page = client.get("/source?" + query)
    assert page.status_code == status
    assert "Back to the start page" in page.text


def test_a_program_reads_an_article_in_stretches(client: TestClient) -> None:
    place = {"archive": "first_aid_en", "path": "Tetanus"}
    text, offset = "", 0
    while offset is not None:
        reply = client.get("/api/source", params={**place, "offset": offset, "limit": 90}).json()
        text, offset = text + reply["text"], reply["next_offset"]
    assert (text, reply["total"]) == (TETANUS.text, len(TETANUS.text))
    assert client.get(reply["url"]).status_code == 200
    older = client.get(
        "/api/source", params={**place, "archive": "first_aid_en_2020-01", "offset": 50}
    ).json()
    assert (older["archive"], older["offset"]) == ("first_aid_en", 0)


@every(
    ("query", "status", "field"),
    [
        ("archive=nowhere&path=x", 404, "archive"),
        ("archive=first_aid_en&path=Nothing", 404, "path"),
        ("archive=first_aid_en&path=Tet%00", 404, "path"),
        ("archive=first_aid_en&path=..%2f..%2fetc%2fpasswd", 404, "path"),
        ("archive=first_aid_en&path=Tetanus&limit=50001", 400, "limit"),
        ("archive=first_aid_en&path=Tetanus&offset=-1", 400, "offset"),
        ("archive=documents&path=1", 404, "archive"),  # this box keeps none
    ],
)
def test_what_a_program_cannot_read_is_said(client: TestClient, query: str, status: int, field: str) -> None:
    reply = client.get("/api/source?" + query)
    assert (reply.status_code, reply.json()["error"]["param"]) == (status, field)


def test_a_program_lists_the_shelf(client: TestClient) -> None:
    found = client.get("/api/archives").json()["archives"]
    assert [(one["name"], one["searched"]) for one in found] == [("first_aid_en", True), ("santé_fr", False)]


def test_lines_that_end_for_their_width_alone_are_put_together() -> None:
    wide = (
        "I am to keep the accounts of the sewing circle this year, since\r\nthere are nineteen of us.\nEdda"
    )
    document = read_text(f"{wide}\n\n```\n{wide}\n```\n", "letter.txt").document
    shown = filled(document)
    assert len(shown.text) == len(document.text)
    assert shown.text.startswith("I am to keep the accounts of the sewing circle this year, since  there are")
    assert "of us.\nEdda\n" in shown.text
    assert shown.text.count("since\r\nthere are") == 1  # code stays as it is
