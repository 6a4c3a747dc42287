"""Whatever can be guessed (passphrases, the code of first use) passes here: slowed, one after another.

A browser that has given the right passphrase for a name keeps a signed mark of it and is slowed on its own,
so that others who guess at the name do not keep it out (the "device cookies" of OWASP); so is who sits at
the machine.
"""

import asyncio
import math
import secrets
from collections.abc import Callable, Sequence
from typing import TypeVar

from fastapi import Request, Response
from fastapi.concurrency import run_in_threadpool

from appliance.people.sessions import Sessions
from appliance.people.tries import ADDRESS, ALL, KNOWN, NAME, Key, Tries
from appliance.server.origin import here
from appliance.server.portal_visitors import network, visitor
from appliance.server.questions import BadRequest
from appliance.server.reader import VISIT

MARK = "lamplight_known"
YEAR = 365 * 86_400  # seconds
WAITING = 8  # who may wait for the ones before them
SLOWLY = "There were too many wrong tries. Wait {n} s, then try again."
BUSY = "Several people are signing in just now. Try again in a moment."
Found = TypeVar("Found")


class Guesses:
    """Of one running server."""

    def __init__(self, sessions: Sessions, tries: Tries | None = None) -> None:
        self._sessions, self._tries = sessions, tries or Tries()
        self._one_at_a_time, self._waiting = asyncio.Lock(), 0

    async def look(self, keys: Sequence[Key], look: Callable[[], Found | None]) -> Found | None:
        """What `look` finds, in a thread; None is a wrong guess. Raises BadRequest (429)."""
        if self._waiting >= WAITING:
            raise BadRequest(BUSY, status=429)
        if wait := self._tries.begin(keys):
            raise BadRequest(SLOWLY.format(n=math.ceil(wait)), status=429)
        self._waiting += 1
        try:
            async with self._one_at_a_time:
                found = await run_in_threadpool(look)
        finally:
            self._waiting -= 1
        if found is not None:
            self._tries.good(keys)
        return found

    def keys(self, request: Request, name: str) -> tuple[Key, ...]:
        """What a guess counts for. `name` is whatever is guessed at."""
        if here(request) and VISIT not in request.scope:
            return ((KNOWN, "here"),)
        mark, _, signature = request.cookies.get(_cookie(name), "").partition(".")
        if mark and self._sessions.signed("known", f"{mark}\0{name}", signature):
            return ((KNOWN, mark),)
        return ((NAME, name), (ADDRESS, network(visitor(request.scope))), (ALL, ""))

    def remember(self, response: Response, name: str) -> None:
        """That this browser knew the right one."""
        mark = secrets.token_urlsafe(16)
        signature = self._sessions.signature("known", f"{mark}\0{name}")
        set_cookie(response, _cookie(name), f"{mark}.{signature}", YEAR)


def _cookie(name: str) -> str:
    """One for people's names, one for what is none, so that neither pushes the other out."""
    return f"{MARK}_other" if name.startswith("\0") else MARK


def set_cookie(response: Response, name: str, value: str, age: int) -> None:
    """A cookie that scripts do not see and that no other place's page sends. Not `Secure`: a hotspot without
    the internet has no certificate that a phone would trust, so it speaks plain HTTP."""
    response.set_cookie(name, value, max_age=age, httponly=True, samesite="strict")
