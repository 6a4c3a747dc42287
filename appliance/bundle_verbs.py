"""The verbs `appliance bundle …`: printing and parsing. Each loads no more than it needs."""

import argparse
from collections.abc import Callable
from typing import Any

from appliance.settings import Settings


def _list(given: Settings, _options: argparse.Namespace) -> None:
    from appliance.bundles import definitions
    from appliance.bundles.manifest import DefinitionError

    for file in definitions.files(given.home):
        try:
            found = definitions.read(file).definition
        except DefinitionError as error:
            print(f"{file.stem:<16} {error}")
            continue
        least = "over" if found.unsized else "about"
        size = f"{least} {found.about_bytes / 1e9:,.1f} GB" if found.about_bytes else ""
        print(f"{found.name:<16} {size:>16}  {','.join(found.languages)}  {found.title}")


def _show(given: Settings, options: argparse.Namespace) -> None:
    from appliance.bundles import definitions, lock

    found = definitions.find(options.name, given.home)
    plan = found.definition
    print(f"{plan.name}: {plan.title}\n{plan.description}\n")
    locked = lock.read(found).archives if found.lock.exists() else ()
    for archive in () if locked else plan.kiwix:
        size = f"about {archive.about_mb:>9,} MB" if archive.about_mb else "size not known: lock it"
        print(f"  {archive!s:<50} {size}")
    for edition in locked:
        print(f"  {edition.file:<56} {edition.bytes / 1e6:>9,.0f} MB")
    for path in plan.zims:
        print(f"  {found.beside(path)}")
    for folder in plan.folders:
        print(f"  {folder.name}, made of {found.beside(folder.path)}")
    for name in plan.texts.get("archive", ()):
        print(f"  {name}, made here")
    size = f" of {plan.needs.disk_gb:,} GB" if plan.needs.disk_gb else ""
    print(f"\nlanguages: {', '.join(plan.languages)}\nmodel: {plan.model or 'the box has its own'}")
    print(f"needs: {' or '.join(plan.needs.boards)}, a card or disk{size}\nfile: {found.file}")


def _lock(given: Settings, options: argparse.Namespace) -> None:
    from appliance.bundles import catalogue, definitions, lock

    found = definitions.find(options.name, given.home)
    made = lock.make(found, options.catalogue or catalogue.KIWIX)
    for archive in made.archives:
        print(f"{archive.file:<56} {archive.bytes:>16,} bytes  {archive.sha256[:12]}…")
    print(f"{'in all':<56} {made.bytes:>16,} bytes\n{found.lock}")


def _fetch(given: Settings, options: argparse.Namespace) -> None:
    from appliance.bundles import definitions, gather

    found = definitions.find(options.name, given.home)
    gathered = gather.gather(found, given.home, options.parallel, options.check)
    print(*gathered.archives, *gathered.models.values(), sep="\n", end="\n" if gathered.archives else "")


Verb = Callable[[Settings, argparse.Namespace], int | None]
Option = tuple[tuple[str, ...], dict[str, Any]]
FAMILY = "What travels: collections of archives with their indexes."
VERBS: dict[str, tuple[Verb, str]] = {
    "bundle list": (_list, "List the bundles that are defined."),
    "bundle show": (_show, "Print what a bundle is made of."),
    "bundle lock": (_lock, "Look its archives up: exact editions, sizes and hashes."),
    "bundle fetch": (_fetch, "Fetch what it is made of, as locked; an interrupted run goes on where it was."),
}
_NAME: Option = (("name",), {"metavar": "NAME", "help": "A bundle's name, or the file of its definition."})
CLUSTER: Option = (
    ("--cluster",),
    {
        "default": "",
        "metavar": "ADDRESS",
        "help": "Dask scheduler whose workers embed, as tcp://10.0.0.5:8786.",
    },
)
_CATALOGUE: Option = (
    ("--catalogue",),
    {"metavar": "ADDRESS", "help": "A catalogue (OPDS) instead of Kiwix's."},
)
_PARALLEL: Option = (
    ("--parallel",),
    {"type": int, "default": 4, "choices": range(1, 17), "metavar": "1…16", "help": "Archives at once."},
)
_CHECK: Option = (
    ("--check",),
    {
        "action": "store_true",
        "help": "Only say sizes, disk and time; the time is measured by some seconds of it.",
    },
)
OPTIONS: dict[str, tuple[Option, ...]] = {
    "bundle show": (_NAME,),
    "bundle lock": (_NAME, _CATALOGUE),
    "bundle fetch": (_NAME, _PARALLEL, _CHECK),
}
