"""The verbs. Parsing and printing only; each process loads no more than its own verb needs."""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from appliance import (
    backup_verbs,
    bundle_verbs,
    chosen,
    commandline,
    document_saving_verbs,
    document_verbs,
    made_bundle_verbs,
    mcp_verb,
    people_verbs,
    quality_verbs,
    settings,
    source_verbs,
)
from appliance.errors import LamplightError
from appliance.settings import Settings


def main(words: Sequence[str] | None = None) -> int:
    """Runs one verb; gives the exit code: 0, 2 for an error that a person can act on, 130 for Ctrl-C."""
    given = parser().parse_args(words)
    try:
        named = {row.name: getattr(given, row.name) for row in settings.TABLE}
        code = given.act(settings.load(named, file=given.settings), given)
        sys.stdout.flush()
    except LamplightError as error:
        print("\n".join(filter(None, (str(error), error.hint))), file=sys.stderr)
        return 2
    except UnicodeEncodeError:  # a name with bytes that are no text, where a text was asked for
        print("A name that was given is no text in UTF-8.\nType it again.", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the reader of what we print has left
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:  # a disk that is full, a folder that cannot be read or written
        print(
            f"{error.filename or 'The machine'}: {error.strerror}.",
            "Check the disk's space and the permissions, then start again: what is done is kept.",
            sep="\n",
            file=sys.stderr,
        )
        return 2
    return int(code or 0)


def parser() -> argparse.ArgumentParser:
    """The command line of all verbs."""
    return commandline.parser(FAMILIES, VERBS, OPTIONS)


def _run(given: Settings, options: argparse.Namespace) -> int:
    from appliance.services.run import check, run

    if options.check:
        check(given)
        return commandline.checked(given)
    return run(given)


def _setup(given: Settings, _options: argparse.Namespace) -> None:
    from appliance.setup import set_up

    set_up(given)


def _models(given: Settings, _options: argparse.Namespace) -> None:
    from appliance import models

    models.fetch_all(given.home, given.profile, language=not given.search_only)
    for name in filter(None, (*models.EMBEDDING, models.model_for(given.profile, given.home, given.model))):
        print(f"{name}: {models.verify(given.home, name)}")


def _index(given: Settings, options: argparse.Namespace) -> None:
    from appliance.setup import index

    index(given, options.zim.absolute(), options.to, cluster=options.cluster)


def _web(given: Settings, options: argparse.Namespace) -> None:
    from appliance.backups.settling import at_start
    from appliance.device import client
    from appliance.server.app import create_app
    from appliance.server.desk import choosing
    from appliance.server.git_sources import open_git
    from appliance.server.own import open_own
    from appliance.server.rights import open_rights
    from appliance.server.routes import listed
    from appliance.server.talk import open_talk
    from appliance.services.holdings import note_sticks
    from appliance.services.process import serve
    from appliance.services.run import require_free
    from appliance.services.runtime import prepare
    from appliance.shelving.librarian import Librarian
    from appliance.shelving.live import Live
    from appliance.usage.usage import Usage
    from appliance.wiring import open_appliance

    require_free(given.host, given.port)
    prepare(given.runtime)
    given = at_start(given)
    note_sticks(given, ())  # a stick is looked at before anything of it is opened
    box = open_appliance(given)
    if given.device:
        wrong = [check for check in box.shelved() if check.state in ("wrong", "failing")]
        client.tell(Path(given.device), wrong)
    live = Live(box)
    rights = open_rights(given)
    librarian, own = Librarian(live), open_own(given, box.encoder, box.read, rights)
    talk = open_talk(live, own.documents, own.seen) if own else open_talk(live)
    git, usage = open_git(given, box.encoder), Usage(given.home, given.usage)
    more = [part.checks for part in (librarian, own, git, usage, rights) if part]
    more.append(lambda: choosing.checks(given))
    live.more = lambda: [check for checks in more for check in checks()]
    live.within = git.within if git else live.within
    app = create_app(live, librarian, talk, own, usage, git, rights)
    if options.list:
        return print("\n".join(map(str, listed(app.routes))))
    serve(app, (given.host, given.port))
    return None


def _embedder(given: Settings, _options: argparse.Namespace) -> None:
    from appliance.services.embedder_main import serve

    serve(given)


def _llama(given: Settings, _options: argparse.Namespace) -> None:
    from appliance.services.llama_main import serve

    serve(given)


def _reader(given: Settings, _options: argparse.Namespace) -> None:
    from appliance.services.kiwix import serve

    serve(given)


def _label(given: Settings, options: argparse.Namespace) -> None:
    from appliance.label.make import make

    said = {name: getattr(options, name) for name in ("network", "passphrase", "name")}
    for file in make(given, said, options.card, options.to):
        print(file)


def _settings(given: Settings, _options: argparse.Namespace) -> None:
    for row in settings.TABLE:
        value = settings.written(getattr(given, row.name)) or "(none)"
        default = f" Default: {settings.written(row.default) or '(none)'}."
        if "by default" in row.help:  # said there already
            default = ""
        desk = " Chosen at the desk." if row.name in chosen.picked(given.free) else ""
        print(f"{row.flag:15} {value}\n{'':15} {row.help}{default}{desk}")


Verb = Callable[[Settings, argparse.Namespace], int | None]
VERBS: dict[str, tuple[Verb, str]] = {
    "run": (_run, "Set up what is missing, start everything, and print one address."),
    "setup": (_setup, "Fetch the models, make the starter library and the indexes: what `run` does first."),
    "models": (_models, "Fetch the model files that are missing and check the SHA-256 of all."),
    "index": (_index, "Make the index of one archive; an interrupted run goes on where it was."),
    "web": (_web, "The pages and the API."),
    "embedder": (_embedder, "The process that turns text into vectors."),
    "llama": (_llama, "The process with the language model."),
    "reader": (_reader, "kiwix-serve over the same archives."),
    "label": (
        _label,
        "Make a box's printed label, PDF and PNG: codes to join its Wi-Fi and to open it.",
    ),
    "settings": (_settings, "Print every setting, its value and its default."),
    **quality_verbs.VERBS,
    **backup_verbs.VERBS,
    **document_verbs.VERBS,
    **document_saving_verbs.VERBS,
    **people_verbs.VERBS,
    **bundle_verbs.VERBS,
    **made_bundle_verbs.VERBS,
    **mcp_verb.VERBS,
    **source_verbs.VERBS,
}
FAMILIES = {
    "bundle": bundle_verbs.FAMILY,
    "documents": document_verbs.FAMILY,
    "source": source_verbs.FAMILY,
    "people": people_verbs.FAMILY,
}  # verbs of two words
OPTIONS: dict[str, tuple[tuple[tuple[str, ...], dict[str, Any]], ...]] = {
    "web": ((("--list",), {"action": "store_true", "help": "Print every address instead."}),),
    "run": (
        (
            ("--check",),
            {"action": "store_true", "help": "Only check the options, the archives named and the port."},
        ),
    ),
    "index": (
        (
            ("zim",),
            {"type": Path, "metavar": "ARCHIVE.zim", "help": "The archive (.zim, or .zimaa when split)."},
        ),
        (
            ("--to",),
            {"type": Path, "metavar": "FILE", "help": "Where the index goes; by default beside the archive."},
        ),
        bundle_verbs.CLUSTER,
    ),
    "label": (
        (
            ("--card",),
            {"type": Path, "metavar": "FOLDER", "help": "The first partition of the box's card."},
        ),
        (("--network",), {"metavar": "NAME", "help": "The Wi-Fi's name; by default what box or card say."}),
        (("--passphrase",), {"metavar": "WORDS", "help": 'The Wi-Fi\'s passphrase; "": an open network.'}),
        (("--name",), {"help": "The box's name, by which it is opened."}),
        (
            ("--to",),
            {
                "type": Path,
                "metavar": "FOLDER",
                "default": Path(),
                "help": "Where the files go; by default here.",
            },
        ),
    ),
    **quality_verbs.OPTIONS,
    **backup_verbs.OPTIONS,
    **document_verbs.OPTIONS,
    **document_saving_verbs.OPTIONS,
    **source_verbs.OPTIONS,
    **people_verbs.OPTIONS,
    **bundle_verbs.OPTIONS,
    **made_bundle_verbs.OPTIONS,
    **mcp_verb.OPTIONS,
}

if __name__ == "__main__":
    sys.exit(main())
