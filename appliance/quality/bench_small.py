"""The small service in memory, words alone: POST /query over 1,000 short documents.

Asked as a server asks an application (ASGI), so routing, checking and JSON count, the network does not.
Processor time stands beside wall time: a machine that does other things shows in the second alone.
"""

import asyncio
import json
import random
import statistics
import time
from pathlib import Path
from typing import Any

from starlette.types import ASGIApp

from appliance.documents.ingest import Ingest
from appliance.documents.parts import estimate
from appliance.documents.readers import Readers
from appliance.documents.search import Documents
from appliance.quality.results import Figure
from appliance.server.small import create_small
from appliance.settings import Settings

PART = "small"
DOCUMENTS, ASKED, WARM = 1_000, 500, 50
_WORDS = [
    "mill",
    "bridge",
    "river",
    "flood",
    "school",
    "bell",
    "pump",
    "valve",
    "honey",
    "winter",
    "ferry",
    "ledger",
    "well",
    "nitrate",
    "letter",
    "stone",
    "iron",
    "boat",
    "orchard",
    "meadow",
    "teacher",
    "spring",
    "seed",
    "potato",
    "loan",
    "member",
    "barn",
    "machine",
    "drill",
    "weight",
    "tower",
    "chapel",
    "century",
    "harvest",
    "bread",
    "rye",
    "dough",
    "oven",
    "swarm",
    "queen",
    "mite",
    "acid",
    "lime",
    "flower",
    "hive",
]


def small(_given: Settings, _data: Path) -> list[Figure]:
    """Needs no model and no data."""
    documents = Documents.open(None, "")
    try:
        app = create_small(Ingest(documents, Readers(), estimate), None)
        return asyncio.run(_measure(app))
    finally:
        documents.close()


async def _measure(app: ASGIApp) -> list[Figure]:
    chance = random.Random(6)
    for n in range(DOCUMENTS):
        text = f"{' '.join(chance.choices(_WORDS, k=40))}. The code of item {n} is ITEM-{n:04}."
        status, _ = await _post(app, "/ingest", {"text": text, "title": f"Note {n}"})
        assert status == 201, status
    asked = [" ".join(chance.choices(_WORDS, k=3)) for _ in range(ASKED // 2)]
    asked += [f"What is the code of item {chance.randrange(DOCUMENTS)}?" for _ in range(ASKED // 2)]
    chance.shuffle(asked)
    for question in asked[:WARM]:
        await _post(app, "/query", {"query": question})
    spent = [await _timed(app, question) for question in asked[WARM:]]
    what = f"POST /query over {DOCUMENTS:,} short documents in memory, words alone, p50"
    wall, processor = (statistics.median(times) * 1000 for times in zip(*spent, strict=True))
    return [
        Figure(PART, what, round(wall, 3), "ms", "under 1 ms"),
        Figure(PART, f"{what}, processor time", round(processor, 3), "ms"),
    ]


async def _timed(app: ASGIApp, question: str) -> tuple[float, float]:
    began, spent = time.perf_counter(), time.process_time()
    status, reply = await _post(app, "/query", {"query": question})
    times = time.perf_counter() - began, time.process_time() - spent
    assert status == 200, status
    assert json.loads(reply)["passages"]
    return times


async def _post(app: ASGIApp, path: str, body: dict[str, str]) -> tuple[int, bytes]:
    sent: list[dict[str, Any]] = []
    content = json.dumps(body).encode()

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": content, "more_body": False}

    async def send(message: Any) -> None:  # noqa: ANN401 - ASGI's own type is a mutable mapping
        sent.append(message)

    headers = [(b"host", b"127.0.0.1"), (b"content-type", b"application/json")]
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST", "path": path,
        "raw_path": path.encode(), "query_string": b"", "root_path": "", "scheme": "http", "headers": headers,
        "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 80), "state": {},
    }  # fmt: skip
    await app(scope, receive, send)
    return int(sent[0]["status"]), b"".join(message.get("body", b"") for message in sent[1:])
