"""Reading and writing archives through the one door to libzim."""

import os
import struct
import time

import pytest
from libzim.writer import Creator
from small_library import EVIDENCE, LONG_TITLE, METADATA, PAGES

from appliance.errors import ArchiveError, EntryMissing, EntryUnreadable, LamplightError
from appliance.records import Document
from appliance.sources import html
from appliance.sources.zim import Page, ZimArchive, write_archive

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def archive(small_archive):
    return ZimArchive.open(small_archive)


def written(path, pages, main="main", language="eng", **metadata):
    write_archive(path, pages, METADATA | metadata, language, main)
    return ZimArchive.open(path)


def redirects(path, targets):
    """An archive with redirects that libzim's writer would refuse: `targets` is path -> position or path."""
    pages = [Page("main", "Main", "<p>main</p>"), Page("page", "Page", "<p>page</p>")]
    pages += [Page(name, name, redirect="page") for name in targets]
    write_archive(path, pages, METADATA, "eng", "main")
    content = bytearray(path.read_bytes())
    positions = {name: number for number, name in enumerate(sorted([*targets, "main", "page"]))}
    for name, target in targets.items():
        entry = content.index(
            b"\xff\xff\0C\0\0\0\0" + struct.pack("<I", positions["page"]) + name.encode() + b"\0"
        )
        content[entry + 8 : entry + 12] = struct.pack("<I", positions.get(target, target))
    path.write_bytes(content)
    return ZimArchive.open(path)


def test_every_page_that_can_be_evidence_is_read_once(archive):
    found = [document for _, document in archive.documents()]
    assert all(isinstance(document, Document) for document in found)
    assert sorted(document.path for document in found) == EVIDENCE


def test_reading_goes_on_from_any_position(archive):
    everything = list(archive.documents())
    assert [position for position, _ in everything] == sorted({position for position, _ in everything})
    assert everything[-1][0] < archive.entry_count()
    for position, _ in everything:
        assert list(archive.documents(position)) == [one for one in everything if one[0] >= position]


TOO_LONG = [
    "a" * 300,
    "of " + "é" * 300,
    "b " + "a" * 241,
    "ก" * 100,
    "?" * 300,
    "ab ? " * 80,
    "&amp; " * 80,
    "🙂" * 60,
]
LONG = ["c" * 240, "word " * 60, "日" * 300]


@pytest.fixture(scope="module")
def long_titles(tmp_path_factory):
    """A page for each title, at the path of its number, with a word of its own."""
    pages = [Page(str(n), title, f"<p>Tide{n} rises.</p>") for n, title in enumerate(TOO_LONG + LONG)]
    return written(tmp_path_factory.mktemp("long") / "long.zim", [Page("main", "Main", "<p>m</p>"), *pages])


@pytest.mark.parametrize("number", range(len(TOO_LONG)))
def test_a_title_with_a_word_too_long_for_any_index_is_kept(long_titles, number):  # case 16
    assert long_titles.document(str(number)).title == TOO_LONG[number]
    assert long_titles.fulltext(f"tide{number}", 5) == [str(number)]
    assert str(number) in [document.path for _, document in long_titles.documents()]


@pytest.mark.parametrize("title", LONG)
def test_other_long_titles_can_be_looked_up(long_titles, title):
    assert (title, str((TOO_LONG + LONG).index(title))) in long_titles.suggest(title[:5], 5)


@pytest.mark.parametrize("page", [page for page in PAGES if page.html], ids=lambda page: page.path[:20])
def test_a_path_opens_its_own_page_and_no_letter_is_changed(archive, page):
    document = archive.document(page.path)
    assert (document.path, document.title) == (page.path, page.title)


def test_a_title_of_300_letters_is_kept(archive):
    assert len(LONG_TITLE) == 300
    assert archive.document("Keeping_bees").title == LONG_TITLE


def test_metadata_is_kept(archive):
    assert (archive.title, archive.licence, archive.source) == (
        METADATA["Title"],
        "GPL-3.0-or-later",
        METADATA["Source"],
    )
    assert (archive.language, archive.languages, archive.name) == ("eng", ("eng",), "small")
    assert archive.date.isoformat() == METADATA["Date"]
    assert len(archive.uuid) == 36
    assert len(archive.checksum) == 32


def test_redirects_are_followed(archive):
    assert archive.document("Lockjaw").title == "Tetanus"
    assert archive.document("Cologne").path == "Köln"


@pytest.mark.parametrize(
    "path", ["", "tetanus", "Tetanus ", "no such page", "A" * 5000, "nul\0byte", "../Tetanus"]
)
def test_a_path_that_is_not_there_is_missing(archive, path):
    with pytest.raises(EntryMissing):
        archive.document(path)


def test_redirects_that_go_round_or_nowhere_end(tmp_path):
    archive = redirects(tmp_path / "loop.zim", {"a": "b", "b": "a", "itself": "itself", "nowhere": 4_000_000})
    for path in ("a", "b", "itself", "nowhere"):
        with pytest.raises((EntryMissing, EntryUnreadable)):
            archive.document(path)
    assert [document.path for _, document in archive.documents()] == ["page"]
    assert archive.suggest("a", 5) == []


def test_suggestions_come_with_the_path_of_the_page(archive):
    assert archive.suggest("tet", 5) == [("Tetanus", "Tetanus")]
    assert archive.suggest("Lockj", 5) == [("Lockjaw", "Tetanus")]
    assert archive.suggest("Köln", 5)[0] == ("Köln", "Köln")
    assert archive.suggest("Quo", 0) == archive.suggest("", 5) == archive.suggest("\0", 5) == []


def test_libzims_own_search_wants_every_word(archive):
    assert archive.fulltext("causes lockjaw", 5) == ["Tetanus"]
    assert archive.fulltext("what causes lockjaw in aeroplanes", 5) == []
    for odd in ("", "*", '"', "\0", "x" * 5000, "😀", "zzz AND zzz", "lockjaw zzz*"):
        assert archive.fulltext(odd, 5) == []


def test_an_archive_without_indexes_is_read_and_says_so(tmp_path):
    write_archive(tmp_path / "bare.zim", PAGES, METADATA, "eng", "Water", indexing=False)
    archive = ZimArchive.open(tmp_path / "bare.zim")
    assert not archive.has_fulltext
    assert archive.fulltext("lockjaw", 5) == []
    assert archive.suggest("Tet", 5) == [("Tetanus", "Tetanus")]
    assert archive.document("Tetanus").text


def test_an_archive_of_videos_only_has_nothing_to_index(tmp_path):
    pages = [Page("main", "Main", "<p>Videos</p>")]
    pages += [Page(f"{n}.webm", f"Video {n}", "not text", mimetype="video/webm") for n in range(3)]
    pages += [Page("player.html", "Player", '<video src="1.webm">Cannot play</video>')]
    archive = written(tmp_path / "videos.zim", pages)
    assert list(archive.documents()) == []
    with pytest.raises(EntryUnreadable, match="video/webm"):
        archive.document("1.webm")


def test_the_only_page_is_evidence_even_when_it_is_the_main_page(tmp_path):
    archive = written(tmp_path / "one.zim", [Page("main", "Main", "<p>The one page.</p>")])
    assert [document.text for _, document in archive.documents()] == ["The one page."]


PROSE = "<p>" + "Tetanus is caused by a poison of bacteria that live in soil and dust. " * 12 + "</p>"
LEADING = "".join(f'<p>See <a href="p{n}">the page of the number {n}</a> for this.</p>' for n in range(90))


@pytest.mark.parametrize(
    ("page", "kept"),
    [
        (PROSE * 3, True),  # an article that the archive happens to open with
        (PROSE * 3 + '<p>More: <a href="p">the page</a>.</p>', True),
        (PROSE, False),  # a welcome
        ("<p>Welcome.</p><ul>" + "<li><a href='p'>Some page</a></li>" * 150 + "</ul>", False),
        (LEADING, False),
    ],
)
def test_a_main_page_is_evidence_only_when_it_is_an_article(tmp_path, page, kept):
    pages = [Page("main", "Tetanus", page), Page("p", "P", "<p>Another page.</p>")]
    archive = written(tmp_path / "two.zim", pages)
    assert [document.path for _, document in archive.documents()] == (["main"] if kept else []) + ["p"]


@pytest.mark.parametrize(("file", "kind"), [("medical/medquad", "article"), ("wiki/wiki_dev", "contents")])
def test_the_main_pages_of_the_real_archives(shared, file, kind):
    archive = ZimArchive.open(shared / "data" / f"{file}.zim")
    page = archive.html(archive.main_path)
    assert html.read_page(page, archive.main_path, "Main", main=True)[1] == kind


def test_several_languages_and_texts_in_other_encodings(tmp_path):
    pages = [Page("main", "Main", "<p>m</p>"), Page("p", "P", "Plain\n\ntext", mimetype="text/plain")]
    pages.append(Page("bytes", "Bytes", '<meta charset="cp1251"><p>Вода</p>'.encode("cp1251")))
    pages.append(Page("broken", "Broken", b"<p>caf\xe9 au lait</p>"))
    archive = written(tmp_path / "m.zim", pages, language="eng,fra", License="")
    assert (archive.language, archive.languages, archive.licence) == ("eng", ("eng", "fra"), "")
    assert archive.document("bytes").text == "Вода"
    assert archive.document("broken").text == "caf� au lait"
    assert [archive.document("p").text[b.start : b.end] for b in archive.document("p").blocks] == [
        "Plain",
        "text",
    ]


def test_nothing_is_left_of_an_archive_that_cannot_be_written(tmp_path):
    with pytest.raises(ArchiveError, match="Description"):
        write_archive(tmp_path / "x.zim", [], {"Title": "t"}, "eng", "main")

    def broken():
        yield Page("main", "Main", "<p>m</p>")
        raise OSError("disk full")

    with pytest.raises(ArchiveError, match="disk full"):
        write_archive(tmp_path / "x.zim", broken(), METADATA, "eng", "main")
    assert list(tmp_path.iterdir()) == []


def opened(path):
    try:
        return ZimArchive.open(path)
    except ArchiveError as error:
        return error


def corrupt_and_odd(shared):
    files = [*(shared / "data/zims/corrupt").iterdir(), *(shared / "data/zims/odd").iterdir()]
    return sorted(file for file in files if file.suffix in (".zim", ".zimaa"))


def test_every_broken_or_odd_archive_ends_in_an_error_or_opens(shared):
    served = 0
    for path in corrupt_and_odd(shared):
        started = time.monotonic()
        archive = opened(path)
        if isinstance(archive, ArchiveError):
            assert path.name in str(archive)
            assert archive.hint
            continue
        served += 1
        for _, document in archive.documents():
            if isinstance(document, Document):
                assert archive.document(document.path) == document
            else:
                assert isinstance(document, LamplightError)
        assert isinstance(archive.suggest("a", 5), list)
        assert isinstance(archive.fulltext("a", 5), list)
        assert time.monotonic() - started < 10
    assert served >= 12


@pytest.mark.parametrize(
    ("file", "pages"),
    [
        ("real/wikipedia_en_ray_charles_2015-06.zimaa", 84),
        ("real/wikipedia_ray_charles_2020.zim", 128),
        ("real/wikibooks_be_old_namespaces.zim", 65),
        ("real/wikibooks_be_all_nopic_2017-02.zim", 65),
    ],
)
def test_old_and_new_layouts_and_split_archives_are_read(shared, file, pages):
    archive = ZimArchive.open(shared / "data/zims" / file)
    found = list(archive.documents())
    assert len(found) == pages
    assert all(isinstance(document, Document) and document.path != archive.main_path for _, document in found)


def test_strange_paths_open(shared):
    archive = ZimArchive.open(shared / "data/zims/odd/characters_encoding.zim")
    found = [document.path for _, document in archive.documents()]
    assert len(found) >= 7
    assert all(archive.document(path).path == path for path in found)


def test_metadata_that_is_missing_or_no_text_is_empty_or_marked(tmp_path):
    with Creator(tmp_path / "poor.zim").set_mainpath("main") as creator:
        creator.add_metadata("Title", b"caf\xe9")
        creator.add_metadata("Date", "long ago")
        creator.add_metadata("Language", " eng; fra ,deu")
    archive = ZimArchive.open(tmp_path / "poor.zim")
    assert (archive.title, archive.date, archive.languages) == ("caf�", None, ("eng", "fra", "deu"))
    assert (archive.licence, archive.source, archive.description, archive.main_path) == ("", "", "", "")
    assert list(archive.documents()) == []


def test_writing_says_nothing_on_the_terminal(tmp_path, capfd):
    pages = [Page("a", "A", "<p>Text.</p>"), Page("b", "B", redirect="nowhere")]
    write_archive(tmp_path / "quiet.zim", pages, METADATA, "eng", "a")
    os.write(1, b"heard again")
    assert capfd.readouterr().out == "heard again"
