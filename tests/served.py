"""An application under uvicorn in a thread, over a real socket, for tests of servers and their clients."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from starlette.types import ASGIApp


class Served(uvicorn.Server):
    """Ends when it is told to. uvicorn's own loop looks for that, and for the last connection, only every
    tenth of a second: two tenths for each test that starts a server."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.up = threading.Event()

    async def main_loop(self) -> None:
        self.loop, self.told = asyncio.get_running_loop(), asyncio.Event()
        await self.on_tick(0)
        self.up.set()
        await self.told.wait()

    async def shutdown(self, sockets: Any = None) -> None:
        del sockets  # none is ever handed in
        for server in self.servers:
            server.close()
        for connection in list(self.server_state.connections):
            connection.shutdown()
        async with asyncio.timeout(5):
            while self.server_state.connections or self.server_state.tasks:
                await asyncio.sleep(0.002)
        await self.lifespan.shutdown()

    def end(self) -> None:
        self.loop.call_soon_threadsafe(self.told.set)


@contextmanager
def served(app: ASGIApp, **options: Any) -> Iterator[Served]:
    """The app, answering until the end of the block; `options` are uvicorn's (`uds`, or `host`, `port`)."""
    server = Served(uvicorn.Config(app, **options))
    thread = threading.Thread(target=server.run)
    thread.start()
    assert server.up.wait(60), "the server did not come up"
    try:
        yield server
    finally:
        server.end()
        thread.join(60)
        assert not thread.is_alive(), "the server did not end"
