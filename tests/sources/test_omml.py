"""Equations of word processors, read as one line of text where they stand."""

from pathlib import Path
from xml.etree import ElementTree

from every import every
from selectolax.lexbor import LexborHTMLParser

from appliance.sources import formula, omml
from appliance.sources.office import read_docx, read_odt
from tests.sources import written

M = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'


def r(text: str) -> str:
    return f"<m:r><m:t>{text}</m:t></m:r>"


def e(text: str, name: str = "e") -> str:
    return f"<m:{name}>{text}</m:{name}>"


FRACTION = f"<m:f>{e(r('a + b'), 'num')}{e(r('c'), 'den')}</m:f>"
SQUARE = f"<m:sSup>{e(r('c'))}{e(r('2'), 'sup')}</m:sSup>"
SIGMA = '<m:naryPr><m:chr m:val="∑"/></m:naryPr>'
SUM = f"<m:nary>{SIGMA}{e(r('i=1'), 'sub')}{e(r('n'), 'sup')}{e(r('i'))}</m:nary>"


@every(
    ("inside", "line"),
    [
        (r("E=m") + SQUARE, "E = mc²"),
        (FRACTION, "(a + b)/c"),
        (f"<m:rad><m:radPr/><m:deg/>{e(r('x'))}</m:rad>", "√(x)"),
        (f"<m:rad>{e(r('3'), 'deg')}{e(r('x'))}</m:rad>", "³√(x)"),
        (f"<m:sSub>{e(r('H'))}{e(r('2'), 'sub')}</m:sSub>{r('O')}", "H_2O"),
        (f"<m:sSubSup>{e(r('x'))}{e(r('1'), 'sub')}{e(r('2'), 'sup')}</m:sSubSup>", "x_1²"),
        (SUM, "∑_(i = 1)ⁿi"),
        (f"<m:d>{e(r('a'))}</m:d>", "(a)"),
        (
            f'<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val=""/></m:dPr>{e(r("a"))}{e(r("b"))}</m:d>',
            "[a|b",
        ),
        (f"<m:func>{e(r('sin'), 'fName')}{e(r('x'))}</m:func>", "sin x"),
        (f"<m:m><m:mr>{e(r('1'))}{e(r('0'))}</m:mr><m:mr>{e(r('0'))}{e(r('1'))}</m:mr></m:m>", "1, 0; 0, 1;"),
        (f"<m:limLow>{e(r('lim'))}{e(r('n→∞'), 'lim')}</m:limLow>", "lim_(n → ∞)"),
        (f"<m:box>{e(r('2,5 kg'))}</m:box>", "2,5kg"),
        (r("a &lt; b"), "a < b"),
        ("<m:ctrlPr><m:t>not shown</m:t></m:ctrlPr>", ""),
    ],
)
def test_an_equation_of_word_is_one_line(inside: str, line: str) -> None:
    made = omml.mathml(ElementTree.fromstring(f"<m:oMath {M}>{inside}</m:oMath>"))
    math = LexborHTMLParser(f"<math>{made}</math>").css_first("math")
    assert formula.from_mathml(math) == line


def test_no_depth_stops_it() -> None:
    deep = f"<m:oMath {M}>" + "<m:f><m:num>" * 500 + r("x") + "</m:num><m:den/></m:f>" * 500 + "</m:oMath>"
    assert omml.mathml(ElementTree.fromstring(deep)).startswith("<mfrac>")


def test_equations_of_a_word_file_stand_where_they_stood(tmp_path: Path) -> None:
    within = f"Energy is </w:t></w:r><m:oMath {M}>{r('E=m')}{SQUARE}</m:oMath><w:r><w:t>, he wrote."
    alone = f"</w:t></w:r><m:oMathPara {M}><m:oMath>{FRACTION}</m:oMath></m:oMathPara><w:r><w:t>"
    reading = read_docx(written.docx(tmp_path / "a.docx", "Light", within, alone, "The end."), "a.docx")
    assert "Energy is E = mc², he wrote." in reading.document.text
    kinds = {reading.document.text[one.start : one.end]: one.kind for one in reading.document.blocks}
    assert kinds["(a + b)/c"] == "formula"
    assert kinds["The end."] == "paragraph"


def test_formulas_of_an_odt_file_stand_where_they_stood(tmp_path: Path) -> None:
    space = (
        'xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" '
        'xmlns:xlink="http://www.w3.org/1999/xlink"'
    )
    objects = "".join(f'<draw:object xlink:href="./{name}"/>' for name in ("Object 1", "none"))
    frame = f"<draw:frame {space}>{objects}</draw:frame>"
    file = written.odt(tmp_path / "a.odt", "Light", f"Energy is {frame}, he wrote.")
    math = (
        '<math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mrow><mi>E</mi><mo>=</mo><mi>m</mi>'
        '<msup><mi>c</mi><mn>2</mn></msup></mrow><annotation encoding="StarMath 5.0">E = m c^2</annotation>'
        "</semantics></math>"
    )
    written.more(file, {"Object 1/content.xml": math})
    assert "Energy is E = mc², he wrote." in read_odt(file, "a.odt").document.text


def test_a_mark_that_a_text_has_itself_is_no_equation(tmp_path: Path) -> None:
    file = written.docx(tmp_path / "a.docx", "Light", f"Odd {omml.mark(7)} letters.")
    assert "Odd" in read_docx(file, "a.docx").document.text
