"""Kiwix's servers on this machine."""

from collections.abc import Iterator

import pytest
from kiwix_servers import Kiwix, serve


@pytest.fixture
def kiwix(monkeypatch: pytest.MonkeyPatch) -> Iterator[Kiwix]:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with serve() as servers:
        yield servers
