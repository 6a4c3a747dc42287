"""Conversations on pages: what one browser asks stays there, whoever else is on the box."""

import re
from collections.abc import Callable

import pytest

from server import fakes
from server.phones import Phone, with_model
from server.test_pages import words

pytestmark = pytest.mark.slow

QUESTION = {"q": "tetanus spasms", "id": "one"}


def read(phone: Phone, address: str) -> str:
    page = phone.get(address)
    assert page.status_code == 200, page.text
    assert page.headers["cache-control"] == "private, no-store"
    return page.text


def test_a_question_is_answered_and_stays(phone: Phone) -> None:
    there = phone.post_to("/conversations", **QUESTION)
    first = read(phone, there)
    again = read(phone, there)
    assert "painful muscle spasms" in words(again)
    assert '<a class="cite" href="/source?archive=first_aid_en' in again
    assert "Limits of this answer It rests on a single source." in words(again)
    assert "Sources (2)" in words(again)
    assert "until you delete them" in words(first)
    assert "tetanus spasms" in words(read(phone, "/conversations"))


def test_a_follow_up_leans_on_the_turn_before(phone: Phone) -> None:
    there = phone.post_to("/conversations", q="What is tetanus?", id="one")
    read(phone, there)
    assert phone.post_to(f"{there}/turns", q="and its cause?", id="two") == there
    page = words(read(phone, there))
    assert "and its cause? Understood as: What is the cause of tetanus?" in page
    assert page.index("What is tetanus?") < page.index("and its cause?")


def test_a_form_that_is_sent_twice_asks_once(phone: Phone) -> None:
    there = phone.post_to("/conversations", **QUESTION)
    assert phone.post_to("/conversations", **QUESTION) == there
    read(phone, there)
    for _ in range(2):
        phone.post_to(f"{there}/turns", q="oil lamp wick", id="two")
    page = read(phone, there)
    assert len(re.findall(r'<h2 class="asked"', page)) == 2
    changed = phone.post_to("/conversations", q="oil lamp", id="one")  # the same form, from the history
    assert changed != there


def test_another_phone_sees_none_of_it(phones: Callable[[], Phone]) -> None:
    mine, other = phones(), phones()
    there = mine.post_to("/conversations", **QUESTION)
    for cookie in ("", "x" * 43, "lamplight"):
        other.cookies.set("lamplight_reader", cookie)
        assert "tetanus" not in other.get("/conversations").text
        assert other.get(there).status_code == 404
        for act in ("rename", "delete", "again", "stop", "turns"):
            sent = other.post(f"{there}/{act}", data={"title": "x", "turn": "x", "q": "x"})
            assert sent.status_code == 404, act
    assert "tetanus spasms" in read(mine, there)


def test_the_cookie_is_for_the_server_alone_and_set_by_the_first_question(phone: Phone) -> None:
    assert "set-cookie" not in phone.get("/conversations").headers
    sent = phone.post("/conversations", data=QUESTION, follow_redirects=False)
    cookie = sent.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    again = phone.post("/conversations", data={"q": "oil lamp"}, follow_redirects=False)
    assert "set-cookie" not in again.headers


def test_a_conversation_is_renamed_searched_and_deleted(phone: Phone) -> None:
    there = phone.post_to("/conversations", **QUESTION)
    read(phone, there)
    phone.post_to(f"{there}/rename", title='Jaws "<b>" & wounds')
    assert "Jaws &#34;&lt;b&gt;&#34; &amp; wounds" in read(phone, "/conversations?q=jaws")
    assert "Jaws" in read(phone, "/conversations?q=Clostridium")  # in the answer
    assert "Nothing was found for “nowhere”." in words(read(phone, "/conversations?q=nowhere"))
    assert phone.post_to(f"{there}/delete") == "/conversations"
    assert phone.get(there).status_code == 404
    assert "Jaws" not in read(phone, "/conversations")


def test_a_form_of_another_place_changes_nothing(phone: Phone) -> None:
    there = phone.post_to("/conversations", **QUESTION)
    elsewhere = {"origin": "http://a.example"}
    for address in ("/conversations", f"{there}/turns", f"{there}/delete"):
        assert phone.post(address, data=QUESTION, headers=elsewhere).status_code == 403
    assert "tetanus" in read(phone, there)


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"q": " "}, 400),
        ({"q": "x", "scope": "folder:"}, 400),
        ({"q": "x", "scope": "documents"}, 403),
        ({"q": "x", "scope": "document:1"}, 403),
        ({"q": "x" * 10_001}, 400),
        ({"q": "x", "id": "i" * 61}, 400),
    ],
)
def test_what_cannot_be_used_is_said(phone: Phone, fields: dict[str, str], status: int) -> None:
    assert phone.post("/conversations", data=fields).status_code == status


def test_a_refusal_stays_a_refusal(phone: Phone) -> None:
    there = phone.post_to("/conversations", q="quibblonia", id="one")
    for _ in range(2):
        page = words(read(phone, there))
        assert "The library does not answer this" in page
        assert "a guess would help nobody" in page


def test_without_a_model_the_passages_stay(box: fakes.FakeAppliance, phone: Phone) -> None:
    with with_model(box, None):
        there = phone.post_to("/conversations", **QUESTION)
        for _ in range(2):
            assert "painful muscle spasms" in words(read(phone, there))


def test_a_full_queue_leaves_a_question_that_is_asked_again(box: fakes.FakeAppliance, phone: Phone) -> None:
    model = fakes.ScriptedModel(full=True)
    with with_model(box, model):
        there = phone.post_to("/conversations", **QUESTION)
        assert "Ask again" in words(read(phone, there))
        model.full = False
        (turn,) = set(re.findall(r'name="turn" value="([^"]+)"', read(phone, there)))
        phone.post_to(f"{there}/again", turn=turn)
        read(phone, there)
        page = read(phone, there)
        assert "Sources (2)" in words(page)
        assert page.count('class="asked"') == 1


def test_the_page_speaks_the_language_of_the_last_question(phone: Phone) -> None:
    there = phone.post_to("/conversations", q="Quelle est la cause du tétanos ?", id="one")
    page = read(phone, there)
    assert '<html lang="fr">' in page
    assert "Votre prochaine question" in words(page)
