"""Kiwix's servers on this machine; a small signed bundle and who is trusted to sign it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from kiwix_servers import Kiwix, serve
from small_bundle import copy_of, make

from appliance.bundles import signature


@pytest.fixture
def kiwix(monkeypatch: pytest.MonkeyPatch) -> Iterator[Kiwix]:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with serve() as servers:
        yield servers


@pytest.fixture(scope="session")
def key(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A private key; `keys` trusts it."""
    file = tmp_path_factory.mktemp("key") / "key.pem"
    signature.new_key(file)
    return file


@pytest.fixture(scope="session")
def keys(key: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[signature.TrustedKey, ...]:
    line = signature.sign(b"", key).split()[1]
    listed = tmp_path_factory.mktemp("keys") / "trusted.txt"
    listed.write_text(f"# ours\n{line} The librarians of the valley\n")
    return signature.read_trusted(listed)


@pytest.fixture(scope="session")
def signed(key: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bundle that is signed; not to be changed."""
    folder = tmp_path_factory.mktemp("signed")
    make(folder, key=key)
    return folder / "valley-1"


@pytest.fixture
def bundle(signed: Path, tmp_path: Path) -> Path:
    """The same, to be changed."""
    return copy_of(signed, tmp_path / "bundle")
