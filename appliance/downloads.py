"""Bytes from outside, for the set-up only: a file over HTTP that can go on where it broke off, and a Python
package fetched with this interpreter's own pip, so that the user's own index, proxy and certificates count.

Gives bytes and counts them; whether they are the right ones is for the caller to judge. A source that does
not answer raises SourceDown within seconds. Nothing here runs once everything is on the disk.
"""

import functools
import http.client
import os
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
from pathlib import Path

from appliance.errors import ModelFileError, SetupError

CONNECT_SECONDS = 4
STALLED_SECONDS = 30
BLOCK = 1 << 20

Progress = Callable[[int], None]  # bytes that came in since the last call


class SourceDown(ModelFileError):
    """A place that a file could come from does not answer, or does not have it."""


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


def get(url: str, target: Path, size: int, progress: Progress) -> None:
    """Appends what `target` still lacks of the `size` bytes at `url`; starts anew where the server sends
    everything. Raises SourceDown, leaving what came so far for the next try."""
    parts = urllib.parse.urlsplit(url)
    host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
    if parts.scheme not in urllib.request.getproxies() and not answers(host, port):
        raise SourceDown(f"{host} was not reached.")
    have = _size(target)
    if have == size:
        return
    request = urllib.request.Request(url, headers={"Range": f"bytes={have}-"} if have else {})
    try:
        with urllib.request.urlopen(request, timeout=STALLED_SECONDS) as response:
            resumed = response.status == 206
            with target.open("ab" if resumed else "wb") as out:
                if have and not resumed:
                    progress(-have)
                while block := response.read(BLOCK):
                    out.write(block)
                    progress(len(block))
                    if out.tell() > size:
                        break
    except urllib.error.HTTPError as error:
        raise SourceDown(f"{host} says {error.code} {error.reason}.") from error
    except (OSError, http.client.HTTPException) as error:
        raise SourceDown(f"{host}: {getattr(error, 'reason', error)}.") from error
    if (got := target.stat().st_size) < size:
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
