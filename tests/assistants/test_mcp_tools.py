"""The tools in the protocol's own client, over the real pages' API of a small library, in this process."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path

import anyio
import httpx
import pytest
from fastapi import FastAPI
from mcp import Client, MCPError
from mcp_types import CallToolResult, TextContent
from server import fakes

from appliance.assistants.box import Box, plain_address
from appliance.assistants.tools import make_server
from appliance.errors import BoxError, SettingsError
from appliance.server.app import create_app

pytestmark = pytest.mark.slow

ADDRESS = "http://127.0.0.1:8080"


def run(work: Callable[[], Awaitable[None]]) -> None:
    anyio.run(work)


@cache
def plain_app(folder: Path) -> FastAPI:
    """One for all tests that change nothing and need no model: making it takes longer than asking it."""
    return create_app(fakes.appliance(folder))


@asynccontextmanager
async def assistant(tmp_path: Path, model: object | None = None) -> AsyncIterator[Client]:
    app = create_app(fakes.appliance(tmp_path, model)) if model else plain_app(tmp_path.parent)
    async with Box(ADDRESS, transport=httpx.ASGITransport(app)) as box, Client(make_server(box)) as client:
        yield client


@asynccontextmanager
async def before(reply: httpx.Response | Exception) -> AsyncIterator[Client]:
    """A box that says this to everything."""

    def answer(_: httpx.Request) -> httpx.Response:
        if isinstance(reply, Exception):
            raise reply
        return reply

    async with Box(ADDRESS, transport=httpx.MockTransport(answer)) as box, Client(make_server(box)) as client:
        yield client


def said(result: CallToolResult) -> str:
    (block,) = result.content
    assert isinstance(block, TextContent)
    return block.text


def test_every_tool_says_what_it_takes_and_gives(tmp_path: Path) -> None:
    async def work() -> None:
        async with assistant(tmp_path) as client:
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
            assert tools.keys() == {"search", "read", "ask", "archives"}
            for tool in tools.values():
                assert tool.description
                assert tool.output_schema
                assert tool.annotations
                assert tool.annotations.read_only_hint
                for field in tool.input_schema["properties"].values():
                    assert field["description"]
            assert {p.name for p in (await client.list_prompts()).prompts} == {
                "answer_from_library",
                "gather",
            }
            assert "refuses" in (client.instructions or "")

    run(work)


def test_search_gives_passages_with_links_and_a_verdict(tmp_path: Path) -> None:
    async def work() -> None:
        async with assistant(tmp_path) as client:
            result = await client.call_tool("search", {"query": "tetanus poison bacterium", "limit": 2})
            found = result.structured_content
            assert found is not None
            assert json.loads(said(result)) == found
            assert (found["verdict"], len(found["passages"])) == ("answer", 2)
            best = found["passages"][0]
            assert (best["archive"], best["path"], best["heading"]) == ("first_aid_en", "Tetanus", "Cause")
            assert best["url"].startswith(f"{ADDRESS}/source?archive=first_aid_en&path=Tetanus&start=")
            french = {"query": "tetanos toxine", "archive": "santé_fr"}
            found = (await client.call_tool("search", french)).structured_content
            assert found is not None
            assert {one["archive"] for one in found["passages"]} == {"santé_fr"}
            assert found["suggestion"] == "What causes tetanus?"

    run(work)


def test_an_article_is_read_in_stretches(tmp_path: Path) -> None:
    async def work() -> None:
        async with assistant(tmp_path) as client:
            text, offset = "", 0
            while offset is not None:
                asked = {"archive": "first_aid_en", "path": "Tetanus", "offset": offset, "limit": 100}
                found = (await client.call_tool("read", asked)).structured_content
                assert found is not None
                assert len(found["text"]) <= 100
                text, offset = text + found["text"], found["next_offset"]
            assert text == fakes.TETANUS.text
            beyond = {"archive": "first_aid_en", "path": "Tetanus", "offset": 10**6}
            found = (await client.call_tool("read", beyond)).structured_content
            assert found is not None
            assert (found["text"], found["next_offset"]) == ("", None)

    run(work)


@pytest.mark.slow
@pytest.mark.parametrize("title", fakes.ODD_TITLES)
def test_odd_paths_are_read_as_tools_and_as_resources(tmp_path: Path, title: str) -> None:
    async def work() -> None:
        async with assistant(tmp_path) as client:
            found = await client.call_tool("read", {"archive": "first_aid_en", "path": title})
            assert found.structured_content is not None
            assert found.structured_content["text"] == f"All about {title}.\n"
            path = httpx.URL("http://x", params={"p": title}).query.decode().removeprefix("p=")
            address = f"lamplight://source/first_aid_en/{path.replace('+', '%20')}"
            (contents,) = (await client.read_resource(address)).contents
            assert f"All about {title}." in contents.text  # type: ignore[union-attr]

    run(work)


def test_an_answer_has_its_citations(tmp_path: Path) -> None:
    async def work() -> None:
        heard: list[str | None] = []

        async def progress(_: float, __: float | None, message: str | None) -> None:
            heard.append(message)

        model = fakes.ScriptedModel(places=(2, 1, 0))
        async with assistant(tmp_path, model) as client:
            result = await client.call_tool("ask", {"question": "tetanus spasms"}, progress_callback=progress)
            found = result.structured_content
            assert found is not None
            assert (found["verdict"], found["refused"], model.started) == ("answer", False, 1)
            assert "[1]" in found["answer"]
            assert [one["n"] for one in found["citations"]] == [1, 2]
            first = found["citations"][0]
            assert first["url"].startswith(ADDRESS)
            assert all(quote in first["text"] for quote in first["quotes"])
            assert heard

    run(work)


def test_a_refusal_is_a_result_and_the_model_is_never_called(tmp_path: Path) -> None:
    async def work() -> None:
        model = fakes.ScriptedModel()
        async with assistant(tmp_path, model) as client:
            result = await client.call_tool("ask", {"question": "Who rules Quibblonia?"})
            assert not result.is_error
            assert result.structured_content is not None
            assert result.structured_content["refused"]
            assert result.structured_content["verdict"] in ("near", "nothing")
            assert result.structured_content["answer"]
            assert model.started == 0

    run(work)


@pytest.mark.parametrize(
    ("tool", "given", "part"),
    [
        ("search", {"query": "x", "archive": "nowhere"}, "There is no archive “nowhere” on the shelf."),
        ("search", {"query": "\0"}, "There is no question."),
        ("search", {"query": "x", "limit": 51}, "limit is too large: at most 50."),
        ("search", {}, "query is missing."),
        ("read", {"archive": "nowhere", "path": "Tetanus"}, "The tool archives lists those that there are."),
        ("read", {"archive": "first_aid_en", "path": "Nothing"}, "Search for its title"),
        ("read", {"archive": "first_aid_en", "path": "Tet\0"}, "no such page"),
        ("read", {"archive": "first_aid_en", "path": "../../etc/passwd"}, "Search for its title"),
        (
            "read",
            {"archive": "first_aid_en", "path": "Tetanus", "offset": -1},
            "offset is too small: at least 0.",
        ),
        ("ask", {"question": ""}, "question has nothing in it. Nothing was asked."),
        ("ask", {"question": " \0 "}, "There is no question."),
        ("nothing", {}, "Unknown tool"),
    ],
)
def test_what_cannot_be_done_is_an_error_with_a_sentence(
    tmp_path: Path, tool: str, given: dict[str, object], part: str
) -> None:
    async def work() -> None:
        async with assistant(tmp_path) as client:
            result = await client.call_tool(tool, given)
            assert result.is_error
            assert part in said(result)
            assert "pydantic" not in said(result)
            assert "home page" not in said(result)

    run(work)


def test_a_full_queue_is_an_error_with_a_sentence(tmp_path: Path) -> None:
    async def work() -> None:
        async with assistant(tmp_path, fakes.ScriptedModel(full=True)) as client:
            result = await client.call_tool("ask", {"question": "tetanus spasms"})
            assert result.is_error
            assert "Ask again in a minute." in said(result)

    run(work)


@pytest.mark.parametrize(
    ("reply", "part"),
    [
        (httpx.ConnectError("no"), "does not answer. Start it with ./build.sh run"),
        (httpx.ReadTimeout("no"), "takes too long"),
        (httpx.Response(302, headers={"location": "http://elsewhere.example/"}), "the status 302"),
        (httpx.Response(500, text="<html>"), "the status 500"),
        (httpx.Response(403, json={"error": {"message": "Not open to you."}}), "Not open to you."),
        (httpx.Response(200, text="hello"), "no JSON object"),
        (httpx.Response(200, json={"other": 1}), "in a form that version"),
        (httpx.Response(200, content=b"x" * 5_000_000), "more than 4,000,000 bytes"),
    ],
)
def test_whatever_stands_at_the_address_becomes_a_sentence(
    reply: httpx.Response | Exception, part: str
) -> None:
    async def work() -> None:
        async with before(reply) as client:
            result = await client.call_tool("search", {"query": "x"})
            assert result.is_error
            assert part in said(result)

    run(work)


@pytest.mark.parametrize("body", [b"", b": 3 before this question\n\n", b'data: {"choices":[]}\n\n'])
def test_an_answer_that_breaks_off_is_an_error(body: bytes) -> None:
    async def work() -> None:
        async with before(httpx.Response(200, content=body)) as client:
            result = await client.call_tool("ask", {"question": "x"})
            assert result.is_error
            assert "broke off" in said(result)

    run(work)


def test_resources_list_the_shelf_and_say_what_is_missing(tmp_path: Path) -> None:
    async def work() -> None:
        async with assistant(tmp_path) as client:
            (resource,) = (await client.list_resources()).resources
            (contents,) = (await client.read_resource(str(resource.uri))).contents
            names = [one["name"] for one in json.loads(contents.text)["archives"]]  # type: ignore[union-attr]
            assert names == ["first_aid_en", "santé_fr"]
            with pytest.raises(MCPError, match="Search for its title"):
                await client.read_resource("lamplight://source/first_aid_en/Nothing")

    run(work)


def test_a_token_goes_to_the_box_and_nowhere_else() -> None:
    async def work() -> None:
        heard: list[httpx.Request] = []

        def answer(request: httpx.Request) -> httpx.Response:
            heard.append(request)
            return httpx.Response(307, headers={"location": "http://elsewhere.example/"})

        async with Box(ADDRESS, "secret", httpx.MockTransport(answer)) as box:
            with pytest.raises(BoxError):
                await box.get("/api/archives")
            with pytest.raises(BoxError):
                await box.get("/api/archives", "mine")
        assert [request.headers["authorization"] for request in heard] == ["Bearer secret", "Bearer mine"]
        assert {request.url.host for request in heard} == {"127.0.0.1"}

    run(work)


@pytest.mark.parametrize(
    ("typed", "plain"),
    [("http://lamplight/", "http://lamplight"), ("http://[::1]:8080", "http://[::1]:8080")],
)
def test_an_address_is_taken_as_people_type_it(typed: str, plain: str) -> None:
    assert plain_address(typed) == plain


@pytest.mark.parametrize(
    "typed",
    ["", "lamplight", "ftp://lamplight", "http://", "http://x:y", "http://[", "http://x/read", "file:///etc"],
)
def test_what_is_no_address_is_said(typed: str) -> None:
    with pytest.raises(SettingsError, match="expected one as"):
        plain_address(typed)
