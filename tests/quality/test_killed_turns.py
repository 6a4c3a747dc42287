"""Kills during turns lose nothing that was acknowledged; and the check would see it if they did."""

from pathlib import Path

import pytest

from appliance.documents.store import Store
from appliance.quality import killed_turns
from appliance.quality.killed_turns import Tally, kills


@pytest.mark.slow
def test_kills_lose_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    tally = kills(tmp_path / "archive.db", 12)
    assert tally.wrong == []
    assert tally.kills == 12
    assert tally.asked >= tally.answered > 0


def test_a_loss_is_seen(tmp_path: Path) -> None:
    file = tmp_path / "archive.db"
    killed_turns._prepare(file)
    tally = Tally()
    killed_turns._checked(file, 0, [("asked", "t0", ""), ("answered", "t0", "x")], tally)
    assert [one.endswith("lost") for one in tally.wrong] == [True, True]
    assert (tally.asked, tally.answered) == (1, 1)


def test_a_changed_answer_is_seen_and_an_open_question_is_answered(tmp_path: Path) -> None:
    file = tmp_path / "archive.db"
    killed_turns._prepare(file)
    store = Store.open(file)
    conversations = killed_turns.Conversations(store)
    here = conversations.begin(killed_turns.OWNER, "round-0", "", "documents")
    killed_turns._asked(conversations, here.id, "t0")
    store.close()
    tally = Tally()
    killed_turns._checked(file, 0, [("answered", "t0", "another digest")], tally)
    assert tally.wrong == ["round 0: the answer to t0 is another"]
    assert tally.unanswered == 1
