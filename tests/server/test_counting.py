"""What reaches the counts, and what never does: no question, no address, nothing that a visitor typed."""

import asyncio
from collections.abc import AsyncGenerator, Iterator
from datetime import date
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from appliance.answer.events import AskEvent, Finished, Passages
from appliance.documents.store import Store
from appliance.records import Answer, Found, Judgement
from appliance.server import counting
from appliance.server.app import create_app
from appliance.server.talk import Talk
from appliance.usage.usage import Usage
from server import fakes

pytestmark = pytest.mark.slow

DAY = date(2026, 11, 30)
SECRET = "my neighbour Abernathy has tetanus spasms"


@pytest.fixture(scope="module")
def counts(tmp_path_factory: pytest.TempPathFactory) -> Usage:
    return Usage(tmp_path_factory.mktemp("home"), True, lambda: DAY)


@pytest.fixture
def usage(counts: Usage) -> Iterator[Usage]:
    """Nothing is counted yet."""
    yield counts
    counts.forget()


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory, counts: Usage) -> Iterator[TestClient]:
    box = fakes.appliance(tmp_path_factory.mktemp("box"), fakes.ScriptedModel())
    app = create_app(box, talk=Talk(box, Store.open()), usage=counts)
    with TestClient(app, "http://127.0.0.1", client=("10.42.0.77", 50000)) as found:
        yield found


def numbers(usage: Usage) -> dict[tuple[str, str], int]:
    return {(what, archive): number for (_, what, archive), number in usage.counts().items()}


def test_questions_from_pages_programs_and_conversations(client: TestClient, usage: Usage) -> None:
    client.get("/ask", params={"q": "tetanus spasms"})
    body = {"model": "lamplight", "messages": [{"role": "user", "content": "tetanus spasms"}]}
    client.post("/v1/chat/completions", json=body)
    client.post("/v1/chat/completions", json={**body, "stream": True})
    client.post("/conversations", data={"q": "tetanus spasms", "id": "x"})
    client.get("/ask", params={"q": "xylophone zebra"})
    assert numbers(usage) == {("question", ""): 5, ("refusal", ""): 1}


def test_an_empty_question_is_none(client: TestClient, usage: Usage) -> None:
    client.get("/ask", params={"q": " "})
    client.get("/api/search", params={"q": "tetanus"})
    assert numbers(usage) == {}


def test_articles_by_the_shelf_s_own_names(client: TestClient, usage: Usage) -> None:
    client.get("/source", params={"archive": "first_aid_en", "path": "Tetanus"})
    client.get("/source", params={"archive": "santé_fr", "path": "Tétanos"})
    client.get("/source", params={"archive": "first_aid_en", "path": "nothing such"})
    client.get("/source", params={"archive": SECRET, "path": "Tetanus"})
    client.get("/source?" + "&".join(f"a{n}=1" for n in range(60)))
    client.get("/source?archive=first_aid_en&path=Tetanus&" + "&".join(f"a{n}=1" for n in range(60)))
    client.head("/source", params={"archive": "first_aid_en", "path": "Tetanus"})
    assert numbers(usage) == {("article", "first_aid_en"): 1, ("article", "santé_fr"): 1}


@pytest.mark.parametrize(
    ("path", "query", "name"),
    [
        ("/read/content/medicine/A/Tetanus", b"", "medicine"),
        ("/read/medicine/Tetanus", b"", "medicine"),
        ("/read/medicine", b"", ""),
        ("/read/", b"", ""),
        ("/read/viewer", b"", ""),
        ("/source", b"archive=sant%C3%A9&path=x", "santé"),
        ("/source", b"", ""),
        ("/ask", b"q=x&archive=medicine", ""),
    ],
)
def test_what_an_address_opens(path: str, query: bytes, name: str) -> None:
    assert counting.opened_from(path, query) == name


def test_no_question_and_no_address_gets_into_the_file(client: TestClient, usage: Usage) -> None:
    client.get("/ask", params={"q": SECRET}, headers={"user-agent": "Abernathy's phone"})
    client.get("/ask", params={"q": "tetanus", "archive": "first_aid_en", "before": SECRET})
    client.post("/conversations", data={"q": SECRET, "id": "y"})
    client.get("/source", params={"archive": "first_aid_en", "path": "Tetanus", "q": SECRET})
    client.get(f"/read/{SECRET}/x")
    client.get("/source", params={"archive": SECRET, "path": SECRET})
    usage.write()
    assert usage.file is not None
    kept = b"".join(file.read_bytes() for file in usage.file.parent.iterdir())
    for word in ("Abernathy", "abernathy", "neighbour", "spasms", "Tetanus", "10.42", "127.0.0.1", "phone"):
        assert word.encode() not in kept, word
        assert word.encode("utf-16-le") not in kept, word
    assert b"first_aid_en" in kept  # it is this file that holds the counts


def test_switched_off_nothing_is_counted(tmp_path: Path) -> None:
    usage = Usage(tmp_path, on=False)
    with TestClient(create_app(fakes.appliance(tmp_path), usage=usage), "http://127.0.0.1") as client:
        client.get("/ask", params={"q": "tetanus"})
    usage.switch(on=True)
    assert usage.counts() == {}


def events(seconds: float) -> AsyncGenerator[AskEvent, None]:
    async def told() -> AsyncGenerator[AskEvent, None]:
        yield Passages(Found("q", (), Judgement("answer", 0.9)))
        await asyncio.sleep(seconds)
        yield Finished(Answer("x", (), 0, "stop"))

    return told()


@pytest.mark.parametrize(("bound", "slow"), [(30.0, 0), (0.0, 1)])
def test_an_answer_that_takes_longer_than_the_bound_is_slow(usage: Usage, bound: float, slow: int) -> None:
    async def read() -> None:
        async for _ in counting.counting(usage, events(0.001), bound):
            pass

    asyncio.run(read())
    assert numbers(usage).get(("slow", ""), 0) == slow


def test_so_is_one_whose_reader_has_left_meanwhile(usage: Usage) -> None:
    async def leave() -> None:
        told = counting.counting(usage, events(60), 0.0)
        await anext(told)
        await told.aclose()

    asyncio.run(leave())
    assert numbers(usage) == {("question", ""): 1, ("slow", ""): 1}
