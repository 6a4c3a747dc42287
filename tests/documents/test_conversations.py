"""Conversations: whose they are, what stays, turns that come again, citations of what was deleted."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from appliance.answer.events import Finished, Passages
from appliance.documents import rows
from appliance.documents.conversations import MOST_TURNS, Conversations
from appliance.documents.records import ARCHIVE, Scope
from appliance.documents.store import Store
from appliance.documents.turns import Asking, Turn
from appliance.errors import ConversationMissing, TurnConflict
from appliance.records import (
    Answer,
    Calculation,
    Citation,
    Disagreement,
    Evidence,
    Found,
    Input,
    Judgement,
    Match,
    Quote,
    Side,
)

TEXT = "12 March 1923. The mill was sold to Ida Brandt for 400 crowns. 🌾 Rain all week."
SALE = "The mill was sold to Ida Brandt for 400 crowns."
PAGE = Evidence("village_en", "Mill", "Mill", ("History",), "History", "The mill was built in 1890.", 40, 0.9)


def clock(*times: str) -> Callable[[], str]:
    left = list(times)
    return lambda: left.pop(0) if len(left) > 1 else left[0]


@pytest.fixture
def store() -> Store:
    return Store.open()


@pytest.fixture
def kept(store: Store) -> Conversations:
    return Conversations(store)


def letter(store: Store, text: str = TEXT) -> int:
    """A document with one passage, which leaves out its first sentence."""
    with store.write() as connection:
        document = connection.execute(
            "INSERT INTO document(sha256, name, title, media_type, added, text) "
            "VALUES(?, 'letter.txt', 'A letter', 'text/plain', '', ?) RETURNING id",
            (text.encode(), text),
        ).get
        section = connection.execute(
            "INSERT INTO section(document_id, ordinal, heading_path, start, length, kind) "
            "VALUES(?, 0, '[\"Sale\"]', 0, ?, 'entry') RETURNING id", (document, len(text)),
        ).get  # fmt: skip
        connection.execute(
            "INSERT INTO passage(document_id, section_id, ordinal, start, length) VALUES(?, ?, 0, 15, ?)",
            (document, section, len(text) - 15),
        )
    return int(str(document))


def own(document: int) -> Evidence:
    return Evidence(ARCHIVE, str(document), "A letter", ("Sale",), "", TEXT[15:], 15, 0.8)


def answered(document: int, text: str = "The mill was sold to Ida Brandt [1].") -> tuple[Passages, Finished]:
    evidence = (own(document), PAGE)
    match = Match(0, "copied", SALE, TEXT.index(SALE))
    found = Found("Who bought the mill?", evidence, Judgement("answer", 0.9), ("A note.",), "mills")
    return (
        Passages(
            found,
            Calculation((Input("400 crowns", 1), Input("2", 0)), "400 × 2", "800", rounded=True),
            Disagreement("name", (Side("Ida", SALE, (1,)), Side("1890", PAGE.text, (2,)))),
            Quote(1, SALE, TEXT.index(SALE), 4.5),
        ),
        Finished(
            Answer(text, (Citation(1, own(document), (match,)),), 1, "stop", ((21, 10),)),
            ("In part.",),
            20,
            7,
        ),
    )


def ask(kept: Conversations, owner: str = "ann", turn: str = "t1", asked: str = "Who bought it?") -> Turn:
    here = kept.begin(owner, "c1", "The mill", "everything")
    return kept.ask(owner, here.id, Asking(turn, asked, "Who bought the mill?", "documents"))


def test_an_answer_comes_back_as_it_was(store: Store, kept: Conversations) -> None:
    turn = ask(kept)
    passages, finished = answered(letter(store))
    assert turn.kept is None
    assert kept.answer(turn.id, passages, finished)
    (found,) = kept.turns("ann", turn.conversation)
    assert found.final
    assert found.kept
    assert (found.kept.passages, found.kept.finished) == (passages, finished)
    assert found.kept.lost == frozenset()
    assert found == kept.turn("ann", turn.conversation, "t1")


def test_what_the_readers_word_supported_once_is_supported_by_words(
    store: Store, kept: Conversations
) -> None:
    turn = ask(kept)
    passages, finished = answered(letter(store))
    (cited,) = finished.answer.citations
    earlier = replace(cited, matches=tuple(replace(one, kind="reader") for one in cited.matches))
    kept.answer(turn.id, passages, replace(finished, answer=replace(finished.answer, citations=(earlier,))))
    (found,) = kept.turns("ann", turn.conversation)
    assert found.kept
    assert [one.kind for one in found.kept.finished.answer.citations[0].matches] == ["words"]


def test_an_answer_of_an_earlier_version_stresses_nothing(store: Store, kept: Conversations) -> None:
    turn = ask(kept)
    kept.answer(turn.id, *answered(letter(store)))
    with store.write() as connection:
        connection.execute("UPDATE turn SET answer = json_remove(answer, '$.stressed')")
    (found,) = kept.turns("ann", turn.conversation)
    assert found.kept
    assert found.kept.finished.answer.stressed == ()


def test_no_word_of_an_own_document_is_kept_beside_it(store: Store, kept: Conversations) -> None:
    kept.answer(ask(kept).id, *answered(letter(store)))
    with store.read() as connection:
        held = connection.execute("SELECT * FROM turn, citation WHERE archive = ?", (ARCHIVE,)).fetchall()
    assert len(held) == 1
    assert "crowns." not in str(held)  # "400 crowns" is a figure of the calculation, part of the answer
    assert "A letter" not in str(held)


def test_a_citation_of_a_deleted_document_says_so(store: Store, kept: Conversations) -> None:
    turn, document = ask(kept), letter(store)
    kept.answer(turn.id, *answered(document))
    with store.write() as connection:
        connection.execute("DELETE FROM document WHERE id = ?", (document,))
    again = letter(store)  # the same text again is another document
    assert again != document
    found = kept.turn("ann", turn.conversation, "t1").kept
    assert found
    assert found.lost == {1}
    lost, page = found.passages.found.evidence
    assert (lost.archive, lost.title, lost.text, page) == (ARCHIVE, "", "", PAGE)
    assert found.passages.quote is None
    assert found.finished.answer.citations == (Citation(1, lost),)
    assert found.finished.answer.text == "The mill was sold to Ida Brandt [1]."


def test_what_is_quoted_of_a_deleted_document_is_gone_with_it(store: Store, kept: Conversations) -> None:
    document = letter(store)
    here = kept.begin("ann", "c1", "Summary: A letter", f"document:{document}")
    named = Asking("t1", "Summary: A letter", "Summary: A letter", f"document:{document}", "summary")
    turn = kept.ask("ann", here.id, named)
    kept.answer(turn.id, *answered(document, f"“{SALE}” [1] Someone had it for 400 [1]."))
    with store.write() as connection:
        assert rows.remove(connection, [document, 99], Scope()) == 1
    (found,) = kept.turns("ann", here.id)
    assert found.kept
    assert found.kept.finished.answer.text == "“…” [1] Someone had it for 400 [1]."
    assert found.kept.finished.answer.stressed == ()
    assert (found.asked, found.understood) == ("Summary: …", "Summary: …")
    with store.read() as connection:
        held = str(connection.execute("SELECT * FROM conversation, turn, citation").fetchall()).casefold()
    assert "ida brandt" not in held
    assert "a letter" not in held


def test_the_same_id_again_is_the_same_turn(kept: Conversations) -> None:
    turn = ask(kept)
    assert ask(kept) == turn
    with pytest.raises(TurnConflict):
        ask(kept, asked="Another question?")
    assert [one.client_turn_id for one in kept.turns("ann", turn.conversation)] == ["t1"]
    assert ask(kept, turn="t2").id != turn.id
    assert len(kept.listed("ann")) == 1


def test_an_answer_is_written_once_unless_it_broke_off(store: Store, kept: Conversations) -> None:
    turn, document = ask(kept), letter(store)
    passages, finished = answered(document)
    broken = Finished(Answer("The mill", (), 0, "broken"))
    assert kept.answer(turn.id, passages, broken)
    assert not kept.turn("ann", turn.conversation, "t1").final
    assert kept.answer(turn.id, passages, finished)
    assert not kept.answer(turn.id, *answered(document, "Something else [1]."))
    found = kept.turn("ann", turn.conversation, "t1").kept
    assert found
    assert found.finished.answer.text == "The mill was sold to Ida Brandt [1]."


def test_nobody_else_sees_a_conversation(kept: Conversations) -> None:
    turn = ask(kept)
    assert kept.listed("ben") == []
    assert ask(kept, "ben").conversation != turn.conversation  # the same id of another is another
    for act in (
        lambda: kept.get("ben", turn.conversation),
        lambda: kept.turns("ben", turn.conversation),
        lambda: kept.turn("ben", turn.conversation, "t1"),
        lambda: kept.rename("ben", turn.conversation, "Mine"),
        lambda: kept.widen("ben", turn.conversation, "library"),
        lambda: kept.delete("ben", turn.conversation),
        lambda: kept.ask("ben", turn.conversation, Asking("t9", "q", "q", "library")),
    ):
        with pytest.raises(ConversationMissing):
            act()
    assert kept.get("ann", turn.conversation).title == "The mill"


def test_a_conversation_is_renamed_moved_and_deleted(store: Store, kept: Conversations) -> None:
    turn = ask(kept)
    kept.answer(turn.id, *answered(letter(store)))
    kept.rename("ann", turn.conversation, "  The sale \n of the mill ")
    kept.widen("ann", turn.conversation, "library")
    kept.rename("ann", turn.conversation, " ")
    here = kept.get("ann", turn.conversation)
    assert (here.title, here.scope, here.turns) == ("The sale of the mill", "library", 1)
    kept.delete("ann", turn.conversation)
    assert kept.listed("ann") == []
    with store.read() as connection:
        left = connection.execute("SELECT (SELECT count(*) FROM turn), (SELECT count(*) FROM citation)")
        assert left.fetchall() == [(0, 0)]
    assert not kept.answer(turn.id, *answered(1))  # its asker has gone meanwhile


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("mill", True), ("BRANDT sold", True), ("réparé", True), ("repare", True), ("Err-4471", True),
        ("mill windmill", False), ("100%", False), ("_", False), ("", True),
    ],
)  # fmt: skip
def test_conversations_are_searched(store: Store, kept: Conversations, words: str, found: bool) -> None:
    turn = ask(kept)
    kept.answer(turn.id, *answered(letter(store)))
    ask(kept, turn="t2", asked="Le moulin est-il réparé après ERR-4471 ?")
    assert bool(kept.listed("ann", words)) == found
    assert kept.listed("ben", words) == []


def test_the_last_changed_comes_first_and_old_ones_are_forgotten(store: Store) -> None:
    times = ("2026-01-01", "2026-01-02", "2026-03-01", "2026-03-02")
    kept = Conversations(store, clock(*(f"{day}T10:00:00+00:00" for day in times)))
    first, second = (kept.begin("ann", name, name, "library") for name in ("a", "b"))
    kept.ask("ann", first.id, Asking("t", "q", "q", "library"))
    assert [one.title for one in kept.listed("ann")] == ["a", "b"]
    assert kept.forget_older(30) == 1
    assert [one.id for one in kept.listed("ann")] == [first.id]
    assert second.id != first.id


def test_all_of_one_owner_is_forgotten(kept: Conversations) -> None:
    for owner in ("kiosk:1", "kiosk:2", "kioskX", "ann"):
        ask(kept, owner)
    assert kept.forget("ann") == 1
    assert kept.forget_where("kiosk:") == 2
    assert len(kept.listed("kioskX")) == 1


def test_a_conversation_has_an_end(kept: Conversations, store: Store) -> None:
    turn = ask(kept)
    with store.write() as connection:
        connection.execute(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) INSERT INTO "
            "turn(conversation_id, client_turn_id, kind, asked, understood, scope, began, folded) "
            "SELECT ?, 'x' || i, 'question', '', '', '', '', '' FROM n", (MOST_TURNS - 1, turn.conversation),
        )  # fmt: skip
    with pytest.raises(TurnConflict):
        ask(kept, turn="one more")
    assert ask(kept) == turn


@pytest.mark.parametrize("forget", [False, True])
def test_what_is_deleted_is_in_no_file(tmp_path: Path, forget: bool) -> None:
    store = Store.open(tmp_path / "archive.db")
    kept = Conversations(store)
    turn = ask(kept, asked="Where is the silver hidden?")
    kept.answer(turn.id, *answered(letter(store), "Beneath the chapel [1]."))
    if forget:
        kept.forget("ann")
    else:
        kept.delete("ann", turn.conversation)
    held = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    for word in (b"silver", b"Beneath the chapel", b"beneath the chapel"):
        assert word not in held
    store.close()


def test_what_was_returned_is_there_after_opening_again(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "archive.db")
    turn = ask(Conversations(store))
    Conversations(store).answer(turn.id, *answered(letter(store)))
    again = Store.open(tmp_path / "archive.db")
    assert Conversations(again).turn("ann", turn.conversation, "t1").final
    again.close()
    store.close()
