from collections.abc import Callable, Iterator

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from appliance.server.app import create_app
from server import fakes
from server.phones import Phone, open_box


@pytest.fixture(scope="session")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """The pages over the small library, without a language model."""
    with TestClient(
        create_app(fakes.appliance(tmp_path_factory.mktemp("home"))), "http://127.0.0.1"
    ) as found:
        yield found


@pytest.fixture(scope="session")
def replaceable(tmp_path_factory: pytest.TempPathFactory) -> tuple[fakes.FakeAppliance, FastAPI]:
    """Made once; `answering` puts into it what a test answers with."""
    appliance = fakes.appliance(tmp_path_factory.mktemp("home"))
    return appliance, create_app(appliance)


@pytest.fixture
def answering(replaceable: tuple[fakes.FakeAppliance, FastAPI]) -> Callable[..., TestClient]:
    """A client of the pages over the model that is given, and over the small library if none is given."""
    appliance, app = replaceable

    def client(
        model: fakes.ScriptedModel | None, library: fakes.FakeLibrary | None = None, quick: object = None
    ) -> TestClient:
        appliance.library = library or fakes.FakeLibrary(fakes.shelf())
        appliance.model, appliance.quick = model, quick
        return TestClient(app, "http://127.0.0.1")

    return client


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> fakes.FakeAppliance:
    return fakes.appliance(tmp_path_factory.mktemp("box"), fakes.ScriptedModel())


@pytest.fixture(scope="module")
def phones(box: fakes.FakeAppliance) -> Iterator[Callable[[], Phone]]:
    with open_box(box) as found:
        yield found


@pytest.fixture
def phone(phones: Callable[[], Phone]) -> Phone:
    """A phone that nobody has asked with."""
    return phones()
