"""Into the store: whole or not at all, only what differs, rolled back with one call (case 37)."""

import errno
import os
import shutil
import sys

import pytest
from small_bundle import DEFINITION, index_beside, make, write_small
from small_library import PAGES

from appliance.bundles import disk, lies
from appliance.bundles.build import build
from appliance.bundles.folder import Disk
from appliance.bundles.install import install, plan
from appliance.bundles.store import Store, StoreError
from appliance.bundles.verify import full, quick
from appliance.quality.interrupted import Pulled, kills, pulls


@pytest.fixture(scope="module")
def newer(tmp_path_factory, signed):
    """The next edition: one archive and its index as they were, the other with two pages less."""
    folder = tmp_path_factory.mktemp("newer")
    kept = signed / "archives/small_2025-06.zim"
    changed = write_small(folder / "second_2025-06.zim", PAGES[:-2])
    indexes = {kept: signed / "indexes/small_2025-06.index", changed: index_beside(changed)}
    build(DEFINITION, "2", (kept, changed), {}, indexes.__getitem__, folder)
    return folder / "valley-2"


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "store")


def bring(store, bundle):
    stick = Disk(bundle)
    made = install(store, stick, quick(stick))
    store.switch(made)
    return made


def test_copied_whole_then_in_use(store, signed):
    seen = []
    found = quick(Disk(signed))
    made = install(store, Disk(signed), found, seen.append)
    assert store.current is None  # nothing is switched by copying
    assert sum(seen) == 2 * found.bytes
    assert quick(Disk(made)).digest == found.digest
    full(Disk(made), quick(Disk(made)))
    store.switch(made)
    assert (store.current, store.previous, store.on_trial) == (made, None, True)
    store.answered(made)
    assert not store.on_trial
    assert install(store, Disk(signed), found) == made  # it is there: nothing to do


def test_an_update_copies_only_what_differs(store, signed, newer):
    old = bring(store, signed)
    found = quick(Disk(newer))
    would = plan(store, found)
    assert set(would.copied) == {
        "bundle.toml", "archives/second_2025-06.zim", "indexes/second_2025-06.index"
    }  # fmt: skip
    seen = []
    made = install(store, Disk(newer), found, seen.append)
    assert sum(seen) == would.work == 2 * would.bytes
    one, other = (path / "archives/small_2025-06.zim" for path in (old, made))
    assert one.stat().st_ino == other.stat().st_ino
    full(Disk(made), quick(Disk(made)))


def test_rolled_back_and_forward(store, signed, newer):
    old, new = bring(store, signed), bring(store, newer)
    store.answered(new)
    assert (store.current, store.previous) == (new, old)
    assert store.roll_back() == old
    assert (store.current, store.previous, store.on_trial) == (old, new, False)
    assert store.roll_back() == new
    full(Disk(new), quick(Disk(new)))


def test_what_a_self_test_found_is_said_of_the_bundle_it_tried(store, signed, newer):
    """Another process may have switched meanwhile."""
    old, new = bring(store, signed), bring(store, newer)
    store.answered(old)
    assert store.on_trial
    store.give_up(old)
    assert (store.current, store.previous) == (new, old)
    store.give_up(new)
    assert (store.current, store.previous) == (old, None)


def test_nothing_to_go_back_to(store, signed):
    with pytest.raises(StoreError, match="no bundle to go back to"):
        store.roll_back()
    bring(store, signed)
    with pytest.raises(StoreError, match="no bundle to go back to"):
        store.roll_back()


def test_tidying_keeps_the_two_in_use(store, signed, newer, tmp_path):
    first = bring(store, signed)
    make(tmp_path, PAGES[:3], version="9")
    second, third = bring(store, newer), bring(store, tmp_path / "valley-9")
    (store.root / ".coming-left").mkdir()
    (store.root / ".going-left").mkdir()
    (store.root / f".answered-{first.name}").touch()
    store.tidy()
    assert store.installed() == sorted([second, third])
    assert sorted(path.name for path in store.root.iterdir() if path.name.startswith(".")) == []
    with pytest.raises(StoreError, match="is in use"):
        store.remove(third)


@pytest.mark.parametrize("target", ["../elsewhere", "/etc", ".coming-x", "absent"])
def test_a_link_that_leads_elsewhere_is_none(store, signed, target):
    bring(store, signed)
    (store.root / ".coming-x").mkdir()
    disk.link_to(store.root / "current", target)
    assert store.current is None


def test_one_at_a_time(store):
    with store.alone(), pytest.raises(StoreError, match="Another bundle is being copied"), store.alone():
        pass


def test_a_stick_that_changes_while_it_is_copied(store, bundle):
    found = quick(Disk(bundle))
    with (bundle / "archives/small_2025-06.zim").open("r+b") as file:
        file.seek(5000)
        file.write(b"changed")
    with pytest.raises(lies.Changed) as caught:
        install(store, Disk(bundle), found)
    assert caught.value.file == "archives/small_2025-06.zim"
    assert store.installed() == []


def test_a_list_that_changes_while_it_is_copied(store, bundle):
    found = quick(Disk(bundle))
    (bundle / "bundle.sig").unlink()
    with pytest.raises(lies.Lie):
        install(store, Disk(bundle), found)
    assert store.installed() == []


def test_a_copy_goes_on_where_it_was(store, signed):
    found = quick(Disk(signed))
    with pytest.raises(lies.Unreadable):
        install(store, Pulled(signed, found.bytes // 2), found)
    there = plan(store, found).there
    assert there
    seen = []
    install(store, Disk(signed), found, seen.append)
    assert sum(seen) == 2 * (found.bytes - sum(found.files[path].size for path in there))


def test_a_disk_without_room_is_said_before_a_byte_is_copied(store, signed, monkeypatch):
    usage = shutil.disk_usage(signed)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=10_000))
    with pytest.raises(StoreError, match="0 MB are free"):
        install(store, Disk(signed), quick(Disk(signed)))
    assert list(store.root.iterdir()) == []


def test_a_disk_without_hard_links_gets_copies(store, signed, newer, monkeypatch):
    bring(store, signed)

    def refused(*_args, **_options):
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", refused)
    made = bring(store, newer)
    full(Disk(made), quick(Disk(made)))


def test_an_installed_file_of_another_size_is_not_taken_again(store, signed, newer):
    old = bring(store, signed)
    rotten = old / "archives/small_2025-06.zim"
    rotten.chmod(0o644)
    os.truncate(rotten, 5000)
    made = bring(store, newer)
    full(Disk(made), quick(Disk(made)))


def test_killed_at_any_moment_it_is_the_old_or_the_new(signed, newer, tmp_path):
    """Real processes and SIGKILL; `appliance bench --only bundles` does it two hundred times."""
    found = kills(signed, newer, tmp_path, 8)
    assert (found.broken, found.whole) == ([], 8)


def test_pulled_out_at_any_byte_it_is_the_old_or_the_new(signed, newer, tmp_path):
    found = pulls(signed, newer, tmp_path, 10)
    assert (found.broken, found.whole) == ([], 10)
    assert found.old


def test_every_switch_is_one_rename(store, signed, newer):
    """Whatever is read between any two steps of a switch is the old or the new bundle."""
    old = bring(store, signed)
    new = install(store, Disk(newer), quick(Disk(newer)))
    seen = []

    def look(event, _arguments):
        if event in ("os.rename", "os.symlink", "os.remove") and watching:
            seen.append(store.current)

    watching = [True]
    sys.addaudithook(look)
    store.switch(new)
    seen.append(store.current)
    store.roll_back()
    seen.append(store.current)
    watching.clear()
    assert set(seen) == {old, new}
    assert len(seen) > 5
