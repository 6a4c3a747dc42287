"""A box and a phone in network namespaces of their own, joined by a wire that plays the Wi-Fi. Needs root."""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]


def run(*words):
    done = subprocess.run([*map(str, words)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(map(str, words))}: {done.stderr}"
    return done.stdout


class Space:
    """A network namespace; `python` runs code in it and gives what it prints."""

    def __init__(self, name: str) -> None:
        self.name = name
        run("ip", "netns", "add", name)
        self("ip", "link", "set", "lo", "up")

    def __call__(self, *words):
        return run("ip", "netns", "exec", self.name, *words)

    def python(self, code: str) -> str:
        head = f"import sys; sys.path[:0] = [{str(ROOT)!r}, {str(ROOT / 'tests/device')!r}]\n"
        return self(sys.executable, "-c", head + code).strip()

    @contextmanager
    def running(self, *words) -> Iterator[subprocess.Popen]:
        """A program in it, ended at the end of the block."""
        process = subprocess.Popen(["ip", "netns", "exec", self.name, *map(str, words)])
        try:
            time.sleep(0.3)
            assert process.poll() is None, f"{words[0]} ended at once"
            yield process
        finally:
            process.terminate()
            process.wait(60)

    def remove(self) -> None:
        subprocess.run(["ip", "netns", "del", self.name], check=False)


@contextmanager
def joined(prefix: str, interface: str, address: str) -> Iterator[tuple[Space, Space]]:
    """A box whose `interface` has `address`, and a phone whose phone0 has none yet."""
    box = phone = None
    try:
        box, phone = Space(f"{prefix}-box"), Space(f"{prefix}-phone")
        run(
            "ip", "link", "add", interface, "netns", box.name, "type", "veth",
            "peer", "name", "phone0", "netns", phone.name,
        )  # fmt: skip
        box("ip", "address", "add", address, "dev", interface)
        box("ip", "link", "set", interface, "up")
        phone("ip", "link", "set", "phone0", "up")
        yield box, phone
    finally:
        for space in filter(None, (box, phone)):
            space.remove()
