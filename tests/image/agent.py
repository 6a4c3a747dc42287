"""Runs inside the emulated box and does what the test asks: no part of the image.

It lies on the test's own disk, and the test's own unit starts it (testdisk.py says how). It speaks lines of
JSON over a virtio serial port. In: {"id", "argv", "seconds", "input"}. Out: {"id", "fd", "data"} for each
piece of output (base64), then {"id", "code"}; `code` is null where the time ran out. Commands run side by
side.
Standard library alone, for the box's own Python.
"""

import base64
import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, BinaryIO

CHUNK = 32768  # bytes of output in one line


class Agent:
    """The one port, written to by many threads."""

    def __init__(self, port: BinaryIO) -> None:
        self._port = port
        self._lock = threading.Lock()

    def say(self, **message: Any) -> None:
        left = memoryview(json.dumps(message).encode() + b"\n")
        with self._lock:
            while left:  # the port takes as much as it has room for
                left = left[self._port.write(left) :]

    def listen(self) -> None:
        """Until the port ends; says hello to every host that opens it."""
        self.say(hello=Path("/proc/sys/kernel/random/boot_id").read_text().strip())
        for line in self._port:
            threading.Thread(target=self._run, args=(json.loads(line),), daemon=True).start()

    def _run(self, order: dict[str, Any]) -> None:
        try:
            process = subprocess.Popen(
                order["argv"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            self._piece(order["id"], 2, str(error).encode())
            self.say(id=order["id"], code=127)
            return
        with process:
            code = self._follow(process, order)
        self.say(id=order["id"], code=code)

    def _follow(self, process: subprocess.Popen[bytes], order: dict[str, Any]) -> int | None:
        """Passes on what the process prints until it ends; its exit code, None where it took too long."""
        clock = threading.Timer(order["seconds"], _kill, (process,))
        clock.start()
        readers = [
            threading.Thread(target=self._pass_on, args=(order["id"], fd, pipe))
            for fd, pipe in ((1, process.stdout), (2, process.stderr))
        ]
        for reader in readers:
            reader.start()
        _feed(process, order.get("input", "").encode())
        for reader in readers:
            reader.join()
        code = process.wait()
        late = clock.finished.is_set()
        clock.cancel()
        return None if late else code

    def _pass_on(self, number: int, fd: int, pipe: BinaryIO) -> None:
        while data := os.read(pipe.fileno(), CHUNK):
            self._piece(number, fd, data)

    def _piece(self, number: int, fd: int, data: bytes) -> None:
        self.say(id=number, fd=fd, data=base64.b64encode(data).decode())


def _feed(process: subprocess.Popen[bytes], data: bytes) -> None:
    assert process.stdin is not None
    with contextlib.suppress(BrokenPipeError):
        process.stdin.write(data)
        process.stdin.close()


def _kill(process: subprocess.Popen[bytes]) -> None:
    """The whole session: what the command started keeps its pipes open otherwise."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


if __name__ == "__main__":
    with open(sys.argv[1], "r+b", buffering=0) as opened:
        Agent(opened).listen()
