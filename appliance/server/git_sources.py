"""The Git sources of a running box: who may see which, when they are synced, and how they are."""

from collections.abc import Callable, Sequence
from typing import Literal, Protocol

from fastapi import Request
from fastapi.concurrency import run_in_threadpool

from appliance import models
from appliance.documents.scope import Source as Asking
from appliance.errors import LamplightError
from appliance.log import say
from appliance.records import Check, CheckState, Document
from appliance.repositories.records import Repository, Seen
from appliance.repositories.repositories import Repositories, Source
from appliance.repositories.timer import Timer
from appliance.settings import Settings
from appliance.vectors import Encoder

NOTICED = ("away", "waiting")  # ends of a sync that pass by themselves


class Reading(Protocol):
    """Who may do what (server.rights.Rights)."""

    def may(self, request: Request, role: Literal["reader"]) -> bool: ...


class Asked(Protocol):
    """What asks sources (server.talk.Talk)."""

    sources: Callable[[Request], tuple[Asking, ...]]


class GitSources:
    """Of one box. `reads` says of a visitor whether they have signed in as one who may read all sources."""

    def __init__(self, repositories: Repositories, settings: Settings) -> None:
        self.repositories, self.timer = repositories, Timer(repositories, settings.git_minutes)
        self.reads: Callable[[Request], bool] = lambda _: False

    def opened_to(self, rights: Reading, talk: Asked | None) -> None:
        """Whoever has signed in sees all; a conversation asks those that its visitor sees."""
        self.reads = lambda request: rights.may(request, "reader")
        if talk:
            talk.sources = self.visible

    def start(self) -> None:
        self.timer.start()

    def stop(self) -> None:
        self.timer.stop()
        self.repositories.close()

    def visible(self, request: Request) -> tuple[Source, ...]:
        """The sources that this visitor may ask."""
        try:
            return tuple(self.repositories.sources(self.reads(request)))
        except LamplightError as error:
            say(f"Sources: {error} {error.hint}")
            return ()

    def source(self, request: Request, archive: str) -> Source:
        """One of these. Raises EntryMissing."""
        return self.repositories.source(archive, self.reads(request))

    def document(self, request: Request, archive: str, path: str) -> Document:
        """A file of one of these. Raises EntryMissing."""
        with self.source(request, archive).opened() as book:
            return book.archive.document(path)

    def checks(self) -> Sequence[Check]:
        """A line on the status page for each source that everyone sees."""
        return self._lines("everyone")

    def within(self) -> Sequence[Check]:
        """A line for each of the others: their names and hosts are for whoever looks after the box."""
        return self._lines("people")

    def _lines(self, seen: Seen) -> Sequence[Check]:
        try:
            return [_check(about) for about in self.repositories.listed() if about.seen == seen]
        except LamplightError as error:
            return [Check("Sources", "wrong", str(error), error.hint)] if seen == "everyone" else []


async def open_to(git: GitSources | None, request: Request) -> tuple[Source, ...]:
    """What a visitor may ask; nothing where there are no Git sources."""
    return await run_in_threadpool(git.visible, request) if git else ()


def _check(about: Repository) -> Check:
    name, outcome = f"Source {about.name}", about.outcome
    if outcome.kind:
        state: CheckState = "noticed" if outcome.kind in NOTICED else "wrong"
        return Check(name, state, outcome.sentence, outcome.hint)
    if not outcome.synced:
        return Check(name, "starting", "It was not synced yet.")
    tally = outcome.tally
    sentence = f"Files: {tally.files:,}, passages: {tally.passages:,}"
    if tally.failed:
        sentence = f"Files: {tally.files:,}, passages: {tally.passages:,}, not read: {tally.failed:,}"
        return Check(name, "noticed", sentence, "See its page.")
    return Check(name, "on", sentence)


def open_git(settings: Settings, encoder: Encoder) -> GitSources | None:
    """The Git sources of a box; None, and a line in the log, where their list cannot be used."""
    model = models.catalogue().find(models.EMBEDDING[0]).sha256
    try:
        return GitSources(Repositories(settings, encoder, model), settings)
    except LamplightError as error:
        say(f"Git sources are off. {error} {error.hint}")
        return None
