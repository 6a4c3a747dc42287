"""Kiwix's catalogue of archives: OPDS 1.2 feeds of Atom, as kiwix-serve makes them
(https://kiwix-tools.readthedocs.io/en/latest/kiwix-serve.html#catalog-v2-opds-api).

An entry leads to a metalink (`….zim.meta4`); its `length` is the archive's size rounded up to 1,024 bytes, so
it says about how large an archive is and no more.
"""

import difflib
import urllib.parse
from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from appliance import downloads
from appliance.bundles import xml
from appliance.bundles.manifest import KiwixArchive
from appliance.errors import BundleError

KIWIX = "https://opds.library.kiwix.org/catalog/v2/entries"
PAGE, PAGE_BYTES, ENTRIES = 500, 50_000_000, 50_000  # asked for at once; read of a page; read in all
_ATOM, _DC = "{http://www.w3.org/2005/Atom}", "{http://purl.org/dc/terms/}"
_ACQUISITION = "http://opds-spec.org/acquisition"


@dataclass(frozen=True, slots=True)
class Entry:
    """An archive as the catalogue says it: `issued` is its date (YYYY-MM-DD), `address` that of its metalink
    or of the archive itself."""

    name: str
    flavour: str
    title: str
    issued: str
    uuid: str
    about_bytes: int
    address: str


class NotInCatalogue(BundleError):
    """The catalogue has no archive of that name and flavour."""


def read_feed(found: bytes, address: str) -> tuple[list[Entry], int, int]:
    """The archives of one page that can be fetched, how many entries it has, and how many there are in all
    (0: not said). `address` is the page's own after redirects: links count from it. Raises BundleError."""
    feed = xml.parse(found, f"The catalogue at {address}", _ATOM + "feed")
    rows = feed.findall(_ATOM + "entry")
    total = xml.number(xml.text(feed, _ATOM + "totalResults"))
    entries = [entry for row in rows if (entry := _entry(row, address))]
    return entries, len(rows), total


def _entry(row: Element, address: str) -> Entry | None:
    links = [
        link
        for link in row.findall(_ATOM + "link")
        if link.get("rel", "").startswith(_ACQUISITION) and link.get("type") == "application/x-zim"
    ]
    if not links:
        return None
    return Entry(
        name=xml.text(row, _ATOM + "name"),
        flavour=xml.text(row, _ATOM + "flavour"),
        title=xml.text(row, _ATOM + "title"),
        issued=(xml.text(row, _DC + "issued") or xml.text(row, _ATOM + "updated"))[:10],
        uuid=xml.text(row, _ATOM + "id").removeprefix("urn:uuid:"),
        about_bytes=xml.number(links[0].get("length")),
        address=urllib.parse.urljoin(address, links[0].get("href", "")),
    )


def entries(catalogue: str, **query: str) -> Iterator[Entry]:
    """All that the catalogue answers, page by page. Raises SourceDown or BundleError."""
    seen = 0
    while seen < ENTRIES:
        asked = urllib.parse.urlencode({**query, "start": seen, "count": PAGE})
        page, count, total = read_feed(*downloads.document(f"{catalogue}?{asked}", PAGE_BYTES))
        yield from page
        seen += count
        if not count or seen >= (total or seen + (count == PAGE)):
            return
    raise BundleError(f"The catalogue {catalogue} has more than {ENTRIES:,} entries.")


def find(wanted: KiwixArchive, catalogue: str = KIWIX) -> Entry:
    """The newest edition. Raises NotInCatalogue, which says what comes near, SourceDown or BundleError."""
    named = [entry for entry in entries(catalogue, name=wanted.name) if entry.name == wanted.name]
    if not named:
        everything = list(entries(catalogue))
        named = [entry for entry in everything if entry.name == wanted.name]  # a server that cannot filter
    if not named:
        names = {entry.name for entry in everything}
        near = difflib.get_close_matches(wanted.name, sorted(names), 3, 0.7)
        raise NotInCatalogue(
            f"The catalogue has no archive named {wanted.name}.",
            f"Did you mean {' or '.join(near)}?" if near else f"It has {len(names):,} others: {catalogue}",
        )
    flavours = sorted({entry.flavour for entry in named})
    fitting = [entry for entry in named if entry.flavour == wanted.flavour]
    if not wanted.flavour and len(flavours) == 1:
        fitting = named
    if not fitting:
        said = f"has no flavour {wanted.flavour}" if wanted.flavour else "comes in several flavours"
        there = ", ".join(flavour or "none" for flavour in flavours)
        raise NotInCatalogue(f"The archive {wanted.name} {said}.", f"The catalogue's flavours: {there}.")
    return max(fitting, key=lambda entry: (entry.issued, entry.address))
