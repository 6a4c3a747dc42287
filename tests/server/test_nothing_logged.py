"""What the pages' process logs while people ask: neither a word of a question nor an address.

The journal of the desk shows what units log (docs/desk.md). This starts the real process, asks in every way
that there is, well and badly, and looks for it in everything that was written beside the conversations
themselves.
"""

import os
import signal
import socket
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from appliance.services.run import free_port, verb
from appliance.sources.zim import Page, write_archive

pytestmark = pytest.mark.models

WORD, PHONE = "quibblonia", "10.42.0.77"
METADATA = {"Title": "Small", "Description": "A fact", "Creator": "Tests", "Date": "2026-01-01"}
KEPT = ("archive.db", "documents.db", "people.db")  # what people have had kept on purpose


@pytest.fixture(scope="module")
def logged(home: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """Everything that the process said, and its folder, after people have asked."""
    folder = tmp_path_factory.mktemp("box")
    (folder / "library").mkdir()
    (folder / "models").symlink_to(home / "models")
    page = Page("Tides", "Tides", "<h1>Tides</h1><p>Tides are caused by the gravity of the Moon.</p>")
    write_archive(folder / "library/small.zim", [page], METADATA, "eng", "Tides")
    port, log = free_port(), folder / "said"
    command = verb("web", "--home", str(folder), "--port", str(port), "--search-only")
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    with (
        log.open("wb") as said,
        subprocess.Popen(command, env=environment, stderr=said, stdout=said) as process,
    ):
        try:
            _wait(port)
            _ask(port)
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(20)
    return log.read_text("utf-8", "replace"), folder


def _wait(port: int) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        with suppress(httpx.TransportError):
            httpx.get(f"http://127.0.0.1:{port}/healthz", timeout=5)
            return
        time.sleep(0.2)
    pytest.fail("the pages do not answer")


def _ask(port: int) -> None:
    question = f"what causes {WORD}?"
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", headers={"x-real-ip": PHONE}, timeout=30) as phone:
        phone.get("/ask", params={"q": question})
        phone.get("/ask", params={"q": question, "archive": WORD})
        phone.get("/ask", params={"q": question * 1000})
        phone.get("/api/search", params={"q": question, "limit": WORD})
        phone.get("/api/suggest", params={"q": WORD})
        phone.get("/source", params={"archive": "small", "path": WORD, "start": WORD})
        phone.get(f"/{WORD}/../{WORD}?{WORD}", headers={"referer": f"http://x/?{WORD}", "user-agent": WORD})
        phone.post(
            "/v1/chat/completions", json={"model": WORD, "messages": [{"role": "user", "content": question}]}
        )
        phone.post("/v1/chat/completions", content=f'{{"messages": "{WORD}'.encode())
        phone.post("/v1/embeddings", json={"model": "minilm", "input": question})
        phone.post("/conversations", data={"q": question, "question": question})
        phone.post("/sign-in", data={"name": WORD, "passphrase": WORD})
        phone.get("/desk/logs", params={"source": WORD})
    for line in (
        f"GET /ask?q={WORD} HTTP/9.9\r\n\r\n",
        f"{WORD}\r\n\r\n",
        f"GET /ask?q={WORD}\0 HTTP/1.1\r\n\r\n",
    ):
        with socket.create_connection(("127.0.0.1", port), 10) as raw, suppress(OSError):
            raw.sendall(line.encode())
            raw.recv(1000)
    with socket.create_connection(("127.0.0.1", port), 10) as leaving:
        leaving.sendall(f"GET /ask?q={WORD}+tides HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())


def test_something_was_logged(logged: tuple[str, Path]) -> None:
    """Or the others could not fail."""
    assert "Invalid HTTP request" in logged[0]


def test_no_word_of_a_question_is_logged(logged: tuple[str, Path]) -> None:
    assert WORD not in logged[0].lower()


def test_no_address_is_logged(logged: tuple[str, Path]) -> None:
    assert PHONE not in logged[0]


def test_no_file_beside_what_people_keep_has_either(logged: tuple[str, Path]) -> None:
    found = [
        str(file.relative_to(logged[1]))
        for file in logged[1].rglob("*")
        if file.is_file() and not file.name.startswith(KEPT)
        if WORD.encode() in (content := file.read_bytes().lower()) or PHONE.encode() in content
    ]
    assert found == []
