"""From an archive to its index: whole or not at all, the same however often it was interrupted."""

import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from building import WINDOW, encoding
from small_library import EVIDENCE, METADATA

from appliance import indexformat, sqlite
from appliance.errors import IndexFileError, IndexingError
from appliance.indexer import staging
from appliance.indexer.build import build
from appliance.indexfile import Index
from appliance.sources.zim import Page, ZimArchive, write_archive
from appliance.vectors import HashEncoder

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def archive(small_archive):
    return ZimArchive.open(small_archive)


@pytest.fixture(scope="session")
def undisturbed(archive, tmp_path_factory):
    target = tmp_path_factory.mktemp("undisturbed") / "small.index"
    return target, build(archive, target, encoding(), workers=1, window=WINDOW)


def content(path):
    """All that an index says, its date apart."""
    connection = sqlite.connect(path, "read")
    found = {
        table: connection.execute(f"SELECT * FROM {table} ORDER BY 1").fetchall()
        for table in ("document", "passage", "cell", "term", "word_row")
    }
    found["meta"] = connection.execute("SELECT key, value FROM meta WHERE key <> 'created'").fetchall()
    found["vectors"] = indexformat.read_vectors(connection, range(1, len(found["passage"]) + 1)).tobytes()
    connection.close()
    return found


def run(archive, target, when):
    command = [sys.executable, str(HERE / "building.py"), str(archive.path), str(target), str(when)]
    paths = os.pathsep.join([str(HERE.parent.parent), os.environ.get("PYTHONPATH", "")])
    return subprocess.Popen(
        command,
        env={**os.environ, "PYTHONPATH": paths},
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def test_every_document_is_in_with_text_that_its_pointer_gives(archive, undisturbed):
    target, report = undisturbed
    index = Index.open(target)
    documents = [document for _, document in archive.documents()]
    assert report.documents == len(documents) == index.meta.documents
    assert report.passages >= report.documents
    assert report.skipped_count == 0
    assert report.checked.compared == report.passages
    assert {one.path for one in index.pointers(range(1, report.passages + 1))} == {d.path for d in documents}
    index.require(
        archive_uuid=archive.uuid,
        archive_checksum=archive.checksum,
        model_sha256=HashEncoder.model_sha256,
        extractor=index.meta.extractor,
        chunker=index.meta.chunker,
    )


def test_nothing_is_left_beside_it(undisturbed):
    assert [file.name for file in undisturbed[0].parent.iterdir()] == ["small.index"]


def test_an_index_that_fits_is_left_alone(archive, undisturbed):
    target, report = undisturbed
    before = target.stat()
    again = build(archive, target, encoding("worker"))
    assert not again.made
    assert (again.documents, again.passages) == (report.documents, report.passages)
    assert target.stat().st_mtime_ns == before.st_mtime_ns


def test_an_index_of_another_model_is_made_again(archive, undisturbed, tmp_path):
    target = tmp_path / "small.index"
    shutil.copy(undisturbed[0], target)
    connection = sqlite.connect(target, "write")
    connection.execute("UPDATE meta SET value = 'another' WHERE key = 'model_sha256'")
    connection.close()
    assert build(archive, target, encoding(), workers=1, window=WINDOW).made
    assert content(target) == content(undisturbed[0])


def test_two_workers_make_what_one_makes(archive, undisturbed, tmp_path):
    build(archive, tmp_path / "small.index", encoding(), workers=2, window=WINDOW)
    assert content(tmp_path / "small.index") == content(undisturbed[0])


@pytest.mark.parametrize("when", ["3", "checking"])
def test_a_killed_run_is_gone_on_with_and_its_workers_end(archive, undisturbed, tmp_path, when):
    target = tmp_path / "small.index"
    killed = run(archive, target, when)
    _, said = killed.communicate(timeout=60)
    assert killed.returncode == -signal.SIGKILL, said
    deadline = time.monotonic() + 10
    while _group(killed.pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not _group(killed.pid)
    assert not target.exists()
    assert (tmp_path / "small.index.part").exists()
    build(archive, target, encoding(), workers=1, window=WINDOW)
    assert content(target) == content(undisturbed[0])
    assert [file.name for file in tmp_path.iterdir()] == ["small.index"]


def _group(leader):
    """Processes that still live in the group of a killed one; a zombie waits for its new parent only."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(FileNotFoundError, ProcessLookupError):  # it ended meanwhile
            state, _, group = stat.read_text().rsplit(")", 1)[1].split()[:3]
            if int(group) == leader and state != "Z":
                found.append(stat.parent.name)
    return found


def test_a_killed_worker_is_a_clear_error_and_the_work_is_kept(archive, undisturbed, tmp_path):
    target = tmp_path / "small.index"
    with pytest.raises(IndexingError, match=r"embed-0 ended in the middle.*exit code -9") as caught:
        build(archive, target, encoding("worker", 2), workers=1, window=WINDOW)
    assert "goes on where it was" in caught.value.hint
    assert not target.exists()
    build(archive, target, encoding(), workers=1, window=WINDOW)
    assert content(target) == content(undisturbed[0])


@pytest.mark.parametrize("largest", [10_000, 60_000])
def test_a_disk_that_fills_up_is_a_clear_error_and_the_work_is_kept(archive, undisturbed, tmp_path, largest):
    """A limit on the size of files stands for it: at the beginning, and while the cells are filled."""
    target = tmp_path / "small.index"
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest, before[1]))
    try:
        with pytest.raises(IndexingError, match=r"small\.index cannot be written") as caught:
            build(archive, target, encoding(), workers=1, window=WINDOW)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert "goes on where it was" in caught.value.hint
    assert not target.exists()
    build(archive, target, encoding(), workers=1, window=WINDOW)
    assert content(target) == content(undisturbed[0])


def test_a_document_with_a_zero_vector_is_left_out_by_name(archive, tmp_path):
    report = build(archive, tmp_path / "small.index", encoding("zero", 2), workers=1, window=WINDOW)
    assert report.skipped_count > 0
    assert report.documents + report.skipped_count == len(list(archive.documents()))
    assert all("is zero" in reason for _, reason in report.skipped)
    paths = {document.path for _, document in archive.documents()}
    assert {path for path, _ in report.skipped} < paths
    assert Index.open(tmp_path / "small.index").skipped_entries() == list(report.skipped)


def test_an_entry_that_fails_unforeseen_is_left_out_by_number(small_archive, tmp_path):
    class Failing(ZimArchive):
        """Reading one page fails in a way that nobody thought of."""

        def evidence(self, position):
            document = super().evidence(position)
            if document and document.path == "Water":
                raise RecursionError("deeper than deep")
            return document

    archive = Failing.open(small_archive)
    report = build(archive, tmp_path / "small.index", encoding(), workers=1, window=WINDOW)
    (place,) = [p for p, document in ZimArchive.open(small_archive).documents() if document.path == "Water"]
    assert report.skipped == ((f"entry {place}", "RecursionError: deeper than deep"),)
    assert report.documents == len(EVIDENCE) - 1


def test_a_half_made_index_of_another_archive_is_begun_anew(archive, undisturbed, tmp_path):
    part = tmp_path / "small.index.part"
    staging.Staging(part, {"archive_uuid": "another"}).close()
    build(archive, tmp_path / "small.index", encoding(), workers=1, window=WINDOW)
    assert content(tmp_path / "small.index") == content(undisturbed[0])


def test_two_runs_at_once_do_not_meet(archive, tmp_path):
    part = tmp_path / "small.index.part"
    running = staging.Staging(part, {"archive_uuid": "another"})
    with pytest.raises(IndexingError, match=r"Another process is making small\.index"):
        build(archive, tmp_path / "small.index", encoding(), workers=1, window=WINDOW)
    running.close()
    assert part.exists()


def test_a_damaged_half_made_index_is_begun_anew(archive, undisturbed, tmp_path):
    (tmp_path / "small.index.part").write_bytes(b"not a database" * 100)
    build(archive, tmp_path / "small.index", encoding(), workers=1, window=WINDOW)
    assert content(tmp_path / "small.index") == content(undisturbed[0])


def test_an_archive_without_text_is_nothing_to_index_not_a_failure(tmp_path, capsys):
    path = tmp_path / "videos.zim"
    write_archive(path, [Page("index", "Videos", "<html><body></body></html>")], METADATA, "eng", "index")
    report = build(ZimArchive.open(path), tmp_path / "videos.index", encoding(), workers=1)
    assert (report.documents, report.passages) == (0, 0)
    assert "nothing to index" in capsys.readouterr().err
    assert not build(ZimArchive.open(path), tmp_path / "videos.index", encoding()).made


def test_a_full_disk_is_said_before_any_work(tmp_path):
    with pytest.raises(IndexingError, match=r"[GM]B free; the index needs about 1000000\.0 GB"):
        staging.check_space(tmp_path / "x.part", 10**15)


@pytest.mark.parametrize(("count", "told"), [(2_400_000, "2 MB"), (64e6, "64 MB"), (1.25e9, "1.2 GB")])
def test_little_space_is_told_in_megabytes(count, told):
    assert staging.as_size(count) == told


def test_another_edition_under_the_same_name_is_refused(undisturbed, tmp_path):
    path = tmp_path / "small.zim"
    write_archive(path, [Page("Tetanus", "Tetanus", "<p>New text.</p>")], METADATA, "eng", "Tetanus")
    newer = ZimArchive.open(path)
    with pytest.raises(IndexFileError, match="another archive"):
        Index.open(undisturbed[0]).require(
            archive_uuid=newer.uuid,
            archive_checksum=newer.checksum,
            model_sha256=HashEncoder.model_sha256,
            extractor=1,
            chunker=1,
        )


def test_vectors_are_unit_and_int8(undisturbed):
    connection = sqlite.connect(undisturbed[0], "read")
    vectors = indexformat.read_vectors(connection, range(1, undisturbed[1].passages + 1))
    connection.close()
    assert np.allclose(np.linalg.norm(vectors, axis=1), 127, rtol=0.02)


def test_the_step_names_the_archive_among_several(archive, tmp_path, capsys):
    title = f"archive 1 of 3, {archive.name}"
    build(archive, tmp_path / "small.index", encoding(), workers=1, window=WINDOW, title=title)
    assert f"Indexing archive 1 of 3, {archive.name} …" in capsys.readouterr().err
