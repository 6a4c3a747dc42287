"""The tools, resources and prompts: search, read and ask, each with a schema of what it gives.

A refusal is a result like any other, with its verdict; what cannot be done is a tool error with a sentence.
Nothing of a question is logged.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

from mcp.server.auth.provider import TokenVerifier
from mcp.server.auth.settings import AuthSettings
from mcp.server.mcpserver import Context, MCPServer, ResourceSecurity
from mcp.server.mcpserver.exceptions import ResourceError, ToolError
from mcp_types import CallToolResult, InputRequiredResult, ToolAnnotations
from pydantic import AnyHttpUrl, Field, ValidationError

from appliance import __version__
from appliance.assistants.box import Box
from appliance.assistants.shapes import (
    ArchivesOutput,
    AskOutput,
    ReadOutput,
    SearchOutput,
    archives_output,
    ask_output,
    read_output,
    search_output,
)
from appliance.errors import BoxError
from appliance.misfits import misfit

NAME = "lamplight"
INSTRUCTIONS = """\
An offline library (Kiwix archives such as Wikipedia, and own documents) that answers with sources.
`ask` answers a question in whole sentences with citations, or refuses when the library does not state the
answer: then say so, and do not answer in the library's name. `search` gives passages to reason over yourself,
`read` the article around one, page by page. Give the `url` of what you cite to people; they can open it."""
LOOKS = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
SOURCE = "lamplight://source/{archive}/{+path}"
LONGEST = 50_000  # letters that one call of `read`, or a resource, gives
NO_ARCHIVE = "There is no archive “{name}” on the shelf. The tool archives lists those that there are."
EVERY = 0.5  # seconds between two words on how far an answer is

Question = Annotated[str, Field(min_length=1, max_length=4000, description="In plain words, whole.")]
Calls = Context[Any, Any]


class Server(MCPServer[Any]):
    """Says in our words what of a call does not fit."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Calls | None = None
    ) -> CallToolResult | InputRequiredResult:
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            if not isinstance(error.__cause__, ValidationError):
                raise
            first = error.__cause__.errors()[0]
            field = str(next(iter(first["loc"]), ""))
            raise ToolError(f"{misfit(field, first)} Nothing was asked.") from None


def make_server(box: Box, tokens: TokenVerifier | None = None) -> MCPServer[Any]:
    """The server over a box; whoever made the box closes it. With `tokens` a client over HTTP brings one."""
    server = Server(
        NAME,
        title="Lamplight",
        description="An offline library that answers with sources",
        instructions=INSTRUCTIONS,
        version=__version__,
        log_level="WARNING",
        token_verifier=tokens,
        # The box's people page makes tokens by hand; there is no address that a program would get one from.
        auth=AuthSettings(issuer_url=AnyHttpUrl(box.address), resource_server_url=None) if tokens else None,
    )
    _add_tools(server, box)
    _add_resources(server, box)
    _add_prompts(server)
    return server


def _add_tools(server: MCPServer[Any], box: Box) -> None:
    @server.tool(title="Search the library", annotations=LOOKS)
    async def search(
        query: Question,
        context: Calls,
        limit: Annotated[int, Field(ge=1, le=50, description="How many passages.")] = 8,
        archive: Annotated[str, Field(max_length=400, description="Search this archive only.")] = "",
    ) -> SearchOutput:
        """Passages of the library that fit a question best, with the verdict whether they answer it."""
        with _told(archive=archive):
            found = await box.get(
                "/api/search", _token(context), q=query, limit=limit, archive=archive or None
            )
            return search_output(box, found)

    @server.tool(title="Read an article", annotations=LOOKS)
    async def read(
        archive: Annotated[str, Field(max_length=400, description="As search or ask names it.")],
        path: Annotated[str, Field(max_length=4000, description="As search or ask names it.")],
        context: Calls,
        offset: Annotated[int, Field(ge=0, le=2**31, description="Where to begin, in code points.")] = 0,
        limit: Annotated[int, Field(ge=1, le=LONGEST, description="How many code points.")] = 8000,
    ) -> ReadOutput:
        """The text of an article, a stretch at a time; go on at `next_offset`."""
        with _told(archive=archive):
            found = await box.get(
                "/api/source", _token(context), archive=archive, path=path, offset=offset, limit=limit
            )
            return read_output(box, found)

    @server.tool(title="Ask the library", annotations=LOOKS)
    async def ask(question: Question, context: Calls) -> AskOutput:
        """An answer from the library alone, every statement with its citation, or a refusal where the library
        does not state it. May wait in a queue: progress says the place."""
        with _told():
            told = await box.ask(question, _Progress(context).tell, _token(context))
            return ask_output(box, told)

    @server.tool(title="What the library has", annotations=LOOKS)
    async def archives(context: Calls) -> ArchivesOutput:
        """The archives on the shelf, by whose names search and read can be bounded."""
        with _told():
            return archives_output(await box.get("/api/archives", _token(context)))


def _add_resources(server: MCPServer[Any], box: Box) -> None:
    @server.resource("lamplight://archives", title="What the library has", mime_type="application/json")
    async def shelf() -> str:
        """The archives on the shelf."""
        with _told(ResourceError):
            found = archives_output(await box.get("/api/archives"))
            return found.model_dump_json(indent=1)

    # A path names an entry of an archive, as the archive has it; it is never a path of the box's files.
    @server.resource(
        SOURCE, title="An article of the library", security=ResourceSecurity(exempt_params={"path"})
    )
    async def article(archive: str, path: str, context: Calls) -> str:
        """The text of an article."""
        with _told(ResourceError, archive):
            found = await box.get("/api/source", _token(context), archive=archive, path=path, limit=LONGEST)
            shown = read_output(box, found)
        more = f"(The first {len(shown.text):,} of {shown.total:,} letters; the tool read goes on.)"
        parts = (f"{shown.title}\n{shown.url}", shown.text, more if shown.next_offset else "")
        return "\n\n".join(filter(None, parts))


def _add_prompts(server: MCPServer[Any]) -> None:
    @server.prompt(title="Answer from the library")
    def answer_from_library(question: str) -> str:
        """Answers a question from the library alone, with links."""
        return (
            f"Answer this question from the Lamplight library alone: {question}\n\n"
            "Call the tool ask with the whole question. Give its answer with the links of its citations. "
            "Where it is refused, say that the library does not answer it; add nothing from elsewhere."
        )

    @server.prompt(title="Gather what the library says")
    def gather(topic: str) -> str:
        """Searches several ways, reads, and sums up with links."""
        return (
            f"Gather what the Lamplight library says about: {topic}\n\n"
            "Call search with three to five different questions, read the articles of the best passages "
            "where one is too short, then sum up. Put the link of its passage behind every statement, say "
            "where sources disagree, and say what the library does not cover."
        )


@contextmanager
def _told(kind: type[Exception] = ToolError, archive: str = "") -> Iterator[None]:
    """What the box says no to becomes an error of the protocol, with the same sentence. For an `archive` that
    it does not have it names a page; here a tool lists them."""
    try:
        yield
    except BoxError as error:
        if error.field == "archive":
            raise kind(NO_ARCHIVE.format(name=archive[:80])) from None
        raise kind(f"{error} {error.hint}".strip()) from None


class _Progress:
    """Tells the client how far an answer is, at most every half second."""

    def __init__(self, context: Calls) -> None:
        self._context, self._told, self._last = context, 0, 0.0

    async def tell(self, sentence: str) -> None:
        if (now := time.monotonic()) - self._last >= EVERY:
            self._last, self._told = now, self._told + 1
            await self._context.report_progress(self._told, message=sentence)


def _token(context: Calls) -> str:
    """What the client of this call signs in with, where it came over HTTP."""
    kind, _, token = (context.headers or {}).get("authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else ""
