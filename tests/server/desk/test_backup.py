"""The page of backups: a file goes out and comes back, and what is none changes nothing."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from backups.marked import all_of, filled, marks
from starlette.testclient import TestClient

from appliance.backups.settling import settle, waits
from appliance.server.app import create_app
from appliance.server.desk import backup
from appliance.server.guard import LARGEST_BODY
from server import fakes, signing
from server.desk import boxes
from server.test_pages import words

pytestmark = pytest.mark.slow
PAGE = backup.PAGE


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return filled(tmp_path / "home", "old")


@pytest.fixture
def desk(home: Path, tmp_path: Path) -> Iterator[TestClient]:
    (tmp_path / "sticks/BLUE").mkdir(parents=True)
    (tmp_path / "sticks/BLUE/photo.jpg").write_bytes(b"x")
    app = create_app(fakes.appliance(home, sticks=str(tmp_path / "sticks"), runtime=tmp_path / "run"))
    with boxes.admin(app) as found:
        yield found


def form(desk: TestClient, **more: str) -> dict[str, str]:
    token = re.search(r'name="token" value="([^"]+)"', desk.get(PAGE).text)
    assert token
    return {"token": token[1], "yes": "yes", **more}


@pytest.fixture
def new(tmp_path: Path) -> bytes:
    """A backup of a box whose every part is new, larger than what pages take otherwise."""
    folder = filled(tmp_path / "new", "new")
    app = create_app(fakes.appliance(folder))
    with boxes.admin(app) as desk:
        reply = desk.post(f"{PAGE}/file", data=form(desk))
    assert reply.headers["content-disposition"].startswith('attachment; filename="lamplight-backup-20')
    assert reply.headers["content-length"] == str(len(reply.content))
    assert list(folder.glob("saving-*")) == []
    return reply.content


def test_one_after_the_other_may_be_fetched(desk: TestClient) -> None:
    for _ in range(backup.MOST_OUT + 1):
        assert desk.post(f"{PAGE}/file", data=form(desk)).status_code == 200


def test_a_program_with_a_token_of_an_admin_saves_and_restores(home: Path) -> None:
    app = create_app(fakes.appliance(home))
    program = TestClient(app, "http://127.0.0.1", client=("10.0.0.7", 5000))
    signing.program(program, app.state.rights, "admin")
    found = program.post(f"{PAGE}/file")
    assert found.status_code == 200
    back = program.post(f"{PAGE}/restore", files={"yes": (None, "yes"), "file": ("b.tar", found.content)})
    assert (back.status_code, waits(home)) == (200, True)
    signing.program(program, app.state.rights, "editor")
    assert program.post(f"{PAGE}/file").status_code == 403


def test_a_backup_goes_out_and_comes_back(desk: TestClient, home: Path, new: bytes) -> None:
    reply = desk.post(f"{PAGE}/restore", data=form(desk), files={"file": ("b.tar", new)})
    assert reply.status_code == 200
    assert "end it and start it" in words(reply.text)  # nobody watches this server
    assert waits(home)
    assert marks(home) == all_of("old")
    assert "A backup waits to be put in place" in words(desk.get(PAGE).text)


def test_after_the_next_start_the_page_says_how_it_ended(tmp_path: Path, home: Path, new: bytes) -> None:
    (tmp_path / "new.tar").write_bytes(new)
    backup.receive(home, tmp_path / "new.tar")
    settle(home)
    with boxes.admin(create_app(fakes.appliance(home))) as desk:
        assert "The last restore: The backup is in place." in words(desk.get(PAGE).text)
    assert marks(home) == all_of("new")


@pytest.mark.parametrize(
    ("content", "fields", "status", "told"),
    [
        (b"no tar at all" * 100, {}, 409, "This is no backup of a Lamplight."),
        (b"", {}, 409, "The backup breaks off."),
        (b"x" * (LARGEST_BODY * 3), {}, 409, "This is no backup of a Lamplight."),
        (b"x", {"yes": ""}, 400, "Say first that everything may be replaced."),
        (b"x", {"token": "x"}, 403, "form"),
    ],
    ids=["none", "empty", "large", "unsure", "token"],
)
def test_what_is_no_backup_changes_nothing(
    desk: TestClient, home: Path, content: bytes, fields: dict[str, str], status: int, told: str
) -> None:
    reply = desk.post(f"{PAGE}/restore", data=form(desk) | fields, files={"file": ("b.tar", content)})
    assert reply.status_code == status
    assert told in words(reply.text)
    assert not waits(home)
    assert marks(home) == all_of("old")


def test_a_form_without_a_file_is_refused(desk: TestClient) -> None:
    sent = {"token": (None, form(desk)["token"]), "yes": (None, "yes")}
    assert desk.post(f"{PAGE}/restore", files=sent).status_code == 400
    assert desk.post(f"{PAGE}/restore", data=form(desk)).status_code == 415


def test_to_a_stick_and_back(desk: TestClient, home: Path, tmp_path: Path) -> None:
    assert "Write it to the stick BLUE" in words(desk.get(PAGE).text)
    reply = desk.post(f"{PAGE}/stick", data=form(desk, stick="BLUE"))
    assert "The backup is on the stick." in words(reply.text)
    (file,) = (tmp_path / "sticks/BLUE").glob("lamplight-backup-*.tar")
    (tmp_path / "sticks/BLUE/lamplight-backup-link.tar").symlink_to("/etc/passwd")
    assert f'value="{file.name}"' in desk.get(PAGE).text
    for name in ("lamplight-backup-link.tar", "../BLUE/photo.jpg", "photo.jpg"):
        gone = desk.post(f"{PAGE}/from-stick", data=form(desk, stick="BLUE", file=name))
        assert gone.status_code == 404
    assert desk.post(f"{PAGE}/stick", data=form(desk, stick="../..")).status_code == 404
    reply = desk.post(f"{PAGE}/from-stick", data=form(desk, stick="BLUE", file=file.name))
    assert "The backup is whole" in words(reply.text)
    assert waits(home)
