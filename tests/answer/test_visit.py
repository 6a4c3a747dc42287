"""Turns at the search: how many at once, whose, and who leaves while waiting."""

import asyncio
import random

from every import every

from appliance.answer.visit import SEARCH, VISITOR, Turns, searching
from appliance.errors import QueueFull


async def one(turns, visitor, seen, held=3):
    VISITOR.set(visitor)
    SEARCH.set(turns)
    async with searching():
        seen.append(visitor)
        for _ in range(held):
            await asyncio.sleep(0)


def test_without_turns_nobody_waits():
    async def run():
        async with searching(), searching():
            return True

    assert asyncio.run(run())


def test_visitors_take_turns_however_much_one_of_them_asks():
    seen = []

    async def run():
        turns = Turns(1, 100)
        async with asyncio.TaskGroup() as tasks:
            for visitor in [*["flood/1"] * 5, "a/1", "b/1"]:
                tasks.create_task(one(turns, visitor, seen))

    asyncio.run(run())
    assert seen == ["flood/1", "flood/1", "a/1", "b/1", "flood/1", "flood/1", "flood/1"]


def test_beyond_the_room_who_asks_most_is_refused():
    seen = []

    async def run():
        turns = Turns(1, 3)
        visitors = [*["flood/1"] * 5, "a/1", "b/1"]
        return await asyncio.gather(
            *(one(turns, visitor, seen) for visitor in visitors), return_exceptions=True
        )

    results = asyncio.run(run())
    assert [isinstance(result, QueueFull) for result in results] == [False] * 2 + [True] * 3 + [False] * 2
    assert seen == ["flood/1", "flood/1", "a/1", "b/1"]


@every("seed", range(5))
def test_turns_that_are_left_are_given_on(seed):
    random_ = random.Random(seed)
    running, most, done = 0, 0, 0

    async def stay(turns, visitor):
        nonlocal running, most, done
        VISITOR.set(visitor)
        async with turns.turn():
            running += 1
            most = max(most, running)
            try:
                await asyncio.sleep(0.001 * random_.random())
            finally:
                running -= 1
            done += 1

    async def run():
        turns = Turns(3, 1000)
        tasks = [asyncio.create_task(stay(turns, f"{n % 7}/1")) for n in range(60)]
        left = random_.sample(tasks, 25)
        for task in left:
            await asyncio.sleep(0.0005 * random_.random())
            task.cancel()
        results = await asyncio.gather(*tasks, return_exceptions=True)
        assert done == sum(result is None for result in results) >= 60 - 25
        for _ in range(3):  # all turns are there again
            await asyncio.wait_for(turns.take(), 1)

    asyncio.run(run())
    assert most <= 3
