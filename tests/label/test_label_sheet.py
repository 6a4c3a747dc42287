"""The label itself: both codes are read back by a real decoder, from the PDF's page and from the PNG."""

from contextlib import closing
from dataclasses import replace
from io import BytesIO

import pypdfium2
import pytest
import zxingcpp
from PIL import Image

from appliance.errors import LabelError
from appliance.label import words
from appliance.label.facts import Facts
from appliance.label.picture import DPI, png
from appliance.label.sheet import HEIGHT, WIDTH, _Sheet, pdf
from appliance.server import phrases_portal

pytestmark = pytest.mark.slow

ENGLISH = Facts("Lamplight", "kb7d-x2mq-w9ta", "lamplight", "en")
NETWORKS = {
    "en": "Sam's Library",
    "fr": "École du Mbomou",
    "es": "Biblioteca de Ñuñoa",
    "ar": "مكتبة القرية",
    "hi": "ग्राम पुस्तकालय",
}


def codes(picture: Image.Image) -> set[str]:
    return {found.text for found in zxingcpp.read_barcodes(picture)}


def page(content: bytes) -> tuple[Image.Image, str, tuple[float, float]]:
    """A PDF's only page at 150 dots per inch, its text, and its size in points."""
    document = pypdfium2.PdfDocument(content)
    assert len(document) == 1
    sheet = document[0]
    found = sheet.render(scale=150 / 72).to_pil(), sheet.get_textpage().get_text_range(), sheet.get_size()
    document.close()
    return found


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_both_codes_are_read_back_in_every_language(language: str) -> None:
    facts = replace(ENGLISH, language=language, network=NETWORKS[language], passphrase='a\\b;c,d:e"f g')
    made = pdf(facts)
    picture, text, size = page(made)
    assert codes(picture) == {facts.join, facts.address}
    assert codes(Image.open(BytesIO(png(made)))) == {facts.join, facts.address}
    assert size == pytest.approx((WIDTH / 25.4 * 72, HEIGHT / 25.4 * 72), abs=0.1)
    for told in ('a\\b;c,d:e"f g', "http://lamplight", "http://198.51.100.1", "DNS"):
        assert told in text


def test_the_picture_is_an_a6_page_at_its_resolution() -> None:
    picture = Image.open(BytesIO(png(pdf(ENGLISH))))
    assert picture.format == "PNG"
    assert picture.info["dpi"] == pytest.approx((DPI, DPI), abs=0.1)
    assert picture.size == pytest.approx((WIDTH / 25.4 * DPI, HEIGHT / 25.4 * DPI), abs=2)


def test_name_passphrase_and_help_are_printed() -> None:
    _, text, _ = page(pdf(ENGLISH))
    text = " ".join(text.split())
    for told in ("Join the Wi-Fi", "Network Lamplight", "Passphrase kb7d-x2mq-w9ta", "No page opens?"):
        assert told in text
    assert "Private DNS" in text


def test_an_open_network_says_so() -> None:
    _, text, _ = page(pdf(replace(ENGLISH, passphrase="")))
    assert "No passphrase" in text


def test_fonts_are_embedded_and_no_other_is_used() -> None:
    made = pdf(replace(ENGLISH, network="مكتبة ग्राम"))
    assert made.count(b"/FontFile2") >= 3
    assert b"/Type1" not in made


def test_the_same_facts_give_the_same_file() -> None:
    assert pdf(ENGLISH) == pdf(ENGLISH)


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_the_longest_name_and_passphrase_fit(language: str) -> None:
    facts = replace(ENGLISH, language=language, network="W" * 32, passphrase="W" * 63, name="w" * 32)
    assert codes(page(pdf(facts))[0]) == {facts.join, facts.address}


@pytest.mark.parametrize("network", ["図書館", "📚", "ห้องสมุด"])
def test_letters_that_cannot_be_printed_are_refused(network: str) -> None:
    with pytest.raises(LabelError, match=f"no letter “{network[0]}”"):
        pdf(replace(ENGLISH, network=network))


def test_letters_are_joined() -> None:
    """Arabic letters are narrower within a word than alone; a Devanagari vowel joins its consonant."""
    with closing(_Sheet("ar")) as sheet:
        width = sheet.get_string_width
        sheet.set_font("NotoSansArabic", "", 12)
        assert width("مكتبة") < 0.9 * sum(map(width, "مكتبة"))
        sheet.set_font("NotoSansDevanagari", "", 12)
        assert width("क्ष") < 0.9 * (width("क्") + width("ष"))


def test_the_label_speaks_the_languages_of_the_welcome_page() -> None:
    assert words.LANGUAGES == phrases_portal.LANGUAGES
    assert words.RIGHT_TO_LEFT == phrases_portal.RIGHT_TO_LEFT
