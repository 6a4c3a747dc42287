"""The verbs `appliance source …`: printing and parsing. Each loads no more than it needs."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from appliance.settings import Settings

if TYPE_CHECKING:
    from appliance.repositories.records import Progress
    from appliance.repositories.repositories import Repositories
    from appliance.vectors import Encoder


@contextmanager
def _open(given: Settings, encoder: Encoder | None = None) -> Iterator[Repositories]:
    from appliance import models
    from appliance.repositories.repositories import Repositories
    from appliance.services import runtime
    from appliance.services.embedder import EmbedderClient

    model = models.catalogue().find(models.EMBEDDING[0]).sha256
    asked = encoder or EmbedderClient(runtime.socket_path(given.runtime, "embedder"))  # asked by nothing
    sources = Repositories(given, asked, model)
    try:
        yield sources
    finally:
        sources.close()


def _add(given: Settings, options: argparse.Namespace) -> None:
    with _open(given) as sources:
        seen = "everyone" if options.everyone else "people"
        about = sources.add(options.address, options.name, options.branch, options.looks, seen)
        print(about.name)
        if key := sources.keys.public(about.name):
            print("Give this key to the repository as a deploy key, for reading only:", key, sep="\n")
        print(f"Then: appliance source sync {about.name}")


def _list(given: Settings, _options: argparse.Namespace) -> None:
    from appliance.log import say, several

    with _open(given) as sources:
        if not (listed := sources.listed()):
            say("No source yet. `appliance source add ADDRESS` adds one.")
        for about in listed:
            outcome, tally = about.outcome, about.outcome.tally
            synced = (
                f"{several(tally.files, 'file')} as of {outcome.synced}"
                if outcome.synced
                else "not synced yet"
            )
            print(f"{about.name:20} {about.address}  ({synced}; seen by {about.seen})")
            if outcome.kind:
                print(f"{'':20} {outcome.sentence} {outcome.hint}".rstrip())


def _sync(given: Settings, options: argparse.Namespace) -> int:
    from appliance.document_verbs import open_encoder
    from appliance.log import several, step

    bad = 0
    with _open(given, open_encoder(given)) as sources:
        for name in options.name or [about.name for about in sources.listed()]:
            with step(f"Syncing {name}", total=1, unit="") as syncing:

                def told(now: Progress, syncing: Any = syncing) -> None:  # noqa: ANN401
                    syncing.unit = {"reading": "files", "embedding": "passages"}.get(now.stage, "")
                    syncing.total = (now.changed if now.stage == "reading" else now.total) or 1
                    syncing.done = now.read if now.stage == "reading" else now.done
                    syncing.tick()

                outcome = sources.sync(name, told=told).outcome
            for path, why in sources.problems(name).items():
                print(f"not read  {path}: {why}")
            if outcome.kind:
                bad += 1
                print(f"{name}: {outcome.sentence} {outcome.hint}".rstrip())
            else:
                tally = outcome.tally
                print(
                    f"{name}: {several(tally.files, 'file')}, {several(tally.passages, 'passage')} "
                    f"at {outcome.commit[:12]}; "
                    f"{tally.changed:,} new or changed, {tally.renamed:,} renamed, "
                    f"{tally.removed:,} removed, {tally.failed:,} not read"
                )
                for module in tally.modules:
                    print(f"not followed  {module} (a submodule)")
    return 2 if bad else 0


def _remove(given: Settings, options: argparse.Namespace) -> None:
    with _open(given) as sources:
        sources.remove(options.name)
    print(f"{options.name} is removed, with its key and all that was read of it.")


def _key(given: Settings, options: argparse.Namespace) -> None:
    with _open(given) as sources:
        about = sources.find(options.name)
        if options.trust_host:
            sources.trust(options.name)
            print(f"The key of {about.remote.host} that is met next will be kept.")
            return
        print(sources.keys.public(about.name) or "A source over HTTPS has no key.")
        for host in sources.keys.hosts(about.remote):
            print(f"{about.remote.alias} is known by {host}")


Verb = Callable[[Settings, argparse.Namespace], int | None]
FAMILY = "Git repositories of Markdown as sources: add, list, sync, remove."
VERBS: dict[str, tuple[Verb, str]] = {
    "source add": (_add, "Add a Git repository, and print the key that opens it."),
    "source list": (_list, "List the sources and how their last sync ended."),
    "source sync": (_sync, "Fetch sources and bring their passages in step."),
    "source remove": (_remove, "Remove a source with all that was made of it."),
    "source key": (_key, "Print a source's public key and what is known of its host."),
}
_NAME: tuple[tuple[str, ...], dict[str, Any]] = (("name",), {"metavar": "NAME", "help": "A source's name."})
OPTIONS: dict[str, tuple[tuple[tuple[str, ...], dict[str, Any]], ...]] = {
    "source add": (
        (("address",), {"metavar": "ADDRESS", "help": "https://host/team/wiki.git, git@host:team/wiki.git."}),
        (("--name",), {"default": "", "metavar": "NAME", "help": "By default the repository's own."}),
        (("--branch",), {"default": "", "metavar": "BRANCH", "help": "By default the repository's own."}),
        (
            ("--looks",),
            {
                "default": "",
                "choices": ("", "github", "gitlab", "gitea", "none"),
                "help": "The form of its host's pages, for links; by default told by the host's name.",
            },
        ),
        (("--everyone",), {"action": "store_true", "help": "Also for people who have not signed in."}),
    ),
    "source sync": ((("name",), {"nargs": "*", "metavar": "NAME", "help": "Sources; by default all."}),),
    "source remove": (_NAME,),
    "source key": (
        _NAME,
        (
            ("--trust-host",),
            {"action": "store_true", "help": "Forget the host's key: the next one that is met is kept."},
        ),
    ),
}
