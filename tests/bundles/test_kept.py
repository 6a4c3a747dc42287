"""Bundles of every released format still open: verified, installed, served, found (tests/data)."""

from pathlib import Path

import pytest
from shelving.boxes import Embedding

from appliance import settings, wiring
from appliance.bundles import signature
from appliance.bundles.folder import Disk
from appliance.bundles.install import install
from appliance.bundles.manifest import FORMAT
from appliance.bundles.store import Store
from appliance.bundles.verify import fits, full, quick, require_trusted
from appliance.services.runtime import prepare
from appliance.shelving import selftest

DATA = Path(__file__).parents[1] / "data"
KEPT = sorted(path for path in DATA.iterdir() if path.is_dir() and (path / "bundle.toml").exists())


def test_there_is_one_for_every_format():
    assert [path.name for path in KEPT] == [f"kept-format-{number}" for number in range(1, FORMAT + 1)]


@pytest.mark.parametrize("bundle", KEPT, ids=lambda path: path.name)
def test_it_is_verified_installed_and_served(bundle, tmp_path):
    found = quick(Disk(bundle), signature.read_trusted(DATA / "trusted-keys.txt"))
    require_trusted(found)
    fits(Disk(bundle), found)
    full(Disk(bundle), found)
    given = settings.load({"home": tmp_path, "runtime": tmp_path / "run"}, {})
    prepare(given.runtime)
    store = Store(given.store)
    with store.alone():
        store.switch(install(store, Disk(bundle), found))
    box = wiring.open_appliance(given, Embedding())
    assert selftest.fault(box.library, found.bundle) == ""
    assert box.library.search("What causes lockjaw?").evidence[0].path == "Tetanus"
