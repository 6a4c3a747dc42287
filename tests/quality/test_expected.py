"""The floors of tests/quality/expected.toml, on a sample of the real questions of pages that the reader never
saw, with the real models."""

import tomllib
from pathlib import Path

import pytest

from appliance import settings
from appliance.indexfile import Index
from appliance.quality import measure, questions
from appliance.quality.library import open_encoder
from appliance.retrieval.readers import open_reader
from appliance.retrieval.search import Book, Library
from appliance.sources.zim import ZimArchive
from appliance.wiring import open_gate

pytestmark = pytest.mark.models
EXPECTED = tomllib.loads((Path(__file__).parent / "expected.toml").read_text("utf-8"))


@pytest.fixture(scope="module")
def found(home, shared, dev_index):
    """Group -> name -> figure, on the sample."""
    given = settings.load({"home": home})
    encoder = open_encoder(given)
    gate, reader = open_gate(given), open_reader(given)
    book = Book(ZimArchive.open(shared / "data/wiki/wiki_dev.zim"), Index.open(dev_index))
    library = Library([book], encoder, gate, reader)
    unseen = [one for one in questions.wiki(shared / "data/wiki") if one.half == 1]
    asked = questions.sample(unseen, EXPECTED["sample"])
    outcomes = measure.ask(library, asked, None, measure.Gold(library, book.archive.name))
    figures = {}
    for group in ("NQ", "SQuAD"):
        members = [one for one in outcomes if one.question.group == group]
        ranked = [one for one in members if one.question.answerable]
        ranks, seconds = [one.rank for one in ranked], [one.seconds for one in ranked]
        figures[group] = measure.retrieval_figures(ranks, seconds) | measure.gate_figures(members)
    assert not library.dropped, "passages whose text no longer gives their crc32"
    return figures


@pytest.mark.parametrize("row", EXPECTED["figures"], ids=lambda row: f"{row['group']} {row['name']}")
def test_figures_hold(found, row):
    figure = found[row["group"]][row["name"]]
    if "at_least" in row:
        assert figure >= row["at_least"] - row["tolerance"]
    else:
        assert figure <= row["at_most"] + row["tolerance"]
