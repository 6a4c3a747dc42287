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
from appliance.bundles.room import SPARE
from appliance.bundles.store import Store, StoreError
from appliance.bundles.verify import full, quick
from appliance.quality.interrupted import Pulled, kills, pulls

pytestmark = pytest.mark.slow


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
    seen.clear()
    assert install(store, Disk(signed), found, seen.append) == made  # it is there: only read through
    assert sum(seen) == plan(store, found).work == found.bytes
    assert store.installed() == [made]


def test_an_update_copies_only_what_differs(store, signed, newer):
    old = bring(store, signed)
    found = quick(Disk(newer))
    would = plan(store, found)
    assert set(would.copied) == {
        "bundle.toml", "archives/second_2025-06.zim", "indexes/second_2025-06.index"
    }  # fmt: skip
    seen = []
    made = install(store, Disk(newer), found, seen.append)
    assert sum(seen) == would.work == 2 * would.bytes + sum(found.files[path].size for path in would.linked)
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
    assert sum(seen) == 2 * found.bytes - sum(found.files[path].size for path in there)


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


def spoil(file):
    """One byte becomes another, as on a failing card: size and name stay."""
    file.chmod(0o644)
    with file.open("r+b") as content:
        content.seek(-100, os.SEEK_END)
        byte = content.read(1)
        content.seek(-1, os.SEEK_CUR)
        content.write(bytes([byte[0] ^ 1]))


@pytest.mark.parametrize(
    "damage",
    [
        lambda here: spoil(here / "archives/small_2025-06.zim"),
        lambda here: (here / "indexes/small_2025-06.index").unlink(),
        lambda here: os.truncate(here / "archives/second_2025-06.zim", 0),
        lambda here: (here / "SHA256SUMS").write_text("nonsense"),
        lambda here: (here / "bundle.sig").unlink(),
        lambda here: (here / "archives/more.zim").write_text("too many"),
    ],
)
def test_a_damaged_bundle_is_put_right_from_its_stick(store, signed, damage):
    """The damaged copy stays in use until the whole one is there; then one rename, and a self-test."""
    old = bring(store, signed)
    store.answered(old)
    for file in old.rglob("*"):
        file.chmod(0o755 if file.is_dir() else 0o644)
    damage(old)
    found, seen = quick(Disk(signed)), []
    new = install(store, Disk(signed), found, lambda _: seen.append(store.current))
    assert new != old
    assert set(seen) == {old}
    store.switch(new)
    full(Disk(new), quick(Disk(new)))
    assert (store.current, store.previous, store.on_trial) == (new, None, True)
    store.answered(new)
    store.tidy()
    assert store.installed() == [new]
    assert install(store, Disk(signed), found) == new


def test_a_damaged_bundle_takes_from_the_stick_only_what_is_damaged(store, signed, newer):
    first = bring(store, newer)
    old = bring(store, signed)
    spoil(old / "archives/second_2025-06.zim")
    read = []

    class Watched(Disk):
        def open(self, path):
            read.append(path)
            return super().open(path)

    new = install(store, Watched(signed), quick(Disk(signed)))
    assert set(read) == {"archives/second_2025-06.zim", "SHA256SUMS", "bundle.sig"}
    store.switch(new)
    assert store.previous == first  # what can be gone back to stays what it was


def test_an_installed_file_that_was_damaged_is_not_taken_into_an_update(store, signed, newer):
    """Its size is right, one byte is not."""
    old = bring(store, signed)
    spoil(old / "archives/small_2025-06.zim")
    made = bring(store, newer)
    full(Disk(made), quick(Disk(made)))


def test_a_file_of_an_interrupted_copy_is_read_again(store, signed):
    found = quick(Disk(signed))
    with pytest.raises(lies.Unreadable):
        install(store, Pulled(signed, found.bytes // 2), found)
    (coming,) = store.root.glob(".coming-*")
    there = plan(store, found).there
    spoil(coming / there[0])
    made = install(store, Disk(signed), found)
    full(Disk(made), quick(Disk(made)))


@pytest.fixture
def narrow(monkeypatch):
    """Gives the store's disk so much room beside what lies there, by the names of files."""

    def make(store, left):
        usage = shutil.disk_usage(store.root)
        whole = taken(store.root) + left

        def used(_path):
            return usage._replace(free=whole - taken(store.root))

        monkeypatch.setattr(shutil, "disk_usage", used)

    def taken(root):
        states = (path.lstat() for path in root.rglob("*") if path.is_file())
        return sum({state.st_ino: state.st_size for state in states}.values())

    return make


def unfinished(store):
    return [path for path in store.root.iterdir() if path.name.startswith((".coming-", ".going-"))]


def test_what_an_interrupted_copy_left_makes_room_for_another_bundle(store, signed, newer, tmp_path, narrow):
    make(tmp_path, PAGES[:3], version="9", names=("ninth",))
    old = bring(store, tmp_path / "valley-9")
    found = quick(Disk(signed))
    with pytest.raises(lies.Unreadable):
        install(store, Pulled(signed, found.bytes // 2), found)
    (store.root / ".going-more/archives").mkdir(parents=True)
    (store.root / ".going-more/archives/left.zim").write_bytes(bytes(1000))
    other = quick(Disk(newer))
    left = sum(f.stat().st_size for folder in unfinished(store) for f in folder.rglob("*") if f.is_file())
    narrow(store, SPARE + other.bytes - left)
    made = install(store, Disk(newer), other)
    assert store.installed() == sorted([old, made])
    assert unfinished(store) == []


def test_what_is_left_stays_while_there_is_room(store, signed, newer, narrow):
    found = quick(Disk(signed))
    with pytest.raises(lies.Unreadable):
        install(store, Pulled(signed, found.bytes // 2), found)
    narrow(store, SPARE + 10 * found.bytes)
    bring(store, newer)
    assert plan(store, found).there


def test_room_is_made_without_losing_what_the_copy_shares(store, signed, newer, tmp_path, narrow):
    """The bundle before gives way, and what the new one takes of it does not come from the stick again."""
    before = bring(store, signed)
    make(tmp_path, PAGES[:3], version="9", names=("ninth",))
    current = bring(store, tmp_path / "valley-9")
    found = quick(Disk(newer))
    would = plan(store, found)
    assert all(source.is_relative_to(before) for source in would.linked.values())
    given_up = sum(path.stat().st_size for path in before.rglob("*") if path.is_file())
    given_up -= sum(source.stat().st_size for source in would.linked.values())
    narrow(store, SPARE + would.bytes - given_up)
    seen = []
    made = install(store, Disk(newer), found, seen.append)
    assert sum(seen) == would.work
    assert store.installed() == sorted([current, made])
    full(Disk(made), quick(Disk(made)))


def test_what_would_not_be_gained_is_not_counted(store, signed, newer, tmp_path, narrow):
    before = bring(store, signed)
    make(tmp_path, PAGES[:3], version="9", names=("ninth",))
    bring(store, tmp_path / "valley-9")
    found = quick(Disk(newer))
    would = plan(store, found)
    given_up = sum(path.stat().st_size for path in before.rglob("*") if path.is_file())
    narrow(store, SPARE + would.bytes - given_up)
    with pytest.raises(StoreError, match="are free"):
        install(store, Disk(newer), found)
    assert before in store.installed()
    assert unfinished(store) == []


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
