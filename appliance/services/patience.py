"""uvicorn's side of a connection, with an end to its patience.

Without it whoever opens connections and sends a request letter by letter, or never reads the answer, keeps
each of them open for ever, until no descriptor is left. On the card nginx and the firewall stand in front and
have the same bounds; a desktop's pages stand alone.
"""

import asyncio
from collections import Counter
from typing import ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol


class Patient(H11Protocol):
    """A request's head has `head` seconds to come, whole; its body may pause for `pause` seconds, and so may
    whoever reads the answer. Seconds that the application itself takes do not count. One address has `most`
    connections, but for this machine's own, of which nginx has those of everyone."""

    head, pause = 30.0, 60.0
    look = 5.0  # seconds between two looks
    most, unbounded = 200, ("127.0.0.1", "::1")
    held: ClassVar[Counter[str]] = Counter()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._address = self.client[0] if self.client else ""  # none on a unix socket
        self.held[self._address] += 1
        self._began = self._heard = self._read = self.loop.time()
        self._unread = 0
        self._looking = self.loop.call_later(min(self.look, self.head), self._look)
        if self._address not in ("", *self.unbounded) and self.held[self._address] > self.most:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._looking.cancel()
        self.held[self._address] -= 1
        if not self.held[self._address]:
            del self.held[self._address]
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._heard = self.loop.time()
        super().data_received(data)

    def on_response_complete(self) -> None:
        self._began = self._heard = self.loop.time()
        super().on_response_complete()

    def resume_writing(self) -> None:
        """Much of what waited was taken: the same amount may wait again at the next look."""
        self._read = self.loop.time()
        super().resume_writing()

    def send_400_response(self, msg: str) -> None:
        """After it the application's answer has nowhere to go: it may have begun, or be about to."""
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.disconnected = True
        try:
            super().send_400_response(msg)
        except h11.LocalProtocolError:  # an answer has begun, or may have no body (HEAD)
            self.transport.close()

    def _look(self) -> None:
        now = self.loop.time()
        if self._too_late(now) or self._not_read(now):
            self.transport.abort()
        else:
            self._looking = self.loop.call_later(min(self.look, self.head), self._look)

    def _too_late(self, now: float) -> bool:
        if self.flow.read_paused:  # the application has enough for now
            self._heard = now
        if self.conn.their_state is h11.IDLE:
            return now - self._began >= self.head
        return self.conn.their_state is h11.SEND_BODY and now - self._heard >= self.pause

    def _not_read(self, now: float) -> bool:
        """Whether what is to be sent has been lying there, without a byte of it being taken."""
        left = self.transport.get_write_buffer_size()
        if left == 0 or left != self._unread:
            self._unread, self._read = left, now
        return now - self._read >= self.pause
