"""Turns while they are answered: who leaves, who comes again, who stops, who looks twice."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from pathlib import Path

import pytest

from appliance.answer.events import AskEvent, Finished, Passages, Text
from appliance.documents.store import Store
from appliance.errors import ArchiveError, LamplightError, QueueFull, TurnConflict
from appliance.records import Answer, Evidence, Found, Judgement
from appliance.server.answering import Run
from appliance.server.talk import Talk, Visitor
from server import fakes

ANN = Visitor("ann")


def box(tmp: Path, model: object | None = None, library: object | None = None, **given: int) -> Talk:
    appliance = fakes.appliance(tmp, model, **given)
    appliance.library = library or appliance.library
    return Talk(appliance, Store.open())


def run(tried: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(tried(), 5))


async def told(run: Run | None) -> list[AskEvent]:
    assert run
    return [event async for event in run.follow()]


def begun(talk: Talk, owner: Visitor = ANN) -> int:
    return talk.conversations.begin(owner.owner, "c", "A title", "library").id


def test_an_answer_is_kept_before_its_end_is_told(tmp_path: Path) -> None:
    talk = box(tmp_path, fakes.ScriptedModel())

    async def tried() -> None:
        turn, run = await talk.ask(ANN, begun(talk), "t", "tetanus spasms")
        async for event in run.follow():
            if isinstance(event, Finished):
                kept = talk.conversations.turn("ann", turn.conversation, "t").kept
                assert kept
                assert kept.finished == event

    run(tried)


def test_the_same_id_joins_the_answer_that_is_being_written(tmp_path: Path) -> None:
    model = fakes.ScriptedModel(pause=0.001)
    talk = box(tmp_path, model)

    async def tried() -> None:
        number = begun(talk)
        tries = [talk.ask(ANN, number, "t", "tetanus spasms") for _ in range(4)]
        answers = await asyncio.gather(*(told(run) for _, run in await asyncio.gather(*tries)))
        assert all(answer == answers[0] for answer in answers)
        turn, run = await talk.ask(ANN, number, "t", "tetanus spasms")
        assert run is None
        assert turn.kept
        assert turn.kept.finished == answers[0][-1]
        assert model.started == 1

    run(tried)


def test_an_answer_goes_on_when_its_reader_has_gone(tmp_path: Path) -> None:
    talk = box(tmp_path, fakes.ScriptedModel(pause=0.001))

    async def tried() -> None:
        turn, run = await talk.ask(ANN, begun(talk), "t", "tetanus spasms")
        leaving = run.follow()
        await anext(leaving)
        await leaving.aclose()
        await told(run)
        assert talk.conversations.turn("ann", turn.conversation, "t").final

    run(tried)


def test_one_question_at_a_time_in_a_conversation(tmp_path: Path) -> None:
    talk = box(tmp_path, fakes.ScriptedModel(hangs_after=1))

    async def tried() -> None:
        number = begun(talk)
        turn, _ = await talk.ask(ANN, number, "t", "tetanus spasms")
        with pytest.raises(TurnConflict):
            await talk.ask(ANN, number, "u", "oil lamp")
        await talk.answering.stop(turn.id)
        _, after = await talk.ask(ANN, number, "u", "oil lamp")
        assert after
        await talk.close()

    run(tried)


def test_a_reader_who_stops_keeps_what_there_was(tmp_path: Path) -> None:
    model = fakes.ScriptedModel(hangs_after=5)
    talk = box(tmp_path, model)

    async def tried() -> None:
        turn, run = await talk.ask(ANN, begun(talk), "t", "tetanus spasms")
        async for event in run.follow():
            if isinstance(event, Text) and event.delta:
                break
        await talk.answering.stop(turn.id)
        kept = talk.conversations.turn("ann", turn.conversation, "t")
        assert kept.final
        assert kept.kept.finished.answer.finish == "cancelled"
        assert kept.kept.finished.answer.text == fakes.SHOWN[0]
        ((start, length),) = kept.kept.finished.answer.stressed
        assert fakes.SHOWN[0][start : start + length] == "disease with painful muscle"
        assert [citation.n for citation in kept.kept.finished.answer.citations] == [1]
        assert (await told(run))[-1] == kept.kept.finished
        assert (model.started, model.stopped) == (1, 1)

    run(tried)


def test_a_question_that_the_end_of_the_box_cut_off_is_answered_after_the_next_start(tmp_path: Path) -> None:
    talk = box(tmp_path, fakes.ScriptedModel(hangs_after=1))

    async def tried() -> None:
        turn, _ = await talk.ask(ANN, begun(talk), "t", "tetanus spasms")
        await asyncio.sleep(0.01)
        await talk.answering.close()
        assert talk.conversations.turn("ann", turn.conversation, "t").kept is None
        talk.appliance.model = fakes.ScriptedModel()
        again, run = await talk.ask(ANN, turn.conversation, "t", "tetanus spasms")
        await told(run)
        assert again.id == turn.id
        assert talk.conversations.turn("ann", turn.conversation, "t").final

    run(tried)


@pytest.mark.parametrize("failing", [fakes.FailingLibrary(()), None])
def test_what_fails_is_told_and_leaves_the_question(tmp_path: Path, failing: object) -> None:
    class Defect(fakes.FakeLibrary):
        def search(self, *_: object, **__: object) -> Found:
            raise ZeroDivisionError

    talk = box(tmp_path, None, failing or Defect(()))

    async def tried() -> None:
        turn, run = await talk.ask(ANN, begun(talk), "t", "tetanus spasms")
        with pytest.raises(ArchiveError if failing else LamplightError):
            await told(run)
        assert talk.conversations.turn("ann", turn.conversation, "t").kept is None
        assert talk.answering.run(turn.id) is None

    run(tried)


def test_only_so_many_are_answered_at_once(tmp_path: Path) -> None:
    talk = box(tmp_path, fakes.ScriptedModel(hangs_after=0), queue=1)  # one is served, one waits

    async def tried() -> None:
        for owner in ("ann", "ben"):
            await talk.ask(Visitor(owner), begun(talk, Visitor(owner)), "t", "tetanus spasms")
        number = begun(talk, Visitor("cleo"))
        with pytest.raises(QueueFull):
            await talk.ask(Visitor("cleo"), number, "t", "tetanus spasms")
        assert talk.conversations.turns("cleo", number) == []
        await talk.close()

    run(tried)


def test_a_conversation_that_is_deleted_meanwhile_stays_deleted(tmp_path: Path) -> None:
    talk = box(tmp_path)
    evidence = Evidence("a", "p", "T", (), "", "Text.", 0, 0.9)
    go = asyncio.Event()

    async def slow() -> AsyncGenerator[AskEvent, None]:
        yield Passages(Found("q", (evidence,), Judgement("answer", 0.9)))
        await go.wait()
        yield Finished(Answer("Text [1].", (), 0, "stop"))

    async def tried() -> None:
        number = begun(talk)
        turn, first = await talk.ask(ANN, number, "t", "tetanus spasms")
        await told(first)
        run = talk.answering.begin(turn, slow())
        talk.conversations.delete("ann", number)
        go.set()
        assert isinstance((await told(run))[-1], Finished)
        assert talk.conversations.listed("ann") == []

    run(tried)
