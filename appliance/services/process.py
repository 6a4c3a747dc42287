"""What our own processes have in common: an ASGI app under uvicorn, on a unix socket or a port.

No access log (nothing is written about questions), no websockets, short good-byes. systemd, where it started
the process, is told when it answers, and from the same loop that it still does.
"""

import socket
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import uvicorn
from starlette.types import ASGIApp

from appliance.errors import SetupError
from appliance.services import notify
from appliance.services.patience import Patient

OPTIONS: dict[str, Any] = {
    "http": Patient,
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
    (host, port). Raises SetupError for a socket at which another process answers: uvicorn would take it away
    from that one."""
    if isinstance(where, Path):
        if _is_taken(where):
            raise SetupError(
                f"Another process answers at {where}.", "End it first, or give another folder with --runtime."
            )
        try:
            _run(uvicorn.Config(app, uds=str(where), **OPTIONS, **_notifying()))
        finally:
            where.unlink(missing_ok=True)
    else:
        _run(uvicorn.Config(app, host=where[0], port=where[1], **OPTIONS, **_notifying()))


def _run(config: uvicorn.Config) -> None:
    server = uvicorn.Server(config)
    with suppress(KeyboardInterrupt):
        server.run()
    if not server.started:
        sys.exit(1)


def _notifying() -> dict[str, Any]:
    """uvicorn calls back when it answers, and then each time these seconds have passed."""

    async def ready() -> None:
        notify.ready()

    return {"callback_notify": ready, "timeout_notify": notify.every()}


def _is_taken(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        return probe.connect_ex(str(path)) == 0
