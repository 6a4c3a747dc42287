from collections.abc import Iterator
from pathlib import Path

import pytest

from appliance import settings
from appliance.quality.bench_hostile import addresses
from security.target import URL, Target, furnished, running


@pytest.fixture(scope="session")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    """What is attacked: a box of our own, or the one that ./build.sh test-security was given."""
    home: Path = tmp_path_factory.mktemp("attacked") / "home"
    if URL:
        # The addresses of this version, from a box that is never started.
        yield Target(URL, tuple(addresses(settings.load({"home": home}, {}))))
        return
    token = furnished(home)
    with running(home, token) as found:
        yield found


@pytest.fixture
def own(target: Target) -> Target:
    """A box of our own, where a test must look inside."""
    if target.own is None:
        pytest.skip("looks into the box's process, which is not on this machine")
    return target
