"""Fourteen short pages of our own, on themes that readers ask about, for the archive of the default tests.

Facts are plain on purpose: each can be asked for, and none stands on two pages. `LONG_TITLE` has 300 letters.
"""

from appliance.sources.zim import Page

LONG_TITLE = "Notes on keeping bees " + "through a long and very cold northern winter " * 6 + "in clay"
LONG_TITLE = LONG_TITLE[:300].ljust(300, "s")


def _page(path: str, title: str, body: str) -> Page:
    head = f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{title}</title></head>'
    return Page(path, title, f"{head}<body><h1>{title}</h1>{body}</body></html>")


PAGES = [
    _page(
        "Tetanus",
        "Tetanus",
        """<p id="p0">Tetanus, also called lockjaw, is caused by the toxin of the bacterium Clostridium
        tetani, which lives in soil and enters the body through deep wounds. The muscles of the jaw stiffen
        first.</p><h2 id="prevention">Prevention</h2><p>A vaccine protects for about ten years. After a dirty
        wound a booster is given when the last dose was more than five years ago.<sup
        class="reference"><a href="#n1">[1]</a></sup></p>
        <h2 id="references">References</h2><ol class="references"><li id="n1">On wounds.</li></ol>""",
    ),
    _page(
        "Pain_relief",
        "Pain relief for adults",
        """<p>The doses here are for adults without other illness.</p><h2 id="doses">Doses</h2>
        <table><thead><tr><th>Drug</th><th>Single dose</th><th>Most in a day</th></tr></thead><tbody>
        <tr><td>Ibuprofen</td><td>400 mg</td><td>1,200 mg</td></tr>
        <tr><td>Paracetamol</td><td>1,000 mg</td><td>4,000 mg</td></tr></tbody></table>
        <h2 id="warnings">Warnings</h2><ul><li>Ibuprofen is not taken in the last third of pregnancy.</li>
        <li>Paracetamol in overdose destroys the liver.</li></ul>""",
    ),
    _page(
        "Diabetes",
        "Diabetes",
        """<p id="p0">In diabetes the sugar in the blood stays too high, because the body makes too little
        insulin or no longer answers to it. Thirst, tiredness and frequent passing of water are early
        signs.</p><p id="p1">Low blood sugar, with trembling and sweat, is treated at once with 15 grams of
        sugar by mouth.</p>""",
    ),
    _page(
        "Bicycle_puncture",
        "Mending a bicycle puncture",
        """<p>A puncture is mended in a quarter of an hour.</p><h2 id="steps">Steps</h2><ol>
        <li>Take the wheel off and lift one side of the tyre over the rim with two levers.</li>
        <li>Find the hole: pump the tube up and hold it under water until bubbles rise.</li>
        <li>Roughen the rubber, spread the cement, wait five minutes, press the patch on.</li></ol>
        <h2 id="pressure">Pressure</h2><p>A city tyre is pumped to 4 bar, a racing tyre to 8 bar.</p>""",
    ),
    _page(
        "Water",
        "Water",
        """<table class="infobox"><tr><th colspan="2">Water</th></tr>
        <tr><th>Formula</th><td>H<sub>2</sub>O</td></tr>
        <tr><th>Boiling point</th><td>100&nbsp;°C</td></tr>
        <tr><th>Melting point</th><td>0&nbsp;°C</td></tr></table>
        <p id="p0">Water is a liquid without colour or taste. To make it safe to drink it is kept at a rolling
        boil for one minute, and for three minutes above 2,000 metres.</p>""",
    ),
    _page(
        "Ohms_law",
        "Ohm's law",
        """<p id="p0">Ohm's law says that the current through a conductor grows with the voltage across it:
        <math alttext="{\\displaystyle I={\\frac {V}{R}}}"><mi>I</mi></math>. A lamp of 48 ohms on 12 volts
        carries a quarter of an ampere.</p><pre>current = voltage / resistance\nprint(12 / 48)</pre>""",
    ),
    _page(
        "Köln",
        "Köln",
        """<p id="p0">Köln is a city on the Rhine. Its cathedral was begun in 1248 and finished in 1880.</p>
        <h2 id="bridges">Bridges</h2><table><tr><th>Bridge</th><th>Opened</th></tr>
        <tr><td>Hohenzollernbrücke</td><td>1911</td></tr><tr><td>Severinsbrücke</td><td>1959</td></tr></table>""",
    ),
    _page(
        "東京",
        "東京",
        "<p>東京は日本の首都である。人口は約千四百万人で、隅田川が町を流れている。</p>",
    ),
    _page(
        "Quo_Vadis?",
        "Quo Vadis?",
        "<p>Quo Vadis? is a novel by Henryk Sienkiewicz, printed in 1896, set in Rome under Nero.</p>",
    ),
    _page(
        "C++",
        "C++",
        """<p>C++ is a programming language that Bjarne Stroustrup began in 1979 as an extension of C.</p>
        <p>The keyword <code>constexpr</code> came with the standard of 2011.</p>""",
    ),
    _page(
        "AS/400",
        "AS/400",
        "<p>The AS/400 is a midrange computer that IBM announced in 1988 as successor of the System/38.</p>",
    ),
    _page(
        "100%_cotton_#&_care",
        "100% cotton #& care",
        "<p>Cotton is washed at 60 °C and ironed damp. It shrinks by three percent at the first wash.</p>",
    ),
    _page("Sam's_Club", "Sam's Club", "<p>Sam's Club is a chain of warehouse shops, begun in 1983.</p>"),
    _page("Keeping_bees", LONG_TITLE, "<p>In winter a hive needs about fifteen kilograms of honey.</p>"),
    _page(
        "Mercury_(disambiguation)",
        "Mercury (disambiguation)",
        '<p>Mercury may refer to:</p><ul><li><a href="Mercury_planet">a planet</a></li><li>a metal</li></ul>',
    ),
    Page("Lockjaw", "Lockjaw", redirect="Tetanus"),
    Page("Cologne", "Cologne", redirect="Köln"),
]

INDEX = _page(
    "index", "All pages", "<ul>" + "".join(f"<li>{page.title}</li>" for page in PAGES if page.html) + "</ul>"
)

METADATA = {
    "Title": "A small library",
    "Description": "Short pages for tests",
    "Creator": "Lamplight contributors",
    "Publisher": "Lamplight contributors",
    "Date": "2025-06-01",
    "License": "GPL-3.0-or-later",
    "Source": "written for the tests",
}
EVIDENCE = sorted(page.path for page in PAGES if page.html and "disambiguation" not in page.path)
"""Paths of the pages that can be evidence, in an archive's order of paths (by bytes)."""

# Another one, where two facts are enough: its main page is `Main`.
ABOUT_TWO = {"Title": "Small", "Description": "Two facts", "Creator": "Tests", "Date": "2026-01-01"}
TWO_FACTS = (
    Page(
        "Tides", "Tides", "<h1>Tides</h1><p>Tides are caused by the gravity of the Moon and of the Sun.</p>"
    ),
    Page("Bread", "Bread", "<h1>Bread</h1><p>Bread dough rises because yeast makes carbon dioxide.</p>"),
    Page("Main", "Main", "<p>A small library.</p>"),
)
