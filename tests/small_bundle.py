"""A small real bundle for the tests: two archives of our own pages, indexes with the stand-in encoder; and
what a liar does to it."""

import functools
import hashlib
import shutil
from pathlib import Path

from small_library import INDEX, METADATA, PAGES

from appliance import models
from appliance.bundles import sums
from appliance.bundles.build import build
from appliance.bundles.manifest import MANIFEST, SUMS, Definition
from appliance.indexer.build import build as build_index
from appliance.indexer.workers import Encoding
from appliance.sources.zim import ZimArchive, write_archive
from appliance.vectors import HashEncoder

SHA256 = models.catalogue().find(models.EMBEDDING[0]).sha256
DEFINITION = Definition("valley", "The clinic of our valley", "Medicine and repair", ("eng",))


def _hash_encoder(_threads):
    return HashEncoder()


ENCODING = Encoding("minilm", SHA256, HashEncoder, _hash_encoder)
"""The stand-in under the real model's name: a box takes such an index for a fitting one."""


def write_small(path, pages=PAGES):
    write_archive(path, [*pages, INDEX], METADATA, "eng", "index")
    return path


def index_beside(path, encoding=ENCODING):
    target = path.with_suffix(".index")
    build_index(ZimArchive.open(path), target, encoding, workers=1)
    return target


def make(folder: Path, pages=PAGES, version="1", key=None, names=("small_2025-06", "second_2025-06")):
    """A bundle in `folder`/valley-VERSION, from archives that are written to `folder`/work."""
    work = folder / "work"
    work.mkdir(parents=True, exist_ok=True)
    archives = [write_small(work / f"{name}.zim", pages) for name in names]
    return build(DEFINITION, version, archives, {}, index_beside, folder, key)


def copy_of(bundle: Path, target: Path) -> Path:
    """A copy that a test may change."""
    shutil.copytree(bundle, target)
    for file in target.rglob("*"):
        file.chmod(0o755 if file.is_dir() else 0o644)
    return target


def list_anew(bundle: Path, **changes):
    """Writes SHA256SUMS for what lies there now, as a liar would; `changes`: path -> hash."""
    files = [path for path in bundle.rglob("*") if path.is_file() and path.name not in (SUMS, "bundle.sig")]
    hashes = {str(path.relative_to(bundle)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
    (bundle / SUMS).write_text(sums.render(hashes | changes), "utf-8")


def edit_manifest(bundle: Path, old: str, new: str):
    text = (bundle / MANIFEST).read_text("utf-8")
    assert old in text
    (bundle / MANIFEST).write_text(text.replace(old, new), "utf-8")
    list_anew(bundle)


@functools.cache
def total_bytes(bundle: Path) -> int:
    return sum(path.stat().st_size for path in bundle.rglob("*") if path.is_file())
