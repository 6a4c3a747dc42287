"""The one door to the program `git`: fetches a repository into a bare one and reads blobs out of it.

Nothing of what is fetched is ever run or written as a file: there is no working tree, no hook, no submodule,
no filter; only the newest commit is fetched, and each object of it is checked. git runs without a shell,
without anybody's configuration, in a process group of its own that ends with its time; it opens SSH and HTTPS
alone, only at the addresses that were looked up and judged before, and follows no redirect.
"""

import os
import shlex
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from appliance.errors import GitError
from appliance.sources.git_told import told
from appliance.sources.keys import Keys
from appliance.sources.remotes import Remote

HEAD = "refs/lamplight/head"
LOOK = 0.05  # seconds between two looks at a running git
PACKS = 12  # fetched one by one, from which on they are put into one
STALLED = 30  # seconds without a thousand bytes in each, after which a fetch over HTTPS ends
NOT_HERE = "Install it (apt install git), then sync again."
_CONFIG = (
    "protocol.allow=never", "protocol.ssh.allow=always", "protocol.https.allow=always",
    "core.hooksPath=/dev/null", "core.symlinks=false", "core.fsmonitor=false", "core.askPass=/bin/false",
    "credential.helper=", "fetch.fsckObjects=true", "transfer.fsckObjects=true",
    "submodule.recurse=false", "fetch.recurseSubmodules=false", "fetch.unpackLimit=1",
    "gc.auto=0", "maintenance.auto=false", "init.defaultBranch=main", "advice.detachedHead=false",
    "http.followRedirects=false", "http.lowSpeedLimit=1000", f"http.lowSpeedTime={STALLED}",
    "core.packedGitLimit=64m", "core.deltaBaseCacheLimit=8m", "core.bigFileThreshold=1m",
    "pack.threads=1", "pack.windowMemory=16m",
    # Harmless, and found in the first commits of many old repositories.
    "fetch.fsck.zeroPaddedFilemode=warn", "fetch.fsck.badTimezone=warn",
    "fetch.fsck.missingSpaceBeforeDate=warn",
)  # fmt: skip
_MARKDOWN_MODES = ("100644", "100755", "100664")


@dataclass(frozen=True, slots=True)
class Limits:
    """Of one repository: bytes on the disk, seconds for one call of git or one blob, bytes of the list of a
    commit's files (about 100,000)."""

    size: int
    seconds: float = 900.0
    listing: int = 8 << 20


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a commit's tree: `kind` file, link or module; `size` in bytes, 0 for a module."""

    path: str
    blob: str
    kind: str
    size: int


class Mirror:
    """The bare repository in `folder`. `certificates`: a file of those that hosts are checked against, None:
    the system's. `stopped` is asked while git runs; its True ends it."""

    def __init__(
        self,
        folder: Path,
        limits: Limits,
        certificates: Path | None = None,
        stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        self._folder, self._limits, self._certificates, self._stopped = folder, limits, certificates, stopped

    def fetch(self, remote: Remote, branch: str, addresses: Sequence[str], keys: Keys, name: str) -> str:
        """Brings the newest commit of a branch ("": the repository's own) here, whatever was there before,
        and gives its id. Raises GitError; the commit that was here before then stays."""
        self._prepare()
        source = f"refs/heads/{branch}" if branch else "HEAD"
        config: tuple[str, ...] = ()
        environment: dict[str, str] = {}
        if remote.scheme == "https":
            there = ",".join(f"[{a}]" if ":" in a else a for a in addresses)
            config = (f"http.curloptResolve={remote.host}:{remote.reached}:{there}",)
            if self._certificates:
                environment["GIT_SSL_CAINFO"] = str(self._certificates)
        else:
            environment["GIT_SSH_COMMAND"] = shlex.join(keys.ssh(name, remote, addresses[0]))
            environment["GIT_SSH_VARIANT"] = "ssh"
        try:
            self._git(
                (
                    "fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-auto-maintenance",
                    "--no-write-fetch-head", "--depth=1", "--force", "--", remote.url, f"+{source}:{HEAD}",
                ),
                config, environment, remote.host,
            )  # fmt: skip
        finally:
            self._sweep()
        self._tidy()
        commit = self.commit()
        if not commit:
            raise GitError("The repository has no commit.", "Wait for its first commit.", "gone")
        return commit

    def commit(self) -> str:
        """The id of the commit that was fetched last; "" before the first."""
        if not (self._folder / "HEAD").exists():
            return ""
        return self._git(("for-each-ref", "--format=%(objectname)", HEAD)).decode("ascii").strip()

    def tree(self, commit: str) -> list[Entry]:
        """Every file, link and submodule of a commit, by path. Paths that are no UTF-8 are left out."""
        listing = self._git(("ls-tree", "-r", "-z", "-l", "--full-tree", commit))
        return [entry for row in listing.split(b"\0") if row and (entry := _entry(row))]

    @contextmanager
    def blobs(self) -> Iterator[Callable[[str], bytes]]:
        """Gives what reads a blob by its id. Raises GitError."""
        process = self._started(
            ("cat-file", "--batch"), (), {}, subprocess.PIPE, subprocess.PIPE, subprocess.DEVNULL
        )

        def read(blob: str) -> bytes:
            deadline = threading.Timer(self._limits.seconds, _end, (process,))
            deadline.start()
            try:
                return _blob(process, blob)
            finally:
                deadline.cancel()

        try:
            yield read
        finally:
            _end(process)
            for pipe in (process.stdin, process.stdout):
                if pipe:
                    pipe.close()

    def size(self) -> int:
        """Bytes on the disk."""
        total = 0
        for place, _, names in os.walk(self._folder):
            for name in names:
                with suppress(OSError):  # moved meanwhile
                    total += os.lstat(os.path.join(place, name)).st_size
        return total

    def _prepare(self) -> None:
        """Makes the bare repository where there is none."""
        if not (self._folder / "HEAD").exists():
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder.mkdir(parents=True, mode=0o700)
            self._git(("init", "--bare", "--quiet", "--template="))
        self._sweep()

    def _sweep(self) -> None:
        """Takes away what a fetch that was ended has left."""
        for left in (*self._folder.rglob("tmp_*"), *self._folder.rglob("*.lock")):
            left.unlink(missing_ok=True)

    def _tidy(self) -> None:
        """One pack in the place of many, without what no commit needs any more."""
        if len(list((self._folder / "objects" / "pack").glob("*.pack"))) > PACKS:
            self._git(("repack", "-a", "-d", "-q"))

    def _git(
        self,
        words: Sequence[str],
        config: Sequence[str] = (),
        environment: Mapping[str, str] | None = None,
        host: str = "",
    ) -> bytes:
        """Runs git to its end, and gives what it printed. Raises GitError."""
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            process = self._started(words, config, environment or {}, subprocess.DEVNULL, out, err)
            try:
                code = self._waited(process)
            finally:
                _end(process)
            out.seek(0)
            err.seek(0)
            if code:  # where a file grew too large, git says only that its helper gave nothing
                large = self.size() >= self._limits.size
                raise self._too_large() if large else told(err.read(100_000).decode("utf-8", "replace"), host)
            if out.seek(0, os.SEEK_END) > self._limits.listing:
                raise GitError("The repository has too many files.", "Name a branch with fewer.", "large")
            out.seek(0)
            return out.read()

    def _waited(self, process: subprocess.Popen[bytes]) -> int:
        deadline, look = time.monotonic() + self._limits.seconds, 0.0
        while (code := process.poll()) is None:
            now = time.monotonic()
            if self._stopped():
                raise GitError("The sync was stopped.", "Sync again when it suits.", "stopped")
            if now > deadline:
                raise GitError(
                    f"The fetch took longer than {self._limits.seconds / 60:,.0f} minutes.",
                    "The box tries again by itself.", "slow",
                )  # fmt: skip
            if now > look:
                look = now + 1
                if self.size() > self._limits.size:
                    raise self._too_large()
            time.sleep(LOOK)
        return code

    def _too_large(self) -> GitError:
        return GitError(
            f"The repository is larger than {self._limits.size / (1 << 20):,.0f} MiB.",
            "Setting `git_size` says how large one may be; nothing of it was taken.", "large",
        )  # fmt: skip

    def _started(
        self,
        words: Sequence[str],
        config: Sequence[str],
        environment: Mapping[str, str],
        stdin: int,
        stdout: int | IO[bytes],
        stderr: int | IO[bytes],
    ) -> subprocess.Popen[bytes]:
        settings = [part for line in (*_CONFIG, *config) for part in ("-c", line)]
        # No file that git writes is larger than the repository may be (prlimit(1)).
        command = ["prlimit", f"--fsize={self._limits.size}", "--", "git", *settings]
        try:
            return subprocess.Popen(
                [*command, f"--git-dir={self._folder}", *words],
                cwd=self._folder, env={**_environment(), **environment}, start_new_session=True,
                stdin=stdin, stdout=stdout, stderr=stderr,
            )  # fmt: skip
        except FileNotFoundError as error:
            raise GitError("git is not installed here.", NOT_HERE) from error


def _environment() -> dict[str, str]:
    """All that git sees of ours."""
    return {
        "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
        "HOME": "/nonexistent",
        "LC_ALL": "C",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_ALLOW_PROTOCOL": "ssh:https",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "/bin/false",
        "SSH_ASKPASS": "/bin/false",
        "GIT_LFS_SKIP_SMUDGE": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_OPTIONAL_LOCKS": "0",
    }


def _entry(row: bytes) -> Entry | None:
    about, _, path = row.partition(b"\t")
    mode, _, blob, size = about.decode("ascii").split()
    kind = {"120000": "link", "160000": "module"}.get(mode, "file" if mode in _MARKDOWN_MODES else "")
    try:
        return Entry(path.decode("utf-8"), blob, kind, int(size) if size.isdigit() else 0) if kind else None
    except UnicodeDecodeError:
        return None


def _blob(process: subprocess.Popen[bytes], blob: str) -> bytes:
    assert process.stdin is not None
    assert process.stdout is not None
    lost = GitError("An object of the repository is missing here.", "It is fetched anew at the next sync.")
    try:
        process.stdin.write(blob.encode("ascii") + b"\n")
        process.stdin.flush()
        head = process.stdout.readline().split()
        if len(head) != 3 or head[1] != b"blob":
            raise lost
        content = process.stdout.read(int(head[2]) + 1)
    except (OSError, ValueError) as error:
        raise lost from error
    if len(content) != int(head[2]) + 1:
        raise lost
    return content[:-1]


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ends git and all that it has started (ssh, helpers)."""
    if process.poll() is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
