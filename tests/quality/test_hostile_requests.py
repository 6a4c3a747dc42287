"""The generator of bad requests, and the eye on their answers."""

from collections import Counter
from itertools import islice
from pathlib import Path

from every import every
from server import fakes

from appliance.quality.bench_hostile import Held, Tally, figures
from appliance.quality.hostile import Attempt, Attempts
from appliance.quality.hostile_sent import Reply, replied, wrong
from appliance.server.app import create_app
from appliance.server.routes import listed

TARGETS = [("GET", "/ask"), ("POST", "/documents/{number}"), ("GET", "/static/{path:path}")]
WHOLE = Attempt("whole", b"GET / HTTP/1.1\r\n\r\n", None, True)
CUT = Attempt("cut", b"GET", 2, False)
OK = b"HTTP/1.1 200 OK\r\ncontent-type: text/plain"


def test_the_same_seed_gives_the_same_requests() -> None:
    one, other = (list(islice(Attempts(7, TARGETS), 300)) for _ in range(2))
    assert one == other
    assert one != list(islice(Attempts(8, TARGETS), 300))


def test_all_kinds_come_and_all_addresses() -> None:
    some = list(islice(Attempts(1, TARGETS, [("authorization", "Bearer mine")], "box.example"), 800))
    assert {attempt.what.partition(":")[0].removesuffix(", cut") for attempt in some} == {
        "declared", "another method", "a path that climbs", "a body that lies", "much of something",
        "no HTTP",
    }  # fmt: skip
    sent = b"".join(attempt.sent for attempt in some)
    assert all(part in sent for part in (b"GET /ask", b"POST /documents/", b"GET /static/", b"box.example"))
    assert b"Bearer mine" in sent
    assert any(attempt.cut is not None for attempt in some)
    assert all(attempt.cut is None or not attempt.well_formed for attempt in some)


@every(
    ("attempt", "reply", "what"),
    [
        (WHOLE, Reply(200, OK, b"fine", 0.1), ""),
        (WHOLE, Reply(503, OK, b"busy", 0.1), ""),
        (WHOLE, Reply(500, OK, b"", 0.1), "status 500"),
        (WHOLE, Reply(0, b"", b"", 0.1), "no answer"),
        (WHOLE, Reply(200, OK, b"", 30, late=True), "an answer without end"),
        (CUT, Reply(0, b"", b"", 0.1), ""),
        (CUT, Reply(500, OK, b"", 0.1), "status 500"),
        (WHOLE, Reply(404, OK, b"Traceback (most recent call last)", 0.1), "it tells"),
        (WHOLE, Reply(404, OK, b"in /private/home/x", 0.1), "it tells /private/home"),
        (WHOLE, Reply(200, OK + b"\r\nContent-Disposition: attachment", b"apsw.x", 0.1), ""),
        (WHOLE, Reply(404, OK + b"\r\nserver: uvicorn", b"", 0.1), "it tells uvicorn"),
        (WHOLE, Reply(303, OK + b"\r\nx-bad: yes", b"", 0.1), "a header of the request's making"),
    ],
)
def test_what_is_wrong_with_an_answer_is_seen(attempt: Attempt, reply: Reply, what: str) -> None:
    found = wrong(attempt, reply, [b"/private/home"])
    assert found.startswith(what) if what else not found


def test_what_is_said_before_a_reply_is_passed_over() -> None:
    found = replied(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 500 \r\nx: y\r\n\r\nbody", 0.1)
    assert (found.status, found.body) == (500, b"body")
    assert replied(b"HTTP/1.1 100 Continue\r\n\r\n", 0.1).status == 0


def test_every_address_of_an_application_is_listed(tmp_path: Path) -> None:
    found = {str(one) for one in listed(create_app(fakes.appliance(tmp_path)).routes)}
    assert {"GET /ask", "GET /api/search", "POST /v1/chat/completions", "GET /static/{path:path}"} <= found
    assert {"GET /read/{path:path}", "HEAD /read/{path:path}", "GET /openapi.json"} <= found


def test_thefigures_say_how_much_is_left_behind() -> None:
    tally = Tally(Counter({200: 3, 404: 2, 0: 1}), [("status 500", WHOLE)])
    found = {one.what: one.figure for one in figures(tally, Held(20, 3, 9, 100.0), Held(22, 6, 9, 130.5))}
    assert found["descriptors more than before"] == 2
    assert found["kept connections to databases, descriptors more"] == 3
    assert found["threads more than before"] == 0
    assert found["memory of web more than before"] == 30.5
    assert found["2xx, of 5,000 bad requests"] == 3
