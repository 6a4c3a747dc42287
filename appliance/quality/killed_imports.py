"""Imports whose process is killed outright at a random moment: what was acknowledged must stay.

A process adds one file after the other, deletes one now and then, and acknowledges each over a pipe, as the
upload page does. After each kill the archive is opened again: every acknowledged document is there to the
letter with all its passages, no half of one is, every acknowledged deletion holds, and the derived file is
brought into step without an error. (A kill is no power cut; against that stands `synchronous=FULL`.)
"""

import hashlib
import multiprocessing
import random
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path

from appliance.documents import keeping, rows
from appliance.documents.check import check
from appliance.documents.ingest import Ingest
from appliance.documents.parts import cut, estimate
from appliance.documents.readers import Readers
from appliance.documents.records import Listed, Scope
from appliance.documents.search import Documents
from appliance.errors import LamplightError
from appliance.sources import markdown
from appliance.vectors import HashEncoder

LONGEST = 0.25  # seconds until a kill, at most
FORGOTTEN = 7  # one document of so many is deleted again
EVERY, RECENT = 25, 20  # rounds between two looks at everything; documents that are read after each


@dataclass(slots=True)
class Tally:
    """What was acknowledged over all rounds, and what was found wrong, each in a sentence. `unfinished`: of
    the documents, how many were kept at the kill without having been acknowledged."""

    kills: int = 0
    added: int = 0
    deleted: int = 0
    unfinished: int = 0
    healed: int = 0
    wrong: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Told:
    """Texts by the ids that were acknowledged; ids whose deletion was; the one that was being deleted."""

    texts: dict[int, str] = field(default_factory=dict)
    gone: set[int] = field(default_factory=set)
    going: set[int] = field(default_factory=set)


def kills(folder: Path, rounds: int, seed: int = 1) -> Tally:
    """Kills `rounds` processes that add to the archive in `folder`, which is made."""
    tally, draw, told = Tally(), random.Random(seed), _Told()
    Documents.open(folder, HashEncoder.model_sha256).close()
    for number in range(rounds):
        _killed(folder, number, draw.uniform(0, LONGEST), told)
        tally.kills += 1
        try:
            _checked(folder, number, told, tally, number % EVERY == EVERY - 1 or number == rounds - 1)
        except LamplightError as error:
            tally.wrong.append(f"round {number}: {error}")
    tally.added, tally.deleted = sum(text != "" for text in told.texts.values()), len(told.gone)
    return tally


def text_of(number: int, place: int) -> str:
    """A document like no other, with sections, entries and code."""
    entries = "\n\n".join(
        f"{day} May 1911: Round {number}, document {place}, day {day}." for day in range(1, 9)
    )
    return f"# Letter {number}-{place}\n\n{entries}\n\n```\ncode_{number}_{place}()\n```\n"


PASSAGES = len(cut(markdown.read(text_of(0, 0), "a.md").document, estimate)[1])


def _killed(folder: Path, number: int, seconds: float, told: _Told) -> None:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["appliance.quality.killed_imports"])
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(folder, number, theirs), daemon=True)
    process.start()
    theirs.close()
    if ours.poll(60) and ours.recv() == ("open", 0):
        time.sleep(seconds)
    process.kill()
    process.join()
    try:
        while ours.poll():
            _hear(ours.recv(), number, told)
    except (EOFError, OSError):
        pass  # the kill hit an acknowledgement on its way: it was not received
    ours.close()


def _hear(message: tuple[str, int], number: int, told: _Told) -> None:
    kind, value = message
    match kind:
        case "added":
            document, place = divmod(value, 10_000)
            told.texts[document] = text_of(number, place)
        case "deleting":
            told.going.add(value)
        case "deleted":
            told.gone.add(value)


def _work(folder: Path, number: int, pipe: Connection) -> None:
    documents = Documents.open(folder, HashEncoder.model_sha256)
    ingest = Ingest(documents, Readers(), estimate)
    pipe.send(("open", 0))
    for place in range(9_999):
        text = text_of(number, place)
        reading = markdown.read(text, f"{number}-{place}.md")
        sha256 = hashlib.sha256(text.encode()).digest()
        added = ingest.keep(reading, sha256, f"{number}-{place}.md", f"round {number}")
        pipe.send(("added", added.document * 10_000 + place))
        keeping.update_vectors(documents.store, documents.made, HashEncoder())
        if place % FORGOTTEN == FORGOTTEN - 1:
            pipe.send(("deleting", added.document))
            documents.remove([added.document], Scope())
            pipe.send(("deleted", added.document))


def _checked(folder: Path, number: int, told: _Told, tally: Tally, all_of_it: bool) -> None:
    """`all_of_it`: every text is read again and every passage's words and vector are compared."""
    documents = Documents.open(folder, HashEncoder.model_sha256)
    try:
        keeping.update_vectors(documents.store, documents.made, HashEncoder())
        if all_of_it:
            report = check(documents)
            tally.wrong += [f"round {number}: {sentence}" for sentence in report.lost]
            tally.healed += report.healed
        with documents.store.read() as connection:
            there = {one.id: one for one in rows.listed(connection, Scope())}
            tally.wrong += [f"round {number}: {wrong}" for wrong in _wrong(there, told)]
            for document in there if all_of_it else [one for one in there if one > max(there) - RECENT]:
                found = rows.find(connection, document, Scope())
                if found is None or found.text != (told.texts.get(document) or found.text):
                    tally.wrong.append(f"round {number}: document {document} is another")
    finally:
        documents.close()
    tally.unfinished += len(there.keys() - told.texts.keys())
    told.texts.update(dict.fromkeys(there.keys() - told.texts.keys(), ""))


def _wrong(there: Mapping[int, Listed], told: _Told) -> Iterator[str]:
    for document in told.texts:
        if document in told.gone and document in there:
            yield f"document {document} was deleted and is there"
        if document not in told.gone | told.going and document not in there:
            yield f"document {document} is lost"
    for document, one in there.items():
        if one.passages != PASSAGES:
            yield f"document {document} has {one.passages} passages"
