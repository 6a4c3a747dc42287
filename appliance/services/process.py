"""What our own processes have in common: an ASGI app under uvicorn, on a unix socket or a port.

No access log (nothing is written about questions), no websockets, short good-byes.
"""

from pathlib import Path
from typing import Any

import uvicorn
from starlette.types import ASGIApp

OPTIONS: dict[str, Any] = {
    "http": "h11",
    "ws": "none",
    "loop": "asyncio",
    "log_level": "warning",
    "access_log": False,
    "server_header": False,
    "proxy_headers": False,
    "timeout_graceful_shutdown": 2,
}


def serve(app: ASGIApp, where: Path | tuple[str, int]) -> None:
    """Runs until SIGTERM or SIGINT, at a socket's path (in a private folder: `runtime.prepare`) or at
    (host, port)."""
    if isinstance(where, Path):
        uvicorn.run(app, uds=str(where), **OPTIONS)
    else:
        uvicorn.run(app, host=where[0], port=where[1], **OPTIONS)
