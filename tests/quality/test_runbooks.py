"""Flags, errors and names of the runbooks are found exactly, with the real models."""

import pytest

from appliance import settings
from appliance.quality import own, runbooks
from appliance.quality.library import open_encoder
from appliance.retrieval.readers import open_reader
from appliance.retrieval.search import Library
from appliance.wiring import open_gate


def test_the_questions_name_files_that_are_there_and_answers_that_stand_in_them() -> None:
    asked, _ = own.questions(runbooks.FILE)
    assert len(asked) >= 30
    folder = runbooks.FILE.with_suffix("")
    for one in asked:
        assert one.kind == "missing" or one.sources
        for source in one.sources:
            text = " ".join((folder / source).read_text("utf-8").split())
            assert all(answer in text for answer in one.answers), one.text


@pytest.mark.models
def test_what_is_named_exactly_is_found_first(home) -> None:
    given = settings.load({"home": home})
    encoder, reader, gate = open_encoder(given), open_reader(given), open_gate(given)
    rows = runbooks.measure(given, Library([], encoder, gate, reader), encoder, None)
    found = {kind: figures for kind, _, figures in rows}
    for kind in ("flag", "error", "name"):
        assert found[kind]["source@1"] == found[kind]["in_passages@5"] == 1.0, kind
        assert found[kind]["answered"] >= 0.85, kind
    assert found["all"]["source@5"] >= 0.95
    assert found["missing"]["abstained"] >= 0.7
