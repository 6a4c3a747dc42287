"""What is known of a repository, as frozen records."""

from dataclasses import dataclass, field
from typing import Literal

from appliance.sources.remotes import Form, Remote, page, remote

PREFIX = "git:"
"""In front of a repository's name where it stands beside the names of archives."""

Seen = Literal["everyone", "people"]
Stage = Literal["waiting", "fetching", "reading", "embedding", "storing"]


@dataclass(frozen=True, slots=True)
class Tally:
    """Of one state: Markdown files in it, its passages, files that could not be read. Of the sync that made
    it: files that were new or changed, renamed, and removed. `modules` are submodules, which are not
    followed."""

    files: int = 0
    passages: int = 0
    failed: int = 0
    changed: int = 0
    renamed: int = 0
    removed: int = 0
    modules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the last sync ended; `tried` and `synced` are UTC (ISO, seconds), "" for never. `kind` is "" when
    it went well, else `errors.GitError`'s, with a sentence and what to do. `failures` in a row."""

    tried: str = ""
    synced: str = ""
    commit: str = ""
    kind: str = ""
    sentence: str = ""
    hint: str = ""
    failures: int = 0
    tally: Tally = field(default_factory=Tally)


@dataclass(frozen=True, slots=True)
class Repository:
    """One source. `branch` "": the repository's own; `looks` is the form of its host's pages, "" where it is
    not known; `seen` by everyone, or by people who have signed in."""

    name: str
    address: str
    branch: str
    looks: Form
    seen: Seen
    added: str
    outcome: Outcome = field(default_factory=Outcome)

    @property
    def remote(self) -> Remote:
        return remote(self.address)

    @property
    def archive(self) -> str:
        """Its name among the archives."""
        return PREFIX + self.name

    def page(self, file: str, lines: tuple[int, int] | None = None) -> str:
        """A file at the repository's host, as it was when it was read; "" where the form is not known."""
        commit = self.outcome.commit
        return page(self.remote, self.looks, commit, file, lines) if commit else ""


@dataclass(frozen=True, slots=True)
class Progress:
    """A sync that is running: Markdown files seen, new or changed, removed, failed, read so far; passages
    with a vector, of all that need one."""

    stage: Stage = "waiting"
    files: int = 0
    changed: int = 0
    removed: int = 0
    failed: int = 0
    read: int = 0
    done: int = 0
    total: int = 0

    @property
    def share(self) -> float | None:
        """0…1, None while it cannot be told."""
        if self.stage == "reading" and self.changed:
            return 0.3 * self.read / self.changed
        if self.stage == "embedding" and self.total:
            return 0.3 + 0.7 * self.done / self.total
        return None
