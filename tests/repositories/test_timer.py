from collections.abc import Callable

from appliance.repositories.records import Outcome, Repository
from appliance.repositories.timer import FIRST, LONGEST, LOOK, Timer, wait


def middle(low: float, high: float) -> float:
    return (low + high) / 2


class Sources:
    def __init__(self, *names: str) -> None:
        self.names, self.synced, self.failures = list(names), list[str](), 0

    def listed(self) -> list[Repository]:
        return [Repository(name, "https://example.org/x", "", "", "people", "") for name in self.names]

    def sync(self, name: str, stopped: Callable[[], bool]) -> Repository:
        assert not stopped()
        self.synced.append(name)
        outcome = Outcome(failures=self.failures)
        return Repository(name, "https://example.org/x", "", "", "people", "", outcome)


def timer(sources: Sources, minutes: int = 60) -> tuple[Timer, list[float]]:
    now = [1000.0]
    return Timer(sources, minutes, lambda: now[0], middle), now


def test_after_a_failure_it_waits_longer_each_time_up_to_a_bound() -> None:
    waits = [wait(failures, 60, middle) for failures in range(1, 12)]
    assert waits[:3] == [FIRST, 2 * FIRST, 4 * FIRST]
    assert waits == sorted(waits)
    assert waits[-1] == LONGEST
    assert wait(0, 60, middle) == 3600
    assert wait(500, 60, middle) == LONGEST
    assert wait(500, 2000, middle) == 2000 * 60  # never sooner than when all is well


def test_many_boxes_do_not_ask_at_once() -> None:
    found = {wait(0, 60) for _ in range(50)}
    assert len(found) > 40
    assert min(found) >= 0.9 * 3600
    assert max(found) <= 1.1 * 3600


def test_each_has_its_turn_and_then_waits() -> None:
    sources = Sources("a", "b")
    found, now = timer(sources)
    name, seconds = found.next(["a", "b"])
    assert (name, seconds) == ("a", 22.5)
    assert found.due("a") == 22.5
    now[0] += 23
    assert found.next(["a", "b"])[1] == 0
    found._sync("a")
    assert found.due("a") == 3600
    assert found.next(["a", "b"]) == ("b", 0)
    found._sync("b")
    assert found.next(["a", "b"]) == ("", LOOK)
    now[0] += 3601
    assert found.next(["a", "b"]) == ("a", 0)


def test_what_was_asked_for_comes_first() -> None:
    found, now = timer(Sources("a", "b"))
    now[0] += 100
    found.ask("b")
    found.ask("b")
    assert found.waiting("b")
    assert found.next(["a", "b"]) == ("b", 0)
    found._sync("b")
    assert not found.waiting("b")
    found.ask("gone")
    assert found.next(["a", "b"])[0] == "a"


def test_without_a_time_only_what_was_asked_for_is_synced() -> None:
    found, now = timer(Sources("a"), 0)
    now[0] += 10_000
    assert found.next(["a"]) == ("", LOOK)
    assert found.due("a") is None
    found.ask("a")
    assert found.next(["a"]) == ("a", 0)


def test_a_failure_is_tried_again_sooner() -> None:
    sources = Sources("a")
    sources.failures = 1
    found, _ = timer(sources)
    found._sync("a")
    assert found.due("a") == FIRST


def test_the_thread_syncs_and_ends() -> None:
    sources = Sources("a")
    found = Timer(sources, 60)
    found.ask("a")
    found.start()
    while not sources.synced:
        pass
    found.stop()
    assert sources.synced == ["a"]
