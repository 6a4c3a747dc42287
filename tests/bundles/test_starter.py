"""The starter library from a package of a few rows: what becomes a page, what the archive says of itself."""

import hashlib
import json
import zipfile
from pathlib import Path

import pytest

from appliance.bundles import starter
from appliance.errors import ModelFileError
from appliance.sources.zim import ZimArchive

pytestmark = pytest.mark.slow

ROWS = {
    "Tetanus": ("Tetanus", "Tetanus is a bacterial infection.\nIt is known as lockjaw.", "", "Biology"),
    "Lockjaw": ("Tetanus", "The same title again.", "", "Biology"),
    "HIV/AIDS": ("HIV/AIDS", "The <b>virus</b> attacks the immune system.", "", "Biology"),
    "2001: A Space Odyssey": ("2001: A Space Odyssey", "A film of 1968.", "film", "Arts"),
    "0": ("0", "A number.", "", "Uncategorized"),
    "Mercury": ("Mercury", "Mercury most commonly refers to:", "", "Arts"),
    "Venus": ("Venus", "A planet, a goddess, a town.", "Wikimedia disambiguation page", "Arts"),
    "Nothing": ("Nothing", " ", "", "Arts"),
}

DEFINITION = """
title = "Tiny"
description = "A few"
languages = ["eng"]
[texts]
licence = "CC BY-SA 4.0"
creator = "Wikipedia contributors"
publisher = "Lamplight"
date = "2026-08-18"
[texts.package]
name = "tiny-texts"
version = "1.0"
wheel_bytes = {bytes}
wheel_sha256 = "{sha256}"
[texts.archive.tiny_en_2026-08]
language = "eng"
site = "en.wikipedia.org"
member = "tiny/texts.json"
title = "Essentials"
description = "A few"
introduction = "What is essential."
attribution = "Text from Wikipedia, licence CC BY-SA 4.0:"
other = "Other subjects"
disambiguation = "disambiguation"
"""


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A definition, and its package where pip looks for it."""
    names = ("title", "extract", "description", "topic")
    rows = {key: dict(zip(names, row, strict=True)) for key, row in ROWS.items()}
    wheel = tmp_path / "tiny_texts-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as packed:
        packed.writestr("tiny/texts.json", json.dumps(rows))
        packed.writestr(
            "tiny_texts-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: tiny-texts\nVersion: 1.0\n"
        )
        packed.writestr(
            "tiny_texts-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        packed.writestr("tiny_texts-1.0.dist-info/RECORD", "")
    for variable in ("PIP_EXTRA_INDEX_URL", "PIP_INDEX_URL"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    content = wheel.read_bytes()
    definition = tmp_path / "tiny.toml"
    definition.write_text(
        DEFINITION.format(bytes=len(content), sha256=hashlib.sha256(content).hexdigest()), "utf-8"
    )
    return definition


def test_an_archive_with_pages_licence_and_source(tiny: Path, tmp_path: Path) -> None:
    library = tmp_path / "library"
    (made,) = starter.make(tmp_path, library, tiny)
    assert not starter.unfinished(library)
    archive = ZimArchive.open(made)
    assert (archive.name, archive.language, archive.licence) == ("tiny_en_2026-08", "eng", "CC BY-SA 4.0")
    assert "en.wikipedia.org" in archive.source
    assert archive.has_fulltext
    texts = {document.title: document.text for _, document in archive.documents()}
    assert texts == {
        "0": "A number.",
        "2001: A Space Odyssey": "A film of 1968.",
        "HIV/AIDS": "The <b>virus</b> attacks the immune system.",
        "Tetanus": "Tetanus is a bacterial infection.\n\nIt is known as lockjaw.",
    }
    assert archive.fulltext("lockjaw", 5) == ["Tetanus"]
    written = made.stat()
    tiny.with_name("tiny_texts-1.0-py3-none-any.whl").unlink()
    assert starter.make(tmp_path, library, tiny) == [made]  # nothing is fetched for what is there
    assert made.stat().st_mtime_ns == written.st_mtime_ns


def test_a_package_that_is_not_there_leaves_nothing_behind(tiny: Path, tmp_path: Path) -> None:
    tiny.with_name("tiny_texts-1.0-py3-none-any.whl").unlink()
    with pytest.raises(ModelFileError, match="tiny-texts"):
        starter.make(tmp_path, tmp_path / "library", tiny)
    assert list((tmp_path / "library").glob("*.zim")) == []
    assert starter.unfinished(tmp_path / "library")


def test_pages_link_to_each_other_and_name_their_origin(tiny: Path) -> None:
    (edition,) = starter.definition(tiny).editions
    names = ("title", "extract", "description", "topic")
    rows = {key: dict(zip(names, row, strict=True)) for key, row in ROWS.items()}
    articles = starter.articles(rows, edition)
    pages = {page.path: page for page in starter.pages(articles, edition)}
    assert list(pages) == [
        "index",
        *("index_Arts", "index_Biology", "index_Other_subjects"),
        *("0", "2001:_A_Space_Odyssey", "HIV/AIDS", "Tetanus"),
    ]
    assert '<a href="index_Arts">Arts</a> (1)' in pages["index"].html
    assert '<a href="2001%3A_A_Space_Odyssey">' in pages["index_Arts"].html
    assert "https://en.wikipedia.org/wiki/HIV/AIDS" in pages["HIV/AIDS"].html
    assert "<p>The &lt;b&gt;virus&lt;/b&gt; attacks" in pages["HIV/AIDS"].html


def test_the_shipped_definition_names_three_languages() -> None:
    plan = starter.definition()
    assert [edition.language for edition in plan.editions] == ["eng", "fra", "spa"]
    assert all(plan.date[:7] in edition.name for edition in plan.editions)
