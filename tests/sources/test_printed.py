"""PDFs that a well-known library makes, read as those are that the tests write themselves."""

from pathlib import Path

import pytest
from fpdf import FPDF

from appliance.errors import EntryUnreadable
from appliance.sources import files

pytestmark = pytest.mark.slow  # the library's import takes as long as hundreds of tests

LETTER = "The well was dug in 1911 and gave water for the whole village until the dry year."


def printed(file: Path, *pages: tuple[str, str]) -> Path:
    """Each page with a heading and a text; ("", "") is one without any text, as a scanner makes."""
    made = FPDF()
    for heading, text in pages:
        made.add_page()
        if heading:
            made.set_font("helvetica", size=20)
            made.multi_cell(0, 12, heading, new_x="LMARGIN", new_y="NEXT")
        if text:
            made.set_font("helvetica", size=11)
            made.multi_cell(0, 6, text)
        made.rect(20, 20, 60, 60)
    made.output(str(file))
    return file


def test_a_printed_pdf_has_paragraphs_and_headings(tmp_path: Path) -> None:
    long = f"{LETTER} {LETTER} It was closed in 1950."
    file = printed(tmp_path / "well.pdf", ("The well", long), ("The road", LETTER))
    document = files.read(file, file.name).document
    assert [(block.kind, document.text[block.start : block.end]) for block in document.blocks] == [
        ("heading", "The well"), ("paragraph", long), ("heading", "The road"), ("paragraph", LETTER),
    ]  # fmt: skip


def test_a_printed_scan_is_refused_with_a_sentence(tmp_path: Path) -> None:
    file = printed(tmp_path / "scan.pdf", ("", ""), ("", ""))
    with pytest.raises(EntryUnreadable, match="no text") as caught:
        files.read(file, file.name)
    assert file.name in str(caught.value)
    assert "OCR" in str(caught.value.hint)
