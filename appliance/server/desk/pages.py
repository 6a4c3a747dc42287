"""All pages of the desk, for the application."""

from collections.abc import Iterator

from fastapi import APIRouter

from appliance.server.desk import answers, backup, clock, logs, network, people, power, status, usage
from appliance.server.desk.choosing import Choosing
from appliance.server.desk.frame import Desk
from appliance.server.parts import Appliance
from appliance.usage.usage import Usage


def routers(desk: Desk, appliance: Appliance, choosing: Choosing, counts: Usage) -> Iterator[APIRouter]:
    yield status.router(desk, appliance)
    yield answers.router(desk, appliance, choosing)
    yield usage.router(desk, counts, choosing)
    yield from backup.routers(desk, appliance.settings, choosing, counts)
    yield network.router(desk)
    yield network.keeping(desk)
    yield clock.router(desk)
    yield logs.router(desk)
    yield power.router(desk)
    yield people.router(desk)
