"""Small real files of the formats that are read, written for the tests."""

import zipfile
from pathlib import Path

from fpdf import FPDF

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" '
    'ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
)
_RELS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="r1" Target="word/document.xml" Type="http://schemas.openxmlformats.org/officeDocument'
    '/2006/relationships/officeDocument"/></Relationships>'
)
_STYLES = (
    f'<w:styles {_W}><w:style w:type="paragraph" w:styleId="H1">'
    '<w:name w:val="heading 1"/></w:style></w:styles>'
)
_STYLED = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="s" '
    'Target="styles.xml" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles"/>'
    "</Relationships>"
)


def zipped(file: Path, parts: dict[str, str]) -> Path:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return file


def docx(file: Path, heading: str, *paragraphs: str) -> Path:
    body = f'<w:p><w:pPr><w:pStyle w:val="H1"/></w:pPr><w:r><w:t>{heading}</w:t></w:r></w:p>'
    body += "".join(f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>" for text in paragraphs)
    core = (
        "<cp:coreProperties "
        'xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/">'
        "<dc:language>fr</dc:language><dcterms:created>2021-05-04T10:00:00Z</dcterms:created>"
        "</cp:coreProperties>"
    )
    return zipped(
        file,
        {
            "[Content_Types].xml": _TYPES,
            "_rels/.rels": _RELS,
            "word/_rels/document.xml.rels": _STYLED,
            "word/styles.xml": _STYLES,
            "word/document.xml": f"<w:document {_W}><w:body>{body}</w:body></w:document>",
            "docProps/core.xml": core,
        },
    )


def more(file: Path, parts: dict[str, str]) -> None:
    """Puts further parts into a file that was made so."""
    with zipfile.ZipFile(file, "a", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)


_ODF = ("office", "text", "table")


def odt(file: Path, heading: str, *paragraphs: str) -> Path:
    names = " ".join(f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in _ODF)
    body = f'<text:h text:outline-level="1">{heading}</text:h>'
    body += "".join(f"<text:p>{text}</text:p>" for text in paragraphs)
    content = (
        f"<office:document-content {names}><office:body><office:text>{body}</office:text></office:body>"
        "</office:document-content>"
    )
    return zipped(file, {"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": content})


def epub(file: Path, title: str, *chapters: tuple[str, str]) -> Path:
    container = (
        '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0"><rootfiles>'
        '<rootfile full-path="book/package.opf" media-type="application/oebps-package+xml"/></rootfiles>'
        "</container>"
    )
    items = "".join(
        f'<item id="c{n}" href="c%20{n}.xhtml" media-type="application/xhtml+xml"/>'
        for n in range(len(chapters))
    )
    spine = "".join(f'<itemref idref="c{n}"/>' for n in range(len(chapters)))
    package = (
        '<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata '
        f'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{title}</dc:title><dc:language>en</dc:language>'
        f"<dc:date>1911</dc:date></metadata><manifest>{items}</manifest><spine>{spine}</spine></package>"
    )
    pages = {
        f"book/c {n}.xhtml": f"<html><body><h1>{heading}</h1><p>{text}</p></body></html>"
        for n, (heading, text) in enumerate(chapters)
    }
    parts = {"mimetype": "application/epub+zip", "META-INF/container.xml": container}
    return zipped(file, {**parts, "book/package.opf": package, **pages})


def pdf(file: Path, *pages: tuple[str, str]) -> Path:
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
