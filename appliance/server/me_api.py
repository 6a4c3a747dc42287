"""`/api/me`: who a program acts for, so that one that serves others can tell whether a token is good."""

from fastapi import APIRouter, Request
from pydantic import BaseModel

from appliance.people.records import Role
from appliance.server.rights import OPEN, Rights


class MeReply(BaseModel):
    """All null for nobody; `role` is the smaller of the person's and the program's."""

    name: str | None = None
    role: Role | None = None
    program: str | None = None


def router(rights: Rights) -> APIRouter:
    routes = APIRouter(tags=["people"], dependencies=[OPEN])

    @routes.get("/api/me")
    async def me(request: Request) -> MeReply:
        known = rights.known(request)
        await rights.note(request)
        if known.person is None:
            return MeReply()
        program = known.program.name if known.program else None
        return MeReply(name=known.person.name, role=known.person.role, program=program)

    return routes
