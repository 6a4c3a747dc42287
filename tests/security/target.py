"""The box that is attacked: the one at LAMPLIGHT_SECURITY_URL, or one of our own with a hostile library."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from documents import keep
from repositories.trees import Tree, reader

from appliance import models, settings
from appliance.documents.search import FOLDER, Documents
from appliance.errors import GitError
from appliance.quality import hostile_sent
from appliance.quality.bench_hostile import addresses, admin
from appliance.quality.hostile import Attempt
from appliance.quality.hostile_sent import Reply
from appliance.repositories import register
from appliance.repositories.repositories import Repositories
from appliance.repositories.sync import sync
from appliance.services.run import free_port
from appliance.settings import Settings
from appliance.sources.zim import Page, write_archive
from appliance.vectors import HashEncoder

ROOT = Path(__file__).parents[2]
URL = os.environ.get("LAMPLIGHT_SECURITY_URL", "")
RUNS = "<script>window.ran = 1</script><img src=x onerror='window.ran = 1'><svg onload='window.ran = 1'>"
FORM = "application/x-www-form-urlencoded"
NAMES = (
    f'"><{RUNS}', f"{{{{7*7}}}}{RUNS}", "'-alert(1)-'", "javascript:window.ran=1", f"</title>{RUNS}",
    "&lt;script&gt;window.ran=1&lt;/script&gt;", "\u202egnp.exe" + RUNS, "[x](javascript:window.ran=1)",
)  # fmt: skip
REPOSITORY, FILES = "wiki", tuple(f"{RUNS.replace('/', '')}/{n}.md" for n in range(3))
METADATA = {"Title": NAMES[0][:25], "Description": RUNS[:70], "Creator": RUNS, "Date": "2026-01-01"}
MARKDOWN = f"""# {NAMES[0]}

Tides are caused by the gravity of the Moon {RUNS} in 1932. [a](javascript:window.ran=1)
![b](x"onerror="window.ran=1)

<{RUNS}

```html
{RUNS}
```

| {RUNS} | b |
|---|---|
| {RUNS} | 1934 |
"""


@dataclass(frozen=True)
class Target:
    """`own` is the process of our own box, with its settings; None for one that is only known by its address.
    `addresses`: (method, path) as declared."""

    address: str
    addresses: tuple[tuple[str, str], ...]
    own: subprocess.Popen[bytes] | None = None
    settings: Settings | None = None
    token: str = ""  # of a program that acts for an admin, where we made one

    @property
    def where(self) -> tuple[str, int]:
        parts = urlsplit(self.address)
        return str(parts.hostname), parts.port or 80

    @property
    def host(self) -> str:
        return urlsplit(self.address).netloc

    @property
    def names(self) -> tuple[str, ...]:
        """Of the box, with its port: people sign in under a name, articles are read under a number."""
        found = urlsplit(self.address)
        return self.host, self.host.replace("127.0.0.1", "localhost"), str(found.hostname)

    @property
    def private(self) -> list[bytes]:
        """What no reply may tell: where the box lies on the disk."""
        return [os.fsencode(self.settings.home), os.fsencode(ROOT)] if self.settings else []

    def raw(self, sent: bytes, patience: bool = True) -> Reply:
        """The answer to bytes as they are; without `patience` none is owed."""
        return hostile_sent.send(self.where, Attempt("a test", sent, None, patience))

    def ask(
        self, target: str, method: str = "GET", head: Mapping[str, str] | None = None, body: bytes = b""
    ) -> Reply:
        """The answer to a request whose target goes out as it is written. A box elsewhere takes so many for a
        flood: then it is waited for as long as it says."""
        given = {"host": self.host, "connection": "close"} | dict(head or {})
        if body:
            given["content-length"] = str(len(body))
        lines = [f"{method} {target} HTTP/1.1", *(f"{name}: {value}" for name, value in given.items())]
        sent = "\r\n".join((*lines, "", "")).encode("latin-1") + body
        reply = self.raw(sent)
        for _ in range(5):
            if self.own or reply.status != 429:
                break
            time.sleep(min(60.0, float(headers(reply).get("retry-after", "5"))))
            reply = self.raw(sent)
        return reply


def headers(reply: Reply) -> dict[str, str]:
    """Of a reply, the names in small letters."""
    lines = (line.partition(":") for line in reply.head.decode("latin-1").split("\r\n")[1:])
    return {name.lower(): value.strip() for name, _, value in lines}


def furnished(home: Path) -> str:
    """A library, own documents and a repository whose every name and text wants to run something. Gives the
    token of an admin's program."""
    (home / "library").mkdir(parents=True)
    tides = f"<h1>{RUNS}</h1><p>Tides are caused by the gravity of the Moon. {RUNS.replace('<', '&lt;')}</p>"
    pages = [Page(f"page {n} {name}", name, tides) for n, name in enumerate(NAMES)]
    write_archive(
        home / "library" / "hostile_en.zim",
        [*pages, Page("Main", "Main", "<p>x</p>")],
        METADATA,
        "eng",
        "Main",
    )
    documents = Documents.open(home / FOLDER, models.catalogue().find(models.EMBEDDING[0]).sha256)
    for n, name in enumerate(NAMES):
        keep.add(documents, f"{MARKDOWN}\n{n}", f"{name}.md", folder=f"{name[:40]}")
    documents.close()
    given = settings.load({"home": home}, {})
    _synced(given)
    return admin(given)


def _synced(given: Settings) -> None:
    """A source that everyone may see, as it is after git has fetched it."""
    sources = Repositories(given, HashEncoder(), models.catalogue().find(models.EMBEDDING[0]).sha256)
    sources.add("https://git.invalid/team/wiki", REPOSITORY, seen="everyone")
    tree = Tree({path: f"{MARKDOWN}\n{path}" for path in FILES})
    store = sources._passages(REPOSITORY).store
    register.went_well(
        sources._register, REPOSITORY, RUNS, sync(tree, tree.commit, reader(store), HashEncoder())
    )
    register.failed(sources._register, REPOSITORY, GitError(RUNS, RUNS, "away"))
    sources.close()


@contextmanager
def running(home: Path, token: str = "") -> Iterator[Target]:
    """The pages' process alone: without models words are searched."""
    given = settings.load({"home": home, "port": free_port(), "documents": "everyone"}, {})
    found = tuple(addresses(given))
    process = subprocess.Popen(
        [sys.executable, "-m", "appliance", "web"],
        env={**os.environ, **settings.environment(given), "PYTHONPATH": str(ROOT)},
        stderr=subprocess.DEVNULL,
    )
    try:
        _await(("127.0.0.1", given.port), process)
        yield Target(f"http://127.0.0.1:{given.port}", found, process, given, token)
        assert process.poll() is None, "the box did not live to the end"
    finally:
        process.terminate()
        process.wait(60)


def _await(where: tuple[str, int], process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < until:
        with socket.socket() as probe:
            if probe.connect_ex(where) == 0:
                return
        time.sleep(0.05)
    raise AssertionError("the box did not come up")
