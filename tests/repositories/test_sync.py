"""What becomes of a repository's files, without git: sync.sync over trees in memory."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from appliance.documents import keeping
from appliance.documents.store import Store
from appliance.errors import EntryMissing, GitError, ServiceDown
from appliance.repositories import passages
from appliance.repositories.book import RepositoryBook, book
from appliance.repositories.records import Progress, Repository, Tally
from appliance.repositories.sync import problems, sync
from appliance.retrieval.texts import DocumentCache
from appliance.vectors import HashEncoder
from repositories.trees import Counting, Tree, opened, reader

pytestmark = pytest.mark.slow

ABOUT = Repository("wiki", "https://example.org/wiki", "", "", "people", "2024-01-01")
PUMP = "# Pump\n\n## Start\n\nOpen the valve, then start the pump.\n\n## Stop\n\nClose the valve slowly."
LAMP = "# Lamp\n\nTrim the wick every evening."


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    found = opened(tmp_path / "wiki")
    yield found
    found.close()


def ask(store: Store, words: str) -> list[tuple[str, str]]:
    """(path, text) of the passages that hold the words."""
    with passages.pinned(store) as now:
        here = book(now, ABOUT, DocumentCache())
        return _held(here, words)


def _held(here: RepositoryBook, words: str) -> list[tuple[str, str]]:
    found = []
    for pointer in here.phrases.pointers(here.phrases.holding(words).tolist()):
        text = here.archive.document(pointer.path).text
        found.append((pointer.path, text[pointer.start : pointer.start + pointer.length]))
    return found


def run(store: Store, tree: Tree, encoder: HashEncoder | None = None) -> Tally:
    return sync(tree, tree.commit, reader(store), encoder or HashEncoder())


def test_files_are_found_by_path_and_heading(store: Store) -> None:
    tally = run(store, Tree({"ops/pump.md": PUMP, "lamp.markdown": LAMP, "code.py": "x", "README": "y"}))
    assert (tally.files, tally.changed, tally.failed) == (2, 2, 0)
    assert tally.passages == passages.count(store) >= 3
    assert ask(store, "start the pump") == [("ops/pump.md", "Open the valve, then start the pump.")]
    with passages.pinned(store) as now:
        here = book(now, ABOUT, DocumentCache())
        assert here.archive.name == "git:wiki"
        (near, *_) = here.phrases.nearest(HashEncoder().encode(["Trim the wick every evening"])[0], 3)
        assert here.phrases.pointers([near[0]])[0].path == "lamp.markdown"
        assert here.archive.suggest("lam", 5) == [("Lamp", "lamp.markdown")]
        with pytest.raises(EntryMissing):
            here.archive.document("nowhere.md")


def test_the_same_commit_again_reads_and_embeds_nothing(store: Store) -> None:
    tree = Tree({"a.md": PUMP, "b.md": LAMP})
    run(store, tree)
    encoder, tree.read = Counting(), 0
    tally = run(store, tree, encoder)
    assert (tally.files, tally.changed, encoder.texts, tree.read) == (2, 0, [], 0)


def test_only_what_changed_is_embedded_again(store: Store) -> None:
    run(store, Tree({"a.md": PUMP, "b.md": LAMP, "c.md": "# C\n\nold words"}))
    encoder = Counting()
    tree = Tree({"a.md": PUMP.replace("slowly", "at once"), "b.md": LAMP, "d.md": "# D\n\nnew words"})
    tally = run(store, tree, encoder)
    assert (tally.changed, tally.removed, tally.renamed) == (2, 1, 0)
    assert tree.read == 2
    texts = "\n".join(encoder.texts)
    assert "at once" in texts
    assert "new words" in texts
    assert "start the pump" not in texts  # the other passage of the changed file keeps its vector
    assert "wick" not in texts
    assert ask(store, "old words") == []
    assert ask(store, "slowly") == []
    assert [path for path, _ in ask(store, "at once")] == ["a.md"]
    _whole(store)


def test_a_file_that_moved_keeps_all_that_was_made_of_it(store: Store) -> None:
    run(store, Tree({"a/pump.md": PUMP, "b.md": LAMP, "notitle.md": "just words"}))
    encoder, tree = Counting(), Tree({"b/water.md": PUMP, "b.md": LAMP, "notitle.md": "just words"})
    tally = run(store, tree, encoder)
    assert (tally.renamed, tally.changed, tally.removed) == (1, 0, 0)
    assert (encoder.texts, tree.read) == ([], 0)
    assert [path for path, _ in ask(store, "start the pump")] == ["b/water.md"]
    again = Tree({"b/water.md": PUMP, "b.md": LAMP, "named.md": "just words"})
    assert run(store, again, encoder).changed == 1  # its title was its name
    assert len(encoder.texts) == 1
    _whole(store)


def test_files_that_change_places(store: Store) -> None:
    run(store, Tree({"a.md": PUMP, "b.md": LAMP}))
    run(store, Tree({"a.md": LAMP, "b.md": PUMP}))
    assert [path for path, _ in ask(store, "start the pump")] == ["b.md"]
    assert [path for path, _ in ask(store, "wick")] == ["a.md"]
    _whole(store)


def test_what_cannot_be_read_is_told_and_the_rest_goes_on(store: Store) -> None:
    tree = Tree(
        {
            "good.md": PUMP, "large.md": "# L\n\n" + "word " * 30_000, "empty.md": "",
            "marks.md": "---\n\n***",
            "binary.md": bytes(range(256)) * 40, "pdf.md": b"%PDF-1.7 x", "odd\nname.md": LAMP,
            "lfs.md": "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n",
            "latin.md": "# Grüße\n\nDie Straße ist naß; das Café hat geöffnet.".encode("latin-1"),
        },
        modules=("other/repo",),
    )  # fmt: skip
    tally = run(store, tree)
    assert (tally.files, tally.failed, tally.modules) == (9, 7, ("other/repo",))
    told = problems(store)
    assert set(told) == {"large.md", "empty.md", "marks.md", "binary.md", "pdf.md", "odd\nname.md", "lfs.md"}
    assert "larger than" in told["large.md"]
    assert "LFS" in told["lfs.md"]
    assert "PDF" in told["pdf.md"]
    assert [path for path, _ in ask(store, "naß")] == ["latin.md"]
    tree.read = 0
    tree.files["new.md"] = LAMP.encode()
    assert run(store, tree).failed == 7
    assert tree.read == 1  # what could not be read is not tried again until it changes
    tree.files["empty.md"] = b"# No longer empty\n\ntext"
    assert run(store, tree).failed == 6
    assert "empty.md" not in problems(store)


def test_an_emptied_repository_has_nothing(store: Store) -> None:
    run(store, Tree({"a.md": PUMP}))
    tally = run(store, Tree({"readme.txt": "x"}))
    assert (tally.files, tally.passages, tally.removed) == (0, 0, 1)
    assert ask(store, "pump") == []
    _whole(store)


class Broken(HashEncoder):
    """An embedder that is there for some texts only."""

    def __init__(self, good: int) -> None:
        self.good = good

    def encode(self, texts):  # type: ignore[no-untyped-def]
        self.good -= 1
        if self.good < 0:
            raise ServiceDown("The embedder does not answer.")
        return super().encode(texts)


def test_an_interrupted_sync_changes_nothing_and_its_work_is_kept(store: Store) -> None:
    run(store, Tree({"a.md": PUMP}))
    files = {"a.md": LAMP, **{f"{n}.md": f"# Page {n}\n\ntext of page {n}" for n in range(70)}}
    tree = Tree(files)
    with pytest.raises(ServiceDown):
        run(store, tree, Broken(1))
    assert [path for path, _ in ask(store, "start the pump")] == ["a.md"]
    assert ask(store, "text of page") == []
    assert ask(store, "wick") == []
    with passages.pinned(store) as now:
        here = book(now, ABOUT, DocumentCache())
        assert here.phrases.size == here.phrases.frequency("valve") > 0
        assert here.phrases.similar_terms("evenin", 5) == []  # not even a word of what is not there yet
    encoder, tree.read = Counting(), 0
    run(store, tree, encoder)
    assert tree.read == 0
    assert len(encoder.texts) == 71 - keeping.TOGETHER  # the others have their vectors
    assert len(ask(store, "text of page")) == 70
    _whole(store)


def test_what_was_staged_for_another_commit_goes(store: Store) -> None:
    with pytest.raises(ServiceDown):
        run(store, Tree({"a.md": PUMP, "secret.md": LAMP}), Broken(0))
    run(store, Tree({"a.md": PUMP}))
    with store.read() as connection:
        assert connection.execute("SELECT count(*) FROM document").get == 1
        assert connection.execute("SELECT count(*) FROM word WHERE word MATCH 'wick'").get == 0
    _whole(store)


def test_a_question_sees_one_state_from_its_beginning_to_its_end(store: Store) -> None:
    run(store, Tree({"a.md": PUMP, "b.md": LAMP}))
    with passages.pinned(store) as now:
        here = book(now, ABOUT, DocumentCache())
        run(store, Tree({"b/moved.md": LAMP, "c.md": "# C\n\nother words"}))
        assert [path for path, _ in _held(here, "start the pump")] == ["a.md"]
        assert [path for path, _ in _held(here, "wick")] == ["b.md"]
        assert _held(here, "other words") == []
        assert here.phrases.nearest(HashEncoder().encode(["start the pump"])[0], 9)
    assert [path for path, _ in ask(store, "wick")] == ["b/moved.md"]


def test_a_stop_is_obeyed_between_files(store: Store) -> None:
    tree = Tree({f"{n}.md": f"# {n}\n\ntext {n}" for n in range(9)})
    told: list[Progress] = []
    with pytest.raises(GitError) as stopped:
        sync(tree, tree.commit, reader(store), HashEncoder(), told.append, lambda: len(told) > 3)
    assert stopped.value.kind == "stopped"
    assert tree.read == 3
    assert passages.state(store).commit == ""


def test_progress_counts_what_is_seen_changed_removed_and_failed(store: Store) -> None:
    run(store, Tree({"a.md": PUMP, "old.md": LAMP}))
    tree, told = Tree({"a.md": PUMP, "b.md": "# B\n\nb", "c.md": ""}), list[Progress]()
    sync(tree, tree.commit, reader(store), HashEncoder(), told.append)
    last = told[-1]
    assert (last.files, last.changed, last.removed, last.failed, last.read) == (3, 2, 1, 1, 2)
    assert told[0].stage == "reading"
    assert {one.stage for one in told} == {"reading", "embedding", "storing"}
    assert all(0 <= (one.share or 0) <= 1 for one in told)


def test_another_model_makes_all_vectors_again_from_what_is_here(tmp_path: Path) -> None:
    tree = Tree({"a.md": PUMP, "b.md": LAMP})
    first = opened(tmp_path)
    run(first, tree)
    first.close()
    other = passages.open_passages(tmp_path, "another")
    assert passages.waiting(other) == passages.count(other) > 0
    assert [path for path, _ in ask(other, "wick")] == ["b.md"]
    encoder = Counting()
    run(other, tree, encoder)
    assert len(encoder.texts) == passages.count(other)
    other.close()


def test_a_damaged_file_is_made_anew(tmp_path: Path) -> None:
    (tmp_path / "wiki").mkdir()
    (tmp_path / "wiki" / passages.FILE).write_bytes(b"no database at all, and longer than its header" * 200)
    store = opened(tmp_path / "wiki")
    assert run(store, Tree({"a.md": PUMP})).files == 1
    store.close()


def _whole(store: Store) -> None:
    """Nothing is left over, and nothing is missing, in any table."""
    with store.read() as connection:
        for table, key in (("part", "passage"), ("word", "rowid"), ("vector", "rowid")):
            sql = f"SELECT count(*) FROM {table} WHERE {key} NOT IN (SELECT id FROM passage)"
            assert connection.execute(sql).get == 0, table
            sql = f"SELECT count(*) FROM passage WHERE id NOT IN (SELECT {key} FROM {table})"
            assert connection.execute(sql).get == 0, table
        sql = "SELECT count(*) FROM document WHERE id NOT IN (SELECT document_id FROM file)"
        assert connection.execute(sql).get == 0
        assert connection.execute("SELECT count(*) FROM part WHERE vector_crc32 IS NULL").get == 0
        assert connection.execute("PRAGMA integrity_check").get == "ok"
        assert not connection.execute("PRAGMA foreign_key_check").fetchall()
