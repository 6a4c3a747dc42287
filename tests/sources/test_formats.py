"""Own files of every format: the text, its blocks, what they say of themselves; and hostile ones."""

import re
import time
import zipfile
from pathlib import Path

import pytest
from every import every

from appliance.errors import EntryUnreadable
from appliance.records import Document
from appliance.sources import files
from appliance.sources.encodings import decode
from tests.sources import written

LETTER = "The well was dug in 1911 and gave water for the whole village until the dry year."


def blocks(document: Document) -> list[tuple[str, str]]:
    return [(block.kind, document.text[block.start : block.end]) for block in document.blocks]


def test_markdown_keeps_its_text_as_it_was_with_front_matter_and_windows_line_ends(tmp_path: Path) -> None:
    text = (
        "---\r\ntitle: The well\r\ndate: 1911-06-03\r\ntags: [water, village]\r\n---\r\n"
        "# How it was dug\r\n\r\nBy hand.\r\nIn June.\r\n\r\n- spade\r\n- rope\r\n\r\n"
        "| depth | day |\r\n|---|---|\r\n| 3 m | 1 |\r\n\r\n"
        "```\r\nx = 1\r\n\r\ny = 2\r\n```\r\n\r\n$$\r\nE=mc^2\r\n$$\r\n"
    )
    (file := tmp_path / "a.md").write_bytes(text.encode())
    reading = files.read(file, "a.md")
    assert reading.document.text == text
    assert (reading.document.title, reading.written) == ("The well", "1911-06-03")
    assert reading.meta["tags"] == "water, village"
    assert blocks(reading.document) == [
        ("heading", "# How it was dug"),
        ("paragraph", "By hand.\r\nIn June."),
        ("item", "- spade"),
        ("item", "- rope"),
        ("row", "| depth | day |"),
        ("row", "| 3 m | 1 |"),
        ("code", "```\r\nx = 1\r\n\r\ny = 2\r\n```"),
        ("formula", "$$\r\nE=mc^2\r\n$$"),
    ]
    assert {block.headings for block in reading.document.blocks[1:]} == {("How it was dug",)}


def test_plain_text_has_paragraphs_headings_and_what_fences_enclose(tmp_path: Path) -> None:
    text = (
        "\ufeffA letter home\n\nDear all,\nwe are well.\n\nTHE WELL\n\nDeep.\n\n"
        "The road\n--------\nLong.\n\n```\na\n\nb\n```\n"
    )
    (file := tmp_path / "1911-06_letter.txt").write_text(text, "utf-8")
    reading = files.read(file, file.name)
    assert reading.document.text == text[1:]
    assert (reading.document.title, reading.written) == ("A letter home", "1911-06")
    assert blocks(reading.document) == [
        ("paragraph", "A letter home"),
        ("paragraph", "Dear all,\nwe are well."),
        ("heading", "THE WELL"),
        ("paragraph", "Deep."),
        ("heading", "The road"),
        ("paragraph", "Long."),
        ("code", "```\na\n\nb\n```"),
    ]
    assert reading.document.blocks[-1].headings == ("The road",)


@every(
    ("text", "encoding"),
    [
        ("Köln und München: schöne Grüße, ça va très bien", "cp1252"),
        ("été à la plage", "latin-1"),
        ("Привет мир, это текст на русском языке. Сегодня хорошая погода.", "cp1251"),
        ("Łódź i Kraków są pięknymi miastami, proszę bardzo", "cp1250"),
        ("東京は日本の首都です。今日は天気がいいですね。", "shift_jis"),
        ("A letter with a byte order mark: été", "utf-16"),
        ("plain", "utf-8-sig"),
    ],
)
def test_encodings_are_told(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding), "a.txt")[0] == text


def test_a_page_of_the_web_says_its_language_and_date(tmp_path: Path) -> None:
    html = (
        '<html lang="es"><head><title>El pozo</title>'
        '<meta name="date" content="1950-02-01"><meta charset="latin-1">'
        "</head><body><h2>Agua</h2><p>El pozo está seco.</p><script>var x = 1</script></body></html>"
    )
    (file := tmp_path / "pozo.html").write_bytes(html.encode("latin-1"))
    reading = files.read(file, file.name)
    assert (reading.document.title, reading.language, reading.written) == ("El pozo", "es", "1950-02-01")
    assert blocks(reading.document) == [("heading", "Agua"), ("paragraph", "El pozo está seco.")]


@pytest.mark.parametrize("ending", ["docx", "odt"])
def test_word_processors(tmp_path: Path, ending: str) -> None:
    file = getattr(written, ending)(tmp_path / f"well.{ending}", "The well", LETTER, "Second &amp; last.")
    reading = files.read(file, file.name)
    assert reading.document.title == "The well"
    assert [text for kind, text in blocks(reading.document) if kind == "paragraph"] == [
        LETTER,
        "Second & last.",
    ]
    if ending == "docx":
        assert (reading.language, reading.written) == ("fr", "2021-05-04")


def test_a_book_is_one_document_with_exact_places(tmp_path: Path) -> None:
    file = written.epub(tmp_path / "book.epub", "The Book", ("One", LETTER), ("Two", "Another well."))
    reading = files.read(file, file.name)
    assert (reading.document.title, reading.language, reading.written) == ("The Book", "en", "1911")
    assert blocks(reading.document) == [
        ("heading", "One"), ("paragraph", LETTER), ("heading", "Two"), ("paragraph", "Another well."),
    ]  # fmt: skip


def test_a_pdf_has_paragraphs_and_headings(tmp_path: Path) -> None:
    long = f"{LETTER} {LETTER} It was closed in 1950."
    file = written.pdf(tmp_path / "well.pdf", ("The well", long), ("The road", LETTER))
    assert blocks(files.read(file, file.name).document) == [
        ("heading", "The well"), ("paragraph", long), ("heading", "The road"), ("paragraph", LETTER),
    ]  # fmt: skip


def refused(file: Path, *words: str) -> None:
    with pytest.raises(EntryUnreadable) as caught:
        files.read(file, file.name)
    said = f"{caught.value} {caught.value.hint}"
    assert file.name in said
    assert all(word in said for word in words), said


def test_a_scan_is_refused_with_a_sentence(tmp_path: Path) -> None:
    refused(written.pdf(tmp_path / "scan.pdf", ("", ""), ("", "")), "no text", "OCR")


@pytest.mark.parametrize("name", ["photo.jpg", "noending", "old.doc"])
def test_what_cannot_be_read_is_named_with_what_can(tmp_path: Path, name: str) -> None:
    (file := tmp_path / name).write_bytes(b"x")
    refused(file, "cannot be read", ".epub")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.txt", b"%PDF-1.7 ..."),
        ("a.md", b"PK\x03\x04...."),
        ("a.pdf", b"just text"),
        ("a.pdf", b"%PDF-1.7 and nothing more"),
        ("a.docx", b"PK\x03\x04 broken"),
        ("a.txt", bytes(range(9)) * 400),
        ("a.txt", b" \n\n "),
        ("a.html", b"<html><body></body></html>"),
    ],
)
def test_files_that_are_not_what_they_are_named(tmp_path: Path, name: str, content: bytes) -> None:
    (file := tmp_path / name).write_bytes(content)
    refused(file)


def test_a_damaged_pdf_is_told_in_whole_sentences(tmp_path: Path) -> None:
    (file := tmp_path / "a.pdf").write_bytes(b"%PDF-1.7 and nothing more")
    with pytest.raises(EntryUnreadable, match=r"^a\.pdf is damaged: [^.]*[^.]\.$"):
        files.read(file, file.name)


def test_a_file_that_unfolds_to_gigabytes_is_refused_before_it_is_read(tmp_path: Path) -> None:
    file = tmp_path / "bomb.docx"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", b"a" * 4_000_000)
    refused(file, "unfolds")


@pytest.mark.parametrize("ending", ["odt", "docx"])
def test_entities_of_xml_are_not_followed(tmp_path: Path, ending: str) -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><x>&b;</x>'
    part = {"odt": "content.xml", "docx": "word/document.xml"}[ending]
    refused(written.zipped(tmp_path / f"a.{ending}", {part: bomb}), "damaged")


@pytest.mark.parametrize("part", ["word/styles.xml", "word/_rels/document.xml.rels", "docProps/core.xml"])
def test_no_part_of_a_word_file_has_entities(tmp_path: Path, part: str) -> None:
    body = '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"/>'
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaa">]><x>&a;</x>'
    refused(written.zipped(tmp_path / "a.docx", {"word/document.xml": body, part: bomb}), "Entities")


@pytest.mark.parametrize("mark", ["[a](", "[", "*a_ ", "![", "`a ``b "])
def test_marks_without_end_take_no_time(tmp_path: Path, mark: str) -> None:
    (file := tmp_path / "a.md").write_text(mark * (200_000 // len(mark)) + "end")
    began = time.process_time()
    assert files.read(file, "a.md").document.text.endswith("end")
    assert time.process_time() - began < 1


@pytest.mark.parametrize(
    "front",
    [
        "a: &a [x, x]\n" + "".join(f"b{n + 1}: &b{n + 1} [*b{n}, *b{n}]\n" for n in range(1, 40)),
        f"title: {'1:' * 3000}1\ndate: {'1:' * 3000}1",  # a number to the base of sixty, in YAML
        "title: {a: [1]}\nlang: [x]\ndate: 99999999999-99-99",
    ],
)
def test_front_matter_that_no_page_shows_is_left_out(tmp_path: Path, front: str) -> None:
    front = front.replace("a: &a", "b1: &b1").replace("b40:", "title: *b39\nb40:")
    (file := tmp_path / "The well.md").write_text(f"---\n{front}\n---\n\nIt was dug in 1911.\n")
    reading = files.read(file, file.name)
    assert (reading.document.title, reading.language, reading.written) == ("The well", "", None)


@pytest.mark.parametrize("charset", ["undefined", "punycode", "idna", "unicode_escape", "hex", "no such"])
def test_a_charset_that_no_page_is_in_is_passed_over(tmp_path: Path, charset: str) -> None:
    (file := tmp_path / "a.html").write_text(f"<meta charset={charset}><p>Été \\ud800, x-y</p>", "utf-8")
    assert "Été \\ud800, x-y" in files.read(file, file.name).document.text


def test_a_pdf_is_read_whatever_it_says_of_itself(tmp_path: Path) -> None:
    file = written.pdf(tmp_path / "The well.pdf", ("The well", LETTER))
    dated = re.compile(rb"/CreationDate \(.*?\)")
    says = b"/Title <FEFFD800>/Author (Ann)"  # half a letter
    file.write_bytes(dated.sub(lambda date: says.ljust(len(date[0])), file.read_bytes()))
    reading = files.read(file, file.name)
    assert (reading.document.title, reading.meta["author"]) == ("The well", "Ann")


@pytest.mark.parametrize("level", ["9" * 5000, "²", "0", "-1", "two"])
def test_the_level_of_a_heading_may_be_anything(tmp_path: Path, level: str) -> None:
    names = "urn:oasis:names:tc:opendocument:xmlns"
    body = (
        f'<o:document-content xmlns:o="{names}:office:1.0" xmlns:t="{names}:text:1.0"><o:body><o:text>'
        f'<t:h t:outline-level="{level}">The well</t:h><t:h>Deep</t:h>'
        "<t:p>Dug.</t:p></o:text></o:body></o:document-content>"
    )
    file = written.zipped(tmp_path / "a.odt", {"content.xml": body})
    assert "Dug." in files.read(file, "a.odt").document.text


@pytest.mark.parametrize(
    ("name", "part", "content"),
    [
        ("a.docx", "word/document.xml", '<?xml version="1.0" encoding="x-none"?><a/>'),
        ("a.epub", "META-INF/container.xml", "<container/>"),
    ],
)
def test_what_a_part_lacks_is_told(tmp_path: Path, name: str, part: str, content: str) -> None:
    refused(written.zipped(tmp_path / name, {part: content}), "damaged")
