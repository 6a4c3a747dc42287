"""Brings the passages of one repository in step with a commit of it.

    tree of the commit -> difference by blobs -> what is new: read, cut, staged -> vectors -> published

Until the last step, which is one transaction, everyone sees the state from before; what an interrupted sync
has staged is not made again by the next one.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any, Protocol

from appliance.documents import keeping
from appliance.documents.keeping import Step
from appliance.documents.records import COMMON
from appliance.documents.store import Store
from appliance.errors import EntryUnreadable, GitError
from appliance.repositories import passages
from appliance.repositories.difference import Difference, difference
from appliance.repositories.passages import State
from appliance.repositories.reading import ENDINGS, Reader
from appliance.repositories.records import Progress, Tally
from appliance.sources.git import Entry
from appliance.sources.reading import stem
from appliance.vectors import Encoder

MOST_FILES = 20_000
STOPPED = GitError("The sync was stopped.", "Sync again when it suits.", "stopped")
Told = Callable[[Progress], None]


class Source(Protocol):
    """A commit's files (sources.git.Mirror)."""

    def tree(self, commit: str) -> Sequence[Entry]: ...
    def blobs(self) -> AbstractContextManager[Callable[[str], bytes]]: ...


def sync(
    source: Source,
    commit: str,
    reader: Reader,
    encoder: Encoder,
    told: Told = lambda _: None,
    stopped: Callable[[], bool] = lambda: False,
) -> Tally:
    """The new state's tally. Raises GitError for a repository that cannot be read or was stopped, ServiceDown
    without the embedder; the old state then stays, and what is done is kept for the next time."""
    store, old = reader.store, passages.state(reader.store)
    if old.commit == commit and not passages.waiting(store):
        return _tally(store, old.tree, old.problems, Difference((), {}, ()), _modules(source, commit))
    entries = source.tree(commit)
    files = {one.path: one for one in entries if one.kind == "file" and _markdown(one.path)}
    if len(files) > MOST_FILES:
        raise GitError(
            f"The repository has {len(files):,} Markdown files; at most {MOST_FILES:,} are read.",
            "Name a branch with fewer.", "large",
        )  # fmt: skip
    tree = {path: entry.blob for path, entry in files.items()}
    change = difference(old.tree, tree, _titled(store))
    progress = Progress(
        "reading", len(files), len(change.fresh), len(change.gone), len(old.problems.keys() & tree.keys())
    )
    told(progress)
    problems, progress = _stage(
        source, reader, [files[path] for path in change.fresh], progress, told, stopped
    )
    _embed(store, encoder, progress, told, stopped)
    told(replace(progress, stage="storing"))
    passages.publish(store, commit, tree, change, problems)
    now = passages.state(store)
    modules = tuple(sorted(entry.path for entry in entries if entry.kind == "module"))
    return _tally(store, tree, now.problems, change, modules)


def _stage(
    source: Source,
    reader: Reader,
    files: Sequence[Entry],
    progress: Progress,
    told: Told,
    stopped: Callable[[], bool],
) -> tuple[dict[str, str], Progress]:
    """Reads what is new; gives the files that could not be read, with the reason."""
    problems: dict[str, str] = {}
    ready = passages.staged(reader.store)
    with source.blobs() as read:
        for entry in files:
            if stopped():
                raise STOPPED
            known = ready.get(passages.key(entry.path, entry.blob))
            problem = "" if known is not None else _read(reader, entry, read)
            if problem:
                problems[entry.path] = problem
            progress = replace(progress, read=progress.read + 1, failed=progress.failed + bool(problem))
            told(progress)
    return problems, progress


def _read(reader: Reader, entry: Entry, read: Callable[[str], bytes]) -> str:
    """Why a file could not be read; "" when it is staged."""
    if problem := reader.refused(entry.path, entry.size):
        return problem
    try:
        made = reader.stage(entry.path, entry.blob, read(entry.blob))
    except EntryUnreadable as error:
        return f"{error} {error.hint}".strip()
    passages.carry_over(reader.store, entry.path, made)
    return ""


def _embed(
    store: Store, encoder: Encoder, progress: Progress, told: Told, stopped: Callable[[], bool]
) -> None:
    total = passages.waiting(store)
    told(replace(progress, stage="embedding", total=total))
    before = keeping.progress(store).done

    def step(now: Step) -> bool:
        told(replace(progress, stage="embedding", done=now.done - before, total=total))
        return not stopped()

    if not keeping.update_vectors(store, store, encoder, step):
        raise STOPPED


def _tally(
    store: Store,
    tree: Mapping[str, str],
    problems: Mapping[str, str],
    change: Difference,
    modules: tuple[str, ...],
) -> Tally:
    return Tally(
        len(tree), passages.count(store), len(problems.keys() & tree.keys()), len(change.fresh),
        len(change.moved), len(change.gone), modules,
    )  # fmt: skip


def _modules(source: Source, commit: str) -> tuple[str, ...]:
    return tuple(sorted(entry.path for entry in source.tree(commit) if entry.kind == "module"))


def _markdown(path: str) -> bool:
    return path.lower().endswith(ENDINGS)


def _titled(store: Store) -> set[str]:
    """Files that have no title but their name."""
    sql = (
        "SELECT f.path, d.name, d.title FROM file f JOIN document d ON d.id = f.document_id WHERE d.owner = ?"
    )
    with store.read() as connection:
        rows: Iterable[Any] = connection.execute(sql, (COMMON,)).fetchall()
    return {path for path, name, title in rows if title == stem(name)}


def problems(store: Store) -> dict[str, str]:
    """The files of the state that could not be read, with the reason."""
    found: State = passages.state(store)
    return dict(sorted(found.problems.items()))
