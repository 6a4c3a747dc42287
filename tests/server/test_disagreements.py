"""The page where own documents differ: both sides, put aside and taken back by forms alone."""

from collections.abc import Iterator

import pytest
from documents.test_contradictions import MILLER, PASTOR, add, agrees, no_vectors
from fastapi import FastAPI, Request
from selectolax.lexbor import LexborHTMLParser
from starlette.testclient import TestClient

from appliance.documents.contradictions import find
from appliance.documents.store import Store
from appliance.server import disagreements
from appliance.server.origin import require_own_page
from appliance.server.questions import BadRequest

TOKEN = {"token": "of the session"}


class Own:
    """What the page asks of own documents; an editor where the header says so."""

    def __init__(self) -> None:
        self.rights = self

    def owners(self, request: Request) -> tuple[str, ...]:
        return tuple(request.headers.get("owner", "").split(","))

    def may(self, request: Request, _role: str) -> bool:
        return "reader" not in request.headers

    def may_change(self, _request: Request) -> bool:
        return True

    def csrf(self, _request: Request) -> str:
        return "of the session"

    def require_change(self, request: Request, form: dict[str, str]) -> None:
        require_own_page(request)
        assert form["token"] == "of the session"


@pytest.fixture
def client() -> Iterator[TestClient]:
    store = Store.open()
    add(store, "Pastor", PASTOR)
    add(store, "Miller <i>", MILLER)
    find(store, agrees, no_vectors)
    app = FastAPI()
    app.include_router(disagreements.router(store, Own()))  # type: ignore[arg-type]
    with TestClient(app, "http://127.0.0.1") as found:
        yield found
    store.close()


def page(client: TestClient, address: str = "/disagreements", **headers: str) -> LexborHTMLParser:
    reply = client.get(address, headers=headers)
    assert reply.status_code == 200
    return LexborHTMLParser(reply.text)


def values(tree: LexborHTMLParser) -> list[list[str]]:
    return sorted([mark.text() for mark in pair.css("mark")] for pair in tree.css(".pairs > li"))


def test_both_sides_stand_beside_each_other_and_lead_to_their_place(client: TestClient) -> None:
    tree = page(client)
    assert values(tree) == [["1871", "1868"], ["Nine", "Seven"]]
    start, length = PASTOR.index("The stone"), len("The stone bridge was built in 1868.")
    links = [str(link.attributes["href"]) for link in tree.css("figcaption a")]
    assert f"/document?id=1&start={start}&length={length}#passage" in links
    assert "Miller &lt;i&gt;" in str(tree.html)


def test_a_pair_is_put_aside_and_taken_back_without_a_script(client: TestClient) -> None:
    form = page(client).css(".pairs form")[0]
    address = str(form.attributes["action"])
    there = client.post(address, data={"aside": "true", **TOKEN}, follow_redirects=False)
    assert (there.status_code, there.headers["location"]) == (303, "/disagreements")
    assert len(values(page(client))) == 1
    assert len(values(page(client, "/disagreements?aside=true"))) == 1
    assert client.post(address, data={"aside": "false", **TOKEN}, follow_redirects=False).status_code == 303
    assert len(values(page(client))) == 2


def test_another_place_cannot_put_one_aside(client: TestClient) -> None:
    address = str(page(client).css(".pairs form")[0].attributes["action"])
    with pytest.raises(BadRequest, match="of another place"):
        client.post(address, data={"aside": "true", **TOKEN}, headers={"origin": "http://elsewhere.example"})
    assert len(values(page(client))) == 2


def test_whose_documents_they_are_not_sees_nothing(client: TestClient) -> None:
    tree = page(client, owner="eve")
    assert values(tree) == []
    assert "No two documents were found to differ" in str(tree.html)
    with pytest.raises(BadRequest, match="no such pair"):
        client.post("/disagreements/1", data={"aside": "true", **TOKEN}, headers={"owner": "eve"})


def test_the_page_speaks_the_browsers_language(client: TestClient) -> None:
    assert page(client, **{"accept-language": "es"}).css_first("h1").text() == "Donde los documentos difieren"


def test_who_has_an_area_puts_aside_nothing_that_everybody_sees(client: TestClient) -> None:
    address = str(page(client).css(".pairs form")[0].attributes["action"])
    theirs = {"owner": ",Anna", "reader": "yes"}
    with pytest.raises(BadRequest, match="no such pair"):
        client.post(address, data=TOKEN, headers=theirs)
    assert (
        client.post(address, data=TOKEN, headers={"owner": ",Anna"}, follow_redirects=False).status_code
        == 303
    )
