"""Browsers of several people on one box that keeps conversations; the fixtures are in conftest.py."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from starlette.testclient import TestClient

from appliance.documents.store import Store
from appliance.server.app import create_app
from appliance.server.talk import Talk
from server import fakes

HERE = "http://127.0.0.1"


class Phone(TestClient):
    """A browser of its own on a box."""

    def post_to(self, page: str, **fields: str) -> str:
        """Sends a form; the address that it leads to."""
        reply = self.post(page, data=fields, follow_redirects=False)
        assert reply.status_code == 303, reply.text
        return str(reply.headers["location"]).partition("#")[0]


@contextmanager
def open_box(box: fakes.FakeAppliance) -> Iterator[Callable[[], Phone]]:
    """Phones on one box."""
    app = create_app(box, talk=Talk(box, Store.open()))
    with Phone(app, HERE) as first:

        def another() -> Phone:
            found = Phone(app, HERE)
            found.portal = first.portal  # the same running box, and cookies of its own
            return found

        yield another


@contextmanager
def with_model(box: fakes.FakeAppliance, model: object | None) -> Iterator[None]:
    before, box.model = box.model, model
    yield
    box.model = before
