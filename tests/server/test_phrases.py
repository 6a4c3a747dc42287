import re
from pathlib import Path
from string import Formatter

import pytest
from starlette.testclient import TestClient

from appliance.answer import ask
from appliance.retrieval import search
from appliance.server.phrases import PHRASES, Phrases, spoken
from appliance.services import llama
from server.test_pages import words

TEMPLATES = Path(__file__).parents[2] / "web/templates"
NOTES = {
    ask.NO_MODEL, ask.UNSUPPORTED, ask.NOT_STATED, ask.BROKEN, search.WORDS_ONLY, search.ASK_IN_WORDS,
    *(" ".join(sentences) for sentences in llama.AWAY.values()),
}  # fmt: skip


def test_the_table_holds_what_the_pages_and_the_notes_say() -> None:
    said = {
        text
        for file in TEMPLATES.iterdir()
        for text in re.findall(r'say\("([^"]+)"', file.read_text("utf-8"))
    }
    assert len(said) > 30
    assert set(PHRASES) == said | NOTES


@pytest.mark.parametrize("english", PHRASES)
def test_a_translation_keeps_the_places_for_values(english: str) -> None:
    wanted = [field for _, field, _, _ in Formatter().parse(english) if field]
    for text in PHRASES[english]:
        assert [field for _, field, _, _ in Formatter().parse(text) if field] == wanted
        assert text.endswith(".") == english.endswith(".")


def test_what_is_not_in_the_table_is_said_as_it_is() -> None:
    say = Phrases("es")
    assert say("Your question was cut to its first {4,000} letters.").endswith("{4,000} letters.")
    assert say("More passages ({n})", n=4) == "Más pasajes (4)"


@pytest.mark.parametrize(
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
    assert '<main id="main" tabindex="-1" lang="fr">' in page.text
    assert "La bibliothèque ne répond pas à cela" in words(page.text)
    assert "does not answer" not in page.text
    asked = client.get("/ask", params={"q": "quibblonia"}, headers={"accept-language": "es-MX,es"})
    assert "La biblioteca no responde a esto" in words(asked.text)
    assert asked.headers["vary"] == "accept-language"
