"""Somebody signs in, for tests of what takes a role."""

import re

from people.boxes import WORDS, people
from starlette.testclient import TestClient

from appliance.people.records import Role
from appliance.server.rights import COOKIE, Rights

NAMED = "http://localhost"  # people sign in under a name


def rights() -> Rights:
    return Rights(people())


def signed_in(client: TestClient, given: Rights, role: Role = "admin") -> str:
    """From now on this client is somebody with the role; gives the token of their forms."""
    name = f"{role} {len(given.people.persons.listed())}"
    person = given.people.persons.add(name, role, WORDS)
    cookie = given.people.sessions.begin(person.id, "Firefox · Android")
    client.cookies.set(COOKIE, cookie)
    return given.people.sessions.signature("form", cookie)


def program(client: TestClient, given: Rights, role: Role = "editor") -> None:
    """From now on this client is a program with the role."""
    person = given.people.persons.add(f"program's {role}", "admin", WORDS)
    client.headers["authorization"] = f"Bearer {given.people.programs.add(person.id, 'test', role)}"


def token(page: str) -> str:
    """That of the first form of a page."""
    found = re.search(r'name="token" value="([^"]+)"', page)
    assert found is not None, page
    return found[1]
