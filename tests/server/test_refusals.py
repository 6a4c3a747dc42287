"""What a visitor reads of a refusal: in their language, and with a way back."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from server import signing
from server.desk import boxes
from server.test_pages import words

FRENCH = {"accept-language": "fr"}


@pytest.fixture
def app(tmp_path: Path) -> Iterator[FastAPI]:
    with boxes.application(tmp_path) as found:
        yield found


def test_a_refused_restore_leads_back_to_the_page_of_backups(app: FastAPI) -> None:
    admin = boxes.admin(app)
    token = signing.token(admin.get("/desk/backup").text)
    sent = {"token": (None, token), "yes": (None, "yes"), "file": ("b.tar", b"no backup")}
    refused = admin.post("/desk/backup/restore", files=sent, headers=FRENCH)
    assert refused.status_code == 409
    assert "Pas maintenant Ce n’est pas une sauvegarde d’un Lamplight." in words(refused.text)
    assert '<a class="open" href="/desk/backup">Retour : Sauvegarde</a>' in refused.text


def test_what_was_asked_for_and_not_sent_leads_to_the_start(client: TestClient) -> None:
    page = client.get("/read/x", headers=FRENCH)
    assert "La lecture dans Kiwix est arrêtée." in words(page.text)
    assert '<a class="open" href="/">' in page.text


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("/ask?q=x&archive=nowhere", "Il n’y a pas d’archive « nowhere » sur l’étagère."),
        ("/nowhere", "Rien dans cette bibliothèque n’a cette adresse. Allez à la page d’accueil"),
        ("/conversations", "Cette boîte ne garde pas de conversations."),
    ],
)
def test_a_refusal_is_in_the_browsers_language(client: TestClient, address: str, said: str) -> None:
    page = client.get(address, headers=FRENCH)
    assert page.status_code >= 400
    assert said in words(page.text)
    assert "<span lang" not in page.text


def test_a_role_is_named_in_it_and_what_no_table_has_is_marked(app: FastAPI, client: TestClient) -> None:
    signing.signed_in(reader := TestClient(app, signing.NAMED), app.state.rights, "reader")
    page = reader.get("/desk/backup", headers=FRENCH)
    assert "Cette page demande le rôle administrateur ; vous êtes connecté comme reader 0, lecteur." in words(
        page.text
    )
    wrong = client.get("/source?archive=first_aid_en&path=Tetanus&start=x", headers=FRENCH)
    assert '<p class="lead"><span lang="en">start is ' in wrong.text
