"""Reading and writing archives through the one door to libzim."""

from small_library import EVIDENCE

from appliance.records import Document
from appliance.sources.zim import ZimArchive


def test_every_page_that_can_be_evidence_is_read(small_archive):
    archive = ZimArchive.open(small_archive)
    found = [document for _, document in archive.documents()]
    assert all(isinstance(document, Document) for document in found)
    assert sorted(document.path for document in found) == EVIDENCE
