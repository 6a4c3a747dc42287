"""The desk's page of Git sources, and what readers see of them: over sources that were synced without git."""

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from fastapi import FastAPI
from repositories.trees import Tree, reader
from starlette.testclient import TestClient

from appliance import settings
from appliance.errors import GitError
from appliance.repositories import register
from appliance.repositories.records import Progress
from appliance.repositories.repositories import Repositories
from appliance.repositories.sync import sync
from appliance.server.app import create_app
from appliance.server.git_files import lines
from appliance.server.git_sources import GitSources
from appliance.vectors import HashEncoder
from server import fakes
from server.desk import boxes

pytestmark = pytest.mark.slow

PUMP = "# Pump\n\n## Start\n\nOpen the valve, then start the pump.\n"
HOSTILE = "# <script>alert(1)</script>\n\nA text about the lantern.\n"
ADDRESS = "https://github.com/team/wiki.git"


class Box:
    def __init__(self, home: Path) -> None:
        given = settings.load({"home": home}, {})
        self.sources = Repositories(given, HashEncoder(), HashEncoder.model_sha256)
        self.git = GitSources(self.sources, given)
        self.git.timer.start = lambda: None  # type: ignore[method-assign]
        self.app: FastAPI = create_app(fakes.appliance(home), git=self.git)

    def synced(self, name: str = "wiki", seen: str = "people", address: str = ADDRESS, **files: str) -> None:
        self.sources.add(address, name, seen=seen)
        tree = Tree(files or {"ops/pump.md": PUMP, "bad.md": HOSTILE, "empty.md": ""}, ("other/repo",))
        store = self.sources._passages(name).store
        tally = sync(tree, tree.commit, reader(store), HashEncoder())
        register.went_well(self.sources._register, name, tree.commit, tally)


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Box]:
    found = Box(tmp_path)
    yield found
    found.sources.close()


@pytest.fixture
def admin(box: Box) -> TestClient:
    return boxes.admin(box.app)


@pytest.fixture
def phone(box: Box) -> TestClient:
    return boxes.visitor(box.app)


def token(client: TestClient) -> str:
    (found,) = {*re.findall(r'name="token" value="([^"]*)"', client.get("/desk/sources").text)}
    return found


def send(client: TestClient, there: str, **form: str) -> int:
    return client.post(there, data={"token": token(client), **form}, follow_redirects=False).status_code


def test_a_source_is_added_shown_and_removed(box: Box, admin: TestClient) -> None:
    assert "No source yet" in admin.get("/desk/sources").text
    assert send(admin, "/desk/sources", address=ADDRESS, seen="everyone") == 303
    assert box.sources.find("wiki").seen == "everyone"
    assert box.git.timer.waiting("wiki")
    page = admin.get("/desk/sources").text
    assert "waits for its turn" in page
    assert "data-live" in page
    assert '<noscript><meta http-equiv="refresh"' in page
    assert send(admin, "/desk/sources/wiki/show", seen="people") == 303
    assert box.sources.find("wiki").seen == "people"
    assert send(admin, "/desk/sources/wiki/remove") == 303
    assert box.sources.listed() == []


@pytest.mark.parametrize(
    "address", ["file:///etc", "ext::sh -c id", "-oProxyCommand=id:x", "http://example.org/x", ""]
)
def test_a_bad_address_is_a_sentence(admin: TestClient, box: Box, address: str) -> None:
    reply = admin.post("/desk/sources", data={"token": token(admin), "address": address})
    assert reply.status_code == 400
    assert "address of a Git repository" in reply.text
    assert box.sources.listed() == []


def test_what_is_not_there_is_said(admin: TestClient) -> None:
    assert send(admin, "/desk/sources/nothing/sync") == 409
    assert send(admin, "/desk/sources/nothing/dance") == 404


def test_visitors_change_and_see_nothing_of_the_desk(box: Box, phone: TestClient, admin: TestClient) -> None:
    box.synced()
    assert phone.get("/desk/sources").headers["location"] == "/sign-in?to=/desk/sources"
    given = {"token": token(admin), "address": "https://example.org/other"}
    assert phone.post("/desk/sources", data=given).status_code in (401, 403)
    for act in ("sync", "remove", "trust", "show"):
        assert phone.post(f"/desk/sources/wiki/{act}", data=given).status_code in (401, 403)
    assert admin.post("/desk/sources", data={"address": ADDRESS, "token": "x"}).status_code == 403
    assert [one.name for one in box.sources.listed()] == ["wiki"]


def test_its_state_is_told(box: Box, admin: TestClient) -> None:
    box.synced()
    page = unescape(admin.get("/desk/sources").text)
    for told in (
        "in step",
        "Files: 3",
        "could not be read: 1",
        "empty.md",
        "other/repo",
        "changed: 3",
    ):
        assert told in page
    assert "data-live" not in page
    register.failed(box.sources._register, "wiki", GitError("Another host key.", "Ask.", "changed"))
    page = unescape(admin.get("/desk/sources").text)
    for told in ("not in step", "Another host key.", "Trust the new host key", "is still searched"):
        assert told in page


def test_the_state_of_a_source_for_people_is_told_at_the_desk_alone(box: Box) -> None:
    box.synced()
    register.failed(box.sources._register, "wiki", GitError("Another host key.", "Ask.", "changed"))
    assert (box.git.checks(), [check.state for check in box.git.within()]) == ([], ["wrong"])
    box.sources.show("wiki", "everyone")
    assert ([check.state for check in box.git.checks()], box.git.within()) == (["wrong"], [])


def test_a_sync_that_runs_shows_how_far_it_is(box: Box, admin: TestClient) -> None:
    box.synced()
    box.sources._progress["wiki"] = Progress("embedding", 1200, 34, 5, 6, 34, 70, 140)
    page = unescape(admin.get("/desk/sources").text)
    for told in (
        "Files seen: 1,200",
        "New or changed: 34",
        "Removed: 5",
        "Not read: 6",
        "prepared: 70 of 140",
    ):
        assert told in page
    assert 'max="1000" value="650"' in page


def test_a_file_opens_at_its_passage_with_its_lines_at_the_host(box: Box, admin: TestClient) -> None:
    box.synced()
    start = PUMP.index("Open")
    address = f"/source?archive=git:wiki&path=ops/pump.md&start={start}&length=36"
    page = unescape(admin.get(address).text)
    assert 'id="passage"' in page
    assert "ops/pump.md" in page
    commit = box.sources.find("wiki").outcome.commit
    assert f"https://github.com/team/wiki/blob/{commit}/ops/pump.md?plain=1#L5-L5" in page
    assert 'value="source:wiki"' in page
    assert admin.get("/source?archive=git:wiki&path=nowhere.md").status_code == 404
    assert admin.get("/source?archive=git:other&path=ops/pump.md").status_code == 404
    listing = admin.get("/source/files?archive=git:wiki").text
    assert "ops/pump.md" in listing.replace("%2F", "/")
    assert "<script>alert" not in listing + admin.get("/source?archive=git:wiki&path=bad.md").text


def test_lines_are_those_of_an_editor() -> None:
    assert lines(PUMP, PUMP.index("Open"), len(PUMP)) == (5, 5)
    assert lines("a\nb\nc\n", 2, 5) == (2, 3)
    assert lines("a\nb\n", 0, 2) == (1, 1)


def test_who_has_not_signed_in_sees_those_for_everyone_alone(
    box: Box, phone: TestClient, admin: TestClient
) -> None:
    box.synced("closed")
    box.synced("open", "everyone")
    for client, both in ((admin, True), (phone, False)):
        home = client.get("/").text
        assert "git:open" in home
        assert ("git:closed" in home) is both
        for path in ("/source?archive=git:{}&path=ops/pump.md", "/source/files?archive=git:{}"):
            assert client.get(path.format("open")).status_code == 200
            assert client.get(path.format("closed")).status_code == (200 if both else 404)
        names = {one["name"] for one in client.get("/api/archives").json()["archives"]}
        assert "git:open" in names
        assert ("git:closed" in names) is both
        reply = client.get("/api/source", params={"archive": "git:closed", "path": "ops/pump.md"})
        assert reply.status_code == (200 if both else 404)
        assert client.get("/ask", params={"q": "pump", "archive": "git:closed"}).status_code == (
            200 if both else 404
        )
    reply = phone.get("/api/source", params={"archive": "git:open", "path": "ops/pump.md"}).json()
    assert reply["text"] == PUMP
    assert reply["path"] == "ops/pump.md"
