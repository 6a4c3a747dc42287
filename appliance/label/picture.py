"""A picture of the label for who has no program for PDF: its page at 300 dots per inch, as PNG."""

from io import BytesIO

import pypdfium2

DPI = 300


def png(pdf: bytes) -> bytes:
    """The first page of a PDF."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        page = document[0]
        picture = page.render(scale=DPI / 72).to_pil()
        page.close()
    finally:
        document.close()
    made = BytesIO()
    picture.save(made, "PNG", dpi=(DPI, DPI), optimize=True)
    return made.getvalue()
