import asyncio
import random
import time
from contextlib import aclosing

import pytest
from every import every

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
            while len(model) < len(model_tasks) and not model_tasks[-1].done():
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
        assert len(model) <= 1

    asyncio.run(run())


def test_a_prompt_that_is_too_long_is_refused_before_it_waits():
    async def run():
        model = QueuedModel(ScriptedEngine([], context=5), 10)
        with pytest.raises(PromptTooLong):
            await told(model, "one two three four five six")
        assert len(model) == 0

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
        assert len(model) == 0
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


async def told_to(model, visitor, text="?", most=100):
    return [event async for event in model.generate(asked(text), most, visitor)]


async def in_order(model, *visitors):
    """Tasks of questions that came one after the other, each named for its visitor."""
    tasks = []
    for number, visitor in enumerate(visitors):
        tasks.append(asyncio.create_task(told_to(model, visitor, f"{visitor} {number}")))
        await asyncio.sleep(0)
    return await asyncio.gather(*tasks, return_exceptions=True)


def test_as_many_as_there_are_slots_are_answered_at_once_the_others_wait():
    engine = ScriptedEngine(["a", "b", "c"], slots=3)

    async def run():
        return await in_order(QueuedModel(engine, 10), *"ABCDE")

    results = asyncio.run(run())
    assert engine.most_running == 3
    assert [events[0] for events in results] == [Waiting(0)] * 3 + [Waiting(1), Waiting(2)]
    for events in results:
        assert [event for event in events if not isinstance(event, Waiting)] == [
            Text("a"), Text("b"), Text("c"), Done("stop", 3, 3),
        ]  # fmt: skip


def test_who_asks_much_waits_behind_those_who_ask_once():
    engine = ScriptedEngine(["a"])

    async def run():
        return await in_order(QueuedModel(engine, 40), *["flood/1"] * 6, "a/1", "b/1")

    asyncio.run(run())
    assert [text.split()[0] for text in engine.began] == [
        "flood/1",
        "flood/1",
        "a/1",
        "b/1",
        *["flood/1"] * 4,
    ]


def test_in_a_full_queue_who_asked_much_gives_way_and_is_told_so():
    engine = ScriptedEngine(["a"] * 5, pace=0.002)

    async def run():
        return await in_order(QueuedModel(engine, 3), *["flood/1"] * 4, "a/1", "b/1", "c/1")

    results = asyncio.run(run())
    refused = [isinstance(events, QueueFull) for events in results]
    assert refused == [False, False, True, True, False, False, True]  # c/1: three others have one each
    assert "3 questions wait" in str(results[2])


@every("seed", range(4))
def test_whoever_stays_is_answered_and_whoever_leaves_frees_their_place(seed):
    random_ = random.Random(seed)
    engine = ScriptedEngine(["x"] * 6, slots=random_.choice([1, 2, 4]))

    async def one(model, number):
        await asyncio.sleep(random_.random() * 0.02)
        patience = random_.choice([1, 3, 1000, 1000, 1000])
        events = []
        async with aclosing(model.generate(asked(str(number)), 100, f"{number % 5}/1")) as told:
            async for event in told:
                events.append(event)
                if len(events) == patience:
                    break
        return patience, events

    async def run():
        model = QueuedModel(engine, 1000)
        found = await asyncio.gather(*(one(model, number) for number in range(40)))
        while len(model):
            await asyncio.sleep(0.001)
        return found

    for patience, events in asyncio.run(run()):
        if patience == 1000:
            assert [event for event in events if isinstance(event, Text)] == [Text("x")] * 6
            assert isinstance(events[-1], Done)
    assert engine.most_running <= engine.slots
    assert not engine.answers


def test_an_engine_that_cannot_begin_with_one_goes_on_with_the_next():
    engine = ScriptedEngine(["a"])
    begin = engine.start

    def start(prompt, most):
        if most == 1:
            raise ValueError("no such prompt")
        return begin(prompt, most)

    engine.start = start

    async def run():
        model = QueuedModel(engine, 10)
        with pytest.raises(ValueError, match="no such prompt"):
            await told_to(model, "", most=1)
        return await told_to(model, "", most=2)

    assert asyncio.run(run())[-1].finish == "stop"
