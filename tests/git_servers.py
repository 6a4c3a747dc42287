"""Real Git repositories behind real servers on 127.0.0.1: sshd with keys of its own, git over HTTPS. The
fixtures `ssh`, `web` and `origin` are everywhere: tests/conftest.py takes this module for a plugin."""

import getpass
import os
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

ENVIRONMENT = {
    "PATH": os.environ["PATH"],
    "HOME": "/nonexistent",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.org",
}


def git(folder: Path, *words: str, given: bytes = b"") -> bytes:
    done = subprocess.run(
        ["git", "-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always", *words],
        cwd=folder, env=ENVIRONMENT, input=given, capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


@dataclass
class Origin:
    """A bare repository, and a working tree that pushes into it."""

    folder: Path
    name: str = "wiki.git"
    work: Path = field(init=False)
    bare: Path = field(init=False)

    def __post_init__(self) -> None:
        self.work, self.bare = self.folder / f"work-{self.name}", self.folder / self.name
        self.work.mkdir(parents=True)
        git(self.folder, "init", "--bare", "--quiet", str(self.bare))
        git(self.work, "init", "--quiet")
        git(self.work, "remote", "add", "origin", str(self.bare))

    def commit(self, files: Mapping[str, str | bytes | None], again: bool = False) -> str:
        """Writes files (None: deletes), commits and pushes; `again`: in the place of the last commit."""
        for path, content in files.items():
            file = self.work / path
            if content is None:
                file.unlink()
                continue
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content.encode() if isinstance(content, str) else content)
        git(self.work, "add", "--all")
        git(self.work, "commit", "--quiet", "--allow-empty", "-m", "x", *(["--amend"] if again else []))
        return self.push()

    def push(self) -> str:
        git(self.work, "push", "--quiet", "--force", "origin", "HEAD:refs/heads/main")
        return git(self.work, "rev-parse", "HEAD").decode().strip()


@dataclass
class Sshd:
    """A running sshd; `authorized` is its file of keys, empty at first."""

    port: int
    user: str
    authorized: Path
    host_key: Path
    process: subprocess.Popen[bytes]
    config: Path

    def url(self, path: Path) -> str:
        return f"ssh://{self.user}@127.0.0.1:{self.port}{path}"

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(60)

    def start(self) -> None:
        log = (self.config.parent / "sshd.log").open("ab")
        self.process = subprocess.Popen(
            [program(), "-D", "-e", "-f", str(self.config)], stdin=subprocess.DEVNULL, stdout=log, stderr=log
        )
        log.close()
        listening(self.port)

    def renew_host_key(self) -> None:
        """Another host key, as after a machine was set up anew."""
        self.stop()
        for file in (self.host_key, self.host_key.with_name(self.host_key.name + ".pub")):
            file.unlink()
        keygen(self.host_key)
        self.start()


def program() -> str:
    """sshd by its full path, which it asks for."""
    for folder in (*os.environ["PATH"].split(":"), "/usr/sbin"):
        if (Path(folder) / "sshd").exists():
            return str(Path(folder) / "sshd")
    raise AssertionError("sshd is not installed (apt install openssh-server): ./build.sh test does so.")


def keygen(file: Path) -> None:
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(file)], check=True)


def free_port() -> int:
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        return int(trial.getsockname()[1])


def listening(port: int) -> None:
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        with socket.socket() as trial:
            if trial.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.02)
    raise AssertionError(f"Nothing listens on port {port}.")


@contextmanager
def sshd(folder: Path) -> Iterator[Sshd]:
    """sshd on a free port of 127.0.0.1, for whoever runs the tests, with what lies in `folder` alone."""
    folder.mkdir(parents=True, exist_ok=True)
    if os.getuid() == 0:
        Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)
    host_key, authorized, config, port = folder / "host", folder / "keys", folder / "config", free_port()
    keygen(host_key)
    authorized.touch(0o600)
    config.write_text(
        f'ListenAddress 127.0.0.1:{port}\nHostKey "{host_key}"\nAuthorizedKeysFile "{authorized}"\n'
        "PidFile none\nStrictModes no\nUsePAM no\nPasswordAuthentication no\n"
        "PermitRootLogin prohibit-password\nKbdInteractiveAuthentication no\nPrintMotd no\n"
    )
    server = Sshd(port, getpass.getuser(), authorized, host_key, None, config)  # type: ignore[arg-type]
    try:
        server.start()
        yield server
    finally:
        server.stop()


@dataclass
class Https:
    """git over HTTPS at `url`, below it the repositories of a folder; `certificate` is its own authority.
    Paths that begin with /moved/ are sent on to the same path without it; `slow` seconds pass before each
    answer."""

    port: int
    certificate: Path
    slow: float = 0.0
    asked: list[str] = field(default_factory=list)

    def url(self, name: str) -> str:
        return f"https://localhost:{self.port}/{name}"


@contextmanager
def https(folder: Path, repositories: Path) -> Iterator[Https]:
    folder.mkdir(parents=True, exist_ok=True)
    certificate, key = _certificate(folder)
    about = Https(0, certificate)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._answer(b"")

        def do_POST(self) -> None:
            self._answer(self.rfile.read(int(self.headers.get("content-length") or 0)))

        def _answer(self, body: bytes) -> None:
            about.asked.append(self.path)
            time.sleep(about.slow)
            path, _, query = self.path.partition("?")
            if path.startswith("/moved/"):
                self.send_response(302)
                self.send_header("location", self.path.removeprefix("/moved"))
                self.send_header("content-length", "0")
                self.end_headers()
                return
            environment = {
                **ENVIRONMENT, "GIT_PROJECT_ROOT": str(repositories), "GIT_HTTP_EXPORT_ALL": "1",
                "PATH_INFO": path, "QUERY_STRING": query, "REQUEST_METHOD": self.command,
                "CONTENT_TYPE": self.headers.get("content-type", ""),
                "HTTP_CONTENT_ENCODING": self.headers.get("content-encoding", ""),
                "GIT_PROTOCOL": self.headers.get("git-protocol", ""), "CONTENT_LENGTH": str(len(body)),
                "REMOTE_ADDR": "127.0.0.1", "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory",
                "GIT_CONFIG_VALUE_0": "*",
            }  # fmt: skip
            done = subprocess.run(
                ["git", "http-backend"], input=body, env=environment, capture_output=True, check=False
            )
            head, _, content = done.stdout.partition(b"\r\n\r\n")
            lines = [line.split(": ", 1) for line in head.decode().split("\r\n") if ": " in line]
            status = next((value for name, value in lines if name == "Status"), "200 OK")
            self.send_response(int(status.split()[0]))
            for name, value in lines:
                if name.lower() not in ("status", "content-length"):
                    self.send_header(name, value)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    about.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield about
    finally:
        server.shutdown()
        server.server_close()
        thread.join(60)


@pytest.fixture(scope="module")
def git_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("servers")


@pytest.fixture(scope="module")
def ssh(git_folder: Path) -> Iterator[Sshd]:
    with sshd(git_folder / "sshd") as server:
        yield server


@pytest.fixture(scope="module")
def web(git_folder: Path) -> Iterator[Https]:
    (git_folder / "shared").mkdir()
    with https(git_folder / "https", git_folder / "shared") as server:
        yield server


@pytest.fixture
def origin(git_folder: Path, web: Https, request: pytest.FixtureRequest) -> Origin:
    del web  # it makes the folder
    return Origin(git_folder / "shared", f"{request.node.name.replace('[', '-').rstrip(']')}.git")


def _certificate(folder: Path) -> tuple[Path, Path]:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    names = [x509.DNSName("localhost"), x509.IPAddress(ip_address("127.0.0.1"))]
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=2))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    certificate, private = folder / "certificate.pem", folder / "certificate.key"
    certificate.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    private.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    return certificate, private
