"""Who may use the desk until people sign in: whoever may change the library without a code."""

from collections.abc import Mapping

from fastapi import Request

from appliance.people.records import Person, Role
from appliance.server.door import Door
from appliance.server.questions import BadRequest
from appliance.server.reader import VISIT
from appliance.server.rights import NOBODY, Known, Rights
from appliance.settings import Settings


class StandIn(Rights):
    def __init__(self, settings: Settings) -> None:
        self._door = Door(settings)

    def known(self, request: Request) -> Known:
        """Nobody has a name yet."""
        del request
        return NOBODY

    def may(self, request: Request, role: Role) -> bool:
        del role
        return VISIT not in request.scope and self._door.way(request) == "free"

    def csrf(self, request: Request) -> str:
        del request
        return self._door.token

    def require_role(self, request: Request, role: Role) -> Person:
        """Raises BadRequest (403)."""
        if not self.may(request, role):
            raise BadRequest("The desk is for whoever looks after the box.", "Ask them.", status=403)
        return Person(0, "", "admin")

    def require_token(self, request: Request, form: Mapping[str, str] | None = None) -> None:
        """Raises BadRequest (403)."""
        self._door.require(request, form or {})

    async def note(self, request: Request) -> None:
        """Nobody was seen."""
