"""The small service: what goes in is found, what is quoted stands there, whatever is sent gets an answer."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from appliance.documents.ingest import Ingest
from appliance.documents.parts import estimate
from appliance.documents.readers import Readers
from appliance.documents.records import Scope
from appliance.documents.search import Documents
from appliance.server.small import LONGEST_TEXT, create_small
from appliance.vectors import HashEncoder
from server.fakes import serving

pytestmark = pytest.mark.slow

EXPECTED = Path(__file__).parent / "schemathesis.toml"
WELL = "# The well\n\nThe well was dug by hand in 1911. Its water is hard.\n\nIt never ran dry."
PUMP = "When the pump shows ERR-4471 the filter is blocked. Clean it with water."


def opened(encoder: HashEncoder | None = None) -> tuple[Documents, TestClient]:
    documents = Documents.open(None, HashEncoder.model_sha256)
    app = create_small(Ingest(documents, Readers(), estimate), encoder)
    return documents, TestClient(app, "http://127.0.0.1", raise_server_exceptions=False)


@pytest.fixture(scope="module", params=[None, HashEncoder()], ids=["words", "vectors"])
def client(request: pytest.FixtureRequest) -> Iterator[TestClient]:
    documents, found = opened(request.param)
    for text, kind in ((WELL, "history"), (PUMP, "manual")):
        assert found.post("/ingest", json={"text": text, "metadata": {"kind": kind}}).status_code == 201
    yield found
    documents.close()


def test_what_goes_in_is_found_with_its_place_and_metadata(client: TestClient) -> None:
    reply = client.post("/query", json={"query": "When was the well dug?", "k": 1}).json()
    (passage,) = reply["passages"]
    assert (passage["title"], passage["metadata"]) == ("The well", {"kind": "history"})
    assert WELL[passage["offset"] :][: passage["length"]] == passage["text"]
    assert 0 < passage["score"] <= 1


def test_the_synthesis_is_made_of_whole_sentences_that_stand_there(client: TestClient) -> None:
    reply = client.post("/query", json={"query": "When was the well dug by hand?"}).json()
    assert reply["quotations"][0]["sentence"] == "The well was dug by hand in 1911."
    text = reply["synthesis"]
    for quotation in reply["quotations"]:
        assert WELL[quotation["offset"] :].startswith(quotation["sentence"])
        quoted = f"“{quotation['sentence']}” [{quotation['n']}]"
        assert quoted in text
        text = text.replace(quoted, "")
    assert text.strip() == ""


def test_an_exact_code_comes_first(client: TestClient) -> None:
    reply = client.post("/query", json={"query": "ERR-4471"}).json()
    assert "ERR-4471" in reply["passages"][0]["text"]


def test_what_is_not_there_is_not_quoted(client: TestClient) -> None:
    reply = client.post("/query", json={"query": "zebra crossing"}).json()
    assert (reply["synthesis"], reply["quotations"]) == ("", [])


def test_the_same_text_again_is_known(client: TestClient) -> None:
    before = client.get("/health").json()
    reply = client.post("/ingest", json={"text": WELL, "metadata": {"kind": "history"}})
    assert (reply.status_code, reply.json()["known"]) == (200, True)
    assert client.get("/health").json() == before


def test_a_text_can_be_found_as_soon_as_it_is_kept(client: TestClient) -> None:
    assert client.post("/query", json={"query": "zeppelin"}).json()["quotations"] == []
    client.post("/ingest", json={"text": "A zeppelin landed on the meadow.", "title": "News"})
    assert client.post("/query", json={"query": "zeppelin"}).json()["passages"][0]["title"] == "News"


def test_what_another_process_deleted_is_not_quoted(tmp_path: Path) -> None:
    documents, other = (Documents.open(tmp_path, HashEncoder.model_sha256) for _ in range(2))
    client = TestClient(create_small(Ingest(documents, Readers(), estimate), None), "http://127.0.0.1")
    number = client.post("/ingest", json={"text": WELL}).json()["document"]
    assert client.post("/query", json={"query": "well"}).json()["passages"]
    assert other.remove([number], Scope()).count == 1
    assert client.post("/query", json={"query": "well"}).json()["passages"] == []
    documents.close()
    other.close()


@pytest.mark.parametrize(
    ("address", "body", "status", "code", "param"),
    [
        ("/ingest", {"text": ""}, 400, "invalid", "text"),
        ("/ingest", {"text": "x" * (LONGEST_TEXT + 1)}, 400, "invalid", "text"),
        ("/ingest", {"text": " \n "}, 422, "unreadable", None),
        ("/ingest", {"text": "a", "owner": "eve"}, 400, "invalid", "owner"),
        ("/ingest", {"text": "a", "metadata": {"a": 1}}, 400, "invalid", "metadata.a"),
        ("/query", {"query": "  "}, 400, "invalid", "query"),
        ("/query", {"query": "a", "k": 51}, 400, "invalid", "k"),
        ("/query", {"query": "a", "k": True}, 400, "invalid", "k"),
        ("/query", [], 400, "invalid", None),
        ("/nowhere", {}, 404, "http", None),
    ],
)
def test_errors_are_typed(
    client: TestClient, address: str, body: object, status: int, code: str, param: str | None
) -> None:
    reply = client.post(address, json=body)
    error = reply.json()["error"]
    assert (reply.status_code, error["code"], error["param"]) == (status, code, param)
    assert error["message"]


def test_too_large_a_body_is_refused(client: TestClient) -> None:
    reply = client.post("/ingest", content=b"x" * 1_100_000, headers={"content-type": "application/json"})
    assert (reply.status_code, reply.json()["error"]["code"]) == (413, "http")


def test_schemathesis_finds_nothing_that_the_description_does_not_say() -> None:
    """Of the answers that it draws none is a server's error or has a status or a form that is not said."""
    documents, client = opened()
    with serving(client.app) as address:
        done = subprocess.run(
            [sys.executable, "-m", "schemathesis.cli", "--config-file", str(EXPECTED), "run",
             f"{address}/openapi.json",
             "--max-examples", "60", "--phases", "examples,coverage,fuzzing", "--seed", "6", "--no-color"],
            capture_output=True, text=True, timeout=300, check=False,
        )  # fmt: skip
    documents.close()
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-1000:]
    assert "Selected: 3/3" in done.stdout
