"""Whose conversations a visitor sees: those of their browser, by a cookie that nothing else can read.

Phones on one box share its address and its Wi-Fi, but not their cookies. The file of conversations has only
the cookie's hash, so that who reads it cannot become anyone. On the box's own screen a reader is the visit,
which ends with its quiet time.
"""

import hashlib
import re
import secrets

from starlette.requests import Request
from starlette.responses import Response

COOKIE = "lamplight_reader"
VISIT = "lamplight.visit"  # in the request's scope, on the box's own screen (kiosk)
SCREEN = "screen:"  # before a visit's name, in an owner's
YEAR = 365 * 24 * 3600  # seconds
_VALUE = re.compile(r"[A-Za-z0-9_-]{43}")


def owner(request: Request) -> str:
    """Who the visitor is; "" for one who has no conversations yet."""
    if visit := request.scope.get(VISIT):
        return f"{SCREEN}{visit}"
    value = request.cookies.get(COOKIE, "")
    return _owner(value) if _VALUE.fullmatch(value) else ""


def known(request: Request) -> tuple[str, str]:
    """Who the visitor is from now on, and the cookie that says so next time; "" when there is one."""
    if found := owner(request):
        return found, ""
    value = secrets.token_urlsafe(32)
    return _owner(value), value


def remember(response: Response, value: str) -> None:
    """Sends the cookie of `known`. Forms of other places come without it (SameSite)."""
    if value:
        response.set_cookie(COOKIE, value, max_age=YEAR, httponly=True, samesite="strict")


def _owner(value: str) -> str:
    return "browser:" + hashlib.sha256(value.encode()).hexdigest()


def on_screen(owner: str) -> bool:
    """Whether this is a visit to the box's own screen."""
    return owner.startswith(SCREEN)
