"""Every address of an application, as a list: what tests and measurements walk."""

from collections.abc import Sequence
from dataclasses import dataclass

from fastapi.routing import iter_route_contexts
from starlette.routing import BaseRoute, Mount


@dataclass(frozen=True, slots=True, order=True)
class Address:
    """`path` as it is declared (`/conversations/{number}`), and a method that it takes; `below`: so it does
    every path below, as files do."""

    path: str
    method: str
    below: bool = False

    def __str__(self) -> str:
        return f"{self.method} {self.path}{'/{path:path}' if self.below else ''}"


def listed(routes: Sequence[BaseRoute]) -> list[Address]:
    """In order of their paths."""
    found = {
        Address(str(route.path), method)
        for route in iter_route_contexts(routes)
        for method in route.methods or ()
    }
    files = {Address(route.path, "GET", below=True) for route in routes if isinstance(route, Mount)}
    return sorted(found | files)
