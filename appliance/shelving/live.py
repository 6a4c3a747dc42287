"""The box as it is now: what pages and API work with, replaced as a whole while they are being asked.

A request that holds the box (`held`) sees the same archives from its first word to its last; the next one
sees the new ones. Nothing waits, and nothing is closed while someone uses it: the old box goes when its last
request has ended."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from copy import copy
from dataclasses import replace

from appliance.answer.quick import Quick
from appliance.records import Check
from appliance.retrieval.rerank import Read
from appliance.retrieval.search import Library
from appliance.services.llama import LlamaClient
from appliance.settings import Settings
from appliance.sources.folder import Shelf
from appliance.vectors import Encoder
from appliance.wiring import Appliance, Health


class Live:
    """Has all that an Appliance has. `more`: lines for the status page beside the box's own; `within`: those
    for whoever looks after the box."""

    def __init__(self, box: Appliance, more: Callable[[], Sequence[Check]] = tuple) -> None:
        self._box, self._lock = box, threading.Lock()
        self._held: ContextVar[Appliance | None] = ContextVar("held", default=None)
        self.more = more
        self.within: Callable[[], Sequence[Check]] = tuple

    @property
    def box(self) -> Appliance:
        """The one that this request began with, or else the newest."""
        return self._held.get() or self._box

    def replace(self, box: Appliance) -> None:
        """Another box; what was chosen while it was being opened stays chosen."""
        with self._lock:
            self._box = _as_chosen(box, self._box.settings)

    def choose(self, settings: Settings) -> None:
        """Settings that count from the next request on, of those that a box can change while it runs."""
        with self._lock:
            self._box = _as_chosen(self._box, settings)

    @contextmanager
    def held(self) -> Iterator[Appliance]:
        """Keeps to the box of now, for this task and what it starts."""
        token = self._held.set(self._box)
        try:
            yield self._box
        finally:
            self._held.reset(token)

    @property
    def settings(self) -> Settings:
        return self.box.settings

    @property
    def library(self) -> Library:
        return self.box.library

    @property
    def encoder(self) -> Encoder:
        return self.box.encoder

    @property
    def model(self) -> LlamaClient | None:
        return self.box.model

    @property
    def shelf(self) -> Shelf:
        return self.box.shelf

    @property
    def quick(self) -> Quick | None:
        return self.box.quick

    @property
    def read(self) -> Read | None:
        return self.box.read

    def health(self) -> Health:
        found = self.box.health()
        within = (*found.within, *self.within())
        return replace(found, checks=(*found.checks, *self.more()), within=within)


def _as_chosen(box: Appliance, settings: Settings) -> Appliance:
    library = box.library
    if library.gate.level != settings.gate:
        library = copy(library)
        library.gate = replace(library.gate, level=settings.gate)
    return replace(box, settings=settings, library=library)
