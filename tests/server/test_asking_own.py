"""The start page asks the library, own documents, or both, for those to whom own documents are open."""

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from starlette.testclient import TestClient

from appliance.documents.search import Documents
from appliance.retrieval.gate import Gate
from appliance.retrieval.search import Library
from appliance.server.app import create_app
from appliance.server.own import OwnDocuments
from appliance.vectors import HashEncoder
from server import fakes, signing
from server.test_documents import HereReaders
from server.test_pages import words
from tests.documents.keep import add, ready
from tests.documents.test_search import GATE, MODEL

pytestmark = pytest.mark.slow

QUESTION = "Who bought the mill?"


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[TestClient, OwnDocuments]]:
    """The box with a document, and a phone on its network."""
    box = fakes.appliance(tmp_path_factory.mktemp("box"))
    box.library = Library([], HashEncoder(), Gate.load(GATE, "balanced"))
    box.settings = replace(box.settings, documents="everyone")
    kept = Documents.open(None, MODEL)
    add(kept, "# Mill\n\nIda bought the mill in 1923.\n", "1.md")
    add(kept, "# Secret mill\n\nAnna bought the mill in secret.\n", "2.md", owner="anna")
    found = OwnDocuments(
        box.settings, ready(kept), HashEncoder(), readers=HereReaders(), rights=signing.rights()
    )
    yield TestClient(create_app(box, own=found), "http://localhost", client=("192.0.2.7", 5000)), found
    kept.close()


@pytest.fixture
def phone(own: tuple[TestClient, OwnDocuments]) -> TestClient:
    own[1].choose(replace(own[1].settings, documents="everyone"))
    return own[0]


@pytest.mark.parametrize("scope", ["documents", "everything"])
def test_own_documents_are_asked_where_that_is_chosen(phone: TestClient, scope: str) -> None:
    reply = phone.get("/ask", params={"q": QUESTION, "scope": scope})
    assert "Ida bought the mill" in words(reply.text)
    assert "secret" not in words(reply.text)
    assert 'href="/document?id=1&amp;start=' in reply.text
    assert reply.headers["cache-control"] == "private, no-store"
    assert set(re.findall(r'name="scope" value="(\w+)"', reply.text)) == {scope}


@pytest.mark.parametrize("scope", ["", "library"])
def test_the_library_alone_knows_nothing_of_them(phone: TestClient, scope: str) -> None:
    reply = phone.get("/ask", params={"q": QUESTION, "scope": scope})
    assert "Ida" not in reply.text
    assert 'name="scope"' not in reply.text


def test_the_start_page_lets_choose_where_they_are_open(
    phone: TestClient, own: tuple[TestClient, OwnDocuments]
) -> None:
    page = phone.get("/").text
    assert re.findall(r'<option value="(\w+)"( selected)?', page) == [
        ("everything", " selected"), ("library", ""), ("documents", ""),
    ]  # fmt: skip
    assert '<option value="documents" selected' in phone.get("/ask?q=&scope=documents").text
    own[1].choose(replace(own[1].settings, documents="here"))
    assert "<select" not in phone.get("/").text
    assert phone.get("/ask", params={"q": QUESTION, "scope": "documents"}).status_code == 403
    assert phone.get("/ask", params={"q": QUESTION, "scope": "everything"}).status_code == 403
    assert "Ida" not in phone.get("/ask", params={"q": QUESTION}).text


@pytest.mark.parametrize("scope", ["document:1", "folder:letters", "source:a", "nonsense"])
def test_narrower_scopes_belong_to_conversations(phone: TestClient, scope: str) -> None:
    assert phone.get("/ask", params={"q": QUESTION, "scope": scope}).status_code == 400


def test_the_page_of_a_document_asks_the_library_from_its_top(phone: TestClient) -> None:
    """The form at the top of other pages carries no scope of theirs."""
    assert 'name="scope"' not in phone.get("/document?id=1").text.split("</header>")[0]
