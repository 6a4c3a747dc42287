import re
from pathlib import Path
from string import Formatter

import pytest
from every import every
from starlette.testclient import TestClient

from appliance.answer import ask, prompt, queue, shape
from appliance.backups import settling
from appliance.device import checks_units, client, clock, said
from appliance.documents import scope, summary
from appliance.retrieval import search
from appliance.server import (
    chat,
    conversations,
    disagreements,
    guesses,
    pages,
    phrases,
    phrases_portal,
    questions,
    sign_in,
)
from appliance.server.desk import answers, choosing, logs, network, power, status
from appliance.server.desk import clock as desk_clock
from appliance.server.desk.places import PLACES
from appliance.server.languages import LANGUAGES
from appliance.server.phrases import Phrases, spoken
from appliance.server.phrases_answer import ANSWER
from appliance.server.phrases_bundles import BUNDLES
from appliance.server.phrases_checks import CHECKS
from appliance.server.phrases_desk import DESK
from appliance.server.phrases_documents import DOCUMENTS
from appliance.server.phrases_faults import FAULTS
from appliance.server.phrases_health import HEALTH
from appliance.server.phrases_pages import NAMES, PAGES
from appliance.server.phrases_people import PEOPLE
from appliance.server.phrases_portal import KIOSK, WELCOME
from appliance.server.phrases_refusals import REFUSALS
from appliance.server.phrases_settings import SETTINGS
from appliance.server.phrases_signing import SIGNING
from appliance.server.phrases_sources import SOURCES
from appliance.server.phrases_syncs import SYNCS
from appliance.server.phrases_system import SYSTEM
from appliance.server.phrases_talk import TALK
from appliance.server.phrases_time import TIME
from appliance.services import llama
from appliance.shelving import librarian, shelf
from server.test_pages import words

TEMPLATES = Path(__file__).parents[2] / "web/templates"
NOTES = {
    ask.NO_MODEL, ask.UNSUPPORTED, ask.NOT_STATED, ask.BROKEN, search.WORDS_ONLY, search.ASK_IN_WORDS,
    search.WITHOUT_INDEX, search.CUT, search.CUT_FOR_MEANING, questions.CUT, pages.NO_QUESTION,
    shape.LACKING, shape.UNSAID, shape.ONE_SOURCE, shape.DISAGREE, shape.FROM_QUESTION, shape.CUT,
    scope.NONE, scope.UNREADABLE, summary.QUOTED, summary.FIRST, summary.NONE, conversations.SUMMARY,
    *conversations.LABELS.values(), conversations.SOURCES, conversations.FOLDERS,
    conversations.DOCUMENTS,
    conversations.CHOSEN, conversations.DELETED, shape.LEFT_OUT, shape.LEFT_OUT_ONE,
    *disagreements.KINDS.values(), guesses.SLOWLY, guesses.BUSY, sign_in.WRONG, sign_in.NOT_THE_CODE,
    sign_in.NOT_THE_PRESENT_ONE,
    chat.NOT_HERE, chat.NEAREST, chat.CALCULATED, chat.DISAGREE,
    prompt.NO_ROOM, prompt.FIRST_ONLY, prompt.FIRST_FEW, prompt.IN_PART,
    f"{queue.FULL} {queue.LATER}", f"The language model does not answer. {llama.HINT}",
    *(" ".join(sentences) for sentences in llama.AWAY.values()),
    *librarian.PULLED, *librarian.COPYING, *librarian.COPIED, librarian.CHECKING, librarian.RIGHT,
    librarian.WRITING, librarian.READY, librarian.BACK, shelf.ANSWERED, shelf.FAILED,
    settling.DONE, *choosing.SENTENCES.values(), choosing.AT_ONCE, choosing.LATER, *choosing.ON_CARD.values(),
    *answers.NAMES.values(), *answers.MEANT.values(), *answers.LABELS.values(), *answers.SEEN.values(),
    *(place.label for place in PLACES), *status.SOUND.values(), *status.WORDS.values(),
    network.NO_RADIO, network.UNREAD, network.SAME, network.OVER, desk_clock.NO_CLOCK, desk_clock.NO_TIME,
    power.NO_POWER, logs.NO_JOURNAL, *logs.NAMES.values(), *logs.LEVELS.values(), "error", "warning",
    *(text for name, text in vars(said).items() if name.isupper()),
    *checks_units.OURS.values(), clock.STAYS, clock.FORWARD, clock.STANDS, client.SILENT, client.AGAIN,
}  # fmt: skip


def test_the_table_holds_what_the_pages_and_the_notes_say() -> None:
    said = {
        text
        for file in TEMPLATES.rglob("*.html")
        for text in re.findall(r'say\("([^"]+)"', file.read_text("utf-8"))
    }
    assert len(said) > 30
    assert set(TABLE) <= said | NOTES
    assert said | NOTES <= set(TABLE) | set(RAISED)
    assert set(NAMES) == {name for _, name in LANGUAGES.values()}


TABLE = ANSWER | PAGES | WELCOME | KIOSK | BUNDLES | TALK | TIME | DOCUMENTS | CHECKS | DESK | SETTINGS
TABLE |= SYSTEM | SOURCES | PEOPLE
RAISED = HEALTH | REFUSALS | SIGNING | FAULTS | SYNCS  # tests/server/test_phrases_raised.py


def test_every_language_of_the_welcome_page_and_the_screen_has_each_sentence() -> None:
    for english, others in (WELCOME | KIOSK).items():
        assert len(others) == len(phrases_portal.LANGUAGES) - 1, english
        assert all(others), english
    assert phrases_portal.LANGUAGES[: len(phrases.LANGUAGES)] == phrases.LANGUAGES


def test_a_translation_keeps_the_places_for_values() -> None:
    """In one test: more than a thousand sentences, each quicker than a test's own beginning and end."""
    for english, others in (TABLE | RAISED).items():
        wanted = {field for _, field, _, _ in Formatter().parse(english) if field}
        for text in others:
            assert {field for _, field, _, _ in Formatter().parse(text) if field} == wanted, english
            assert text.endswith((".", "।")) == english.endswith("."), english


def test_no_sentence_is_said_in_two_ways() -> None:
    tables = [ANSWER, PAGES, BUNDLES, TALK, TIME, DOCUMENTS, CHECKS, DESK, SETTINGS, SYSTEM, SOURCES, PEOPLE]
    ways: dict[str, set[tuple[str, ...]]] = {}
    for table in (*tables, HEALTH, REFUSALS, SIGNING, FAULTS, SYNCS):
        for english, others in table.items():
            ways.setdefault(english, set()).add(others)
    assert [english for english, found in ways.items() if len(found) > 1] == []


@pytest.mark.parametrize(
    ("note", "said"),
    [
        (
            search.WITHOUT_INDEX.format(name="santé_fr (2)"),
            "santé_fr (2) se busca solo por sus palabras: su índice no puede usarse. "
            "La página de estado dice por qué.",
        ),
        (questions.CUT.format(n="4,000"), "Su pregunta se cortó en sus primeras 4000 letras."),
        (
            prompt.FIRST_FEW.format(k=3, n=5),
            "La respuesta sale de los primeros 3 pasajes de 5; no cabían más.",
        ),
    ],
)
def test_a_note_with_values_in_it_is_known_again(note: str, said: str) -> None:
    assert Phrases("es")(note) == said
    assert Phrases("en")(note) == note


@every(
    ("address", "shown", "hidden"),
    [
        ("/", "Interrogez votre bibliothèque", "Ask your library"),
        ("/source?archive=first_aid_en&path=Tetanus&start=0&length=20", "Vers le passage", "To the passage"),
        ("/read/catch/external?source=https://a.example/", "Ceci mène à internet", "This leads"),
        ("/status", "En marche, avec une chose à regarder", "Working, with"),
        ("/nowhere", "Retour à la page d’accueil", "Back to the start page"),
    ],
)
def test_every_page_speaks_the_browsers_language(
    client: TestClient, address: str, shown: str, hidden: str
) -> None:
    page = client.get(address, headers={"accept-language": "fr"})
    assert '<html lang="fr">' in page.text
    assert "Fonctionne sans internet" in words(page.text)
    assert 'data-stop="Arrêter"' in page.text
    assert shown in words(page.text)
    assert hidden not in words(page.text)
    assert page.headers["vary"] == "accept-language"
    assert ('<span lang="en">' in page.text) == (address == "/status")  # what this fake says of itself


def test_what_a_program_does_is_said_within_a_sentence() -> None:
    note = said.RESTARTED.format(unit="nginx.service", does="what phones talk to", n=4)
    assert Phrases("fr")(note) == (
        "nginx.service (ce à quoi parlent les téléphones) a été redémarré : 4 fois jusqu’ici."
    )


def test_what_is_not_in_the_table_is_said_as_it_is() -> None:
    say = Phrases("es")
    assert say("A question of {4,000} letters.") == "A question of {4,000} letters."
    assert say("More passages ({n})", n=4) == "Más pasajes (4)"


def test_a_note_is_known_again_whatever_its_values_are() -> None:
    say = Phrases("fr")
    for name in ("Ann", "A\nB", "{n}", "%s", "\u202e", "ı" * 30):
        assert say(f"There is someone called {name} already.") == f"Quelqu’un s’appelle déjà {name}."


@every(
    ("question", "accepted", "language"),
    [
        ("Quelle est la cause du tétanos ?", "en", "fr"),
        ("¿Cómo se repara un inversor?", "en", "es"),
        ("What causes tetanus?", "fr", "en"),
        ("tetanus", "fr-CH, fr;q=0.9, en;q=0.8", "fr"),
        ("tetanus", "de;q=0.9, en;q=0.1, es;q=0.5", "es"),
        ("Was ist Tetanus und wer hat es?", "fr", "fr"),
        ("tetanus", "de, *;q=0.5", "en"),
        ("tetanus", "fr;q=9;;=,\x7f", "fr"),
        ("tetanus", "", "en"),
    ],
)
def test_which_language_is_spoken(question: str, accepted: str, language: str) -> None:
    assert spoken(question, accepted) == language


def test_a_refusal_is_read_in_the_language_of_the_question(client: TestClient) -> None:
    page = client.get("/ask", params={"q": "Pourquoi quibblonia?"})
    assert '<html lang="fr">' in page.text
    assert "La bibliothèque ne répond pas à cela" in words(page.text)
    assert "does not answer" not in page.text
    asked = client.get("/ask", params={"q": "quibblonia"}, headers={"accept-language": "es-MX,es"})
    assert "La biblioteca no responde a esto" in words(asked.text)
    assert asked.headers["vary"] == "accept-language"


def test_no_template_writes_a_colon_of_its_own_behind_a_word() -> None:
    """In French a space stands before it."""
    bare = re.compile(r"\}\}(?:</\w+>)?: ?|[>}]: ")
    found = {
        (file.name, match[0])
        for file in TEMPLATES.rglob("*.html")
        for match in bare.finditer(re.sub(r"(?s)<(style|script).*?</\1>", "", file.read_text("utf-8")))
    }
    assert found == set()
    assert Phrases("fr")(":") == "\N{NO-BREAK SPACE}:"


def test_archives_are_called_as_everywhere_in_spanish() -> None:
    assert "colecciones" in Phrases("es")("All archives of this box")
