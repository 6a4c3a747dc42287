"""Small files that unfold to much: refused with a sentence, while the box stays small and answers."""

import io
import time
import zipfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import httpx
import pytest
from sources import written

from appliance.people import code
from appliance.people.people import open_people
from appliance.quality.box import memory
from appliance.sources.zim import Page, write_archive
from security.target import METADATA, Target, running

pytestmark = pytest.mark.slow
ZEROS = 300_000_000  # bytes that a file of 300 kB unfolds to
MAIN = Page("Main", "Main", "<p>x</p>")


@cache
def zeros() -> bytes:
    """Packing them takes seconds."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", bytes(ZEROS))
    return packed.getvalue()


def zip_of_zeros(file: Path) -> None:
    file.write_bytes(zeros())


def zip_of_many(file: Path) -> None:
    written.zipped(file, {f"part{n}": "x" for n in range(21_000)})


def zip_that_lies(file: Path) -> None:
    """It states a size of a few bytes for what unfolds to much more."""
    content = bytearray(zeros())
    told = ZEROS.to_bytes(4, "little")
    while (at := content.find(told)) >= 0:
        content[at : at + 4] = (40).to_bytes(4, "little")
    file.write_bytes(content)


def entities(file: Path) -> None:
    lines = [f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10)]
    bomb = f'<!DOCTYPE x [<!ENTITY e0 "tides">{"".join(lines)}]><x>&e9;</x>'
    written.zipped(file, {"content.xml": bomb, "mimetype": "application/vnd.oasis.opendocument.text"})


def deep(file: Path) -> None:
    body = "<text:p>" * 200_000
    written.zipped(file, {"content.xml": f"<x xmlns:text='t'>{body}", "mimetype": "x"})


def pdf_of_loops(file: Path) -> None:
    """Pages whose parent is their child."""
    file.write_bytes(
        b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
        b"2 0 obj<</Type/Pages/Kids[2 0 R 2 0 R]/Count 99999999>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF"
    )


def long_line(file: Path) -> None:
    file.write_text("[" * 2_000_000 + "*" * 2_000_000)


def html_of_tags(file: Path) -> None:
    file.write_text("<div>" * 900_000)


BOMBS: dict[str, tuple[Callable[[Path], None], bool]] = {  # whether it must be refused
    "a.docx": (zip_of_zeros, True), "b.odt": (zip_of_zeros, True), "c.epub": (zip_of_many, True),
    "d.docx": (zip_that_lies, True), "e.odt": (entities, True), "f.odt": (deep, True),
    "g.pdf": (pdf_of_loops, True), "h.md": (long_line, False), "i.html": (html_of_tags, False),
    "j.epub": (entities, True),
}  # fmt: skip


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Target, httpx.Client]]:
    home: Path = tmp_path_factory.mktemp("bombed") / "home"
    (home / "library").mkdir(parents=True)
    pages = [
        MAIN,
        Page("many", "Many", "<h1>Many</h1>" + "<p>tides are water</p>" * 50_000),
        Page("deep", "Deep", "<h1>Deep</h1>" + "<div>" * 200_000 + "tides"),
        Page("wide", "Wide", "<h1>Wide</h1><p>" + "tides " * 12_000_000),  # 72 MB in 3 kB
    ]
    # Without libzim's own index of words: it takes 11 s to make, and no page here is searched for.
    write_archive(home / "library" / "bombs_en.zim", pages, METADATA, "eng", "Main", indexing=False)
    people = open_people(home / code.FOLDER)
    token = people.programs.add(
        people.persons.add("editor", "editor", "tides and moon 1932").id, "t", "editor"
    )
    people.store.close()
    with running(home) as found:
        headers = {"authorization": f"Bearer {token}"}
        with httpx.Client(base_url=found.address, headers=headers, timeout=120, trust_env=False) as http:
            yield found, http


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_refused_and_the_box_goes_on(
    box: tuple[Target, httpx.Client], tmp_path: Path, name: str
) -> None:
    target, http = box
    assert target.own
    make, refused = BOMBS[name]
    make(tmp_path / name)
    assert (tmp_path / name).stat().st_size < 6_000_000
    before = memory(target.own.pid)[1]
    began = time.monotonic()
    reply = http.post("/api/documents", params={"name": name}, content=(tmp_path / name).read_bytes())
    assert time.monotonic() - began < 60
    assert reply.status_code in ((422,) if refused else (200, 201, 413, 422)), reply.text
    if reply.status_code == 422:
        assert len(reply.json()["error"]["message"]) > 20
    assert http.get("/api/archives").status_code == 200
    assert memory(target.own.pid)[1] - before < 60


@pytest.mark.parametrize("path", ["many", "deep", "wide"])
def test_a_page_of_an_archive_that_is_very_large_is_shown_in_bounds(
    box: tuple[Target, httpx.Client], path: str
) -> None:
    target, http = box
    assert target.own
    before = memory(target.own.pid)[1]
    for _ in range(2):
        for address in ("/api/source", "/source"):
            assert http.get(address, params={"archive": "bombs_en", "path": path}).status_code in (200, 404)
    assert memory(target.own.pid)[1] - before < 100
