"""`appliance mcp` as others start it: a process over its input and output, and over HTTP, in front of pages
that answer over a real port. The protocol's own client speaks to it."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import anyio
import httpx
import httpx2
import pytest
from documents import keep
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult
from people.boxes import WORDS
from server import fakes
from server.signing import rights

from appliance.documents.readers import Readers
from appliance.documents.search import Documents
from appliance.server.app import create_app
from appliance.server.own import OwnDocuments
from appliance.vectors import HashEncoder

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]
ENVIRONMENT = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "LAMPLIGHT_HOME": "/nonexistent"}
COMMAND = ["-m", "appliance", "mcp"]
Connect = Callable[[], "AsyncIterator[Client]"]
MODES = ["auto", "legacy"]  # the protocol of 2026-07-28 and later, and the handshake before it


@pytest.fixture
def model() -> fakes.ScriptedModel:
    return fakes.ScriptedModel(places=(1, 0), pause=0.01)


@pytest.fixture
def box(tmp_path: Path, model: fakes.ScriptedModel) -> Iterator[str]:
    with fakes.serving(create_app(fakes.appliance(tmp_path, model))) as address:
        yield address


@contextmanager
def over_http(box: str, *more: str) -> Iterator[str]:
    port = fakes.free_port()
    words = [sys.executable, *COMMAND, "--box", box, "--http", str(port), *more]
    process = subprocess.Popen(words, env=ENVIRONMENT, stderr=subprocess.PIPE)
    try:
        until = time.monotonic() + 20
        while process.poll() is None and time.monotonic() < until:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.terminate()
        _, said = process.communicate(timeout=10)
        assert b"Traceback" not in said, said


@asynccontextmanager
async def connected(way: str, box: str, mode: str = "auto") -> AsyncIterator[Client]:
    if way == "stdio":
        started = StdioServerParameters(
            command=sys.executable, args=[*COMMAND, "--box", box], env=ENVIRONMENT
        )
        async with Client(started, mode=mode) as client:  # type: ignore[arg-type]
            yield client
    else:
        with over_http(box, "--open") as address:
            async with Client(address, mode=mode) as client:  # type: ignore[arg-type]
                yield client


def run(work: Callable[[], Awaitable[None]]) -> None:
    async def bounded() -> None:
        with anyio.fail_after(40):
            await work()

    anyio.run(bounded)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("way", ["stdio", "http"])
def test_an_assistant_searches_reads_and_asks(
    box: str, model: fakes.ScriptedModel, way: str, mode: str
) -> None:
    async def work() -> None:
        async with connected(way, box, mode) as client:
            found = (await client.call_tool("search", {"query": "tetanus poison"})).structured_content
            assert found is not None
            best = found["passages"][0]
            place = {"archive": best["archive"], "path": best["path"], "offset": best["offset"]}
            read = (await client.call_tool("read", place)).structured_content
            assert read is not None
            assert read["text"].startswith(best["text"])
            told = (await client.call_tool("ask", {"question": "tetanus spasms"})).structured_content
            assert told is not None
            assert (told["verdict"], len(told["citations"])) == ("answer", 2)
            assert httpx.get(told["citations"][0]["url"], trust_env=False).status_code == 200
            refused = await client.call_tool("ask", {"question": "Who rules Quibblonia?"})
            assert (refused.is_error, refused.structured_content["refused"]) == (False, True)
            assert model.started == 1

    run(work)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("way", ["stdio", "http"])
def test_who_cancels_ends_the_models_work(box: str, model: fakes.ScriptedModel, way: str, mode: str) -> None:
    async def work() -> None:
        model.hangs_after = 3
        async with connected(way, box, mode) as client:
            with anyio.move_on_after(1.5):
                await client.call_tool("ask", {"question": "tetanus spasms"})
            with anyio.fail_after(2):
                while not model.stopped:
                    await anyio.sleep(0.02)
            assert model.started == 1
            assert (await client.call_tool("search", {"query": "tetanus"})).structured_content

    run(work)


def test_without_a_box_each_call_says_so() -> None:
    async def work() -> None:
        async with connected("stdio", f"http://127.0.0.1:{fakes.free_port()}") as client:
            result = await client.call_tool("search", {"query": "x"})
            assert result.is_error
            assert "Start it with ./build.sh run" in result.content[0].text  # type: ignore[union-attr]

    run(work)


HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "a page", "version": "1"},
    },
}
ACCEPT = {"accept": "application/json, text/event-stream", "content-type": "application/json"}


def test_pages_from_elsewhere_cannot_reach_it_through_a_browser(box: str) -> None:
    with over_http(box, "--open") as address, httpx.Client(trust_env=False, headers=ACCEPT) as http:
        port = httpx.URL(address).port
        assert http.post(address, json=HELLO).status_code == 200
        assert (
            http.post(address, json=HELLO, headers={"origin": f"http://127.0.0.1:{port}"}).status_code == 200
        )
        for host in (
            "rebound.example",
            f"rebound.example:{port}",
            f"127.0.0.1.rebound.example:{port}",
            "[::1",
        ):
            assert http.post(address, json=HELLO, headers={"host": host}).status_code == 421, host
        for origin in ("http://rebound.example", "null", "http://127.0.0.1:1", "https://localhost"):
            assert http.post(address, json=HELLO, headers={"origin": origin}).status_code == 403, origin
        assert http.post(address, content=b"{" * 2_000_000).status_code == 413
        for body in (b"", b"{", b"[]", b"null", b"\xff", b"[" * 100_000):
            assert 400 <= http.post(address, content=body).status_code < 500, body[:10]
        listening = Path("/proc/net/tcp").read_text().splitlines()[1:]
        mine = {line.split()[1] for line in listening if line.split()[1].endswith(f":{port:04X}")}
        assert {one.partition(":")[0] for one in mine} == {"0100007F"}


def test_over_http_a_token_of_the_box_is_asked_for_and_used(tmp_path: Path) -> None:
    """A program's token sees own documents that visitors do not see; one that was taken away sees nothing."""
    given = rights()
    people = given.people
    person = people.persons.add("ada", "editor", WORDS)
    token = people.programs.add(person.id, "an assistant", "reader")
    documents = Documents.open(None, HashEncoder.model_sha256)
    keep.ready(documents, HashEncoder())
    keep.add(documents, "# The well\n\nThe well was dug in 1911.")
    appliance = fakes.appliance(tmp_path)
    own = OwnDocuments(appliance.settings, documents, HashEncoder(), readers=Readers(), rights=given)
    place = {"archive": "documents", "path": "1"}

    async def read(address: str, sent: dict[str, str]) -> CallToolResult:
        http = httpx2.AsyncClient(headers=sent)
        async with http, Client(streamable_http_client(address, http_client=http)) as client:
            return await client.call_tool("read", place)

    good = {"authorization": f"Bearer {token}"}
    with (
        fakes.serving(create_app(appliance, own=own, rights=given)) as box,
        over_http(box) as address,
        httpx.Client(trust_env=False, headers=ACCEPT) as http,
    ):
        for wrong in ({}, {"authorization": "Bearer lamp_x"}, {"authorization": f"Basic {token}"}):
            assert http.post(address, json=HELLO, headers=wrong).status_code == 401
        assert http.post(address, json=HELLO, headers=good).status_code == 200
        seen = anyio.run(read, address, good)
        assert seen.structured_content is not None
        assert "1911" in seen.structured_content["text"]
        people.programs.end(1)
        assert http.post(address, json=HELLO, headers=good).status_code == 401
    own.documents.close()


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["--box", "nowhere"], "expected one as http://127.0.0.1:8080"),
        (["--token-file", "/nonexistent"], "cannot be read"),
        (["--token-file", "/dev/null"], "has no token"),
        (["--open", "--token-file", "/dev/null"], "everyone on this machine would act"),
        (["--http", "70000"], "expected a port, 1 to 65535"),
    ],
)
def test_options_that_cannot_be_used_are_said(words: list[str], part: str) -> None:
    done = subprocess.run(
        [sys.executable, *COMMAND, *words], env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert part in done.stderr
    assert "Traceback" not in done.stderr
