"""Each request keeps to the box that it began with, to the last word of its answer, however the library is
swapped meanwhile. Pure ASGI: the answer's stream belongs to the request."""

from starlette.types import ASGIApp, Receive, Scope, Send

from appliance.shelving.live import Live


class Held:
    def __init__(self, app: ASGIApp, live: Live) -> None:
        self._app, self._live = app, live

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        with self._live.held():
            await self._app(scope, receive, send)
