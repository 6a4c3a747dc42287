"""Who is next: visitors take turns, however much one of them asks.

A visitor is a word; what stands before its first "/" is the household (an address), behind which several
readers may sit. Households take turns, and in each its readers do; what one reader asked comes in its order.
Who is new comes after those who are there, so everybody's turn comes. When more than `room` wait, whoever
would be last gives way: that is one of those who asked most.
"""

from collections import deque
from typing import Generic, TypeVar

T = TypeVar("T")


class Line(Generic[T]):
    """Things that wait, each of a visitor. Of one thread."""

    def __init__(self, room: int) -> None:
        self.room = room
        self._households: dict[str, dict[str, deque[T]]] = {}  # in order of their turns

    def __len__(self) -> int:
        return sum(len(own) for readers in self._households.values() for own in readers.values())

    def join(self, visitor: str, item: T) -> T | None:
        """Takes a place; gives the thing that has to give way for it, if any, which may be itself."""
        household = visitor.partition("/")[0]
        self._households.setdefault(household, {}).setdefault(visitor, deque()).append(item)
        if len(self) <= self.room:
            return None
        last = self.order()[-1]
        self.leave(last)
        return last

    def leave(self, item: T) -> bool:
        """Whether it was waiting."""
        for household, readers in self._households.items():
            for visitor, own in readers.items():
                if item in own:
                    own.remove(item)
                    self._tidy(household, visitor)
                    return True
        return False

    def take(self) -> T | None:
        """Who is next, out of the line; its visitor's next turn comes after those of all others."""
        for household, readers in self._households.items():
            for visitor, own in readers.items():
                item = own.popleft()
                readers[visitor] = readers.pop(visitor)
                self._households[household] = self._households.pop(household)
                self._tidy(household, visitor)
                return item
        return None

    def order(self) -> list[T]:
        """All, as their turns will come if nobody comes or leaves."""
        copy = Line[T](self.room)
        copy._households = {
            household: {visitor: deque(own) for visitor, own in readers.items()}
            for household, readers in self._households.items()
        }
        found = []
        while (item := copy.take()) is not None:
            found.append(item)
        return found

    def _tidy(self, household: str, visitor: str) -> None:
        readers = self._households[household]
        if not readers[visitor]:
            del readers[visitor]
        if not readers:
            del self._households[household]
