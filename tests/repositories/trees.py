"""A commit's files without git, for tests and figures of what is made of them."""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from appliance.documents.parts import Divided, divided, estimate
from appliance.documents.readers import Readers
from appliance.documents.store import Store
from appliance.errors import EntryUnreadable
from appliance.repositories import passages
from appliance.repositories.reading import Reader
from appliance.sources import files
from appliance.sources.git import Entry
from appliance.vectors import HashEncoder


class Tree:
    """Files by their paths; `modules` are submodules. `read` counts the blobs that were asked for."""

    def __init__(self, files: Mapping[str, str | bytes], modules: tuple[str, ...] = ()) -> None:
        self.files = {path: text.encode() if isinstance(text, str) else text for path, text in files.items()}
        self.modules, self.read = modules, 0

    @property
    def commit(self) -> str:
        return hashlib.sha1(repr(sorted(self.files.items())).encode(), usedforsecurity=False).hexdigest()

    def tree(self, commit: str) -> list[Entry]:
        assert commit == self.commit
        found = [Entry(path, _id(text), "file", len(text)) for path, text in self.files.items()]
        return [*found, *(Entry(path, "0" * 40, "module", 0) for path in self.modules)]

    @contextmanager
    def blobs(self) -> Iterator[Callable[[str], bytes]]:
        known = {_id(text): text for text in self.files.values()}

        def read(blob: str) -> bytes:
            self.read += 1
            return known[blob]

        yield read


def _id(content: bytes) -> str:
    return hashlib.sha1(content, usedforsecurity=False).hexdigest()


class HereReaders(Readers):
    """Reads in this process."""

    def read(self, file: Path, name: str) -> Divided:
        return divided(files.read(file, name), estimate)


class Counting(HashEncoder):
    """An encoder that counts the texts that it was given."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def encode(self, texts):  # type: ignore[no-untyped-def]
        self.texts += texts
        return super().encode(texts)


def reader(store: Store, most: int = 100_000) -> Reader:
    return Reader(store, HereReaders(), most)


def opened(folder: Path | None = None) -> Store:
    return passages.open_passages(folder, HashEncoder.model_sha256)


__all__ = ["Counting", "EntryUnreadable", "HereReaders", "Tree", "opened", "reader"]
