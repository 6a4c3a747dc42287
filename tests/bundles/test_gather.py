"""What a definition names beside Kiwix's archives."""

from pathlib import Path

import pytest
from kiwix_servers import Kiwix

from appliance.bundles import gather, lock
from appliance.bundles.definitions import Defined, read
from appliance.bundles.lockfile import LockError
from appliance.errors import BundleError, ModelFileError

HEAD = 'title = "Clinic"\ndescription = "Ours"\nlanguages = ["eng"]\n'
KIWIX = '[[kiwix]]\nname = "wikem_en_all"\n'
OWN = '[[zim]]\npath = "own.zim"\n'


def defined(tmp_path: Path, text: str) -> Defined:
    file = tmp_path / "clinic.toml"
    file.write_text(HEAD + text)
    return read(file)


def test_fetched_ones_first_and_own_ones_where_they_are(kiwix: Kiwix, tmp_path: Path) -> None:
    plan = defined(tmp_path, KIWIX + OWN)
    (tmp_path / "own.zim").write_bytes(b"own")
    kiwix.add("wikem_en_all", b"fetched")
    lock.make(plan, kiwix.catalogue)
    found = gather.gather(plan, tmp_path / "home")
    assert found.archives == (
        tmp_path / "home" / "archives" / "wikem_en_all_2026-04.zim",
        tmp_path / "own.zim",
    )
    assert found.archives[0].read_bytes() == b"fetched"
    assert found.models == {}


def test_what_is_missing_is_said_before_anything_is_fetched(kiwix: Kiwix, tmp_path: Path) -> None:
    plan = defined(tmp_path, KIWIX + OWN)
    with pytest.raises(BundleError, match=r"own\.zim is not there"):
        gather.gather(plan, tmp_path)
    (tmp_path / "own.zim").write_bytes(b"own")
    with pytest.raises(LockError, match="not locked yet"):
        gather.gather(plan, tmp_path)
    plan = defined(tmp_path, 'model = "gpt-9"\n' + KIWIX)
    with pytest.raises(ModelFileError, match="no model 'gpt-9'"):
        gather.gather(plan, tmp_path)
    assert kiwix.asked == []
