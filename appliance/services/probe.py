"""Does a process answer? One small HTTP request, with the standard library alone, to a port or a socket."""

import http.client
import socket
from pathlib import Path

TIMEOUT = 5.0  # seconds; a process that works answers at once, unless the whole machine is short of time


class _UnixConnection(http.client.HTTPConnection):
    def __init__(self, path: Path, timeout: float) -> None:
        super().__init__("localhost", timeout=timeout)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(TIMEOUT)
        self.sock.connect(str(self._path))


def answers(address: Path | tuple[str, int], path: str) -> bool:
    """Whether a GET of `path` at a socket's path or at (host, port) gives a status below 400."""
    if isinstance(address, Path):
        connection: http.client.HTTPConnection = _UnixConnection(address, TIMEOUT)
    else:
        connection = http.client.HTTPConnection(*address, timeout=TIMEOUT)
    try:
        connection.request("GET", path)
        return connection.getresponse().status < 400
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
