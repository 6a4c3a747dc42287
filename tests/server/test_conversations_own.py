"""Conversations over own documents: the scope that is chosen is kept and holds, what is deleted is gone."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.requests import Request

from appliance.documents.records import Scope
from appliance.documents.search import Documents
from appliance.retrieval.gate import Gate
from appliance.retrieval.search import Library
from appliance.server.app import create_app
from appliance.server.own import OwnDocuments
from appliance.server.talk import Talk, open_talk
from appliance.vectors import HashEncoder
from server import fakes, signing
from server.phones import HERE, Phone
from server.test_conversations import read
from server.test_documents import HereReaders
from server.test_pages import words
from tests.documents.keep import add, ready
from tests.documents.test_search import GATE, MODEL

pytestmark = pytest.mark.slow

QUESTION = "Who bought the mill goat well?"


@pytest.fixture(scope="module")
def documents() -> Documents:
    kept = Documents.open(None, MODEL)
    add(kept, "# Mill\n\nIda bought the mill in 1923.\n", "1.md", folder="letters")
    add(kept, "# Goat\n\nIda bought the goat in 1924.\n", "2.md", folder="letters/1924")
    add(kept, "# Well\n\nAnna bought the well in secret.\n", "3.md", owner="anna")
    return ready(kept)


def owners(request: Request) -> tuple[str, ...]:
    """By a header, where a box would ask who has opened their area."""
    given = request.headers.get("x-owners")
    return tuple(given.split(",")) if given is not None else ()


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory, documents: Documents) -> Iterator[Phone]:
    box = fakes.appliance(tmp_path_factory.mktemp("box"))
    box.library = Library([], HashEncoder(), Gate.load(GATE, "balanced"))
    talk = Talk(box, documents.store, documents, owners)
    with Phone(create_app(box, talk=talk), HERE) as found:
        yield found


@pytest.fixture
def phone(running: Phone) -> Phone:
    """A phone that nobody has asked with, to which the common documents are open."""
    found = Phone(running.app, HERE, headers={"x-owners": ""})
    found.portal = running.portal
    return found


def shown(phone: Phone, number: str) -> list[tuple[str, str, set[str]]]:
    """Of each turn its question, its scope and the titles that it shows."""
    return [
        (turn["question"], turn["scope"], {one["title"] for one in turn["passages"]})
        for turn in phone.get(f"/api{number}").json()["all_turns"]
    ]


@pytest.mark.parametrize(
    ("scope", "titles"),
    [
        ("", {"Mill", "Goat"}),
        ("documents", {"Mill", "Goat"}),
        ("library", set()),
        ("folder:letters/1924", {"Goat"}),
        ("document:1", {"Mill"}),
        ("document:3", set()),
    ],
)
def test_a_conversation_stays_in_its_scope(phone: Phone, scope: str, titles: set[str]) -> None:
    there = phone.post_to("/conversations", q=QUESTION, id="one", scope=scope)
    read(phone, there)
    phone.post_to(f"{there}/turns", q=f"{QUESTION} Again?", id="two")
    read(phone, there)
    found = shown(phone, there)
    assert [seen for _, _, seen in found] == [titles, titles]
    assert {written for _, written, _ in found} == {scope or "everything"}


def test_the_scope_is_chosen_anew_and_kept(phone: Phone) -> None:
    there = phone.post_to("/conversations", q=QUESTION, id="one", scope="document:1")
    page = read(phone, there)
    assert '<option value="document:1" selected>Mill</option>' in page
    assert '<option value="folder:letters/1924">letters/1924</option>' in page
    assert "Well" not in words(page)
    phone.post_to(f"{there}/turns", q=QUESTION, id="two", scope="folder:letters")
    page = read(phone, there)
    assert '<option value="folder:letters" selected>' in page
    assert [seen for _, _, seen in shown(phone, there)] == [{"Mill"}, {"Mill", "Goat"}]
    assert "Asked in: letters" in words(page)


def test_an_area_is_seen_by_who_has_opened_it(phone: Phone) -> None:
    phone.headers["x-owners"] = ",anna"
    there = phone.post_to("/conversations", q=QUESTION, id="one")
    read(phone, there)
    assert shown(phone, there)[0][2] == {"Mill", "Goat", "Well"}
    assert '<option value="document:3">Well</option>' in read(phone, there)


def test_documents_that_are_not_open_cannot_be_asked(phone: Phone) -> None:
    del phone.headers["x-owners"]
    assert "<select" not in read(phone, "/conversations")
    for scope in ("everything", "documents", "folder:letters", "document:1"):
        assert phone.post("/conversations", data={"q": QUESTION, "scope": scope}).status_code == 403
    there = phone.post_to("/conversations", q=QUESTION, id="one")
    read(phone, there)
    assert shown(phone, there) == [(QUESTION, "library", set())]


def test_what_was_open_and_is_closed_shows_nothing_more(phone: Phone) -> None:
    there = phone.post_to("/conversations", q=QUESTION, id="one")
    assert "Ida" in read(phone, there)
    del phone.headers["x-owners"]
    page = read(phone, there)
    assert "Ida" not in page
    assert "not open to you now" in page
    assert phone.post(f"{there}/turns", data={"q": QUESTION, "id": "x"}).status_code == 403
    fields = dict(re.findall(r'type="hidden" name="(scope|id)" value="([^"]+)"', page))
    assert fields["scope"] == "library"
    phone.post_to(f"{there}/turns", q=QUESTION, **fields)  # it goes on in the library
    read(phone, there)
    assert [seen for _, _, seen in shown(phone, there)] == [{""}, set()]


def test_a_deleted_document_is_gone_from_the_page(phone: Phone, documents: Documents) -> None:
    barn = add(documents, "# Barn\n\nOlaf bought the barn in 1925.\n", "4.md")
    ready(documents)
    there = phone.post_to("/conversations", q="Who bought the barn?", id="one", scope=f"document:{barn}")
    assert "Olaf bought the barn" in read(phone, there)
    assert "Olaf bought the barn" in read(phone, there)
    documents.remove([barn], Scope())
    page = read(phone, there)
    assert "Olaf" not in page
    assert "was deleted" in page
    turn = phone.get(f"/api{there}").json()["all_turns"][0]
    assert [one["deleted"] for one in turn["passages"]] == [True]


def test_a_citation_leads_to_the_document(phone: Phone) -> None:
    there = phone.post_to("/conversations", q="Who bought the mill?", id="one", scope="document:1")
    read(phone, there)
    assert 'href="/document?id=1&amp;start=' in read(phone, there)


@pytest.mark.parametrize(
    ("scope", "name", "titles"),
    [
        ("document:1", "Mill", {"Mill"}),
        ("folder:letters", "letters", {"Mill", "Goat"}),
        ("everything", "Own documents", {"Mill", "Goat"}),
    ],
)
def test_documents_are_summed_up_in_a_conversation(
    phone: Phone, scope: str, name: str, titles: set[str]
) -> None:
    there = phone.post_to("/conversations/summary", id="one", scope=scope)
    assert phone.post_to("/conversations/summary", id="one", scope=scope) == there
    for _ in range(2):
        page = words(read(phone, there))
        assert f"Summary: {name}" in page
        assert "“Ida bought the mill in 1923.” [1]" in page.replace(" ]", "]") or "document:1" not in scope
        assert "no language model was asked" in page
    (turn,) = phone.get(f"/api{there}").json()["all_turns"]
    assert turn["kind"] == "summary"
    assert {one["title"] for one in turn["answer"]["citations"]} == titles
    assert all(one["matches"] for one in turn["answer"]["citations"])
    phone.post_to(f"{there}/summary", id="two", scope="document:2")
    read(phone, there)
    assert [seen for _, _, seen in shown(phone, there)] == [titles, {"Goat"}]


def test_the_library_is_not_summed_up_nor_what_is_closed(phone: Phone) -> None:
    assert phone.post("/conversations/summary", data={"scope": "library"}).status_code == 400
    del phone.headers["x-owners"]
    assert phone.post("/conversations/summary", data={"scope": "document:1"}).status_code == 403


def test_a_question_after_a_summary_stands_alone(phone: Phone) -> None:
    there = phone.post_to("/conversations/summary", id="one", scope="folder:letters")
    read(phone, there)
    phone.post_to(f"{there}/turns", q="and why?", id="two")
    assert "Understood as" not in words(read(phone, there))


def test_from_the_page_of_a_document_to_its_summary_and_back(tmp_path: Path) -> None:
    box = fakes.appliance(tmp_path)
    rights = signing.rights()
    own = OwnDocuments(
        box.settings, Documents.open(None, MODEL), HashEncoder(), readers=HereReaders(), rights=rights
    )
    app = create_app(box, talk=open_talk(box, own.documents, own.seen), own=own)
    with Phone(app, signing.NAMED, client=("127.0.0.1", 5000)) as phone:
        editor = Phone(app, HERE)
        signing.program(editor, rights)
        editor.post("/api/documents", params={"name": "mill.md"}, content=b"# Mill\n\nIda bought the mill.\n")
        page = phone.get("/document?id=1").text
        assert 'formaction="/conversations/summary"' in page
        fields = dict(re.findall(r'type="hidden" name="(scope|id)" value="([^"]+)"', page))
        there = phone.post_to("/conversations/summary", **fields)
        answer = read(phone, there)
        assert "“Ida bought the mill.”" in answer
        (address,) = set(re.findall(r'class="cite" href="(/document[^"#]+)', answer))
        assert "<mark" in phone.get(address.replace("&amp;", "&")).text
        stranger = Phone(app, HERE, client=("192.0.2.7", 5000))
        stranger.portal = phone.portal
        assert stranger.get("/document?id=1").status_code == 403
        assert stranger.post("/conversations", data={"q": "mill", **fields}).status_code == 403
        assert "<select" not in stranger.get("/conversations").text
