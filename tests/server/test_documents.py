"""Own documents on the pages and over the API: taken in, shown, asked, deleted, and closed to strangers."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from people.boxes import CHEAP
from starlette.testclient import TestClient

from appliance.documents import areas, keeping
from appliance.documents.parts import Divided, divided, estimate
from appliance.documents.readers import Readers
from appliance.documents.records import Scope
from appliance.documents.search import Documents
from appliance.people.records import Role
from appliance.retrieval.gate import Gate
from appliance.retrieval.search import Library
from appliance.server import api
from appliance.server.app import create_app
from appliance.server.area import COOKIE, Areas
from appliance.server.own import OwnDocuments
from appliance.server.talk import Talk
from appliance.sources import files
from appliance.vectors import HashEncoder
from server import fakes, signing

pytestmark = pytest.mark.slow

GATE = Path(__file__).parents[2] / "models" / "gate.toml"
TEXT = "# The well\n\nThe well was dug in 1911 by hand.\n\n## Water\n\n- clear\n- cold\n"


class HereReaders(Readers):
    """Reads in this process: the fast tier starts none."""

    def read(self, file: Path, name: str) -> Divided:
        return divided(files.read(file, name), estimate)


def opened(
    folder: Path, address: str = "127.0.0.1", role: Role | None = "editor", **settings: object
) -> tuple[TestClient, OwnDocuments]:
    """A box, and somebody at this address who has signed in with the role."""
    appliance = fakes.appliance(folder)
    appliance.settings = replace(appliance.settings, **settings)
    documents = Documents.open(None, HashEncoder.model_sha256)
    rights = signing.rights()
    own = OwnDocuments(appliance.settings, documents, HashEncoder(), readers=HereReaders(), rights=rights)
    own.areas = Areas(documents.store, rights.guesses, CHEAP)
    app = create_app(appliance, own=own)
    client = TestClient(app, "http://localhost", client=(address, 5000))
    if role:
        client.headers["x-form-token"] = signing.signed_in(client, rights, role)
    return client, own


@pytest.fixture
def box(tmp_path: Path) -> Iterator[TestClient]:
    client, own = opened(tmp_path)
    yield client
    own.documents.close()


def add(
    client: TestClient, text: str = TEXT, name: str = "well.md", folder: str = "history"
) -> dict[str, object]:
    reply = client.post("/api/documents", params={"name": name, "folder": folder}, content=text.encode())
    assert reply.status_code in (200, 201), reply.text
    return dict(reply.json())


def token(client: TestClient) -> str:
    return signing.token(client.get("/documents").text)


def area_token(client: TestClient) -> str:
    return signing.token(client.get("/documents/area").text)


def test_a_program_adds_lists_reads_and_deletes(box: TestClient) -> None:
    assert add(box) == {
        "id": 1, "state": "added", "title": "The well", "name": "well.md", "folder": "history", "passages": 2,
    }  # fmt: skip
    assert add(box, name="again.md")["state"] == "known"
    listed = box.get("/api/documents").json()
    assert [one["title"] for one in listed["documents"]] == ["The well"]
    assert listed["folders"] == ["history"]
    whole = box.get("/api/documents/1").json()
    assert whole["text"] == TEXT
    assert [section["headings"] for section in whole["sections"]] == [["The well"], ["The well", "Water"]]
    stretch = {"archive": "documents", "path": "1", "offset": 2, "limit": 8}
    read = box.get("/api/source", params=stretch).json()
    assert (read["text"], read["next_offset"], read["url"]) == ("The well", 10, "/document?id=1")
    assert box.delete("/api/documents/1").json() == {"deleted": 1, "cleaned": True}
    assert box.get("/api/documents/1").status_code == 404
    assert box.delete("/api/documents/1").status_code == 404


def test_a_form_takes_several_files_and_says_what_became_of_each(box: TestClient) -> None:
    files = [
        ("file", ("well.md", TEXT.encode())),
        ("file", ("same.md", TEXT.encode())),
        ("file", ("photo.jpg", b"\xff\xd8")),
        ("file", ("pump.txt", b"The pump shows ERR-4471.")),
    ]
    page = box.post("/documents", data={"token": token(box), "folder": "a/b"}, files=files).text
    said = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))
    assert "well.md Added" in said
    assert "same.md Here already" in said or "well.md Here already" in said
    assert "photo.jpg Refused" in said
    assert "pump.txt Added" in said
    assert [one["folder"] for one in box.get("/api/documents").json()["documents"]] == ["a/b", "a/b"]


def test_ten_thousand_documents_are_shown_page_by_page_and_by_folder(tmp_path: Path) -> None:
    client, own = opened(tmp_path)
    with own.store.write() as connection:
        connection.executemany(
            "INSERT INTO document(sha256, owner, folder, name, title, media_type, added, text) "
            "VALUES(?, '', ?, ?, ?, 'text/plain', '2026-01-01T00:00:00Z', 'x')",
            [
                (n.to_bytes(32), f"year {n % 20}/box {n % 100}", f"{n}.txt", f"Letter {n:05}")
                for n in range(10_000)
            ],
        )
    page = client.get("/documents").text
    assert page.count('href="/document?id=') == 100
    assert "10,000 documents" in page
    assert "1 to 100 of 10,000" in page
    assert page.count("<small>500</small>") == 20
    last = client.get("/documents", params={"folder": "year 3", "skip": 400}).text
    assert "401 to 500 of 500" in last
    assert "/documents?folder=year%203&amp;skip=300#list" in last
    assert 'rel="next"' not in last
    assert "year 4" not in last.split('id="list"')[1]
    inner = client.get("/documents", params={"folder": "year 3/box 23"}).text
    assert '<a href="/documents?folder=year%203" dir="auto">year 3</a>' in inner
    assert inner.count('href="/document?id=') == 100
    assert "None yet" not in client.get("/documents", params={"skip": 9_999_999}).text
    found = client.get("/api/documents", params={"skip": 9_990}).json()
    assert (len(found["documents"]), found["count"]) == (10, 10_000)
    assert len(client.get("/api/documents").json()["documents"]) == 1_000


def test_a_deletion_on_a_full_disk_says_so(box: TestClient) -> None:
    assert "The disk is full" in box.get("/documents?full=1").text
    assert "The disk is full" not in box.get("/documents").text


def test_a_document_is_shown_with_its_passage_marked(box: TestClient) -> None:
    add(box)
    start = TEXT.index("The well was")
    page = box.get("/document", params={"id": 1, "start": start, "length": 33}).text
    assert '<mark id="passage" tabindex="-1">The well was dug in 1911 by hand.</mark>' in page
    assert ">Water</h" in page
    assert "## Water" not in page
    assert box.get("/document", params={"id": 2}).status_code == 404
    assert box.get("/document", params={"id": 1, "start": 10**6, "length": 5}).status_code == 200


def test_the_search_api_finds_own_documents_where_they_are_asked_for(tmp_path: Path) -> None:
    client, own = opened(tmp_path)
    add(client)
    own_library = Library([], HashEncoder(), Gate.load(GATE, "balanced"))
    with_own = own_library.with_own(own.documents.book(Scope()), ["documents"])
    (best, *_) = with_own.search("When was the well dug?").evidence
    assert api.result(best).url == "/document?id=1&start=12&length=33#passage"
    stranger, _ = opened(tmp_path / "other", "10.0.0.7", None)
    assert stranger.get("/api/search", params={"q": "well", "archive": "documents"}).status_code == 403


def test_hostile_text_is_only_text(box: TestClient) -> None:
    add(
        box,
        '# <script>alert(1)</script>\n\n<img src=x onerror=alert(1)> "><svg onload=alert(1)>\n',
        "<b>.md",
        "<i>",
    )
    for page in (box.get("/documents").text, box.get("/document", params={"id": 1}).text):
        assert "<script>alert" not in page
        assert "<img src=x" not in page
        assert "<svg onload" not in page


@pytest.mark.parametrize(
    ("address", "role", "settings", "sees", "changes"),
    [
        ("127.0.0.1", None, {}, True, False),
        ("10.0.0.7", None, {}, False, False),
        ("10.0.0.7", None, {"documents": "everyone"}, True, False),
        ("10.0.0.7", "reader", {}, True, False),
        ("10.0.0.7", "editor", {}, True, True),
        ("10.0.0.7", "admin", {"documents": "everyone"}, True, True),
        ("127.0.0.1", "admin", {"documents": "nobody"}, False, False),
    ],
)
def test_who_sees_and_who_changes(
    tmp_path: Path, address: str, role: Role | None, settings: dict[str, str], sees: bool, changes: bool
) -> None:
    client, own = opened(tmp_path, address, role, **settings)
    status = client.post("/api/documents", params={"name": "a.md"}, content=TEXT.encode()).status_code
    assert (status == 201) is changes
    if not changes:
        assert status in (401, 403)
        assert own.ingest.known(hashlib.sha256(TEXT.encode()).digest(), "") is None
    for path in ("/documents", "/document?id=1", "/api/documents", "/timeline", "/disagreements"):
        assert (client.get(path).status_code != 403) is sees, path
    assert ("/documents" in client.get("/").text) is sees
    assert client.delete("/api/documents/1").status_code in ((200,) if changes else (401, 403))


def test_what_the_desk_says_of_who_sees_counts_with_the_next_request(tmp_path: Path) -> None:
    admin, own = opened(tmp_path, role="admin")
    phone = TestClient(admin.app, "http://localhost", client=("10.0.0.7", 5000))
    for chosen, seen in (("everyone", 200), ("nobody", 403), ("here", 403)):
        form = {"token": admin.headers["x-form-token"], "documents": chosen}
        assert admin.post("/desk/answers", data=form, follow_redirects=False).status_code == 303
        assert phone.get("/documents").status_code == seen, chosen
    own.documents.close()


def test_a_number_under_which_articles_run_shows_none_to_who_sits_here(tmp_path: Path) -> None:
    """An archive brings programs of its own; they run under the number."""
    client, _ = opened(tmp_path, role=None)
    article = TestClient(client.app, "http://127.0.0.1:8080", client=("127.0.0.1", 5000))
    for path in ("/documents", "/document?id=1", "/api/documents", "/timeline", "/disagreements"):
        reply = article.get(path)
        assert reply.status_code == 403
        assert "http://localhost:8080" in reply.text
    assert 'href="/documents"' not in article.get("/").text
    assert article.get("/documents/area", follow_redirects=False).headers["location"] == (
        "http://localhost:8080/documents/area"
    )
    assert 'href="/documents"' in client.get("/").text


def test_another_site_and_a_form_without_its_token_change_nothing(box: TestClient) -> None:
    elsewhere = {"origin": "http://evil.example"}
    reply = box.post("/api/documents", params={"name": "a.md"}, content=b"# A\n\ntext", headers=elsewhere)
    assert reply.status_code == 403
    right = box.headers.pop("x-form-token")
    reply = box.post("/api/documents", params={"name": "a.md"}, content=b"# A\n\ntext")
    assert reply.status_code == 403
    form = box.post("/documents", data={"token": "wrong"}, files=[("file", ("a.md", b"# A\n\ntext"))])
    assert form.status_code == 403
    box.headers["x-form-token"] = right
    add(box)
    del box.headers["x-form-token"]
    assert box.post("/documents/delete", data={"id": "1", "token": "wrong"}).status_code == 403
    assert len(box.get("/api/documents").json()["documents"]) == 1
    good = box.post("/documents/delete", data={"id": "1", "token": token(box)}, follow_redirects=False)
    assert good.status_code == 303
    assert box.get("/api/documents").json()["documents"] == []


def test_a_file_that_is_too_large_is_stopped_and_leaves_nothing(tmp_path: Path) -> None:
    client, own = opened(tmp_path, document_text=1)
    large = b"word " * 300_000
    reply = client.post("/api/documents", params={"name": "a.txt"}, content=large)
    assert reply.status_code == 413
    assert "1 MiB" in reply.json()["error"]["message"]
    page = client.post("/documents", data={"token": token(client)}, files=[("file", ("a.txt", large))])
    assert "1 MiB" in page.text
    assert own.documents.store.path is None
    assert client.get("/api/documents").json()["documents"] == []


@pytest.mark.parametrize(
    ("name", "content", "status"),
    [
        ("photo.jpg", b"x", 422),
        ("a.pdf", b"no pdf", 422),
        ("a.txt", b"", 422),
        ("", b"x", 503),
        ("  /", b"x", 503),
    ],
)
def test_what_cannot_be_read_is_refused_in_a_sentence(
    box: TestClient, name: str, content: bytes, status: int
) -> None:
    reply = box.post("/api/documents", params={"name": name}, content=content)
    assert reply.status_code in (status, 422)
    assert reply.json()["error"]["message"].endswith(".")


@pytest.mark.parametrize(
    "body", [b"", b"--x\r\n", b'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb']
)
def test_a_broken_form_is_a_clear_error(box: TestClient, body: bytes) -> None:
    reply = box.post("/documents", content=body, headers={"content-type": "multipart/form-data; boundary=x"})
    assert reply.status_code == 400
    assert box.post("/documents", content=b"a=b").status_code == 415


def test_the_status_page_says_how_many_there_are_and_what_is_prepared(tmp_path: Path) -> None:
    client, own = opened(tmp_path)
    add(client)
    assert own.checks()[0].state == "starting"
    keeping.update_vectors(own.store, own.documents.made, HashEncoder())
    assert own.checks()[0].sentence == "Documents: 1, passages: 2"


def test_an_area_is_seen_and_changed_by_who_has_its_passphrase_alone(tmp_path: Path) -> None:
    phone, own = opened(tmp_path, "10.0.0.7", None)
    assert "/documents" not in phone.get("/").text
    areas.make(own.store, "Anna", "correct horse", CHEAP)
    assert 'href="/documents/area"' in phone.get("/").text
    assert phone.get("/documents").status_code == 403
    sign_in = {"owner": "Anna", "passphrase": "correct horse", "token": area_token(phone)}
    assert phone.post("/documents/area", data={**sign_in, "token": "x"}).status_code == 403
    assert phone.post("/documents/area", data={**sign_in, "passphrase": "wrong"}).status_code == 403
    assert phone.post("/documents/area", data=sign_in).url.path == "/documents"
    number = TestClient(phone.app, "http://127.0.0.1", client=("10.0.0.7", 5000), cookies=phone.cookies)
    number.cookies.set(COOKIE, phone.cookies[COOKIE])
    assert number.get("/documents").status_code == 403
    assert number.post("/documents/area", data=sign_in).status_code == 403
    phone.headers["x-form-token"] = token(phone)
    add(phone)
    elsewhere = TestClient(phone.app, "http://localhost", client=("127.0.0.1", 5000))
    elsewhere.headers["x-form-token"] = signing.signed_in(elsewhere, own.rights, "editor")
    add(elsewhere, "# Common\n\nFor everyone at the box.\n", "common.md")
    assert [one["title"] for one in phone.get("/api/documents").json()["documents"]] == ["The well"]
    assert [one["title"] for one in elsewhere.get("/api/documents").json()["documents"]] == ["Common"]
    assert elsewhere.get("/document?id=1").status_code == 404
    assert elsewhere.delete("/api/documents/1").status_code == 404
    assert phone.delete("/api/documents/2").status_code == 404
    assert phone.delete("/api/documents/1").status_code == 200
    phone.post("/documents/area/close", data={"token": token(phone)})
    assert phone.get("/documents").status_code == 403


@pytest.mark.parametrize("change", ["another", "the same again", "closed"])
def test_an_open_area_closes_when_its_passphrase_changes(tmp_path: Path, change: str) -> None:
    phone, own = opened(tmp_path, "10.0.0.7", None)
    for name in ("Anna", "Ben"):
        areas.make(own.store, name, "correct horse", CHEAP)
    sign_in = {"owner": "Anna", "passphrase": "correct horse", "token": area_token(phone)}
    assert phone.post("/documents/area", data=sign_in).url.path == "/documents"
    number = TestClient(phone.app, "http://127.0.0.1", client=("10.0.0.7", 5000), cookies=phone.cookies)
    number.cookies.set(COOKIE, phone.cookies[COOKIE])
    assert number.get("/documents").status_code == 403
    assert number.post("/documents/area", data=sign_in).status_code == 403
    areas.make(own.store, "Ben", "another horse", CHEAP)
    assert phone.get("/documents").status_code == 200
    if change == "closed":
        areas.remove(own.store, "Anna")
    else:
        areas.make(own.store, "Anna", {"another": "battery staple"}.get(change, "correct horse"), CHEAP)
    assert phone.get("/documents").status_code == 403
    assert phone.get("/api/documents").status_code == 403


def test_a_passphrase_is_tried_a_few_times_only(tmp_path: Path) -> None:
    phone, own = opened(tmp_path, "10.0.0.7", None)
    areas.make(own.store, "Anna", "correct horse", CHEAP)
    form = {"owner": "Anna", "token": area_token(phone)}
    tried = [phone.post("/documents/area", data={**form, "passphrase": str(n)}) for n in range(6)]
    assert [reply.status_code for reply in tried] == [403] * 5 + [429]
    assert "too many wrong tries" in tried[-1].text
    assert phone.post("/documents/area", data={**form, "passphrase": "correct horse"}).status_code == 429


NUMBERED = (
    ("GET", "/api/documents/{}"), ("DELETE", "/api/documents/{}"), ("GET", "/document?id={}"),
    ("GET", "/timeline?document=x{}"), ("POST", "/disagreements/{}"), ("GET", "/conversations/{}"),
    ("POST", "/conversations/{}/turns"), ("POST", "/conversations/{}/delete"),
    ("GET", "/api/conversations/{}"), ("DELETE", "/api/conversations/{}"),
    ("GET", "/api/conversations/{}/turns/a"), ("POST", "/api/conversations/{}/turns/a/stop"),
)  # fmt: skip


@pytest.mark.parametrize("number", ["9" * 21, "-1", "0", "%00", "1.5", "ü"])
def test_no_number_in_an_address_is_a_defect(tmp_path: Path, number: str) -> None:
    appliance = fakes.appliance(tmp_path)
    documents = Documents.open(None, HashEncoder.model_sha256)
    own = OwnDocuments(appliance.settings, documents, HashEncoder(), readers=HereReaders())
    app = create_app(appliance, talk=Talk(appliance, documents.store, documents), own=own)
    client = TestClient(app, "http://127.0.0.1", raise_server_exceptions=False)
    for method, address in NUMBERED:
        data = {"id": "a", "q": "b"}
        reply = client.request(method, address.format(number), data=data)
        assert 400 <= reply.status_code < 500, (method, address, reply.status_code)


def test_many_wrong_passphrases_at_once_are_not_more_tries(tmp_path: Path) -> None:
    client, own = opened(tmp_path, "10.0.0.7", None)
    areas.make(own.store, "Anna", "correct horse battery", CHEAP)
    form = {"owner": "Anna", "passphrase": "wrong", "token": area_token(client)}

    def enter(_: int) -> int:
        return client.post("/documents/area", data=form).status_code

    with client, ThreadPoolExecutor(20) as together:
        replies = Counter(together.map(enter, range(20)))
    assert replies == {403: 5, 429: 15}
    own.documents.close()


@pytest.mark.parametrize("boundary", ["", "b" * 5000, "ü", '"', "x; y=z"])
def test_no_boundary_of_a_form_is_a_defect(box: TestClient, boundary: str) -> None:
    kind = f"multipart/form-data; boundary={boundary}".encode()
    reply = box.post("/documents", content=b"junk", headers={"content-type": kind})
    assert reply.status_code in (400, 415)


def test_the_text_of_a_document_is_closed_to_whom_the_document_is(tmp_path: Path) -> None:
    client, own = opened(tmp_path, "192.0.2.7", None)
    reply = client.get("/api/source", params={"archive": "documents", "path": "1"})
    assert reply.status_code == 403
    own.documents.close()


def test_who_has_signed_in_with_too_small_a_role_is_told_so(tmp_path: Path) -> None:
    client, _ = opened(tmp_path, role="reader")
    page = client.get("/documents").text
    assert "You have signed in as reader. Editors and admins add and delete documents here." in page
    assert "/sign-in?to=" not in page
    assert "comme lecteur." in client.get("/documents", headers={"accept-language": "fr"}).text
