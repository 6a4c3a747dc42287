"""Bytes from outside, for the set-up and for bundles only: a file over HTTP from any of its bytes on, and a
Python package fetched with this interpreter's own pip, so that the user's own index, proxy and certificates
count.

Gives bytes and counts them; whether they are the right ones is for the caller to judge. A source that does
not answer raises SourceDown within seconds. Nothing here runs once everything is on the disk.
"""

import functools
import http.client
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPMessage
from pathlib import Path
from typing import IO
from urllib.request import Request

from appliance import __version__
from appliance.errors import ModelFileError, SetupError

CONNECT_SECONDS = 4
STALLED_SECONDS = 30
BLOCK = 1 << 20
AGENT = f"Lamplight/{__version__}"

Progress = Callable[[int], None]  # bytes that came in since the last call


class SourceDown(ModelFileError):
    """A place that a file could come from does not answer, or does not have it. `gone`: it answered so (4xx),
    asking again is in vain."""

    def __init__(self, message: str, hint: str = "", gone: bool = False) -> None:
        super().__init__(message, hint)
        self.gone = gone


def require_space(folder: Path, needed: int, what: str) -> None:
    """Raises SetupError, before any work is done, when the disk of `folder` has under `needed` bytes free."""
    existing = next(place for place in (folder, *folder.parents) if place.exists())
    free = shutil.disk_usage(existing).free
    if free < needed:
        raise SetupError(
            f"{what} needs {needed / 1e6:,.0f} MB on the disk of {folder}; {free / 1e6:,.0f} MB are free.",
            "Free some space, or set LAMPLIGHT_HOME to a folder on a larger disk.",
        )


@functools.cache
def answers(host: str, port: int) -> bool:
    """Whether a connection to `host` can be made, tried once and for a few seconds only."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError:
        return False
    first_of_each_family = {family: address for family, _, _, _, address in reversed(found)}
    for family, address in first_of_each_family.items():
        with socket.socket(family, socket.SOCK_STREAM) as trial:
            trial.settimeout(CONNECT_SECONDS)
            if trial.connect_ex(address) == 0:
                return True
    return False


@dataclass(frozen=True, slots=True)
class Reply:
    """What a server sends of a file: `blocks` from the byte `start` on, of `total` bytes (None: not said);
    `url` is where it comes from after all redirects."""

    url: str
    start: int
    total: int | None
    blocks: Iterator[bytes]


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follows to http and https only; with `secure`, never from https to http."""

    def __init__(self, secure: bool) -> None:
        self._secure = secure

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> Request | None:
        scheme = urllib.parse.urlsplit(newurl).scheme
        if scheme not in ("http", "https") or (self._secure and req.type == "https" and scheme == "http"):
            raise SourceDown(f"{req.host} leads to {newurl}, which is not followed.", gone=True)
        return super().redirect_request(req, fp, code, msg, headers, newurl)


@contextmanager
def reply(url: str, start: int = 0, secure: bool = False) -> Iterator[Reply]:
    """Asks for a file from its byte `start` on; the server may send all of it instead. A block is what has
    come, at most BLOCK bytes. Raises SourceDown, in the middle of the blocks too; a body that is too short is
    for the caller to notice."""
    try:
        parts = urllib.parse.urlsplit(url)
        host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError as error:
        raise SourceDown(f"{url} is no address: {error}.", gone=True) from error
    if parts.scheme not in ("http", "https") or not host:
        raise SourceDown(f"{url} is no address of the web.", gone=True)
    if parts.scheme not in urllib.request.getproxies() and not answers(host, port):
        raise SourceDown(f"{host} was not reached.")
    request = Request(url, headers={"User-Agent": AGENT})
    if start:
        request.add_header("Range", f"bytes={start}-")
    with _from(host):
        response = urllib.request.build_opener(_Redirects(secure)).open(request, timeout=STALLED_SECONDS)
    with response:
        yield Reply(response.url, *_extent(response, host, start), _blocks(response, host))


@contextmanager
def _from(host: str) -> Iterator[None]:
    """What a server and the way to it can do wrong, as SourceDown."""
    try:
        yield
    except urllib.error.HTTPError as error:
        with error:
            gone = 400 <= error.code < 500 and error.code not in (408, 425, 429)
            raise SourceDown(f"{host} says {error.code} {error.reason}.", gone=gone) from error
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise SourceDown(f"{host}: {getattr(error, 'reason', error)}.") from error


def _extent(response: http.client.HTTPResponse, host: str, start: int) -> tuple[int, int | None]:
    """Where the body begins in the file, and the size of the file."""
    if response.status != 206:
        length = response.headers.get("Content-Length", "")
        return 0, int(length) if length.isdecimal() else None
    said = response.headers.get("Content-Range", "")
    found = re.fullmatch(r"bytes (\d{1,18})-\d{1,18}/(\d{1,18}|\*)", said.strip())
    if not found or int(found[1]) != start:
        raise SourceDown(f"{host} was asked for the bytes from {start:,} on and sent {said!r}.", gone=True)
    return start, None if found[2] == "*" else int(found[2])


def _blocks(response: http.client.HTTPResponse, host: str) -> Iterator[bytes]:
    while True:
        with _from(host):
            block = response.read1(BLOCK)
        if not block:
            return
        yield block


def document(url: str, limit: int) -> tuple[bytes, str]:
    """A small file that is believed, and where it came from: never over http where it was asked over https.
    Raises SourceDown; more than `limit` bytes are not read."""
    came = bytearray()
    with reply(url, secure=True) as answer:
        for block in answer.blocks:
            came += block
            if len(came) > limit:
                raise SourceDown(f"{url} has more than {limit:,} bytes.", gone=True)
    if answer.total is not None and len(came) < answer.total:
        raise SourceDown(f"{url} broke off after {len(came):,} of {answer.total:,} bytes.")
    return bytes(came), answer.url


def get(url: str, target: Path, size: int, progress: Progress) -> None:
    """Appends what `target` still lacks of the `size` bytes at `url`; starts anew where the server sends
    everything. Raises SourceDown, leaving what came so far for the next try."""
    have = _size(target)
    if have == size:
        return
    with reply(url, have) as answer, target.open("ab" if answer.start else "wb") as out:
        if have and not answer.start:
            progress(-have)
        for block in answer.blocks:
            out.write(block)
            progress(len(block))
            if out.tell() > size:
                break
    if (got := target.stat().st_size) < size:
        host = urllib.parse.urlsplit(url).hostname
        raise SourceDown(f"{host} broke off after {got:,} of {size:,} bytes.")


@contextmanager
def package(name: str, version: str, sha256: str, scratch: Path, progress: Progress) -> Iterator[Path]:
    """The wheel of a Python package, fetched with pip into a folder that is removed afterwards.

    pip refuses a wheel whose SHA-256 is another. Raises SourceDown with pip's own words.
    """
    scratch.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="fetch-", dir=scratch) as made:
        folder = Path(made)
        wanted = folder / "wanted.txt"
        wanted.write_text(f"{name}=={version} --hash=sha256:{sha256}\n", "utf-8")
        _pip_download(wanted, folder, progress)
        wheels = list(folder.glob("*.whl"))
        if len(wheels) != 1:
            raise SourceDown(f"pip fetched {len(wheels)} files for {name} {version}, expected one wheel.")
        yield wheels[0]


def _pip_download(wanted: Path, folder: Path, progress: Progress) -> None:
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--no-cache-dir", "--require-hashes"]
    command += ["--only-binary", ":all:", "--progress-bar", "off", "--dest", str(folder), "-r", str(wanted)]
    # pip keeps what is still coming in TMPDIR: there its growth can be watched.
    environment = {
        "PIP_RETRIES": "2",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        **os.environ,
        "TMPDIR": str(folder),
    }
    log = folder / "pip.log"
    with log.open("wb") as out:
        process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=out)
        try:
            _watch(process, folder, progress)
        finally:
            if process.poll() is None:
                process.terminate()
            process.wait()
    if process.returncode:
        lines = [line for line in log.read_text("utf-8", "replace").splitlines() if line.strip()]
        said = [line for line in lines if line.startswith("ERROR")] or lines[-1:]
        raise SourceDown("; ".join(line.removeprefix("ERROR: ") for line in said))


def _watch(process: "subprocess.Popen[bytes]", folder: Path, progress: Progress) -> None:
    seen = 0
    while process.poll() is None:
        with suppress(subprocess.TimeoutExpired):
            process.wait(0.1)
        now = arrived(folder)
        if now > seen:
            progress(now - seen)
            seen = now


def arrived(folder: Path) -> int:
    """Bytes of the wheels below a folder. pip makes and removes folders there meanwhile: os.walk passes over
    one that is gone, where Path.rglob raises."""
    return sum(
        _size(Path(place) / name)
        for place, _, names in os.walk(folder)
        for name in names
        if name.endswith(".whl")
    )


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except FileNotFoundError:  # not there yet, or pip has just moved it
        return 0
