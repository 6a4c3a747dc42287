"""Turns and pace in front of the pages, with a clock and an app of our own."""

import asyncio
import time

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from appliance.answer.visit import SEARCH, VISITOR
from appliance.server.fair import HELD, PAGES, ROOM, Fair, cost
from appliance.server.pace import ADDRESS, LIMIT, LONGEST, READER, Bucket, Pace
from appliance.server.reader import COOKIE
from appliance.server.refusals import slower
from appliance.server.visitors import HERE, Names

NEAR, FAR = ("127.0.0.1", 1), ("192.0.2.7", 1)


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def scope(client=NEAR, real_ip="", cookie=""):
    headers = [(b"x-real-ip", real_ip.encode())] if real_ip else []
    headers += [(b"cookie", f"{COOKIE}={cookie}".encode())] if cookie else []
    return {"type": "http", "client": client, "headers": headers}


def test_a_visitors_name_says_nothing_and_stays_while_the_process_lives():
    names = Names()
    one = names.of(scope(real_ip="198.51.100.9", cookie="zebra"))
    assert names.of(scope(real_ip="198.51.100.9", cookie="zebra")) == one
    assert "198.51" not in one
    assert "zebra" not in one
    assert Names().of(scope(real_ip="198.51.100.9", cookie="zebra")) != one


def test_phones_behind_one_address_are_told_apart_by_their_cookies():
    names = Names()
    one, other = (names.of(scope(real_ip="198.51.100.9", cookie=value)) for value in "ab")
    assert one != other
    assert one.partition("/")[0] == other.partition("/")[0]
    assert names.of(scope(real_ip="198.51.100.8")).partition("/")[0] != one.partition("/")[0]


def test_a_device_with_many_ipv6_addresses_is_one_household():
    names = Names()
    one, other = (names.of(scope(real_ip=f"2001:db8::{end}")) for end in ("1", "ffff:2"))
    assert one == other != names.of(scope(real_ip="2001:db8:0:1::1"))


def test_who_asks_from_afar_cannot_say_that_they_are_another():
    names = Names()
    assert names.of(scope(FAR, real_ip="127.0.0.1")) == names.of(scope(FAR))
    assert names.of(scope(NEAR)) == f"{HERE}/"
    assert names.of(scope(None)) == f"{HERE}/"


def test_people_are_never_slowed():
    """A question every three seconds for an hour, after fifteen at once."""
    clock = Clock()
    pace = Pace(clock=clock)
    assert [pace.wait("a/1", 1, 2) for _ in range(15)] == [0.0] * 15
    for _ in range(1200):
        clock.now += 3
        assert pace.wait("a/1", 1, 2) == 0


def test_who_floods_is_slowed_then_refused_and_waits_longer_the_more_they_send():
    clock = Clock()
    pace = Pace(clock=clock)
    waits = [pace.wait("a/1", 1, 2) for _ in range(400)]
    assert waits[: int(READER.burst)] == [0.0] * int(READER.burst)
    assert waits[int(READER.burst)] == pytest.approx(2.0)
    assert waits == sorted(waits)
    assert waits[-1] == LONGEST
    assert pace.wait("b/1", 1, 2) == 0  # nobody else is
    clock.now += LONGEST + 60
    assert pace.wait("a/1", 1, 2) == 0


def test_a_class_behind_one_address_asks_within_a_minute():
    clock = Clock()
    pace = Pace(clock=clock)
    waits = []
    for n in range(60):
        clock.now += 1
        waits.append(pace.wait(f"school/{n % 30}", 1, 2))
    assert set(waits) == {0.0}


def test_names_that_are_made_up_do_not_help():
    pace = Pace(clock=Clock())
    refused = [pace.wait(f"a/{n}", 1, 2) > 2 for n in range(300)]
    assert refused.count(False) <= ADDRESS.burst + 2 * ADDRESS.rate + 1


def test_what_is_kept_of_visitors_is_bounded():
    pace = Pace(clock=Clock())
    for n in range(LIMIT + 50):
        pace.wait(f"{n}/1", 1, 2)
    assert len(pace) == LIMIT


def test_questions_cost_and_looking_hardly_does():
    assert cost("GET", "/ask") == cost("POST", "/v1/chat/completions") == cost("GET", "/api/search") == 1
    assert cost("POST", "/conversations/3") == 1
    assert cost("GET", "/conversations/3") == cost("GET", "/read/x/y.jpg") < 0.05


async def refuse(_request: Request, seconds: int):
    return PlainTextResponse("later", 429, {"retry-after": str(seconds)})


def app(endpoint, pace=None, patience=0.01):
    routes = [Route("/{path:path}", endpoint, methods=["GET", "POST"])]
    return Fair(Starlette(routes=routes), refuse, pace, patience)


def client(made):
    return httpx.AsyncClient(transport=httpx.ASGITransport(made), base_url="http://box")


def test_the_visitor_goes_with_the_request_and_not_beyond():
    async def told(_request):
        return PlainTextResponse(f"{VISITOR.get()} {SEARCH.get() is not None}")

    async def run():
        async with client(app(told)) as http:
            first = (await http.get("/ask", headers={"x-real-ip": "198.51.100.9"})).text
            return first, (await http.get("/static/x")).text, VISITOR.get()

    first, free, after = asyncio.run(run())
    assert first.endswith("/ True")
    assert len(first.split("/")[0]) == 24
    assert free == " False"
    assert after == ""


def test_a_flood_is_answered_with_when_to_come_back():
    pace = Pace(Bucket(5, 0.1), clock=Clock())

    async def fine(_request):
        return PlainTextResponse("fine")

    async def run():
        async with client(app(fine, pace)) as http:
            for _ in range(6):
                flood = await http.get("/ask", headers={"x-real-ip": "198.51.100.9"})
            other = await http.get("/ask", headers={"x-real-ip": "198.51.100.8"})
            here = [await http.get("/ask") for _ in range(100)]
            return flood, other, {reply.status_code for reply in here}

    flood, other, here = asyncio.run(run())
    assert flood.status_code == 429
    assert int(flood.headers["retry-after"]) > 2
    assert other.status_code == 200
    assert here == {200}  # programs of this machine have no pace


@pytest.mark.slow
def test_a_refusal_is_held_back_and_beyond_a_bound_comes_at_once():
    pace = Pace(Bucket(1, 0.001), clock=Clock())
    over = 7

    async def fine(_request):
        return PlainTextResponse("fine")

    async def timed(http):
        began = time.monotonic()
        reply = await http.get("/ask", headers={"x-real-ip": "198.51.100.9"})
        return reply.status_code, time.monotonic() - began

    async def run():
        async with client(app(fine, pace, patience=0.5)) as http:
            first = await timed(http)
            return first, await asyncio.gather(*(timed(http) for _ in range(HELD + over)))

    first, others = asyncio.run(run())
    assert first[0] == 200
    assert {status for status, _ in others} == {429}
    assert sum(seconds < 0.45 for _, seconds in others) == over


def test_articles_are_made_a_few_at_once_and_visitors_take_turns():
    running, most, order = 0, 0, []

    async def made(request):
        nonlocal running, most
        running += 1
        most = max(most, running)
        for _ in range(3):
            await asyncio.sleep(0)
        running -= 1
        order.append(request.headers["x-real-ip"])
        return PlainTextResponse("article")

    async def run():
        async with client(app(made)) as http:
            flood = [http.get("/read/a", headers={"x-real-ip": "198.51.100.1"}) for _ in range(60)]
            others = [http.get("/read/a", headers={"x-real-ip": f"198.51.100.{n}"}) for n in range(2, 12)]
            return await asyncio.gather(*flood, *others)

    replies = asyncio.run(run())
    assert {reply.status_code for reply in replies} == {200}
    assert most == PAGES
    last = max(place for place, address in enumerate(order) if address != "198.51.100.1")
    assert last < 2 * 11 + 2 * PAGES  # of seventy


def test_a_page_that_is_sent_slowly_takes_nobodys_turn():
    begun, go_on = [], asyncio.Event()

    async def inner(_scope, _receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})
        begun.append(1)
        await go_on.wait()
        await send({"type": "http.response.body", "body": b""})

    async def nothing(*_):
        return None

    async def run():
        fair = Fair(inner, refuse)
        asked = {**scope(real_ip="198.51.100.9"), "path": "/read/x", "method": "GET"}
        tasks = [asyncio.create_task(fair(asked, nothing, nothing)) for _ in range(PAGES * 3)]
        for _ in range(20):
            await asyncio.sleep(0)
        there = len(begun)
        go_on.set()
        await asyncio.gather(*tasks)
        return there

    assert asyncio.run(run()) == PAGES * 3


def test_beyond_all_room_the_one_who_asks_most_is_sent_away():
    go_on = asyncio.Event()

    async def made(_request):
        await go_on.wait()
        return PlainTextResponse("article")

    async def run():
        async with client(app(made)) as http:
            one = {"x-real-ip": "198.51.100.1"}
            flood = [asyncio.create_task(http.get("/read/a", headers=one)) for _ in range(PAGES + ROOM)]
            await asyncio.sleep(0.05)
            other = asyncio.create_task(http.get("/read/a", headers={"x-real-ip": "198.51.100.2"}))
            await asyncio.sleep(0.01)
            go_on.set()
            return await asyncio.gather(*flood), await other

    flood, other = asyncio.run(run())
    assert other.status_code == 200
    refused = [reply for reply in flood if reply.status_code == 429]
    assert [reply.headers["retry-after"] for reply in refused] == ["1"]


@pytest.mark.parametrize(
    ("path", "kind", "said"),
    [("/api/search", "application/json", '"code":"too_fast"'), ("/ask", "text/html", "Not so fast")],
)
def test_who_is_refused_is_told_when_to_come_back_as_a_page_or_as_json(path, kind, said):
    asked = Request({"type": "http", "path": path, "method": "GET", "headers": [], "query_string": b""})
    reply = asyncio.run(slower(asked, 7))
    assert reply.status_code == 429
    assert reply.headers["retry-after"] == "7"
    assert reply.headers["content-type"].startswith(kind)
    assert said in reply.body.decode()
    assert "Try again in 7 s." in reply.body.decode()
