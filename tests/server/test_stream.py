import re
import socket
import threading
import time
from pathlib import Path

import httpx
import pytest

from appliance.records import Stretch
from appliance.server.app import create_app
from appliance.server.stream import Markers
from server import fakes

pytestmark = pytest.mark.slow

COMPLETIONS = "/v1/chat/completions"
EVIDENCE = [fakes.FakeLibrary(fakes.shelf()).search("tetanus").evidence[0]]


def fed(*deltas: str, stressed: tuple[Stretch, ...] = ()) -> str:
    markers = Markers(EVIDENCE)
    first, *others = deltas
    html = str(markers.feed(first, stressed)) + "".join(str(markers.feed(delta)) for delta in others)
    html += str(markers.end())
    return re.sub(r"<a [^>]*>(.*?)</a>", r"{\1}", html)


def test_markers_in_pieces() -> None:
    assert fed("a [1] b") == "a {[1]} b"
    assert fed("a [", "1", "]", " b") == "a {[1]} b"
    assert fed("a [", "b]") == "a [b]"
    assert fed("a [1") == "a [1"
    assert fed("a [1][", "9] [2] b") == "a {[1]}  b"
    assert fed("x < y & [1234]") == "x &lt; y &amp; [1234]"


def test_stressed_words_are_bold_in_pieces_and_escaped() -> None:
    assert fed("a bc d [1].", stressed=((2, 2),)) == "a <b>bc</b> d {[1]}."
    assert fed("a b", "c d", stressed=((2, 3),)) == "a <b>b</b><b>c </b>d"
    assert fed("a <b> [", "1] c", stressed=((2, 3), (10, 1))) == "a <b>&lt;b&gt;</b> {[1]} <b>c</b>"
    assert fed("a [1] b", stressed=((2, 5),)) == "a <b>{[1]} b</b>"
    assert fed("“…” [1].", stressed=((20, 4), (-3, 2), (1, 0))) == "“…” {[1]}."  # the text is another by now
    assert fed("abcd", stressed=((1, 2), (2, 2))) == "a<b>bc</b><b>d</b>"


def test_passages_are_sent_before_the_first_word(tmp_path: Path) -> None:
    model = fakes.ScriptedModel(places=(2, 1, 0), pause=0.03)
    seen: dict[str, float] = {}
    with (
        fakes.serving(create_app(fakes.appliance(tmp_path, model))) as address,
        httpx.stream("GET", address + "/ask?q=tetanus+spasms") as response,
    ):
        for text in response.iter_text():
            for sign in ('id="p1"', "1 question before yours", "data-n=", "</html>"):
                if sign in text:
                    seen.setdefault(sign, time.monotonic())
    assert seen['id="p1"'] + 0.03 < seen["data-n="]
    assert seen["1 question before yours"] + 0.03 < seen["data-n="]
    assert seen["data-n="] + 0.06 < seen["</html>"]


@pytest.mark.parametrize(("method", "path"), [("GET", "/ask?q=tetanus+spasms"), ("POST", COMPLETIONS)])
def test_a_reader_who_leaves_stops_the_model(tmp_path: Path, method: str, path: str) -> None:
    model = fakes.ScriptedModel(hangs_after=5)
    body = {"messages": [{"role": "user", "content": "tetanus spasms"}], "stream": True}
    sign = "data-n=" if method == "GET" else "painful muscle"
    with fakes.serving(create_app(fakes.appliance(tmp_path, model))) as address:
        with httpx.stream(method, address + path, json=body if method == "POST" else None) as response:
            next(text for text in response.iter_text() if sign in text)
        left = time.monotonic()
        while not model.stopped and time.monotonic() - left < 2:
            time.sleep(0.01)
        assert model.stopped == 1


def test_a_reader_who_leaves_while_waiting_is_taken_out(tmp_path: Path) -> None:
    model = fakes.ScriptedModel(places=(1,), pause=30)
    with fakes.serving(create_app(fakes.appliance(tmp_path, model))) as address:
        port = int(address.rpartition(":")[2])
        with socket.create_connection(("127.0.0.1", port)) as reader:
            reader.sendall(b"GET /ask?q=tetanus+spasms HTTP/1.1\r\nHost: localhost\r\n\r\n")
            while b"next" not in reader.recv(65536):
                pass
        left = time.monotonic()
        while not model.stopped and time.monotonic() - left < 2:
            time.sleep(0.01)
        assert model.stopped == 1


def test_thirty_at_once_all_see_their_passages(tmp_path: Path) -> None:
    model = fakes.ScriptedModel()
    pages: list[str] = []
    with (
        fakes.serving(create_app(fakes.appliance(tmp_path, model))) as address,
        httpx.Client(timeout=20, limits=httpx.Limits(max_connections=30)) as client,
    ):

        def ask() -> None:
            pages.append(client.get(address + "/ask?q=tetanus+spasms").text)

        readers = [threading.Thread(target=ask) for _ in range(30)]
        for reader in readers:
            reader.start()
        for reader in readers:
            reader.join()
    assert len(pages) == 30
    assert all('id="p1"' in page and page.rstrip().endswith("</html>") for page in pages)
