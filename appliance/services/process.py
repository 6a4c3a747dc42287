"""What the processes of ours have in common: an ASGI app under uvicorn on a unix socket, without extras.

No access log (nothing is written about questions), no websockets, short good-byes.
"""

from pathlib import Path

import uvicorn
from starlette.types import ASGIApp


def serve(app: ASGIApp, socket: Path) -> None:
    """Runs until SIGTERM or SIGINT. The folder of `socket` must be there and private (`runtime.prepare`)."""
    uvicorn.run(
        app,
        uds=str(socket),
        http="h11",
        ws="none",
        loop="asyncio",
        log_level="warning",
        access_log=False,
        server_header=False,
        date_header=False,
        timeout_graceful_shutdown=2,
    )
