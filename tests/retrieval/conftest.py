"""Real indexes of small archives, made in this process with the hash encoder."""

import zlib
from pathlib import Path

import pytest

from appliance.indexer.chunk import CHUNKER, chunk, embedding_text
from appliance.indexer.staging import Ready, Staging
from appliance.indexfile import Index
from appliance.indexformat import FORMAT
from appliance.records import Document
from appliance.retrieval.search import Book
from appliance.sources.html import EXTRACTOR
from appliance.sources.zim import ZimArchive
from appliance.sqlite import lexical_text
from appliance.vectors import HashEncoder, quantise


def index(archive: ZimArchive, target: Path) -> Index:
    """The index file that the indexer makes, without its worker processes."""
    identity = {
        "format": FORMAT,
        "archive_uuid": archive.uuid,
        "archive_checksum": archive.checksum,
        "model_sha256": HashEncoder.model_sha256,
        "extractor": EXTRACTOR,
        "chunker": CHUNKER,
    }
    staging = Staging(target.with_suffix(".part"), identity)
    documents = [document for _, document in archive.documents() if isinstance(document, Document)]
    staging.add([_ready(document) for document in documents], [], archive.entry_count())
    staging.assemble(identity | {"archive_name": archive.name, "model": "hash", "created": "2025-06-01"})
    staging.write(target)
    staging.close()
    return Index.open(target)


def _ready(document: Document) -> Ready:
    encoder = HashEncoder()
    passages = chunk(document, encoder.count, 256)
    texts = [document.text[one.start : one.start + one.length] for one in passages]
    headed = list(zip(passages, texts, strict=True))
    return Ready(
        document.path,
        document.title,
        tuple(passages),
        tuple(zlib.crc32(text.encode()) for text in texts),
        tuple(lexical_text(" ".join((document.title, *one.headings, text))) for one, text in headed),
        quantise(
            encoder.encode([embedding_text(document.title, one.headings, text) for one, text in headed])
        ),
    )


@pytest.fixture(scope="session")
def build_small(tmp_path_factory):
    """A function: the path of a ZIM -> a Book with its index."""

    def build(path):
        archive = ZimArchive.open(path)
        return Book(archive, index(archive, tmp_path_factory.mktemp("index") / f"{archive.name}.index"))

    return build
