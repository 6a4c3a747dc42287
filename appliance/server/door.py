"""Who may change something through the pages: whoever sits at the machine, or knows the admin's code.

Until there is a sign-in this is all that keeps a visitor's phone from swapping the library. A form carries a
token that only a page of this box can have read, so a page from elsewhere cannot send it from the admin's
browser; the code may be tried a few times in a while, by all together.
"""

import hmac
import secrets
import time
from collections import deque
from collections.abc import Callable, Mapping
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from starlette.requests import Request

from appliance.server.portal_visitors import visitor
from appliance.server.questions import BadRequest
from appliance.settings import Settings

TRIES, WHILE = 8, 600.0  # wrong codes in so many seconds
_PASSED_ON = ("forwarded", "x-forwarded-for", "via")  # headers of a proxy that may not be ours


class Door:
    """Of one running server."""

    def __init__(self, settings: Settings, clock: Callable[[], float] = time.monotonic) -> None:
        self.token = secrets.token_urlsafe(24)
        self._changes = settings.changes
        self._code = Path(settings.admin_code) if settings.admin_code else None
        self._clock, self._wrong = clock, deque[float](maxlen=TRIES)

    def way(self, request: Request) -> str:
        """How this visitor may change something: "free", with the "code", or "" (not at all)."""
        if self._changes == "nobody":
            return ""
        if here(request):
            return "free"
        return "code" if self._changes == "code" and self._code is not None else ""

    def require(self, request: Request, form: Mapping[str, str]) -> None:
        """Raises BadRequest (403, 429) for a change that this visitor may not make."""
        if not _same(form.get("token", ""), self.token) or not own_page(request):
            raise BadRequest(
                "This form is of another start of the box, or of another place.",
                "Open the page again, then send the form from there.",
                "token",
                403,
            )
        self.admit(request, form.get("code", ""))

    def admit(self, request: Request, code: str) -> None:
        """The same for a change that was sent without a form. Raises BadRequest (403, 429)."""
        way = self.way(request)
        if not way:
            raise BadRequest(
                "The library is changed at the box itself.", "Ask whoever looks after it.", status=403
            )
        if way == "code":
            self._require_code(code)

    def require_token(self, token: str) -> None:
        """Raises BadRequest (403) for a form that no page of this start of the box has shown."""
        if not _same(token, self.token):
            raise BadRequest(
                "This form is of another start of the box, or of another place.",
                "Open the page again, then send the form from there.",
                "token",
                403,
            )

    def _require_code(self, given: str) -> None:
        if len(self._wrong) == TRIES and self._clock() - self._wrong[0] < WHILE:
            raise BadRequest("The code was wrong too often.", f"Wait {WHILE / 60:.0f} minutes.", "code", 429)
        if not _same(_plain(given), _plain(self._expected())):
            self._wrong.append(self._clock())
            raise BadRequest(
                "This is not the admin's code.", "It stands on the box's own screen.", "code", 403
            )

    def _expected(self) -> str:
        """Raises BadRequest where there is no code: an empty one would let everyone in."""
        try:
            code = self._code.read_text("utf-8").strip() if self._code else ""
        except (OSError, UnicodeDecodeError):
            code = ""
        if not _plain(code):
            raise BadRequest("This box has no admin's code.", "Change the library at the box.", status=403)
        return code


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
    return not origin or urlsplit(origin).netloc.lower() == request.headers.get("host", "").lower()


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode("utf-8", "replace"))


def _plain(code: str) -> str:
    """As people type it: without spaces and dashes, small or large letters."""
    return "".join(letter for letter in code if letter.isalnum()).upper()
