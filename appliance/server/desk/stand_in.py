"""Who may use the desk until people sign in: whoever may change the library without a code."""

from collections.abc import Mapping

from fastapi import Request

from appliance.server.desk.places import Role
from appliance.server.door import Door
from appliance.server.questions import BadRequest
from appliance.server.reader import VISIT
from appliance.settings import Settings


class Rights:
    def __init__(self, settings: Settings) -> None:
        self._door = Door(settings)

    def person(self, request: Request) -> object | None:
        """Nobody has a name yet."""
        del request
        return None

    def may(self, request: Request, role: Role) -> bool:
        del role
        return VISIT not in request.scope and self._door.way(request) == "free"

    def csrf(self, request: Request) -> str:
        del request
        return self._door.token

    def require(self, request: Request, role: Role, form: Mapping[str, str]) -> None:
        """Raises BadRequest (403)."""
        if not self.may(request, role):
            raise BadRequest("The desk is for whoever looks after the box.", "Ask them.", status=403)
        self._door.require(request, form)
