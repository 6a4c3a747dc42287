"""The verbs `appliance documents …` that save, check and make again: printing and parsing. Each loads no more
than it needs."""

from __future__ import annotations

import argparse
from pathlib import Path

from appliance.document_verbs import Option, Verb, make_vectors, open_encoder, opened
from appliance.errors import LamplightError
from appliance.log import several
from appliance.settings import Settings


def _rebuild(given: Settings, _options: argparse.Namespace) -> None:
    from appliance.documents import derived, keeping

    encoder = open_encoder(given)
    with opened(given) as documents:
        with documents.made.write() as connection:
            derived.refill(connection)
        keeping.update_words(documents.store, documents.made)
        make_vectors(documents, encoder)
        print(several(keeping.progress(documents.made).done, "passage"))


def _check(given: Settings, _options: argparse.Namespace) -> int:
    from appliance.documents.check import check

    with opened(given) as documents:
        report = check(documents)
        if report.waiting:
            make_vectors(documents, open_encoder(given))
    for sentence in report.lost:
        print(sentence)
    held = f"{several(report.documents, 'document')}, {several(report.passages, 'passage')}"
    print(f"{held}, {report.healed:,} healed")
    if report.lost:
        print("Restore the last backup: appliance documents restore FILE.")
    return 2 if report.lost else 0


def _backup(given: Settings, options: argparse.Namespace) -> None:
    from appliance.documents.backup import backup

    with opened(given) as documents:
        print(f"{options.file}: {backup(documents.store, options.file):,} bytes")


def _restore(given: Settings, options: argparse.Namespace) -> None:
    from appliance.documents.backup import held, restore

    with opened(given) as documents:
        restore(documents.store, options.file)
        print(f"{_held(*held(documents.store))} restored from {options.file}")
    with opened(given) as documents:
        try:
            make_vectors(documents, open_encoder(given))
        except LamplightError as error:  # restored all the same
            print(f"The vectors are made when the box runs. {error}")


def _export(given: Settings, options: argparse.Namespace) -> None:
    from appliance.documents.export import export

    with opened(given) as documents:
        found, conversations = export(documents.store, options.to)
    print(f"{_held(found, conversations)} in {options.to}")


def _held(documents: int, conversations: int) -> str:
    return f"{several(documents, 'document')} and {several(conversations, 'conversation')}"


VERBS: dict[str, tuple[Verb, str]] = {
    "documents rebuild": (_rebuild, "Make words and vectors again from the archive."),
    "documents check": (_check, "Compare everything with the archive, and heal what differs."),
    "documents backup": (_backup, "Write documents and conversations to one file."),
    "documents restore": (_restore, "Put a backup in the place of all that is there."),
    "documents export": (_export, "Write everything as Markdown files."),
}
_FILE: Option = (("file",), {"type": Path, "metavar": "FILE", "help": "The backup's file."})
OPTIONS: dict[str, tuple[Option, ...]] = {
    "documents backup": (_FILE,),
    "documents restore": (_FILE,),
    "documents export": ((("to",), {"type": Path, "metavar": "FOLDER", "help": "A new folder."}),),
}
