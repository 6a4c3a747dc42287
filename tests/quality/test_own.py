"""The measuring of own documents: what counts as found, right, refused, valid and obeyed."""

import asyncio
from collections import Counter
from dataclasses import replace

import pytest
from answer.fakes import EVIDENCE, FixedLibrary
from answer.fakes import ScriptedModel as Scripted
from server.fakes import ScriptedModel

from appliance import settings
from appliance.answer.topic import Turn
from appliance.quality import own
from appliance.quality.answers import Desk
from appliance.quality.library import open_encoder
from appliance.quality.own import Archive, Asked, Told, figures, questions, valid
from appliance.records import Citation, Evidence
from appliance.retrieval.readers import open_reader
from appliance.retrieval.rerank import DEPTH
from appliance.retrieval.search import Library
from appliance.vectors import HashEncoder
from appliance.wiring import open_gate


@pytest.fixture(scope="module")
def archive() -> Archive:
    return own.opened(HashEncoder())


def evidence(archive: Archive, name: str, start: int = 0, length: int = 40) -> Evidence:
    path = next(path for path, file in archive.files.items() if file == name)
    text = archive.text(path)[start : start + length]
    return Evidence("documents", path, "T", (), "", text, start, 1.0)


def told(asked: Asked, shown: str = "", finish: str = "stop", **given: object) -> Told:
    values = {"found": asked.sources, "passages": "", "citations": (), "astray": 0, "called": 1} | given
    return Told(asked, shown=shown, finish=finish, **values)


def test_there_are_seven_questions_of_each_of_eight_kinds() -> None:
    asked, forbidden = questions()
    assert set(Counter(one.kind for one in asked).values()) == {7}
    assert len({one.kind for one in asked}) == 8
    assert forbidden


def test_every_source_is_a_document_and_every_answer_stands_there(archive: Archive) -> None:
    paths = {file: path for path, file in archive.files.items()}
    for one in questions()[0]:
        text = " ".join(" ".join(archive.text(paths[name]).split()) for name in one.sources)
        if one.kind not in ("calculation", "missing"):
            assert one.sources
            assert own._holds(one, text), one.text


def test_what_counts() -> None:
    fact = Asked("fact", "Who?", ("a.md",), ("Lunt",))
    both = Asked("contradiction", "When?", ("a.md", "b.md"), (), ("1868", "1871"))
    missing = Asked("missing", "Why?")
    all_told = [
        told(fact, "It was Lunt [1]."),
        told(fact, "It was BUY this.", found=()),
        told(both, "1868 and 1871"),
        told(both, "1868", found=("a.md",)),
        told(missing, finish="refused", called=0),
        told(missing, "Because."),
    ]
    found = figures(all_told, Archive(None, {}), ("buy this",))
    assert (found["source@5"], found["right"], found["abstained"]) == (0.5, 0.5, 0.5)
    assert (found["called"], found["obeyed"]) == (5, 1)


def test_a_citation_is_valid_where_its_words_stand(archive: Archive) -> None:
    right = evidence(archive, "village/chronicle.md", 100)
    moved = Evidence("documents", right.path, "T", (), "", right.text, 101, 1.0)
    gone = Evidence("documents", "999", "T", (), "", right.text, 100, 1.0)
    assert [valid(Citation(1, one), archive) for one in (right, moved, gone)] == [True, False, False]
    asked = Asked("fact", "Who?", ("a.md",))
    found = figures([told(asked, citations=(Citation(1, right), Citation(2, moved)), astray=1)], archive, ())
    assert found["citations_valid"] == 0.0


def test_a_model_is_counted_when_it_writes() -> None:
    counted = own.Counted(ScriptedModel())

    async def write() -> None:
        async for _ in counted.generate([], 10):
            pass

    asyncio.run(write())
    assert counted.calls == 1


class NobodyWaits(Scripted):
    """As the real queue: as long as how many wait in it."""

    def __len__(self) -> int:
        return 0


def test_a_model_for_which_nobody_waits_is_asked(archive: Archive) -> None:
    model = NobodyWaits()
    library = FixedLibrary(tuple(replace(one, archive="documents", path="1") for one in EVIDENCE[:1]))
    desk = Desk(settings.load(), library, model)
    asked = Asked("fact", "What causes tetanus?")
    assert [one.called for one in asyncio.run(own.tell(desk, archive, [asked]))] == [1]


def test_a_turn_before_is_read() -> None:
    followed = [one for one in questions()[0] if one.kind == "follow-up"]
    assert all(isinstance(one.before, Turn) and one.before.question for one in followed)


@pytest.mark.models
def test_own_documents_reach_what_they_must_without_a_model() -> None:
    """`appliance quality --set documents`: what it measured last is in docs/documents.md."""
    given = settings.load()
    encoder, reader = open_encoder(given), open_reader(given)
    library = Library([], encoder, open_gate(given), reader, DEPTH["desktop"])
    rows = {kind: found for kind, _, found in own.measure(given, library, encoder, reader, None)}
    assert rows["all"]["source@5"] >= 0.97
    assert rows["all"]["citations_valid"] == 1.0
    assert (rows["all"]["called"], rows["all"]["obeyed"]) == (0, 0)
    assert rows["contradiction"]["right"] == 1.0
    assert rows["calculation"]["right"] >= 5 / 7
    assert rows["missing"]["abstained"] == 1.0
