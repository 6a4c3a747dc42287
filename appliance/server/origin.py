"""Where a request comes from: this machine or another, a page of this box or of another place."""

from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.requests import Request

from appliance.server.guard import host_name
from appliance.server.portal_visitors import normal, visitor
from appliance.server.questions import BadRequest

_PASSED_ON = ("forwarded", "x-forwarded-for", "via")  # headers of a proxy that may not be ours


def here(request: Request) -> bool:
    """Whether the visitor sits at this machine: a loopback address, not passed on by an unknown proxy. nginx
    in front of the pages says who asks (`X-Real-IP`)."""
    address = visitor(request.scope)
    passed_on = any(request.headers.get(name) for name in _PASSED_ON)
    known = bool(request.headers.get("x-real-ip")) or not passed_on
    return bool(address) and known and ip_address(address).is_loopback


def own_page(request: Request) -> bool:
    """Whether the form was on a page of this box, as far as the browser says where it was."""
    origin = request.headers.get("origin", "")
    try:
        return not origin or urlsplit(origin).netloc.lower() == request.headers.get("host", "").lower()
    except ValueError:  # brackets without an end: no place at all
        return False


def by_number(request: Request) -> bool:
    """Whether the box was called by a number (`198.51.100.1`, `127.0.0.1`), or by nothing. For a browser that
    is another place than its names: articles, which bring programs of their own, are read under a number
    alone, and people sign in under a name alone, so no article's program ever has their cookie."""
    name = host_name(request.headers.get("host", ""))
    return not name or bool(normal(name))


def require_own_page(request: Request) -> None:
    """Raises BadRequest (403)."""
    if not own_page(request):
        raise BadRequest("This form is of another place.", "Open the page here, then send it.", status=403)
