"""A file on its way into the archive: limits, hashes, duplicates, hostile files, names."""

import errno
import hashlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from appliance.documents import rows, timeline
from appliance.documents.incoming import MEBIBYTE, Incoming, Limits, incoming, plain_folder, plain_name, whole
from appliance.documents.ingest import Ingest
from appliance.documents.parts import MOST_BLOCKS, MOST_PASSAGES, Divided, divided, estimate
from appliance.documents.readers import Readers
from appliance.documents.records import Scope
from appliance.documents.search import Documents
from appliance.errors import DocumentError, DocumentTooLarge, EntryUnreadable
from appliance.sources import files
from appliance.vectors import HashEncoder
from tests.sources import written

LIMITS = Limits(5 * MEBIBYTE, 100 * MEBIBYTE)
TEXT = "# The well\n\n12 June 1911: The well was dug.\n\n13 June 1911: It gave water.\n"


class HereReaders(Readers):
    """Reads in this process: the fast tier starts none."""

    def read(self, file: Path, name: str) -> Divided:
        return divided(files.read(file, name), estimate)


@pytest.fixture
def ingest() -> Ingest:
    return Ingest(Documents.open(None, HashEncoder.model_sha256), HereReaders(), estimate)


def add(ingest: Ingest, tmp_path: Path, text: str, name: str = "well.md", owner: str = "") -> object:
    (file := tmp_path / name).write_text(text, "utf-8")
    return ingest.add(file, hashlib.sha256(text.encode()).digest(), name, "history", owner)


def test_what_is_added_is_kept_with_its_sections_and_exact_places(ingest: Ingest, tmp_path: Path) -> None:
    added = add(ingest, tmp_path, TEXT)
    assert (added.document, added.title, added.passages, added.known) == (1, "The well", 2, False)
    with ingest.documents.store.read() as connection:
        document = rows.find(connection, 1, Scope())
        sections, passages = rows.sections(connection, 1), rows.passages(connection, 1)
    assert document is not None
    assert (document.text, document.folder, document.media_type) == (TEXT, "history", "text/markdown")
    assert [(one.kind, one.date, one.headings[-1]) for one in sections] == [
        ("entry", "1911-06-12", "12 June 1911"), ("entry", "1911-06-13", "13 June 1911"),
    ]  # fmt: skip
    assert [document.text[one.start : one.start + one.length] for one in passages] == [
        "12 June 1911: The well was dug.", "13 June 1911: It gave water.",
    ]  # fmt: skip
    assert [one.section for one in passages] == [one.id for one in sections]


def test_the_same_content_is_known_at_once_by_whatever_name_and_apart_for_each_owner(
    ingest: Ingest, tmp_path: Path
) -> None:
    add(ingest, tmp_path, TEXT)
    again = add(ingest, tmp_path, TEXT, "other.md")
    assert (again.document, again.known, again.name) == (1, True, "well.md")
    assert add(ingest, tmp_path, TEXT, owner="anna").known is False


def test_the_language_of_a_text_is_told(ingest: Ingest, tmp_path: Path) -> None:
    add(ingest, tmp_path, "Le puits a été creusé à la main par les gens du village, et il donne de l'eau.")
    with ingest.documents.store.read() as connection:
        assert rows.listed(connection, Scope())[0].language == "fr"


def test_a_file_is_written_aside_with_its_hash_and_gone_at_the_end(tmp_path: Path) -> None:
    with incoming(tmp_path / "in", "../../etc/a b\t.md", "x/../y//z", LIMITS) as file:
        file.write(b"one ")
        file.write(b"two")
        assert file.done() == hashlib.sha256(b"one two").digest()
        assert file.path.read_bytes() == b"one two"
        assert (file.name, file.folder) == ("a b.md", "x/y/z")
    assert list((tmp_path / "in").iterdir()) == []


@pytest.mark.parametrize(("name", "limit"), [("a.txt", 2), ("a.pdf", 3)])
def test_a_file_beyond_its_limit_is_stopped_while_it_comes(tmp_path: Path, name: str, limit: int) -> None:
    limits = Limits(2 * MEBIBYTE, 3 * MEBIBYTE)
    with incoming(tmp_path, name, "", limits) as file:
        for _ in range(limit):
            file.write(bytes(MEBIBYTE))
        with pytest.raises(DocumentTooLarge, match=f"{limit} MiB"):
            file.write(b"x")
    (large := tmp_path / name).write_bytes(bytes(limit * MEBIBYTE + 1))
    with pytest.raises(DocumentTooLarge):
        whole(large, name, "", limits)


def test_names_and_folders_are_made_safe() -> None:
    assert plain_name("C:\\letters\\Köln.txt") == "Köln.txt"
    assert plain_name("a" * 300 + ".md") == "a" * 117 + ".md"
    assert plain_folder("/../a/./b\\c\x00/ ") == "a/b/c"
    with pytest.raises(EntryUnreadable):
        plain_name(" / ")


@pytest.fixture(scope="module")
def readers() -> Iterator[Readers]:
    with Readers(patience=20) as found:
        yield found


@pytest.mark.slow
def test_a_process_of_its_own_reads_and_refuses(readers: Readers, tmp_path: Path) -> None:
    (file := tmp_path / "a.md").write_text(TEXT)
    assert readers.read(file, "a.md") == divided(files.read(file, "a.md"), estimate)
    (file := tmp_path / "a.pdf").write_bytes(b"%PDF-1.4 broken")
    with pytest.raises(EntryUnreadable, match="damaged"):
        readers.read(file, "a.pdf")
    with pytest.raises(EntryUnreadable):
        readers.read(tmp_path / "missing.md", "missing.md")


@pytest.mark.slow
def test_every_format_is_read_within_the_bounds_of_that_process(readers: Readers, tmp_path: Path) -> None:
    text = "The well was dug in 1911 and gave water for the whole village."
    files = [
        written.docx(tmp_path / "a.docx", "The well", text),
        written.odt(tmp_path / "a.odt", "The well", text),
        written.epub(tmp_path / "a.epub", "The well", ("One", text)),
        written.pdf(tmp_path / "a.pdf", ("The well", text)),
    ]
    for file in files:
        assert text in readers.read(file, file.name).reading.document.text


@pytest.mark.slow
def test_a_file_that_needs_too_much_memory_is_refused_and_the_next_one_read(
    readers: Readers, tmp_path: Path
) -> None:
    (huge := tmp_path / "a.txt").touch()
    os.truncate(huge, 3_000_000_000)  # sparse: nothing of it is on the disk
    with pytest.raises(EntryUnreadable, match="memory"):
        readers.read(huge, "a.txt")
    (file := tmp_path / "b.md").write_text(TEXT)
    assert readers.read(file, "b.md").reading.document.text == TEXT


@pytest.mark.slow
def test_a_reader_that_hangs_is_ended_and_the_next_file_is_read(tmp_path: Path) -> None:
    fifo = tmp_path / "a.md"
    os.mkfifo(fifo)
    with Readers(patience=0.2) as hasty:
        began = time.monotonic()
        with pytest.raises(EntryUnreadable, match="too long"):
            hasty.read(fifo, "a.md")
        assert time.monotonic() - began < 5
    (file := tmp_path / "b.md").write_text(TEXT)
    with Readers() as patient:
        assert patient.read(file, "b.md").reading.document.text == TEXT


class Full:
    """A file on a disk without room."""

    def write(self, _piece: bytes) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def flush(self) -> None:
        self.write(b"")


def test_a_full_disk_is_said_wherever_it_shows(tmp_path: Path) -> None:
    file = Incoming(tmp_path / "a.md", "a.md", "", 100, Full())
    for act in (lambda: file.write(b"x"), file.done):
        with pytest.raises(DocumentError, match=r"a\.md cannot be taken in: No space left"):
            act()
    with (
        pytest.raises(DocumentError, match="File exists"),
        incoming(_file(tmp_path), "a.md", "", Limits(1, 1)),
    ):
        pass


def _file(folder: Path) -> Path:
    (file := folder / "no-folder").write_text("")
    return file


@pytest.mark.slow
def test_half_a_letter_in_front_matter_is_no_letter(ingest: Ingest, readers: Readers, tmp_path: Path) -> None:
    (file := tmp_path / "a.md").write_text('---\ntitle: "\\uD800 half"\nx: "\\uDFFF"\n---\n\nA text.\n')
    reading = readers.read(file, "a.md").reading
    assert reading == files.read(file, "a.md")
    assert (reading.document.title, reading.meta["x"]) == ("? half", "?")
    assert ingest.keep(reading, bytes(32), "a.md").passages == 1


SHAPES = {
    "paragraphs of one letter": ("a\n\n" * 90_000, ".md"),
    "one line of 5 MB": ("water " * 870_000, ".txt"),
    "one word of 5 MB": ("a" * 1_000_000, ".txt"),
    "headings": ("".join(f"# h{n}\n\n" for n in range(99_000)), ".md"),
    "nested lists": ("".join(f"{'  ' * (n % 50)}- x\n" for n in range(50_000)), ".md"),
    "a list ever deeper": ("".join(f"{'  ' * n}- x\n" for n in range(1500)), ".md"),
    "dated entries": ("".join(f"12 April {1000 + n % 900}: a\n\n" for n in range(6_000)), ".md"),
    "stars that nothing closes": ("*a **b " * 50_000, ".md"),
    "dollars that nothing closes": ("$a " * 100_000, ".md"),
}


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_a_text_of_a_hostile_shape_is_kept_and_the_pages_hardly_notice(shape: str, tmp_path: Path) -> None:
    text, ending = SHAPES[shape]
    (file := tmp_path / f"a{ending}").write_text(text)
    ingest = Ingest(Documents.open(None, HashEncoder.model_sha256), Readers(patience=100), estimate)
    spent = time.process_time()
    with ingest.readers:
        added = ingest.add(file, bytes(32), file.name)
    assert 0 < added.passages <= MOST_PASSAGES
    timeline.read_dates(ingest.documents.store)
    assert time.process_time() - spent < 20  # of this process, the pages'; a second or two when it is idle


@pytest.mark.slow
def test_more_of_one_document_than_may_be_kept_is_refused_with_both_numbers(
    ingest: Ingest, tmp_path: Path
) -> None:
    with pytest.raises(EntryUnreadable, match=r"100,001 paragraphs and headings; at most 100,000") as refused:
        add(ingest, tmp_path, "a\n\n" * (MOST_BLOCKS + 1), "a.txt")
    assert "Split it" in refused.value.hint


def test_what_is_no_file_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(pipe := tmp_path / "pipe.txt")
    (loop := tmp_path / "loop.txt").symlink_to(loop)
    (zero := tmp_path / "zero.txt").symlink_to("/dev/zero")
    (folder := tmp_path / "folder.txt").mkdir()
    for one in (pipe, loop, zero, folder, tmp_path / "gone.txt"):
        with pytest.raises(EntryUnreadable, match="no file"):
            whole(one, one.name, "", LIMITS)
