"""Folders of Markdown as archives: titles, links, what is made anew and what is refused."""

import os
from pathlib import Path

import pytest

from appliance.bundles import notes
from appliance.bundles.definitions import read as read_definition
from appliance.bundles.gather import gather
from appliance.bundles.manifest import OwnFolder
from appliance.errors import BundleError
from appliance.records import Document
from appliance.sources.zim import ZimArchive

pytestmark = pytest.mark.slow

FOLDER = OwnFolder("notes", "clinic_notes", "Notes of the clinic", "eng")
FILES = {
    "boil water.md": "# How to *boil* `water`\n\nBoil it.\n\nSee [doses](sub/doses.md#adults).\n",
    "sub/doses.md": '---\ntitle: "Doses"\ntags: [a]\n---\n# Doses\n\n'
    "| drug | dose |\n|---|---|\n| X | 5 mg |\n\n"
    "[up](../boil%20water.md), [gone](gone.md), [out](https://example.org/a.md), [self](#x)\n\n"
    "![a *map* of the valley](map.png) <script>alert(1)</script>\n",
    "plain-name.markdown": "Only text.\n",
    ".hidden/secret.md": "# Secret\n",
    "other.txt": "No Markdown.\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for path, text in FILES.items():
        file = tmp_path / "notes" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    (tmp_path / "notes" / "link.md").symlink_to("/etc/hostname")
    return tmp_path / "notes"


def test_files_become_pages(folder: Path, tmp_path: Path) -> None:
    archive = ZimArchive.open(notes.make(FOLDER, folder, tmp_path / "made" / "clinic_notes.zim"))
    found = {document.path: document for _, document in archive.documents() if isinstance(document, Document)}
    assert {path: document.title for path, document in found.items()} == {
        "boil water": "How to boil water",
        "sub/doses": "Doses",
        "plain-name": "plain name",
    }
    assert found["boil water"].text == "Boil it.\n\nSee doses."
    assert found["sub/doses"].text.startswith("drug: X; dose: 5 mg\n\nup, gone, out, self\n\n")
    assert archive.fulltext("boil it", 5) == ["boil water"]
    assert (archive.title, archive.language) == ("Notes of the clinic", "eng")
    page = archive.html("sub/doses")
    assert '<a href="../boil%20water">up</a>, <a>gone</a>, <a href="https://example.org/a.md">out</a>' in page
    assert "a map of the valley &lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert page.count("Doses</h1>") == 1
    assert '<a href="sub/doses#adults">doses</a>' in archive.html("boil water")
    assert '<a href="sub/doses">Doses</a>' in archive.html("index")


def test_it_is_made_again_only_when_something_changed(folder: Path, tmp_path: Path) -> None:
    target = tmp_path / "clinic_notes.zim"
    first = notes.make(FOLDER, folder, target).read_bytes()
    os.utime(folder / "boil water.md")
    (folder / "other.txt").write_text("changed")
    assert notes.make(FOLDER, folder, target).read_bytes() == first
    (folder / "boil water.md").write_text("# How to boil water\n\nFor three minutes.\n")
    assert notes.make(FOLDER, folder, target).read_bytes() != first
    target.write_bytes(b"damaged")
    notes.make(FOLDER, folder, target)
    assert ZimArchive.open(target).title == "Notes of the clinic"


def test_a_file_that_takes_the_first_page_s_name(folder: Path, tmp_path: Path) -> None:
    (folder / "index.md").write_text("# Mine\n\nText.\n")
    archive = ZimArchive.open(notes.make(FOLDER, folder, tmp_path / "a.zim"))
    assert archive.document("index").title == "Mine"
    assert "boil%20water" in archive.html("index_")


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("latin.md", b"caf\xe9", r"latin\.md is not UTF-8"),
        ("large.md", b"x" * 5_000_001, "has 5,000,001 bytes"),
        ("plain-name.md", b"x", "two files that differ in their ending only"),
    ],
)
def test_a_file_that_cannot_be_a_page(
    name: str, content: bytes, said: str, folder: Path, tmp_path: Path
) -> None:
    (folder / name).write_bytes(content)
    with pytest.raises(BundleError, match=said):
        notes.make(FOLDER, folder, tmp_path / "a.zim")
    assert not (tmp_path / "a.zim").exists()


def test_a_folder_without_files_and_none_at_all(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(BundleError, match="has 0 Markdown files"):
        notes.make(FOLDER, tmp_path / "empty", tmp_path / "a.zim")
    with pytest.raises(BundleError, match="is no folder"):
        notes.make(FOLDER, tmp_path / "absent", tmp_path / "a.zim")


@pytest.mark.parametrize(
    ("text", "title", "rest"),
    [
        ("---\ntitle: A: b\n---\nx", "A: b", "x"),
        ("---\n---\nx", "y z", "x"),
        ("---\nno end", "y z", "---\nno end"),
        ("\ufeff# One\r\n\r\nx", "One", "\nx"),
        ("#No heading", "y z", "#No heading"),
        ("#### Too deep\n", "y z", "#### Too deep\n"),
        ("", "y z", ""),
    ],
)
def test_titles(text: str, title: str, rest: str) -> None:
    assert notes.read("x/y-z.md", text.encode()) == notes.Note("x/y-z", title, rest)


def test_a_definition_with_a_folder(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "clinic.toml"
    file.write_text(
        'title = "Clinic"\ndescription = "Ours"\nlanguages = ["eng"]\n'
        '[[folder]]\npath = "notes"\nname = "clinic_notes"\ntitle = "Notes"\nlanguage = "eng"\n'
    )
    plan = read_definition(file)
    (found,) = gather(plan, tmp_path / "home").archives
    assert found == tmp_path / "home" / "archives" / "clinic_notes.zim"
    folder.rename(tmp_path / "moved")
    with pytest.raises(BundleError, match="There is no folder"):
        gather(plan, tmp_path / "home")
