"""Small real files of the formats that are read, written for the tests."""

import re
import textwrap
import zipfile
from pathlib import Path

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
    """Each page with a heading and a text; ("", "") is one without any text, as a scanner makes. The text is
    in lines as wide as the page, as a word processor sets it; its letters are all of one width."""
    parts = ["<</Type/Font/Subtype/Type1/BaseFont/Courier/Encoding/WinAnsiEncoding>>"]
    kids = []
    for heading, text in pages:
        shown = [f"1 0 0 1 60 760 Tm /F1 20 Tf 0 Tw ({_escaped(heading)}) Tj"] if heading else []
        for n, (line, between) in enumerate(_justified(text, 70)):
            at = f"1 0 0 1 60 {730 - 17 * n} Tm"
            shown.append(f"{at} /F1 11 Tf {between * 11 * 0.6:.3f} Tw ({_escaped(line)}) Tj")
        content = f"60 600 170 -170 re S BT {' '.join(shown)} ET"
        parts.append(f"<</Length {len(content)}>>stream\n{content}\nendstream")
        kids.append(f"{len(parts) + 4} 0 R")
        parts.append(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 4 0 R>>>>"
            f"/Contents {len(parts) + 3} 0 R>>"
        )
    listed = f"<</Type/Pages/Kids[{' '.join(kids)}]/Count {len(kids)}>>"
    about = "<</Producer (tests)/CreationDate (D:20260301120000Z)>>"
    file.write_bytes(_pdf_file(["<</Type/Catalog/Pages 2 0 R>>", listed, about, *parts]))
    return file


def _justified(text: str, width: int) -> list[tuple[str, float]]:
    """The lines of a text, and how many letters wider each of their spaces is made."""
    lines = textwrap.wrap(text, width)
    wide = [(line, (width - len(line)) / max(1, line.count(" "))) for line in lines[:-1]]
    return wide + [(line, 0.0) for line in lines[-1:]]


def _escaped(text: str) -> str:
    return re.sub(r"([\\()])", r"\\\1", text)


def _pdf_file(objects: list[str]) -> bytes:
    """Objects 1, 2 …: the first is the catalogue, the third what the file says of itself."""
    made, places = bytearray(b"%PDF-1.4\n"), []
    for number, content in enumerate(objects, 1):
        places.append(len(made))
        made += f"{number} 0 obj\n{content}\nendobj\n".encode("cp1252")
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    size = len(objects) + 1
    end = f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer<</Size {size}/Root 1 0 R/Info 3 0 R>>\n"
    return bytes(made) + f"{end}startxref\n{len(made)}\n%%EOF\n".encode()
