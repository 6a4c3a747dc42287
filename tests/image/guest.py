"""Commands inside the running box, by way of the test's agent (agent.py) on a virtio serial port."""

import base64
import json
import socket
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from waiting import TimedOut

LATE = 30  # seconds that a reply may take beyond the command's own bound


@dataclass(frozen=True, slots=True)
class Piece:
    """Output as it came: `at` in seconds of this machine's monotonic clock, `fd` 1 or 2."""

    at: float
    fd: int
    data: bytes


@dataclass(slots=True)
class Running:
    """A command that was started. `wait` gives it back when it has ended."""

    argv: Sequence[str]
    seconds: float
    tail: Callable[[], str]
    clock: Callable[[], float]
    pieces: list[Piece] = field(default_factory=list)
    code: int | None = None
    ended: threading.Event = field(default_factory=threading.Event)

    @property
    def out(self) -> str:
        return self._text(1)

    @property
    def err(self) -> str:
        return self._text(2)

    def _text(self, fd: int) -> str:
        return b"".join(piece.data for piece in self.pieces if piece.fd == fd).decode("utf-8", "replace")

    def wait(self) -> "Running":
        """Until the command has ended, whatever it says. Raises TimedOut when its time ran out."""
        end = self.clock() + self.seconds + LATE
        while not self.ended.wait(1) and self.clock() < end:
            continue
        if self.code is None:
            raise TimedOut(
                f"Waited {self.seconds:.0f} s in the box for: {' '.join(self.argv)}\n"
                f"{self.out[-2000:]}{self.err[-2000:]}\n{self.tail()}"
            )
        return self


class Guest:
    """One connection to the agent. `tail` gives the console's last lines for messages; bounds are in seconds
    of `clock` (waiting.Clock)."""

    def __init__(
        self, path: Path, tail: Callable[[], str], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._tail, self.clock = tail, clock
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(str(path))
        self._started: dict[int, Running] = {}
        self._lock = threading.Lock()
        self.hello = threading.Event()
        threading.Thread(target=self._listen, daemon=True).start()

    def start(self, *argv: str, seconds: float = 60, text: str = "") -> Running:
        """Starts a command, with `text` as its input; at most `seconds` of it."""
        running = Running(argv, seconds, self._tail, self.clock)
        with self._lock:
            number = len(self._started)
            self._started[number] = running
            order = {"id": number, "argv": argv, "seconds": seconds, "input": text}
            self._socket.sendall(json.dumps(order).encode() + b"\n")
        return running

    def ask(self, *argv: str, seconds: float = 60, text: str = "") -> Running:
        """A command that has ended, well or not."""
        return self.start(*argv, seconds=seconds, text=text).wait()

    def run(self, *argv: str, seconds: float = 60, text: str = "") -> str:
        """The output of a command that must end well."""
        done = self.ask(*argv, seconds=seconds, text=text)
        assert done.code == 0, f"{' '.join(argv)}: ended with {done.code}\n{done.out}{done.err}"
        return done.out

    def close(self) -> None:
        self._socket.close()

    def _listen(self) -> None:
        with self._socket.makefile("rb") as lines:
            try:
                for line in lines:
                    self._take(json.loads(line))
            except (OSError, ValueError):
                return  # the machine's power was cut in the middle of a line

    def _take(self, message: dict[str, Any]) -> None:
        if "hello" in message:
            self.hello.set()
            return
        running = self._started[message["id"]]
        if "fd" in message:
            piece = Piece(time.monotonic(), message["fd"], base64.b64decode(message["data"]))
            running.pieces.append(piece)
        else:
            running.code = message["code"]
            running.ended.set()
