"""Kiwix's servers on this machine, for tests: the catalogue (OPDS), the metalinks and checksums beside each
archive, an origin that redirects, and mirrors that can misbehave.

The forms are those of the real ones: the feed as libkiwix writes it, with the size rounded up to 1,024 bytes;
the metalink as MirrorBrain writes it, with md5, sha-1, sha-256, pieces of sha-1 and comments; `.sha256` as
sha256sum writes it.
"""

import hashlib
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit
from xml.sax.saxutils import escape

PIECE = 4096


@dataclass
class Archive:
    """An archive in the catalogue and what is said of it; a field of None is left out of the metalink."""

    name: str
    content: bytes
    flavour: str = ""
    issued: str = "2026-04-11"
    size: int | None = -1
    sha256: str | None = ""
    pieces: bool = True
    metalink: bool = True
    checksum: bool = True
    mirrors: tuple[str, ...] = ("a", "b")
    link: bool = True

    @property
    def file(self) -> str:
        return "_".join(filter(None, (self.name, self.flavour, self.issued[:7]))) + ".zim"


@dataclass
class Mirror:
    """How one mirror behaves; `content` of a file stands for what it has instead of the right one."""

    content: dict[str, bytes] = field(default_factory=dict)
    status: int = 0  # answered to everything
    breaks_after: int = -1  # bytes of each answer
    ranges: bool = True  # False: sends all of a file whatever was asked
    says: str | None = None  # its Content-Range
    seconds_per_block: float = 0
    block: int = 1 << 16
    after_each: Callable[[], None] | None = None  # called before each answer


class Kiwix:
    """Address `url`; requests so far in `asked`, as `place/file range`."""

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self.catalogue = f"{self.url}/catalog/v2/entries"
        self.archives: list[Archive] = []
        self.mirrors: dict[str, Mirror] = {}
        self.asked: list[str] = []
        self.page = 0  # entries on a page at most; 0: as many as asked for
        self.feed: bytes | None = None  # sent instead of the catalogue
        self.metalink: bytes | None = None  # sent instead of every metalink
        self.moved = False  # the catalogue is elsewhere now
        self.filters = True  # False: finds nothing when asked for one name

    def add(self, name: str, content: bytes, **more: object) -> Archive:
        archive = replace(Archive(name, content), **more)
        self.archives.append(archive)
        return archive

    def mirror(self, name: str) -> Mirror:
        return self.mirrors.setdefault(name, Mirror())

    def opds(self, name: str, start: int, count: int) -> bytes:
        found = [archive for archive in self.archives if not name or archive.name == name]
        count = min(count, self.page or count)
        page = found[start : start + count] if count >= 0 else found[start:]
        rows = "".join(self._entry(archive) for archive in page)
        return f"""<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"
      xmlns:dc="http://purl.org/dc/terms/"
      xmlns:opds="https://specs.opds.io/opds-1.2"
      xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/">
  <id>5da764a7-0088-7939-bdd8-c04e9606c36e</id>
  <link rel="self" href="/catalog/v2/entries?count={count}&amp;start={start}"
        type="application/atom+xml;profile=opds-catalog;kind=acquisition"/>
  <title>Filtered Entries</title>
  <updated>2026-11-30T12:00:00Z</updated>
  <totalResults>{len(found)}</totalResults>
  <startIndex>{start}</startIndex>
  <itemsPerPage>{len(page)}</itemsPerPage>
{rows}</feed>
""".encode()

    def _entry(self, archive: Archive) -> str:
        rounded = -(-len(archive.content) // 1024) * 1024
        link = f"""<link rel="http://opds-spec.org/acquisition/open-access" type="application/x-zim"
          href="/zim/{archive.file}.meta4" length="{rounded}" />"""
        return f"""  <entry>
    <id>urn:uuid:{hashlib.sha256(archive.file.encode()).hexdigest()[:32]}</id>
    <title>{escape(archive.name)}</title>
    <updated>{archive.issued}T00:00:00Z</updated>
    <summary>An archive &amp; more</summary>
    <language>eng</language>
    <name>{escape(archive.name)}</name>
    <flavour>{archive.flavour}</flavour>
    <category>wikipedia</category>
    <tags>wikipedia;_category:wikipedia;_pictures:no;_videos:no;_details:yes;_ftindex:yes</tags>
    <articleCount>7</articleCount>
    <mediaCount>0</mediaCount>
    <link rel="http://opds-spec.org/image/thumbnail" href="/catalog/v2/illustration/x/?size=48"
          type="image/png;width=48;height=48;scale=1"/>
    <link type="text/html" href="/content/{archive.file}" />
    <author><name>Wikipedia</name></author>
    <publisher><name>openZIM</name></publisher>
    <dc:issued>{archive.issued}T00:00:00Z</dc:issued>
    {link if archive.link else ""}
  </entry>
"""

    def meta4(self, archive: Archive) -> bytes:
        content = archive.content
        size = len(content) if archive.size == -1 else archive.size
        sha256 = hashlib.sha256(content).hexdigest() if archive.sha256 == "" else archive.sha256
        hashes = [
            hashlib.sha1(content[place : place + PIECE]).hexdigest()
            for place in range(0, len(content), PIECE)
        ]
        pieces = "".join(f"      <hash>{digest}</hash>\n" for digest in hashes)
        urls = "".join(
            f'    <url location="x{place}" priority="{len(archive.mirrors) - place}">'
            f"{self.url}/mirror/{name}/{archive.file}</url>\n"
            for place, name in enumerate(reversed(archive.mirrors))
        )
        return f"""<?xml version="1.0" encoding="UTF-8"?>
<metalink xmlns="urn:ietf:params:xml:ns:metalink">
  <generator>MirrorBrain/2.19.0</generator>
  <origin dynamic="true">{self.url}/zim/{archive.file}.meta4</origin>
  <published>2026-11-30T12:00:00Z</published>
  <publisher>
    <name>Kiwix project</name>
    <url>https://kiwix.org</url>
  </publisher>

  <file name="{archive.file}">
    {f"<size>{size}</size>" if size is not None else ""}

    <!-- <mtime>1721079358</mtime> -->
    <hash type="md5">{hashlib.md5(content).hexdigest()}</hash>
    <hash type="sha-1">{hashlib.sha1(content).hexdigest()}</hash>
    {f'<hash type="sha-256">{sha256}</hash>' if sha256 is not None else ""}
    {f'<pieces length="{PIECE}" type="sha-1">{chr(10)}{pieces}    </pieces>' if archive.pieces else ""}

    <!-- Found {len(archive.mirrors)} mirrors -->
    <url priority="9">ftp://127.0.0.1/{archive.file}</url>
{urls}  </file>
</metalink>
""".encode()


class _Handler(BaseHTTPRequestHandler):
    kiwix: Kiwix

    def do_GET(self) -> None:
        place = urlsplit(self.path)
        self.kiwix.asked.append(f"{place.path} {self.headers.get('Range', '')}".strip())
        if place.path == "/catalog/v2/entries":
            self._catalogue({key: values[0] for key, values in parse_qs(place.query).items()})
        elif place.path.startswith("/zim/"):
            self._origin(place.path.removeprefix("/zim/"))
        elif place.path.startswith("/mirror/"):
            name, _, file = place.path.removeprefix("/mirror/").partition("/")
            self._mirror(self.kiwix.mirror(name), file)
        else:
            self.send_error(404)

    def _catalogue(self, query: dict[str, str]) -> None:
        if self.kiwix.moved and "moved" not in query:
            self._redirect(f"{self.path}&moved=1")
            return
        start, count = int(query.get("start", 0)), int(query.get("count", 10))
        name = query.get("name", "")
        self._send(
            self.kiwix.feed or self.kiwix.opds(name if self.kiwix.filters else name and "?", start, count)
        )

    def _origin(self, file: str) -> None:
        for archive in self.kiwix.archives:
            if file == archive.file + ".meta4" and archive.metalink:
                self._send(self.kiwix.metalink or self.kiwix.meta4(archive))
                return
            if file == archive.file + ".sha256" and archive.checksum:
                self._send(f"{hashlib.sha256(archive.content).hexdigest()}  {archive.file}\n".encode())
                return
            if file == archive.file:
                self._redirect(f"/mirror/origin/{file}")
                return
        self.send_error(404)

    def _redirect(self, where: str) -> None:
        self.send_response(302)
        self.send_header("Location", where)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _send(self, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        with suppress(ConnectionError):
            self.wfile.write(body)

    def _mirror(self, mirror: Mirror, file: str) -> None:
        if mirror.after_each:
            mirror.after_each()
        right = {archive.file: archive.content for archive in self.kiwix.archives}
        content = mirror.content.get(file, right.get(file))
        if mirror.status or content is None:
            self.send_error(mirror.status or 404)
            return
        asked = self.headers.get("Range", "").removeprefix("bytes=") if mirror.ranges else ""
        first, _, last = asked.partition("-")
        start, end = int(first or 0), min(int(last or len(content)) + 1, len(content))
        if start >= len(content):
            self.send_error(416)
            return
        self.send_response(206 if asked else 200)
        if asked:
            right_range = f"bytes {start}-{end - 1}/{len(content)}"
            self.send_header("Content-Range", right_range if mirror.says is None else mirror.says)
        self.send_header("Content-Length", str(end - start))
        self.end_headers()
        self._body(mirror, content[start:end])

    def _body(self, mirror: Mirror, body: bytes) -> None:
        if mirror.breaks_after >= 0:
            body = body[: mirror.breaks_after]
            self.close_connection = True
        with suppress(ConnectionError):
            for place in range(0, len(body), mirror.block):
                if mirror.seconds_per_block:
                    time.sleep(mirror.seconds_per_block)
                self.wfile.write(body[place : place + mirror.block])

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002
        """Says nothing."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that was killed is no news."""


@contextmanager
def serve() -> Iterator[Kiwix]:
    """The servers, answering until the end of the block."""
    handler = type("ThisKiwix", (_Handler,), {})
    server = _Server(("127.0.0.1", 0), handler)
    handler.kiwix = Kiwix(server.server_port)  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield handler.kiwix  # type: ignore[attr-defined]
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
