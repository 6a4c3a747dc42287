"""A box opens with whatever is there; what is wrong becomes a line on the status page (cases 7, 8, 9, 13)."""

import shutil
from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest

from appliance import models, settings, sqlite, wiring
from appliance.errors import IndexFileError
from appliance.indexer.build import build
from appliance.indexer.workers import Encoding
from appliance.services.runtime import ServiceState, prepare, write_states
from appliance.services.shelf import open_index, place_to_make
from appliance.sources.zim import Page, ZimArchive, write_archive
from appliance.vectors import HashEncoder

pytestmark = pytest.mark.slow

METADATA = {"Title": "Small", "Description": "Two facts", "Creator": "Tests", "Date": "2026-01-01"}
PAGES = (
    Page("Main", "Main", "<p>A small library.</p>"),
    Page(
        "Tides", "Tides", "<h1>Tides</h1><p>Tides are caused by the gravity of the Moon and of the Sun.</p>"
    ),
    Page("Bread", "Bread", "<h1>Bread</h1><p>Bread dough rises because yeast makes carbon dioxide.</p>"),
)
NOTHING = "There is no text in this archive to search."
SHA256 = models.catalogue().find(models.EMBEDDING[0]).sha256


class Embedding(HashEncoder):
    """With a reader that finds every passage good."""

    def read(self, _question, passages):
        return np.full(len(passages), 3.0, np.float32)


def _hash_encoder(_threads):
    return HashEncoder()


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """An archive and its index, as if made with the model of the catalogue."""
    folder = tmp_path_factory.mktemp("library")
    write_archive(folder / "small.zim", PAGES, METADATA, "eng", "Main")
    build(
        ZimArchive.open(folder / "small.zim"),
        folder / "small.index",
        Encoding("minilm", SHA256, HashEncoder, _hash_encoder),
        1,
    )
    return folder


@pytest.fixture
def given(library, tmp_path):
    shutil.copytree(library, tmp_path / "library")
    found = settings.load({"home": tmp_path, "runtime": tmp_path / "run"}, {})
    prepare(found.runtime)
    return found


def opened(given):
    return wiring.open_appliance(given, Embedding())


def checks(appliance):
    return {check.name: check for check in appliance.health().checks}


def test_a_whole_box_is_ready(given):
    box = opened(given)
    assert box.library.search("What causes tides?").evidence[0].path == "Tides"
    assert box.health().ready
    found = checks(box)
    assert (found["Index of small"].state, found["Index of small"].sentence) == ("on", "2 passages")
    assert found["Search by meaning"].state == "on"
    assert dict(box.health().facts)["Passages"] == "2"


def test_an_empty_library_opens_and_says_so(tmp_path):
    box = opened(settings.load({"home": tmp_path}, {}))
    assert not box.health().ready
    assert checks(box)["Library"].state == "failing"
    assert box.library.search("What causes tides?").evidence == ()


def test_an_archive_without_an_index_is_searched_by_words(given):
    (given.library / "small.index").unlink()
    box = opened(given)
    assert checks(box)["Index of small"].state == "wrong"
    assert "small.index" in checks(box)["Index of small"].sentence
    assert box.library.search("tides gravity").evidence[0].path == "Tides"


def test_an_index_of_an_older_edition_is_refused_and_words_go_on(given):
    write_archive(
        given.library / "small.zim", (*PAGES, Page("New", "New", "<p>News.</p>")), METADATA, "eng", "Main"
    )
    box = opened(given)
    check = checks(box)["Index of small"]
    assert check.state == "wrong"
    assert "was made with another" in check.sentence
    assert "appliance index small.zim" in check.sentence
    assert box.library.search("tides gravity").evidence[0].path == "Tides"


def test_an_index_of_another_model_is_refused_with_what_to_rebuild(given):
    with closing(sqlite.connect(given.library / "small.index", "write")) as index:
        index.execute("UPDATE meta SET value = ? WHERE key = 'model_sha256'", ("0" * 64,))
    assert "another embedding model" in checks(opened(given))["Index of small"].sentence


@pytest.mark.parametrize("content", [b"", b"SQLite format 3\0" + b"\0" * 200, b"x" * 5000])
def test_a_damaged_index_is_a_line_on_the_status_page(given, content):
    (given.library / "small.index").write_bytes(content)
    assert checks(opened(given))["Index of small"].state == "wrong"


def test_entries_that_could_not_be_read_are_told_when_there_is_nothing_else(given):
    with closing(sqlite.connect(given.library / "small.index", "write")) as index:
        index.execute("UPDATE meta SET value = 0 WHERE key = 'passages'")
        assert checks(opened(given))["Index of small"].sentence == NOTHING
        index.execute("UPDATE meta SET value = 1200 WHERE key = 'skipped'")
    assert (
        checks(opened(given))["Index of small"].sentence
        == f"{NOTHING} 1,200 of its entries could not be read."
    )


def test_damaged_archives_are_named_and_the_good_one_served(given):
    good = (given.library / "small.zim").read_bytes()
    (given.library / "torn.zim").write_bytes(good[: len(good) // 2])
    (given.library / "noise.zim").write_bytes(good[:80] + bytes(len(good) - 80))
    (given.library / "empty.zim").touch()
    (given.library / "._a.zim").write_bytes(bytes(4096))
    box = opened(given)
    assert [book.archive.name for book in box.library.books] == ["small"]
    found = checks(box)
    assert {name for name in found if name.endswith(".zim")} == {"torn.zim", "noise.zim", "empty.zim"}
    assert all(found[name].state == "wrong" and found[name].sentence for name in ("torn.zim", "noise.zim"))


def test_an_older_edition_is_offered_for_removal(given):
    for date in ("2025-01", "2025-06"):
        shutil.copy(given.library / "small.zim", given.library / f"x_{date}.zim")
    check = checks(opened(given))["x_2025-01.zim"]
    assert (check.state, check.remedy) == ("off", "x_2025-01.zim may be removed.")


def test_what_the_supervisor_says_is_shown(given):
    write_states(
        given.runtime,
        [
            ServiceState("kiwix", "waiting", "Reading in Kiwix ended (SIGKILL) and is started again."),
            ServiceState("llama", "off", "The language model is left out (--search-only)."),
        ],
    )
    found = checks(opened(replace(given, reader="http://127.0.0.1:1")))
    assert (found["Reading in Kiwix"].state, found["Language model"].state) == ("wrong", "off")
    assert "started again" in found["Reading in Kiwix"].sentence
    assert "--search-only" in found["Language model"].sentence


def test_what_starts_for_the_first_time_is_not_wrong(given):
    states = [
        ServiceState("embedder", "starting", "Search by meaning is being started."),
        ServiceState(
            "kiwix", "starting", "Reading in Kiwix ended (SIGKILL) and is started again.", restarts=1
        ),
    ]
    write_states(given.runtime, states)
    found = checks(wiring.open_appliance(replace(given, reader="http://127.0.0.1:1")))
    assert found["Search by meaning"].state == "starting"
    assert found["Search by meaning"].sentence == states[0].sentence
    assert found["Reading in Kiwix"].state == "wrong"


def test_an_embedder_that_is_away_is_a_line_and_words_go_on(given):
    box = wiring.open_appliance(given)
    check = checks(box)["Search by meaning"]
    assert check.state == "wrong"
    assert "does not answer" in check.sentence
    assert box.health().ready
    assert box.library.search("tides gravity").evidence[0].path == "Tides"


@pytest.fixture
def stick(library, tmp_path):
    """A folder that nobody may write to, with an archive of its own name and the same content."""
    folder = tmp_path / "stick"
    shutil.copytree(library, folder)
    folder.chmod(0o555)
    yield folder
    folder.chmod(0o755)


def test_a_new_index_lies_beside_its_archive_where_that_may_be_written(given, stick):
    assert place_to_make(given, given.library / "small.zim") == given.library / "small.index"
    assert place_to_make(given, stick / "other.zim") == given.library / "other.index"


def test_an_index_of_our_own_stands_in_for_one_that_does_not_fit(given, stick):
    archive = ZimArchive.open(stick / "small.zim")
    (stick / "small.index").write_bytes(b"stale")
    assert open_index(given, archive).path == given.library / "small.index"
    (given.library / "small.index").write_bytes(b"stale")
    with pytest.raises(IndexFileError):
        open_index(given, archive)


def test_an_index_on_the_stick_is_used_where_ours_does_not_fit(given, stick):
    (given.library / "small.index").write_bytes(b"stale")
    assert open_index(given, ZimArchive.open(stick / "small.zim")).path == stick / "small.index"


def test_forty_archives_open_in_little_memory(given):
    """Case 20. Reading at random afterwards does not grow the process."""
    for number in range(40):
        for suffix in (".zim", ".index"):
            shutil.copy(given.library / f"small{suffix}", given.library / f"copy{number}{suffix}")
    before = wiring.memory()
    box = opened(given)
    assert len(box.library.books) == 41
    assert box.library.search("What causes tides?", limit=5).evidence
    opened_at = wiring.memory()
    assert opened_at - before < 100
    for number in range(2000):
        box.library.document(f"copy{number * 7 % 40}", ("Tides", "Bread")[number % 2])
    assert wiring.memory() - opened_at < 10
