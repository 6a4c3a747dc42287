import json
from pathlib import Path

import pytest

from appliance.errors import SetupError
from appliance.quality import questions
from appliance.quality.questions import Question

STARTER = Path(__file__).parent / "starter.toml"


def test_the_starter_set_is_whole():
    asked = questions.starter(STARTER)
    assert sum(one.answerable for one in asked) >= 40
    assert sum(not one.answerable for one in asked) >= 20
    assert {one.group for one in asked} == {"en", "fr", "es"}
    assert all(one.page and one.answers for one in asked if one.answerable)


def test_the_wiki_set(tmp_path):
    row = {"question": "q", "source": "NQ/QED", "page": "P", "gold": "P#p3", "answers": ["a"]}
    (tmp_path / "answerable.jsonl").write_text(json.dumps(row))
    row = {"question": "w", "source": "SQuAD1.1", "withheld_page": "W", "true_answers": ["b"]}
    (tmp_path / "withheld.jsonl").write_text(json.dumps(row))
    assert questions.wiki(tmp_path) == [
        Question("q", "NQ", True, "P", "p3", ("a",)),
        Question("w", "SQuAD", False, "W", "", ("b",)),
    ]


def test_missing_files_are_named(tmp_path):
    with pytest.raises(SetupError, match=r"answerable\.jsonl"):
        questions.wiki(tmp_path)
    with pytest.raises(SetupError, match=r"starter\.toml"):
        questions.starter(tmp_path / "starter.toml")


def test_a_page_is_wholly_in_one_half():
    halves = {Question("q", "NQ", True, f"Page {n}").half for n in range(40)}
    assert halves == {0, 1}
    assert Question("q", "NQ", True, "Köln").half == Question("r", "SQuAD", False, "Köln").half


def test_a_sample_is_the_same_each_time_and_keeps_every_kind():
    asked = [Question(str(n), "NQ" if n % 3 else "SQuAD", bool(n % 2)) for n in range(60)]
    kept = questions.sample(asked, 5)
    assert kept == questions.sample(asked, 5)
    assert len(kept) == 20
    assert questions.sample(asked, 0) == asked
