"""What the clients of the load test hear on a page, with pages of our own over a real server."""

import asyncio
import time

import pytest
from served import served
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse, StreamingResponse
from starlette.routing import Route

from appliance.quality.class_of_thirty import FLOODER, Class, Page, run
from appliance.services.process import OPTIONS
from appliance.services.run import free_port

ANSWER = [
    b"<h1>Who?</h1>",
    b'<ol><li id="p1" class="x">A passage</li></ol>',
    b'<p class="status working">2 questions before yours</p>',
    b'<p class="status working">Your question is next</p>',
    b'<p class="text" dir="auto">Lena Holm <a href="#p1">[1]</a> opened it.</p>',
    b'<div class="end" data-end></div>',
]


def test_a_page_is_heard_as_it_comes():
    page = Page()
    for at, chunk in enumerate(ANSWER):
        page.feed(chunk, float(at))
    heard = page.heard
    assert (heard.passages, heard.sentence, heard.end) == (1.0, 4.0, 5.0)
    assert heard.places == [3, 1]
    assert heard.words == 5
    assert heard.pace == 5.0
    assert not heard.busy


def test_a_mark_that_comes_in_two_pieces_is_heard():
    page = Page()
    page.feed(b'<li id="', 1.0)
    assert page.heard.passages is None
    page.feed(b'p1">', 2.0)
    assert page.heard.passages == 2.0


def test_a_question_that_never_ends_has_no_end():
    page = Page()
    page.feed(ANSWER[1], 1.0)
    assert page.heard.end is None
    assert page.heard.pace == 0


@pytest.mark.slow
def test_each_is_a_visitor_of_their_own_and_the_flooder_one():
    seen = {"/ask": [], "/read/a": []}

    async def ask(request):
        address = request.headers["x-real-ip"]
        seen["/ask"].append(address)
        if address == FLOODER and len(seen["/ask"]) % 2:
            return PlainTextResponse("later", 429)

        async def pieces():
            for piece in ANSWER:
                await asyncio.sleep(0.01)
                yield piece

        return StreamingResponse(pieces())

    async def read(request):
        seen["/read/a"].append(request.headers["x-real-ip"])
        return PlainTextResponse("article")

    app = Starlette(routes=[Route("/ask", ask), Route("/read/a", read)])
    port = free_port()
    with served(app, port=port, **OPTIONS):
        given = Class(
            f"http://127.0.0.1:{port}",
            ["Who?"] * 6,
            ["/read/a"],
            readers=2,
            look=0.3,
            seconds=4.0,
            patience=2.0,
            flood=2,
        )
        began = time.monotonic()
        ran = asyncio.run(run(given))
        assert time.monotonic() - began < 6
    assert all(0.05 < one.end < 2 for one in ran.asked)
    assert len({address for address in seen["/ask"] if address != FLOODER}) == 6
    assert len(ran.read) == len(seen["/read/a"]) > 0
    assert any(one.refused for one in ran.flooded)
    assert any(one.end for one in ran.flooded)
