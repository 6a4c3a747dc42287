"""No address that takes a path gives a file that is not the library's, however the path is written."""

import pytest

from appliance.quality.hostile_words import CLIMBS
from security.target import Target

pytestmark = pytest.mark.slow
FILES = ("etc/passwd", "proc/self/environ", "appliance/__main__.py", "pyproject.toml", "templates/base.html")
TOLD = (b"root:x:0", b"LAMPLIGHT_", b"argparse", b"[build-system]", b"{% block", b"SQLite format")
STARTS = (
    "/static/",
    "/read/",
    "/read/hostile_en/",
    "/read/content/",
    "/label.",
    "/library/",
    "/",
    "/api/documents/",
)


@pytest.mark.parametrize("climb", CLIMBS)
def test_a_path_leads_nowhere_out(target: Target, climb: str) -> None:
    for start in STARTS:
        for file in FILES:
            reply = target.ask(f"{start}{climb * 6}{file}")
            assert 200 <= reply.status < 500 or reply.status == 503, (start, climb, reply.status)
            assert not any(part in reply.body for part in TOLD), (start, climb, file)


@pytest.mark.parametrize("field", ["/source?archive=hostile_en&path=", "/api/source?archive=hostile_en&path=",
                                   "/api/source?path=x&archive=", "/source?path=x&archive=", "/document?id=",
                                   "/api/source?archive=documents&path=", "/documents?folder="])  # fmt: skip
def test_nor_does_a_field_that_names_a_page(target: Target, field: str) -> None:
    for climb in CLIMBS:
        for file in FILES:
            reply = target.ask(f"{field}{climb * 6}{file}".replace("\\", "%5c"))
            assert reply.status in (200, 400, 403, 404), (field, climb, reply.status)
            assert not any(part in reply.body for part in TOLD), (field, climb, file)


def test_a_static_file_is_there_and_its_folder_is_not(target: Target) -> None:
    assert target.ask("/static/lamp.svg").status == 200
    for path in (
        "/static",
        "/static/",
        "/static/.",
        "/static//",
        "/static/%00",
        "/static/lamp.svg%00.css",
        "/static/~",
    ):
        assert target.ask(path).status in (301, 307, 404), path
