import asyncio
import time
from contextlib import aclosing

import pytest

from answer.fakes import ScriptedEngine
from appliance.answer.events import Done, Message, Text, Waiting
from appliance.answer.queue import QueuedModel
from appliance.errors import PromptTooLong, QueueFull


def asked(text: str) -> list[Message]:
    return [Message("user", text)]


async def told(model, text):
    return [event async for event in model.generate(asked(text), 100)]


def test_first_come_first_served_each_told_its_place():
    engine = ScriptedEngine(["a", "b"])

    async def run():
        model = QueuedModel(engine, 10)
        model_tasks = []
        for name in "ABCD":
            model_tasks.append(asyncio.create_task(told(model, name)))
            while len(model.line) < len(model_tasks) and not model_tasks[-1].done():
                await asyncio.sleep(0)
        return await asyncio.gather(*model_tasks)

    results = asyncio.run(run())
    assert engine.served == ["A", "B", "C", "D"]
    assert engine.most_running == 1
    for events in results:
        places = [event.place for event in events if isinstance(event, Waiting)]
        assert places == sorted(places, reverse=True)
        assert places[-1] == 0
        assert events[len(places) :] == [Text("a"), Text("b"), Done("stop", 1, 2)]


def test_a_full_queue_is_refused_before_anything_is_told():
    engine = ScriptedEngine(["a"] * 50, pace=0.01)

    async def run():
        model = QueuedModel(engine, 1)
        served, waiting = model.generate(asked("A"), 100), model.generate(asked("B"), 100)
        async with aclosing(served), aclosing(waiting):
            assert await anext(served) == Waiting(0)
            assert await anext(waiting) == Waiting(1)
            with pytest.raises(QueueFull, match="1 questions wait"):
                await told(model, "C")
        assert len(model.line) <= 1

    asyncio.run(run())


def test_a_prompt_that_is_too_long_is_refused_before_it_waits():
    async def run():
        model = QueuedModel(ScriptedEngine([], context=5), 10)
        with pytest.raises(PromptTooLong):
            await told(model, "one two three four five six")
        assert len(model.line) == 0

    asyncio.run(run())


def test_who_leaves_while_served_stops_the_model_and_the_next_is_served():  # case 32
    engine = ScriptedEngine(["a"] * 1000, pace=0.002)

    async def run():
        model = QueuedModel(engine, 10)
        served = model.generate(asked("A"), 1000)
        waiting = model.generate(asked("B"), 3)
        async with aclosing(waiting):
            async with aclosing(served):
                async for event in served:
                    if isinstance(event, Text):
                        break
                assert await anext(waiting) == Waiting(1)
            assert await anext(waiting) == Waiting(0)
            rest = [event async for event in waiting]
        model.close()  # waits for the thread
        await asyncio.sleep(0)
        assert len(model.line) == 0
        return rest

    began = time.monotonic()
    rest = asyncio.run(run())
    assert time.monotonic() - began < 2
    assert rest[-1].finish == "stop"
    assert engine.cancelled == ["A"]
    assert engine.served == ["B"]
    assert engine.most_running == 1


def test_who_leaves_while_waiting_gives_the_place_to_the_next():
    engine = ScriptedEngine(["a"] * 20, pace=0.005)

    async def run():
        model = QueuedModel(engine, 10)
        first = model.generate(asked("A"), 100)
        second = model.generate(asked("B"), 100)
        third = model.generate(asked("C"), 100)
        async with aclosing(first), aclosing(third):
            assert [await anext(first), await anext(second), await anext(third)] == [
                Waiting(0), Waiting(1), Waiting(2),
            ]  # fmt: skip
            await second.aclose()
            assert await anext(third) == Waiting(1)

    asyncio.run(run())
    assert "B" not in engine.served


def test_an_engine_that_fails_is_heard_of_and_the_next_is_served():
    engine = ScriptedEngine(["a"], fails=True)

    async def run():
        model = QueuedModel(engine, 10)
        with pytest.raises(RuntimeError, match="decode failed"):
            await told(model, "A")
        engine.fails = False
        return await told(model, "B")

    assert asyncio.run(run())[-1].finish == "stop"
