"""The frame of the desk: who gets in, and what the navigation offers."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.routing import iter_route_contexts
from starlette.testclient import TestClient

from appliance.server.app import create_app
from appliance.server.desk import places
from appliance.server.rights import declared
from server import fakes
from server.desk import boxes
from server.test_pages import words


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """As whoever sits at the machine sees it."""
    app = create_app(fakes.appliance(tmp_path_factory.mktemp("home")))
    with boxes.admin(app) as found:
        yield found


@pytest.fixture(scope="module")
def visitor(desk: TestClient) -> TestClient:
    return boxes.visitor(desk.app)


def addresses(client: TestClient) -> list[tuple[str, str]]:
    """Every method and address of the desk that this application has for a role."""
    found = [
        (method, re.sub(r"{\w+}", "1", str(route.path)))
        for route in iter_route_contexts(client.app.routes)
        if f"{route.path}/".startswith(f"{places.ROOT}/") and declared(route) != ["own"]
        for method in route.methods or ()
    ]
    assert ("GET", places.ROOT) in found
    return sorted(found)


def test_a_visitor_sees_nothing_of_it(desk: TestClient, visitor: TestClient) -> None:
    for method, address in addresses(desk):
        reply = visitor.request(method, address)
        if method == "GET":
            assert reply.headers["location"].startswith("/sign-in"), address
        else:
            assert reply.status_code == 401, (method, address)


def test_a_form_without_a_token_changes_nothing(desk: TestClient) -> None:
    for method, address in addresses(desk):
        if method != "GET":
            reply = desk.request(method, address, data={"token": "x"})
            # 415: a page that takes files reads no other form at all
            assert reply.status_code in (403, 415), (method, address)


def test_the_navigation_has_what_is_there(desk: TestClient) -> None:
    page = desk.get("/desk")
    assert page.headers["cache-control"] == "no-store"
    assert 'href="/desk" aria-current="page"' in page.text
    assert 'href="/library"' not in page.text  # no librarian here, so no such page
    assert "Bureau" in words(desk.get("/desk", headers={"accept-language": "fr"}).text)


def test_an_address_is_of_the_page_above_it() -> None:
    assert places.place("/desk/people/7/reset").label == "People"
    assert places.place("/desk").label == "Status"
    with pytest.raises(KeyError):
        places.place("/desktop")


def test_every_page_is_documented_with_its_role() -> None:
    told = (Path(__file__).parents[3] / "docs/desk.md").read_text("utf-8")
    rows = [f"| {one.label} | `{one.address}` | {one.role} |" for one in places.PLACES]
    assert [line[: len(row)] for line, row in zip(_table(told), rows, strict=True)] == rows


def _table(text: str) -> list[str]:
    lines = text.partition("| page |")[2].splitlines()[2:]
    return lines[: lines.index("")]
