"""A box that is switched to and fro while it is asked twenty times a second: no request may fail, and none
may see an empty shelf. Before that it is asked as much without a switch: what fails or is slow then is the
machine's."""

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import httpx

from appliance.bundles.folder import Disk
from appliance.bundles.install import install
from appliance.bundles.store import Store
from appliance.bundles.verify import quick
from appliance.errors import SetupError
from appliance.quality.box import running
from appliance.quality.results import Figure
from appliance.records import Document
from appliance.server import links
from appliance.settings import Settings
from appliance.sources.zim import ZimArchive

PART = "bundles"
PER_SECOND = 20
SWITCHES = 6
APART = 6.0  # seconds between two switches
NO_TLS = False  # else each request reads all certificates, and the askers take half a core from the box
ASKERS = 16  # at once; each waits for its answer


@dataclass(slots=True)
class Seen:
    """What the readers met: their requests, and a sentence for each that was not as it should be."""

    asked: int = 0
    wrong: list[str] = field(default_factory=list)
    slowest: float = 0.0


def switches(given: Settings, old: Path, new: Path, place: Path) -> list[Figure]:
    """`old` and `new` are bundles with an archive in common, which is what the readers ask for."""
    store = Store(place / "switched")
    with store.alone():
        for bundle in (new, old):
            made = install(store, Disk(bundle), quick(Disk(bundle)))
            store.switch(made)
            store.answered(made)
    beside = replace(given, library=place / "none", store=store.root, search_only=True, archive=())
    beside = replace(beside, runtime=place / "run")
    beside.library.mkdir()
    with running(beside) as started:
        base, requests = started.http.base_url, _requests(old, new)
        still = _asked_during(base, requests, lambda: None)
        seen = _asked_during(base, requests, partial(_switch, store))
    for found, when in ((still, "without a switch"), (seen, "during switches")):
        for sentence in found.wrong[:5]:
            print(f"wrong {when}: {sentence}")
    return [
        Figure(PART, f"requests without a switch, {PER_SECOND} a second", still.asked, "requests"),
        Figure(PART, "of these that failed", len(still.wrong), "requests"),
        Figure(PART, "the slowest without a switch", still.slowest, "s"),
        Figure(PART, f"requests during {SWITCHES} switches, {PER_SECOND} a second", seen.asked, "requests"),
        Figure(PART, "of these that failed or saw an empty shelf", len(seen.wrong), "requests", "0"),
        Figure(PART, "the slowest of these", seen.slowest, "s"),
    ]


def _requests(old: Path, new: Path) -> list[tuple[str, str]]:
    """Addresses, and what their page must hold whichever bundle is in use."""
    names = [{archive.name: archive for archive in quick(Disk(one)).bundle.archives} for one in (old, new)]
    common = sorted(set(names[0]) & set(names[1]))
    if not common:
        raise SetupError("The two bundles have no archive in common.")
    archive = ZimArchive.open(old / names[0][common[0]].files[0])
    texts = (text for _, text in archive.documents() if isinstance(text, Document))
    document = next(text for text in texts if text.title.isalpha())  # the same in HTML and in an address
    return [
        ("/", archive.title),
        (links.ask_url(document.title), document.title),
        (links.source_url(archive.name, document.path), document.title),
        (links.article_url(archive.name, document.path), document.title),
        ("/healthz", '"ready":true'),
    ]


def _switch(store: Store) -> None:
    with store.alone():
        store.roll_back()


def _asked_during(base: httpx.URL, requests: Sequence[tuple[str, str]], change: Callable[[], None]) -> Seen:
    """Asks while `change` is called SWITCHES times, APART seconds apart."""
    seen, lock, over = Seen(), threading.Lock(), threading.Event()

    def ask(address: str, expected: str) -> None:
        began = time.perf_counter()
        try:
            with httpx.Client(base_url=base, timeout=30, trust_env=False, verify=NO_TLS) as http:
                reply = http.get(address)
            fault = "" if reply.status_code == 200 and expected in reply.text else f"{reply.status_code}"
        except httpx.HTTPError as error:
            fault = repr(error)
        with lock:
            seen.asked += 1
            seen.slowest = max(seen.slowest, time.perf_counter() - began)
            if fault:
                seen.wrong.append(f"{address}: {fault}")

    def change_often() -> None:
        for _ in range(SWITCHES):
            time.sleep(APART)
            change()
        time.sleep(APART)
        over.set()

    switching = threading.Thread(target=change_often)
    switching.start()
    with ThreadPoolExecutor(ASKERS) as pool:
        number, began = 0, time.perf_counter()
        while not over.is_set():
            pool.submit(ask, *requests[number % len(requests)])
            number += 1
            time.sleep(max(0.0, began + number / PER_SECOND - time.perf_counter()))
    switching.join()
    return seen
