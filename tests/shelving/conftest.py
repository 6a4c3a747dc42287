from pathlib import Path

import pytest
from small_bundle import make, write_small
from small_library import PAGES

from appliance import settings
from appliance.bundles import signature
from appliance.services.runtime import prepare
from appliance.settings import Settings


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `key.pem`, `trusted.txt` and the bundles valley-1 (signed), valley-2 (unsigned, without
    the page on tetanus) and coast-1 (signed, other archives)."""
    folder = tmp_path_factory.mktemp("made")
    public = signature.new_key(folder / "key.pem")
    (folder / "trusted.txt").write_text(f"{public} The librarians of the valley\n")
    make(folder, key=folder / "key.pem", names=("small_2025-06",))
    make(folder, PAGES[1:-2], "2", names=("small_2025-06",))
    make(folder, PAGES[:4], "coast", folder / "key.pem", names=("coast",))
    return folder


@pytest.fixture(scope="session")
def card(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive with one page, for the box's card: tests copy it, since writing one takes longer."""
    return write_small(tmp_path_factory.mktemp("card") / "card.zim", ())


@pytest.fixture
def given(tmp_path: Path, made: Path) -> Settings:
    """A box without archives that trusts the key of `made`; sticks come below `sticks`."""
    found = settings.load(
        {
            "home": tmp_path,
            "runtime": tmp_path / "run",
            "sticks": str(tmp_path / "sticks"),
            "trusted_keys": made / "trusted.txt",
        },
        {},
    )
    prepare(found.runtime)
    return found
