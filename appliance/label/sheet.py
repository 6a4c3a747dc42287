"""The label as a PDF: one A6 page, its fonts embedded, the letters of every script joined as they should be
(HarfBuzz) and each paragraph in its direction.

The fonts (`fonts/`, SIL Open Font License) have Latin, Greek, Cyrillic, Arabic and Devanagari. A network's
name in other letters is refused and not printed as empty boxes: a label that cannot be read out helps
nobody whose camera does not read codes.
"""

from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

import segno
from fpdf import FPDF
from fpdf.enums import Align, MethodReturnValue, XPos, YPos
from fpdf.fonts import TTFFont

from appliance.errors import LabelError
from appliance.label.facts import Facts
from appliance.label.words import RIGHT_TO_LEFT, WORDS, Words

FONTS = Path(__file__).parent / "fonts"
LAMP = Path(__file__).parents[2] / "web/static/lamp.svg"
WIDTH, HEIGHT, MARGIN, GAP = 105.0, 148.0, 7.0, 5.0  # mm; A6 (ISO 216)
COLUMN = (WIDTH - 2 * MARGIN - GAP) / 2
QUIET = 4  # modules of white around a code (ISO/IEC 18004)
PIXELS = 16  # of a module
POINT = 25.4 / 72  # mm
INK, SOFT, GLOW = (28, 24, 20), (95, 86, 76), (154, 75, 0)
FAMILIES = ("NotoSans", "NotoSansArabic", "NotoSansDevanagari")
LINE = POINT * 1.3  # mm of a line's height for each point of its letters
SMALLEST = 7.0  # points of a line that is made to fit; below it nobody reads
SIZES = (9.5, 8.5, 7.5, SMALLEST)  # points of the help at the foot
BETWEEN = 1.5  # mm between its paragraphs
DATE = datetime(2026, 1, 1, tzinfo=UTC)  # always the same, so that the same facts give the same file


def pdf(facts: Facts) -> bytes:
    """Raises LabelError when the network's name has letters that the fonts have not."""
    with closing(_Sheet(facts.language)) as sheet:
        sheet.require_letters(facts.network + facts.name)
        _draw(sheet, facts, WORDS[facts.language])
        return bytes(sheet.output())


def _draw(sheet: "_Sheet", facts: Facts, words: Words) -> None:
    _head(sheet, words)
    top = sheet.get_y() + 4
    columns = (MARGIN, MARGIN + COLUMN + GAP)
    first, second = reversed(columns) if sheet.rtl else columns
    lowest = 0.0
    for left, number, title, held, fields in (
        (first, "1", words.join, facts.join, _fields(facts, words)),
        (second, "2", words.open, facts.address, (("", facts.address), ("", facts.number))),
    ):
        sheet.set_y(top)
        _step(sheet, left, f"{number}  {title}", held, fields)
        lowest = max(lowest, sheet.get_y())
    sheet.set_draw_color(*SOFT)
    sheet.line(MARGIN, lowest + 2, WIDTH - MARGIN, lowest + 2)
    foot = [
        sentence.format(address=facts.address, number=facts.number)
        for sentence in (words.no_page, words.private_dns)
    ]
    sheet.set_y(lowest + 4)
    sheet.paragraphs(foot, MARGIN, WIDTH - 2 * MARGIN, HEIGHT - MARGIN / 2 - sheet.get_y())


def _head(sheet: "_Sheet", words: Words) -> None:
    lamp, beside = (WIDTH - MARGIN - 12, MARGIN) if sheet.rtl else (MARGIN, MARGIN + 14)
    sheet.image(LAMP, x=lamp, y=MARGIN - 1, w=12)
    sheet.set_y(MARGIN - 1)
    sheet.say("Lamplight", beside, WIDTH - 2 * MARGIN - 14, 19, bold=True)
    sheet.say(words.about, beside, WIDTH - 2 * MARGIN - 14, 9, colour=SOFT)
    sheet.set_y(max(sheet.get_y(), MARGIN + 12))


def _fields(facts: Facts, words: Words) -> tuple[tuple[str, str], ...]:
    if not facts.passphrase:
        return ((words.network, facts.network), ("", words.no_passphrase))
    return ((words.network, facts.network), (words.passphrase, facts.passphrase))


def _step(sheet: "_Sheet", left: float, title: str, held: str, fields: tuple[tuple[str, str], ...]) -> None:
    """A column: what to do, its code, and the same in letters."""
    sheet.line_of(title, left, COLUMN, 13, colour=GLOW)
    sheet.image(code(held), x=left, y=sheet.get_y(), w=COLUMN)
    sheet.set_y(sheet.get_y() + COLUMN)
    for name, value in fields:
        if name:
            sheet.say(name, left, COLUMN, 8, colour=SOFT)
        sheet.line_of(value, left, COLUMN, 13)
        sheet.set_y(sheet.get_y() + 1)


def code(text: str) -> BytesIO:
    """A QR code as PNG, with its quiet zone. UTF-8 is what phones take it for; level Q stands a stain."""
    made = BytesIO()
    qr = segno.make_qr(text, error="q", encoding="utf-8" if not text.isascii() else None, boost_error=False)
    qr.save(made, kind="png", scale=PIXELS, border=QUIET)
    return made


class _Sheet(FPDF):
    """An A6 page on which a text finds its font and its direction by itself."""

    def __init__(self, language: str) -> None:
        super().__init__(unit="mm", format=(WIDTH, HEIGHT))
        self.set_margin(MARGIN)
        self.set_auto_page_break(False)
        for family in FAMILIES:
            self.add_font(family, "", FONTS / f"{family}-Regular.ttf")
            self.add_font(family, "B", FONTS / f"{family}-Bold.ttf")
        self.set_fallback_fonts(list(FAMILIES[1:]))
        self.set_text_shaping(True)
        self.rtl = language in RIGHT_TO_LEFT
        self.set_lang(language)
        self.set_title("Lamplight")
        self.set_creation_date(DATE)
        self.add_page()

    def require_letters(self, text: str) -> None:
        """Raises LabelError unless each letter is in one of the fonts."""
        known = {letter for font in self.fonts.values() if isinstance(font, TTFFont) for letter in font.cmap}
        if strange := [letter for letter in text if ord(letter) not in known]:
            raise LabelError(
                f"The label's fonts have no letter “{strange[0]}” (U+{ord(strange[0]):04X}).",
                "Give the network a name in Latin, Greek, Cyrillic, Arabic or Devanagari letters.",
            )

    def close(self) -> None:
        """fpdf2 leaves the fonts' files open."""
        for font in self.fonts.values():
            if isinstance(font, TTFFont):
                font.ttfont.close()

    def say(
        self,
        text: str,
        left: float,
        width: float,
        size: float,
        bold: bool = False,
        colour: tuple[int, int, int] = INK,
    ) -> None:
        """A paragraph from the present height down; `size` in points."""
        self.set_font(FAMILIES[0], "B" if bold else "", size)
        # fpdf2 2.8 sets a font within the colour's brackets and counts on it after them; without brackets,
        # which the same colour for filling needs none of, the next line has its font
        self.set_fill_color(*colour)
        self.set_text_color(*colour)
        self.set_x(left)
        self.multi_cell(
            width,
            size * LINE,
            text,
            padding=0,
            align=Align.R if self.rtl else Align.L,
            new_x=XPos.LEFT,
            new_y=YPos.NEXT,
        )

    def paragraphs(self, texts: Sequence[str], left: float, width: float, height: float) -> None:
        """Paragraphs in the largest of SIZES with which they fit into `height`. Raises LabelError."""
        for size in SIZES:
            if sum(self._height(text, width, size) + BETWEEN for text in texts) - BETWEEN <= height:
                break
        else:
            raise LabelError("The label's text does not fit its page.", "Give the network a shorter name.")
        for text in texts:
            self.say(text, left, width, size)
            self.set_y(self.get_y() + BETWEEN)

    def _height(self, text: str, width: float, size: float) -> float:
        """Of a paragraph, in mm."""
        self.set_font(FAMILIES[0], "", size)
        found = self.multi_cell(
            width, size * LINE, text, dry_run=True, output=MethodReturnValue.HEIGHT, padding=0
        )
        assert isinstance(found, float | int)
        return float(found)

    def line_of(
        self, text: str, left: float, width: float, size: float, colour: tuple[int, int, int] = INK
    ) -> None:
        """One bold line, as large as fits; what is too long even when small is broken where it must be."""
        self.set_font(FAMILIES[0], "B", size)
        fitting = size * min(1.0, (width - 2 * self.c_margin) / max(1.0, self.get_string_width(text)))
        self.say(text, left, width, max(SMALLEST, fitting), bold=True, colour=colour)
