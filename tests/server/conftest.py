from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
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


@pytest.fixture
def answering(tmp_path: Path) -> Callable[[fakes.ScriptedModel], TestClient]:
    """A client over the small library and the model that is given."""
    return lambda model: TestClient(create_app(fakes.appliance(tmp_path, model)), "http://127.0.0.1")


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
