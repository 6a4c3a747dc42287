"""Sticks come and go, bundles are switched and tried out, and whoever asks meanwhile notices nothing (cases
9, 11, 12, 37, 38)."""

import os
import shutil
import threading
import time
from contextlib import contextmanager

import pytest
from small_bundle import copy_of, make, write_small

from appliance import wiring
from appliance.bundles import lies
from appliance.bundles.folder import Disk
from appliance.bundles.install import install
from appliance.bundles.store import Store, StoreError
from appliance.bundles.verify import quick
from appliance.errors import BundleError
from appliance.quality.interrupted import Pulled
from appliance.services import holdings
from appliance.shelving.jobs import Jobs
from appliance.shelving.librarian import Librarian
from appliance.shelving.live import Live
from appliance.shelving.shelf import Shelf
from shelving.boxes import Embedding, plug, pull, until

pytestmark = pytest.mark.slow


@pytest.fixture
def given(given, tmp_path, card):
    """With an archive on the card."""
    (tmp_path / "library").mkdir()
    shutil.copy(card, tmp_path / "library/card.zim")
    return given


@pytest.fixture
def librarian(given):
    found = Librarian(Live(wiring.open_appliance(given, Embedding())), pace=0.02)
    found.start()
    yield found
    found.stop()


def stick_of(librarian, state="ready", place=0):
    def found():
        there = librarian.view().sticks
        return there[place] if len(there) > place and there[place].state == state else None

    return until(found)


def in_use(librarian):
    """The label of the card's bundle, once it has answered its self-test and that was said."""
    view = librarian.view()
    tried = view.now and not view.now.on_trial and f"{view.now.label} is in use" in view.message
    return view.now.label if tried else ""


def names(librarian):
    return {book.archive.name for book in librarian.live.library.books}


def test_a_stick_is_noticed_and_only_used_when_someone_says_so(librarian, given, made):
    plug(given, made / "valley-1")
    stick = stick_of(librarian)
    assert (stick.place.name, stick.found.label, stick.needs_yes) == ("STICK", "valley 1", False)
    assert names(librarian) == {"card"}
    librarian.use(stick.key)
    until(lambda: names(librarian) == {"card", "small_2025-06"})
    found = librarian.live.library.search("What causes lockjaw?")
    assert found.evidence[0].path == "Tetanus"
    assert all(book.index for book in librarian.live.library.books if book.archive.name != "card")
    until(lambda: librarian.view().sticks[0].read == 1.0)
    assert [check.state for check in librarian.live.health().checks if check.name == "Stick STICK"] == ["on"]


def test_pulled_out_the_card_goes_on(librarian, given, made):
    stick = plug(given, made / "valley-1")
    librarian.use(stick_of(librarian).key)
    until(lambda: "small_2025-06" in names(librarian))
    began = time.monotonic()
    pull(stick)
    until(lambda: names(librarian) == {"card"})
    assert time.monotonic() - began < 5
    until(lambda: "The stick STICK was pulled out" in librarian.view().message)
    assert librarian.view().sticks == ()


@contextmanager
def running(given, disk):
    """A box whose sticks are read through with `disk`."""
    found = Librarian(Live(wiring.open_appliance(given, Embedding())), pace=0.02, disk=disk)
    found.start()
    try:
        yield found
    finally:
        found.stop()


def test_a_stick_that_reading_finds_gone_first_is_said_too(given, made):
    """The background check meets the missing disk before the next look does."""
    stick = plug(given, made / "valley-1")
    with running(given, lambda folder: Pulled(folder, 5000)) as librarian:
        librarian.use(stick_of(librarian).key)
        assert "cannot be read" in stick_of(librarian, "refused").sentence
        pull(stick)
        until(lambda: "The stick STICK was pulled out" in librarian.notice())


def test_a_second_stick_is_noticed_and_used_while_the_first_is_read_through(given, made):
    """Reading a stick takes hours; here the first is held up until the second is in use."""
    go_on = threading.Event()

    class Held(Disk):
        def open(self, path):
            assert go_on.wait(60)
            return super().open(path)

    plug(given, made / "valley-1", "FIRST")
    with running(
        given, lambda folder: Held(folder) if folder.parent.name == "FIRST" else Disk(folder)
    ) as box:
        box.use(stick_of(box).key)
        until(lambda: "small_2025-06" in names(box))
        plug(given, made / "valley-coast", "SECOND")
        box.use(stick_of(box, place=1).key)
        until(lambda: names(box) == {"card", "small_2025-06", "coast"})
        assert [stick.read == 1.0 for stick in box.view().sticks] == [False, False]
        go_on.set()
        until(lambda: [stick.read == 1.0 for stick in box.view().sticks] == [True, True])
        pull(given.home / "sticks/FIRST")
        until(lambda: names(box) == {"card", "coast"})


def test_work_that_fails_in_an_unforeseen_way_blocks_no_other():
    def fault(_progress):
        raise KeyError("archive")

    said = []
    jobs = Jobs(said.append)
    jobs.begin("Copying", 1, fault)
    until(lambda: jobs.now is None)
    assert "KeyError('archive')" in said[0]  # told before the work is over, so that nobody sees no end of it
    jobs.begin("Copying", 1, lambda _progress: "Copied.")
    jobs.close()


def test_swapped_the_library_swaps(librarian, given, made):
    first = plug(given, made / "valley-1")
    librarian.use(stick_of(librarian).key)
    until(lambda: "small_2025-06" in names(librarian))
    pull(first)
    plug(given, made / "valley-coast")
    until(lambda: names(librarian) == {"card", "coast"})


def test_a_stick_whose_bundle_is_swapped_in_its_place_is_looked_at_anew(librarian, given, made):
    stick = plug(given, made / "valley-1")
    librarian.use(stick_of(librarian).key)
    until(lambda: "small_2025-06" in names(librarian))
    copy_of(made / "valley-2", given.home / "new")
    os.rename(stick / "bundle", given.home / "old")
    os.rename(given.home / "new", stick / "bundle")
    until(lambda: [one.found.label for one in librarian.view().sticks if one.found] == ["valley 2"])
    until(lambda: names(librarian) == {"card"})  # it is not signed: not used without a yes


def test_left_again_it_is_not_used_when_it_comes_back(librarian, given, made):
    stick = plug(given, made / "valley-1")
    librarian.use(stick_of(librarian).key)
    until(lambda: "small_2025-06" in names(librarian))
    librarian.leave(stick_of(librarian).key)
    until(lambda: names(librarian) == {"card"})
    pull(stick)
    until(lambda: not librarian.view().sticks)
    plug(given, made / "valley-1")
    stick_of(librarian)
    time.sleep(0.1)
    assert names(librarian) == {"card"}


def test_an_unsigned_bundle_needs_a_yes(librarian, given, made):
    plug(given, made / "valley-2")
    stick = stick_of(librarian)
    assert stick.needs_yes
    for act in (librarian.use, librarian.copy):
        with pytest.raises(lies.Unsigned):
            act(stick.key)
    librarian.use(stick.key, yes=True)
    until(lambda: "small_2025-06" in names(librarian))


@pytest.mark.parametrize("lie", ["missing", "cut", "link", "extra"])
def test_a_stick_that_lies_is_refused_and_nothing_of_it_served(librarian, given, made, tmp_path, lie):
    bundle = copy_of(made / "valley-1", tmp_path / "lying")
    archive = bundle / "archives/small_2025-06.zim"
    if lie == "extra":
        shutil.copy(archive, bundle / "archives/more.zim")
    elif lie == "cut":
        os.truncate(archive, 5000)
    else:
        archive.unlink()
        if lie == "link":
            archive.symlink_to("/etc/shadow")
    plug(given, bundle)
    stick = stick_of(librarian, "refused")
    assert "archives/" in stick.sentence
    with pytest.raises(BundleError, match="was refused"):
        librarian.use(stick.key, yes=True)
    assert names(librarian) == {"card"}
    (check,) = [check for check in librarian.live.health().checks if check.name == "Stick STICK"]
    assert check.state == "wrong"


def test_a_changed_byte_takes_the_stick_off_the_shelf(librarian, given, made, tmp_path):
    bundle = copy_of(made / "valley-1", tmp_path / "lying")
    with (bundle / "archives/small_2025-06.zim").open("r+b") as file:
        file.seek(-200, os.SEEK_END)
        file.write(b"x")
    plug(given, bundle)
    librarian.use(stick_of(librarian).key)
    stick = stick_of(librarian, "refused")
    assert "archives/small_2025-06.zim was changed" in stick.sentence
    until(lambda: names(librarian) == {"card"})


def test_copied_to_the_card_it_stays_when_the_stick_goes(librarian, given, made):
    stick = plug(given, made / "valley-1")
    librarian.copy(stick_of(librarian).key)
    until(lambda: librarian.view().now and not librarian.view().now.on_trial)
    pull(stick)
    until(lambda: not librarian.view().sticks)
    assert names(librarian) == {"card", "small_2025-06"}
    view = librarian.view()
    assert (view.now.label, view.before) == ("valley 1", None)
    assert "has answered its self-test" in view.message


def test_rolled_back_with_one_call(librarian, given, made):
    for version in ("1", "2"):
        stick = plug(given, made / f"valley-{version}")
        librarian.copy(stick_of(librarian).key, yes=True)
        until(lambda label=f"valley {version}": in_use(librarian) == label)
        pull(stick)
        until(lambda: not librarian.view().sticks)
    assert "Tetanus" not in [one.path for one in librarian.live.library.search("lockjaw").evidence]
    librarian.roll_back()
    until(lambda: "Tetanus" in [one.path for one in librarian.live.library.search("lockjaw").evidence])
    assert librarian.view().before.label == "valley 2"


def test_nothing_to_roll_back_to(librarian):
    with pytest.raises(StoreError, match="no bundle to go back to"):
        librarian.roll_back()


def test_a_bundle_that_fails_its_self_test_gives_way(librarian, made):
    """Its archive is taken away between the copy and the look: nothing of it can be opened."""
    store = librarian.store
    for version, said in (("1", "has answered its self-test"), ("2", "did not pass its self-test")):
        bundle = made / f"valley-{version}"
        with store.alone():
            new = install(store, Disk(bundle), quick(Disk(bundle)))
            if version == "2":
                (new / "archives/small_2025-06.zim").unlink()
            store.switch(new)
        librarian.wake()
        until(lambda said=said: said in librarian.view().message)
    assert store.current.name.startswith("valley-1")
    assert "Tetanus" in [one.path for one in librarian.live.library.search("lockjaw").evidence]


def test_a_bundle_that_is_switched_to_in_the_middle_of_a_look_is_tried_out_once_it_is_shown(given, made):
    class Late(Store):
        """Somebody ends copying at the moment in which it is asked for a bundle on trial."""

        late = None

        @property
        def on_trial(self):
            if self.late is not None:
                new, self.late = self.late, None
                self.switch(new)
            return super().on_trial

    store = Late(given.store)
    shelf = Shelf(Live(wiring.open_appliance(given, Embedding())), store)
    store.late = install(store, Disk(made / "valley-1"), quick(Disk(made / "valley-1")))
    said = [shelf.bring_up_to_date([]), shelf.bring_up_to_date([])]
    assert "".join(said) == "valley 1 is in use and has answered its self-test."
    assert store.current is not None


def test_the_first_bundle_that_fails_leaves_none(librarian, made):
    new = install(librarian.store, Disk(made / "valley-1"), quick(Disk(made / "valley-1")))
    (new / "archives/small_2025-06.zim").unlink()
    librarian.store.switch(new)
    until(lambda: librarian.store.current is None)
    until(lambda: names(librarian) == {"card"})


def test_a_copy_that_is_stopped_is_gone_on_with(librarian, given, made):
    plug(given, made / "valley-1")
    stick = stick_of(librarian)
    librarian.copy(stick.key)
    librarian.stop_job()
    until(lambda: librarian.view().job is None)
    assert "Stopped" in librarian.view().message
    librarian.copy(stick.key)
    assert "Stopped" not in librarian.view().message  # how the one before ended is not how this one does
    until(lambda: librarian.view().now and not librarian.view().now.on_trial)


def test_a_stick_for_the_next_village(librarian, given, made):
    first = plug(given, made / "valley-1")
    librarian.copy(stick_of(librarian).key)
    until(lambda: librarian.view().now and not librarian.view().now.on_trial)
    pull(first)
    until(lambda: not librarian.view().sticks)
    (given.home / "sticks/EMPTY").mkdir()
    assert given.home / "sticks/EMPTY" not in librarian.view().plugged  # a place for a stick, and none
    (given.home / "sticks/EMPTY/photos").mkdir()
    librarian.export("EMPTY")
    until(lambda: librarian.view().job is None)
    assert "The stick is ready" in librarian.view().message
    found = stick_of(librarian)
    assert (found.found.label, found.needs_yes) == ("valley 1", False)
    with pytest.raises(BundleError, match="no longer there"):
        librarian.export("ABSENT")
    librarian.use(found.key)
    with pytest.raises(BundleError, match="People read from this stick"):
        librarian.export("EMPTY")


def test_the_installed_bundle_is_read_through(librarian, made):
    with pytest.raises(BundleError, match="no bundle here"):
        librarian.check()
    new = install(librarian.store, Disk(made / "valley-1"), quick(Disk(made / "valley-1")))
    librarian.store.switch(new)
    until(lambda: "has answered" in librarian.view().message)
    librarian.check()
    until(lambda: librarian.view().job is None)
    assert "is what it should be" in librarian.view().message


def test_a_damaged_bundle_is_put_right_while_it_is_read(librarian, given, made):
    """Nobody sees an empty shelf meanwhile, and the bundle before stays the one to go back to."""
    for version in ("2", "1"):
        stick = plug(given, made / f"valley-{version}")
        librarian.copy(stick_of(librarian).key, yes=True)
        until(lambda label=f"valley {version}": in_use(librarian) == label)
        if version == "2":
            pull(stick)
            until(lambda: not librarian.view().sticks)
    damaged = librarian.store.current / "archives/small_2025-06.zim"
    damaged.chmod(0o644)
    with damaged.open("r+b") as file:
        file.seek(-20, os.SEEK_END)
        file.write(b"x")
    librarian.check()
    until(lambda: librarian.view().job is None)
    assert librarian.view().message.endswith("only what is damaged is copied.")
    librarian.copy(stick_of(librarian).key)
    seen = set()

    def put_right():
        seen.add(frozenset(names(librarian)))
        return in_use(librarian) == "valley 1" and librarian.store.current != damaged.parent.parent

    until(put_right)
    assert seen == {frozenset({"card", "small_2025-06"})}
    assert librarian.view().before.label == "valley 2"
    until(lambda: librarian.view().job is None)
    librarian.check()
    until(lambda: "is what it should be" in librarian.view().message)


def test_who_asks_during_a_switch_keeps_to_one_box(librarian, made):
    live = librarian.live
    with live.held() as box:
        new = install(librarian.store, Disk(made / "valley-1"), quick(Disk(made / "valley-1")))
        librarian.store.switch(new)
        until(lambda: not librarian.store.on_trial)
        assert {book.archive.name for book in live.library.books} == {"card"}
        assert box is live.box
        seen = []
        thread = threading.Thread(target=lambda: seen.append(names(librarian)))
        thread.start()
        thread.join()
    assert seen == [{"card", "small_2025-06"}]
    assert names(librarian) == {"card", "small_2025-06"}


def test_an_archive_on_card_and_stick_is_served_once_and_from_the_card(librarian, given, made):
    new = install(librarian.store, Disk(made / "valley-1"), quick(Disk(made / "valley-1")))
    librarian.store.switch(new)
    plug(given, made / "valley-1")
    librarian.use(stick_of(librarian).key)
    until(lambda: holdings.sticks_in_use(given))
    until(lambda: "small_2025-06" in names(librarian))
    (path,) = [b.archive.path for b in librarian.live.library.books if b.archive.name == "small_2025-06"]
    assert path.is_relative_to(given.store)
    assert librarian.live.box.problems == ()


def test_a_newer_edition_on_a_stick_replaces_the_cards_while_it_is_there(librarian, given, tmp_path):
    """Case 12: the older one stays for old citations."""
    write_small(given.library / "coast_2025-01.zim")
    stick = tmp_path / "edition"
    make(stick, names=("coast_2025-06",))
    plug(given, stick / "valley-1")
    librarian.use(stick_of(librarian).key, yes=True)
    until(lambda: "coast_2025-06" in names(librarian))
    assert "coast_2025-01" not in names(librarian)
    assert [one.path.name for one in librarian.live.shelf.older] == ["coast_2025-01.zim"]


@pytest.mark.parametrize("end", ["\n", "\r", "\x0b", "\x1c", "\x85", "\u2028"])
def test_a_name_with_an_end_of_line_leads_to_no_other_folder(librarian, given, made, tmp_path, end):
    """A folder that nobody verified lies beside a good bundle, under the first line of its name."""
    stick = tmp_path / "made"
    copy_of(made / "valley-1", stick / f"a{end}b")
    (stick / "a/archives").mkdir(parents=True)
    write_small(stick / "a/archives/unseen.zim")
    (given.home / "sticks").mkdir()
    os.rename(stick, given.home / "sticks/STICK")
    librarian.use(stick_of(librarian).key)
    until(lambda: "small_2025-06" in names(librarian))
    assert names(librarian) == {"card", "small_2025-06"}


def test_sticks_in_use_are_used_again_after_a_restart(given, made):
    plug(given, made / "valley-1")
    for start in range(2):
        librarian = Librarian(Live(wiring.open_appliance(given, Embedding())), pace=0.02)
        librarian.start()
        try:
            if not start:
                librarian.use(stick_of(librarian).key)
            until(lambda one=librarian: "small_2025-06" in names(one))
        finally:
            librarian.stop()
