"""Under which name of the box people sign in, under which number articles are read (`origin.by_number`)."""

import socket
from ipaddress import ip_address

from starlette.requests import Request

from appliance.server.guard import LOOPBACK
from appliance.server.origin import by_number
from appliance.server.portal_visitors import normal, visitor
from appliance.server.questions import BadRequest
from appliance.settings import VISITORS_ADDRESS, Settings

NAMELESS = "People sign in under a name of the box, not under its number."


def elsewhere(request: Request, settings: Settings) -> str:
    """The same address under a name; "" where it is one already. Raises BadRequest where no name of this
    machine is known."""
    if not by_number(request):
        return ""
    query = f"?{request.url.query}" if request.url.query else ""
    if settings.portal:
        return f"http://{settings.portal}{request.url.path}{query}"
    _, colon, port = _host_and_port(request)
    if _host_and_port(request)[0] in LOOPBACK:
        return f"http://localhost{colon}{port}{request.url.path}{query}"
    name = socket.gethostname().partition(".")[0]
    raise BadRequest(NAMELESS, f"Try http://{name}{colon}{port}{request.url.path} instead.")


def require_name(request: Request) -> None:
    """Raises BadRequest (403) under a number."""
    if by_number(request):
        raise BadRequest(NAMELESS, "Open the box by its name.", status=403)


def number(request: Request, settings: Settings) -> str:
    """The box by its number, as the beginning of an address; "" where none is known: a proxy of the owner's
    own has another one."""
    if settings.portal:
        _, colon, port = settings.portal.partition(":")
        return f"http://{VISITORS_ADDRESS}{colon}{port}"
    address = normal(str((request.scope.get("server") or ("",))[0]))
    if not address or (ip_address(address).is_loopback and not sits_here(request)):
        return ""
    host = f"[{address}]" if ":" in address else address
    _, colon, port = _host_and_port(request)
    return f"http://{host}{colon}{port}"


def sits_here(request: Request) -> bool:
    address = visitor(request.scope)
    return bool(address) and ip_address(address).is_loopback


def _host_and_port(request: Request) -> tuple[str, str, str]:
    """`[::1]:8080` -> `::1`, ":", `8080`."""
    given = request.headers.get("host", "")
    host, bracket, rest = given.removeprefix("[").partition("]")
    if not bracket:
        host, _, port = given.partition(":")
    else:
        port = rest.removeprefix(":")
    return host, ":" if port else "", port if port.isdecimal() else ""
