"""Files read and cut in a process of their own (`child`), which is ended when one takes too long.

What comes back is JSON and is checked here, so that a file that takes over its reader gets no further.
"""

import json
import selectors
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, get_args

from appliance.documents.parts import MOST_PASSAGES, Cut, Divided
from appliance.documents.records import SectionKind
from appliance.documents.sections import Draft
from appliance.errors import EntryUnreadable
from appliance.records import Block, BlockKind, Document
from appliance.sources.reading import Reading

PATIENCE = 240.0  # seconds for one file
ANSWER = 400_000_000  # bytes; the longest text that is read has less
_KINDS = frozenset(get_args(BlockKind))
_SECTIONS = frozenset(get_args(SectionKind))


class Readers:
    """Reads and cuts one file after the other. Use with `with`, or `close` it. Threads wait for each other.
    `tokenizer`: the embedding model's file, by which passages are measured; where it is not there, they are
    estimated."""

    def __init__(self, tokenizer: Path | None = None, patience: float = PATIENCE) -> None:
        self._tokenizer, self._patience = tokenizer, patience
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()

    def __enter__(self) -> "Readers":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def read(self, file: Path, name: str) -> Divided:
        """What `parts.divided` makes of what `files.read` gives. Raises EntryUnreadable, also for a file that
        its reader died of."""
        there = self._tokenizer is not None and self._tokenizer.is_file()
        asked = {
            "file": str(file.absolute()),
            "name": name,
            "tokenizer": str(self._tokenizer) if there else "",
        }
        with self._lock:
            answer = self._asked(json.dumps(asked), name)
        if "reading" not in answer:
            raise EntryUnreadable(str(answer.get("refused", "")), str(answer.get("hint", "")))
        try:
            reading = _reading(answer["reading"], name)
            return Divided(reading, *_parts(answer, len(reading.document.text)))
        except (KeyError, TypeError, ValueError) as error:
            raise EntryUnreadable(f"{name} cannot be read: its reader gave no text.") from error

    def close(self) -> None:
        """Ends the process; the next file starts another."""
        with self._lock:
            self._end()

    def _asked(self, line: str, name: str) -> dict[str, Any]:
        process = self._started()
        assert process.stdin is not None
        try:
            process.stdin.write(line.encode() + b"\n")
            process.stdin.flush()
            found = json.loads(self._line(process, name))
        except (OSError, ValueError) as error:
            self._end()
            raise EntryUnreadable(f"{name} cannot be read: reading it failed.", "Save it anew.") from error
        if not isinstance(found, dict):
            self._end()
            raise EntryUnreadable(f"{name} cannot be read: reading it failed.", "Save it anew.")
        return found

    def _line(self, process: subprocess.Popen[bytes], name: str) -> bytes:
        assert process.stdout is not None
        deadline, size = time.monotonic() + self._patience, 0
        pieces: list[bytes] = []
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            while not pieces or not pieces[-1].endswith(b"\n"):
                if not selector.select(max(0.0, deadline - time.monotonic())):
                    self._end()
                    raise EntryUnreadable(f"{name} takes too long to read.", "Save it anew, or split it.")
                piece = process.stdout.read1(1 << 20)  # type: ignore[attr-defined]
                size += len(piece)
                if not piece or size > ANSWER:
                    self._end()
                    raise EntryUnreadable(
                        f"{name} cannot be read: it needs more memory or time than one file may take.",
                        "Save it anew, or split it.",
                    )
                pieces.append(piece)
        return b"".join(pieces)

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self._end()
            self._process = subprocess.Popen(
                [sys.executable, "-m", "appliance.documents.child"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=Path(__file__).parents[2],
            )
        return self._process

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()


def _reading(found: dict[str, Any], name: str) -> Reading:
    """The reading, with every block inside the text. Raises KeyError, TypeError, ValueError."""
    text = found["document"]["text"]
    blocks, before = [], 0
    for block in found["document"]["blocks"]:
        kind, start, end = block["kind"], int(block["start"]), int(block["end"])
        if kind not in _KINDS or not before <= start <= end <= len(text):
            raise ValueError(f"a block {kind} from {start} to {end}")
        blocks.append(Block(kind, start, end, tuple(map(str, block["headings"]))))
        before = start
    document = Document(name, str(found["document"]["title"]), str(text), tuple(blocks))
    written = found["written"]
    meta = {str(key): str(value) for key, value in found["meta"].items()}
    return Reading(document, str(found["language"]), str(written) if written else None, meta)


def _parts(found: dict[str, Any], letters: int) -> tuple[list[Draft], list[Cut]]:
    """Sections and passages, in order and inside the text. Raises KeyError, TypeError, ValueError."""
    drafts = [
        Draft(
            tuple(map(str, one["headings"])),
            int(one["start"]),
            int(one["length"]),
            one["kind"],
            str(one["date"]) if one["date"] else None,
        )
        for one in found["drafts"]
    ]
    cuts = [Cut(int(one["section"]), int(one["start"]), int(one["length"])) for one in found["cuts"]]
    for part, least in ((drafts, 0), (cuts, 1)):
        before = 0
        for one in part:
            if not (before <= one.start and one.length >= least and one.start + one.length <= letters):
                raise ValueError(f"a part from {one.start}, {one.length} letters")
            before = one.start
    if any(one.kind not in _SECTIONS for one in drafts) or len(cuts) > MOST_PASSAGES:
        raise ValueError("sections or passages that are none")
    if any(not 0 <= one.section < len(drafts) for one in cuts):
        raise ValueError("a passage of no section")
    return drafts, cuts
