"""The timeline as a visitor sees it: pages and links, no script."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from documents.keep import whole
from fastapi import FastAPI
from selectolax.lexbor import LexborHTMLParser
from starlette.testclient import TestClient

from appliance.documents.store import Store
from appliance.documents.timeline import read_dates
from appliance.server import timeline
from appliance.server.questions import BadRequest

pytestmark = pytest.mark.slow

TEXTS = {
    "Flood": "The river came on 12 April 1923.\n\nTwo days later it had gone. The mill is of the "
    "18th century.",
    "Bridge": "In April 1926 the <b>bridge</b> was opened.",
    "Years": " ".join(f"In {year} it rained." for year in range(1801, 1850)),
}


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    store = Store.open()
    with store.write() as connection:
        for title, text in TEXTS.items():
            connection.execute(
                "INSERT INTO document(sha256, owner, folder, name, title, media_type, added, text) "
                "VALUES(?, ?, 'village', ?, ?, 'text/plain', ?, ?)",
                (
                    title.encode(),
                    "ann" if title == "Bridge" else "",
                    title,
                    title,
                    str(datetime.now(UTC)),
                    text,
                ),
            )
            document = connection.last_insert_rowid()
            whole(connection, document, text)
    read_dates(store)
    app = FastAPI()
    app.include_router(
        timeline.router(store, lambda request: tuple(request.headers.get("owners", "-").split(",")))
    )
    with TestClient(app, "http://127.0.0.1", headers={"owners": "-,"}) as found:
        yield found
    store.close()


def page(client: TestClient, address: str = "/timeline", **headers: str) -> LexborHTMLParser:
    reply = client.get(address, headers=headers)
    assert reply.status_code == 200
    assert "<script" not in reply.text.partition("</head>")[2]
    return LexborHTMLParser(reply.text)


def bars(tree: LexborHTMLParser) -> list[tuple[str, str]]:
    return [
        (link.css_first(".unseen").text(), link.css_first(".count").text()) for link in tree.css(".bars a")
    ]


def test_one_zooms_by_links_alone_from_all_of_time_to_the_passage(client: TestClient) -> None:
    address = "/timeline"
    for wanted in ("1920s", "1923", "April 1923", "14 April 1923"):
        tree = page(client, address)
        (address,) = [
            link.attributes["href"]
            for link in tree.css(".bars a")
            if link.css_first(".unseen").text() == wanted
        ]
    tree = page(client, address)
    (moment,) = tree.css("a.moment")
    assert moment.css_first("mark").text() == "Two days later"
    assert "worked out" in moment.text()
    start = TEXTS["Flood"].index("Two days later")
    assert moment.attributes["href"] == f"/document?id=1&start={start}&length=14#passage"
    assert [link.text() for link in tree.css(".path a")] == [
        "All of time", "20th century", "1920s", "1923", "April 1923",
    ]  # fmt: skip


def test_wider_dates_are_told_apart(client: TestClient) -> None:
    tree = page(client, "/timeline?at=1750s")
    assert [one.text() for one in tree.css(".wider mark")] == ["the 18th century"]
    assert tree.css(".dates mark") == []


def test_words_filter_and_stay_while_zooming(client: TestClient) -> None:
    tree = page(client, "/timeline?q=mills")
    found = [one.text() for one in tree.css("a.moment mark")]
    assert found == ["the 18th century", "12 April 1923", "Two days later"]
    assert all("q=mills" in str(link.attributes["href"]) for link in tree.css(".bars a"))


def test_what_is_another_owners_is_not_there(client: TestClient) -> None:
    assert "bridge" not in page(client).html
    assert "&lt;b&gt;bridge&lt;/b&gt;" in str(page(client, owners="ann").html)


def test_long_lists_have_pages(client: TestClient) -> None:
    tree = page(client, "/timeline?at=c19")
    (more,) = [link.attributes["href"] for link in tree.css(".beside a[rel=next]") if "More" in link.text()]
    assert len(page(client, more).css("a.moment")) == 49 - timeline.SHOWN


def test_the_page_speaks_the_browsers_language(client: TestClient) -> None:
    tree = page(client, "/timeline?at=1923-04", **{"accept-language": "fr"})
    assert tree.css_first("h1").text() == "Chronologie"
    assert ("14 avril 1923", "1") in bars(tree)


def test_a_stretch_that_is_none_is_said_so(client: TestClient) -> None:
    with pytest.raises(BadRequest, match="no stretch of time"):
        client.get("/timeline?at=yesterday")


def test_nothing_there_is_said_in_a_sentence(client: TestClient) -> None:
    assert "None of your documents tells a date yet" in str(page(client, owners="nobody").html)
    assert "No date fits" in str(page(client, "/timeline?q=zebra").html)
