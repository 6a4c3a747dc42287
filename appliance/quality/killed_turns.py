"""Conversations whose process is killed outright at a random moment: what was acknowledged must stay.

A process asks and answers turns one after the other and acknowledges each over a pipe, as a page does: a
question once it is kept, an answer once its end may be told. After each kill the file is opened again: every
acknowledged question is there once, every acknowledged answer is the same to the letter with its citations,
and every question without an answer gets one under the same id. (A kill is no power cut; against that stands
`synchronous=FULL`.)
"""

import asyncio
import hashlib
import multiprocessing
import random
import time
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path

from appliance.answer.events import AskEvent, Finished, Passages, Text
from appliance.documents.conversations import Conversations
from appliance.documents.records import ARCHIVE
from appliance.documents.store import Store
from appliance.documents.turns import Asking, Turn
from appliance.errors import LamplightError
from appliance.records import Answer, Citation, Evidence, Found, Judgement, Match
from appliance.server.answering import Answering

OWNER = "browser:killed"
LETTER = "The mill was sold to Ida Brandt. She paid 400 crowns. It burned down in the same year."
LONGEST = 0.12  # seconds until a kill, at most


@dataclass(slots=True)
class Tally:
    """What was acknowledged over all rounds, and what was found wrong, each in a sentence. `unanswered`: of
    the questions, how many had no answer at the kill and were answered under the same id afterwards."""

    kills: int = 0
    asked: int = 0
    answered: int = 0
    unanswered: int = 0
    wrong: list[str] = field(default_factory=list)


def kills(file: Path, rounds: int, seed: int = 1) -> Tally:
    """Kills `rounds` processes that hold a conversation in the archive `file`, which is made."""
    tally, draw = Tally(), random.Random(seed)
    _prepare(file)
    for number in range(rounds):
        told = _killed(file, number, draw.uniform(0, LONGEST))
        tally.kills += 1
        try:
            _checked(file, number, told, tally)
        except LamplightError as error:
            tally.wrong.append(f"round {number}: {error}")
    return tally


def _prepare(file: Path) -> None:
    """One letter, which all answers cite."""
    store = Store.open(file)
    with store.write() as connection:
        connection.execute(
            "INSERT INTO document(id, sha256, name, title, media_type, added, text) "
            "VALUES(1, x'00', 'letter.txt', 'A letter', 'text/plain', '', ?)",
            (LETTER,),
        )
        connection.execute(
            "INSERT INTO section(id, document_id, ordinal, start, length, kind) "
            "VALUES(1, 1, 0, 0, ?, 'body')",
            (len(LETTER),),
        )
        connection.execute(
            "INSERT INTO passage(document_id, section_id, ordinal, start, length) VALUES(1, 1, 0, 0, ?)",
            (len(LETTER),),
        )
    store.close()


def _killed(file: Path, number: int, after: float) -> list[tuple[str, str, str]]:
    """What one process acknowledged before SIGKILL: (what, turn's id, digest of the answer)."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["appliance.quality.killed_turns"])
    ours, theirs = context.Pipe()
    process = context.Process(target=_work, args=(file, number, theirs), daemon=True)
    process.start()
    theirs.close()
    ours.recv()
    time.sleep(after)
    process.kill()
    process.join()
    told = []
    try:
        while ours.poll():
            told.append(ours.recv())
    except (EOFError, OSError):
        pass  # the kill hit an acknowledgement on its way: it was not received
    ours.close()
    return told


def _work(file: Path, number: int, acknowledge: Connection) -> None:
    conversations = Conversations(Store.open(file))
    here = conversations.begin(OWNER, f"round-{number}", f"Round {number}", "documents")
    acknowledge.send("ready")

    async def hold() -> None:
        answering = Answering(conversations, 1)
        place = 0
        while True:
            turn = _asked(conversations, here.id, f"t{place}")
            acknowledge.send(("asked", turn.client_turn_id, ""))
            await _answered(answering, turn)
            kept = conversations.turn(OWNER, here.id, turn.client_turn_id)
            acknowledge.send(("answered", turn.client_turn_id, digest(kept)))
            place += 1

    asyncio.run(hold())


def _asked(conversations: Conversations, conversation: int, name: str) -> Turn:
    question = f"Who bought the mill ({name})?"
    return conversations.ask(OWNER, conversation, Asking(name, question, question, "documents"))


async def _answered(answering: Answering, turn: Turn) -> None:
    async for _ in answering.begin(turn, _events(turn)).follow():
        pass


async def _events(turn: Turn) -> AsyncGenerator[AskEvent, None]:
    """A scripted answer of several pieces that cites the letter."""
    source = Evidence(ARCHIVE, "1", "A letter", (), "", LETTER, 0, 0.9)
    yield Passages(Found(turn.understood, (source,), Judgement("answer", 0.9)))
    said = f"Ida Brandt bought the mill, by turn {turn.client_turn_id} [1]."
    for word in said.split(" "):
        yield Text(f"{word} ")
        await asyncio.sleep(0)
    match = Match(0, "copied", LETTER[:32], 0)
    yield Finished(Answer(said, (Citation(1, source, (match,)),), 0, "stop"))


def digest(turn: Turn) -> str:
    """Of everything that an answer says and cites."""
    return hashlib.sha256(repr(turn.kept).encode()).hexdigest()


def _checked(file: Path, number: int, told: list[tuple[str, str, str]], tally: Tally) -> None:
    store = Store.open(file)
    try:
        with store.read() as connection:
            found = str(connection.execute("PRAGMA integrity_check").get)
        if found != "ok":
            tally.wrong.append(f"round {number}: {found}")
        _compared(Conversations(store), number, told, tally)
    finally:
        store.close()


def _compared(
    conversations: Conversations, number: int, told: list[tuple[str, str, str]], tally: Tally
) -> None:
    here = conversations.begin(OWNER, f"round-{number}", "", "documents")
    turns = conversations.turns(OWNER, here.id)
    there = {turn.client_turn_id: turn for turn in turns}
    if len(there) != len(turns):
        tally.wrong.append(f"round {number}: a turn is there twice")
    for what, name, said in told:
        turn = there.get(name)
        tally.asked += what == "asked"
        tally.answered += what == "answered"
        if turn is None:
            tally.wrong.append(f"round {number}: {name} was acknowledged and is lost")
        elif what == "answered" and digest(turn) != said:
            tally.wrong.append(f"round {number}: the answer to {name} is another")
    for turn in turns:
        if not turn.final:
            tally.unanswered += 1
            again = _asked(conversations, here.id, turn.client_turn_id)
            asyncio.run(_answered(Answering(conversations, 1), again))
            if again.id != turn.id or not conversations.turn(OWNER, here.id, turn.client_turn_id).final:
                tally.wrong.append(f"round {number}: {turn.client_turn_id} was not answered again")
