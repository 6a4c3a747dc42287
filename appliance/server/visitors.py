"""Who a request is from, as a word that says nothing: for turns and for pace, and for nothing else.

An address, and behind it a browser by the cookie of its conversations, since many phones may share an address
where an access point hides them. A cookie can be forged, so names at one address share that address's turns
(answer.line). The words are made with a key that lives as long as the process; nothing of this is written.
"""

import hashlib
import secrets
from ipaddress import ip_address

from starlette.requests import HTTPConnection
from starlette.types import Scope

from appliance.server.portal_visitors import network, visitor
from appliance.server.reader import COOKIE

HERE = "here"  # this machine: its screen, its programs


class Names:
    """Of one process."""

    def __init__(self) -> None:
        self._key = secrets.token_bytes(32)

    def of(self, scope: Scope) -> str:
        """`household/reader` (answer.line). A household is an address, HERE one of this machine."""
        address = visitor(scope)
        cookie = HTTPConnection(scope).cookies.get(COOKIE, "")
        near = not address or ip_address(address).is_loopback
        household = HERE if near else self._word(network(address))
        return f"{household}/{self._word(cookie) if cookie else ''}"

    def _word(self, text: str) -> str:
        return hashlib.blake2b(text.encode(), key=self._key, digest_size=12).hexdigest()
