"""Own documents as people add them: with scripts one by one, chosen or dropped; without, by the form."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect
from server import fakes, signing

from appliance.documents.readers import Readers
from appliance.documents.search import Documents
from appliance.server.app import create_app
from appliance.server.own import OwnDocuments
from appliance.server.rights import COOKIE
from appliance.vectors import HashEncoder
from browser.conftest import Open, Shots

pytestmark = pytest.mark.browser

WELL = "# The well\n\nThe well was dug in 1911 by hand.\n\n" + "A very long line without an end. " * 60
LONG = "long_name_" * 9 + ".txt"
FILES = [
    {"name": "well.md", "mimeType": "text/markdown", "buffer": WELL.encode()},
    {"name": "photo.jpg", "mimeType": "image/jpeg", "buffer": b"\xff\xd8"},
    {"name": LONG, "mimeType": "text/plain", "buffer": b"A note."},
]
# A drop as the browser makes it, with a file that was never chosen in the form.
DROP = """
const data = new DataTransfer();
data.items.add(new File(["Dropped here."], "dropped.txt", {type: "text/plain"}));
document.getElementById("drop").dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true}));
"""


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[str, str]]:
    """The address of a box under a name, and an editor's cookie for it."""
    appliance = fakes.appliance(tmp_path)
    documents = Documents.open(tmp_path / "documents", HashEncoder.model_sha256)
    rights = signing.rights()
    person = rights.people.persons.add("Ada", "editor", signing.WORDS)
    own = OwnDocuments(appliance.settings, documents, HashEncoder(), readers=Readers(), rights=rights)
    with fakes.serving(create_app(appliance, own=own)) as found:
        yield (
            found.replace("127.0.0.1", "localhost"),
            rights.people.sessions.begin(person.id, "Chromium"),
        )


@pytest.fixture
def address(served: tuple[str, str]) -> str:
    return served[0]


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
@pytest.mark.parametrize("width", [360, 1280])
def test_files_are_added_and_read(
    reader: Open, served: tuple[str, str], shots: Shots, width: int, scripts: bool
) -> None:
    opened = reader(width, scripts)
    opened.page.context.add_cookies([{"name": COOKIE, "value": served[1], "url": served[0]}])
    plain = "" if scripts else "-plain"
    page = opened.goto("/documents")
    page.locator("#file").set_input_files(FILES)  # type: ignore[arg-type]
    page.locator("#intake button").click()
    told = page.locator("#sent li" if scripts else "ul.checks li")
    expect(page.locator("li.on")).to_have_count(2, timeout=20_000)
    expect(told).to_have_count(3)
    expect(page.locator("li.wrong")).to_contain_text("photo.jpg")
    if scripts:
        page.evaluate(DROP)
        expect(told).to_have_count(4)
        expect(told.nth(3)).to_contain_text("Added: dropped", timeout=20_000)
        expect(page.locator("#sent progress")).to_have_count(0)
    expect(page.locator("#list")).to_have_text(f"{3 if scripts else 2} documents")
    opened.stands(shots, f"documents{plain}")
    page = opened.goto("/document?id=1&start=12&length=33#passage")
    expect(page.locator("mark")).to_have_text("The well was dug in 1911 by hand.")
    opened.stands(shots, f"document{plain}")
