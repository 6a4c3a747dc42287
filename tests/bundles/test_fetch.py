"""Archives over HTTP from mirrors that break off, lie, stall and change, on this machine."""

import os
import random
import resource
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest
from kiwix_servers import PIECE, Kiwix, Mirror

from appliance.bundles import fetch, lock
from appliance.bundles.definitions import Defined, read
from appliance.bundles.lockfile import Lock
from appliance.bundles.manifest import KiwixArchive
from appliance.bundles.transfer import NotFetched, Patience
from appliance.errors import BundleError, SetupError

pytestmark = pytest.mark.slow

CONTENT = random.Random(7).randbytes(30 * PIECE + 123)
FILE = "wikem_en_all_maxi_2026-04.zim"
QUICK = Patience(tries=3, longer=3, wait=0.01, gain=5_000, slow=200_000, seconds=10)
HASTY = replace(QUICK, seconds=0.2)  # for tests of slow mirrors; a busy machine is slow too


def locked(kiwix: Kiwix, **more: object) -> Lock:
    """One archive, on the mirrors a and b, locked over HTTP."""
    kiwix.add("wikem_en_all", CONTENT, flavour="maxi", **more)
    found = Lock(kiwix.catalogue, (lock.resolve(KiwixArchive("wikem_en_all", "maxi", 0), kiwix.catalogue),))
    kiwix.asked.clear()
    return found


def changed(place: int) -> bytes:
    """The content with one byte of the piece `place` changed."""
    at = place * PIECE + 77
    return CONTENT[:at] + bytes([CONTENT[at] ^ 1]) + CONTENT[at + 1 :]


def fetched(found: Lock, folder: Path, patience: Patience = QUICK) -> None:
    """Fetches, and holds that nothing but the whole archive is left."""
    assert fetch.fetch(found, folder, patience=patience) == [folder / FILE]
    assert (folder / FILE).read_bytes() == CONTENT
    assert sorted(file.name for file in folder.iterdir()) == [".fetching", FILE]


def starts(kiwix: Kiwix, mirror: str) -> list[int]:
    """From which bytes on a mirror was asked."""
    return [
        int(asked.partition("bytes=")[2].rstrip("-") or 0)
        for asked in kiwix.asked
        if asked.startswith(f"/mirror/{mirror}/")
    ]


def test_several_at_once_and_then_nothing_more(kiwix: Kiwix, tmp_path: Path) -> None:
    names = [f"book-{number}_en_all" for number in range(9)]
    for name in names:
        kiwix.add(name, name.encode() * 5000)
    archives = tuple(lock.resolve(KiwixArchive(name, "", 0), kiwix.catalogue) for name in names)
    together = threading.Barrier(4)
    waited: list[int] = []

    def meet() -> None:
        if len(waited) < 4:  # the first four are only answered once all four are there
            waited.append(1)
            together.wait(60)

    kiwix.mirror("a").after_each = meet
    files = fetch.fetch(Lock(kiwix.catalogue, archives), tmp_path / "new" / "archives", parallel=4)
    assert [file.read_bytes() for file in files] == [name.encode() * 5000 for name in names]
    kiwix.asked.clear()
    assert fetch.fetch(Lock(kiwix.catalogue, archives), tmp_path / "new" / "archives") == files
    assert kiwix.asked == []


def test_through_the_redirect_of_the_origin(kiwix: Kiwix, tmp_path: Path) -> None:
    fetched(locked(kiwix, mirrors=()), tmp_path)
    assert kiwix.asked == [f"/zim/{FILE}", f"/mirror/origin/{FILE}"]


def test_a_mirror_that_lies_is_dropped_and_only_its_piece_comes_again(
    kiwix: Kiwix, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = locked(kiwix)
    kiwix.mirror("a").content[FILE] = changed(11)
    fetched(found, tmp_path)
    assert (starts(kiwix, "a"), starts(kiwix, "b")) == ([0], [11 * PIECE])
    assert f"sends wrong bytes at byte {11 * PIECE:,} of {FILE}" in capsys.readouterr().err


def test_all_mirrors_lie(kiwix: Kiwix, tmp_path: Path) -> None:
    found = locked(kiwix)
    for name, place in (("a", 3), ("b", 9), ("origin", 9)):
        kiwix.mirror(name).content[FILE] = changed(place)
    with pytest.raises(NotFetched, match="sends wrong bytes") as raised:
        fetch.fetch(found, tmp_path, patience=QUICK)
    assert "what has come is kept" in raised.value.hint
    assert (tmp_path / f"{FILE}.part").read_bytes() == CONTENT[: 9 * PIECE]
    kiwix.mirror("b").content.clear()
    kiwix.asked.clear()
    kiwix.mirror("a").status = 503
    fetched(found, tmp_path)
    assert starts(kiwix, "b") == [9 * PIECE]


@pytest.mark.parametrize("status", [404, 403, 416, 500, 503])
def test_a_mirror_that_does_not_have_it(status: int, kiwix: Kiwix, tmp_path: Path) -> None:
    found = locked(kiwix)
    kiwix.mirror("a").status = status
    fetched(found, tmp_path)
    assert len(starts(kiwix, "a")) == 1


def test_a_mirror_that_is_not_there(kiwix: Kiwix, tmp_path: Path) -> None:
    found = locked(kiwix)
    (archive,) = found.archives
    dead = ("http://127.0.0.1:9/x.zim", *archive.addresses)
    fetched(Lock(found.catalogue, (replace(archive, addresses=dead),)), tmp_path)


def test_a_mirror_that_breaks_off_again_and_again(kiwix: Kiwix, tmp_path: Path) -> None:
    found = locked(kiwix, mirrors=("a",))
    kiwix.mirror("a").breaks_after = 10_000
    kiwix.mirror("origin").status = 404
    fetched(found, tmp_path)
    asked = starts(kiwix, "a")
    assert asked == [10_000 * n for n in range(-(-len(CONTENT) // 10_000))]


def test_a_network_that_is_away_for_a_while(kiwix: Kiwix, tmp_path: Path) -> None:
    """Once something has come, mirrors are asked for longer than while nothing ever did."""
    found = locked(kiwix, mirrors=("a",))
    mirror = kiwix.mirror("a")
    mirror.breaks_after = 5 * PIECE
    kiwix.mirror("origin").status = 404

    def away() -> None:
        mirror.status = 503 if 1 < len(starts(kiwix, "a")) < 7 else 0

    mirror.after_each = away
    patience = replace(QUICK, longer=8)
    assert fetch.fetch(found, tmp_path, patience=patience) == [tmp_path / FILE]
    assert starts(kiwix, "a")[:8] == [0, *(5 * PIECE for _ in range(6)), 10 * PIECE]
    (tmp_path / FILE).unlink()
    kiwix.asked.clear()
    mirror.after_each, mirror.status = None, 503
    with pytest.raises(NotFetched, match="503"):
        fetch.fetch(found, tmp_path, patience=patience)
    assert len(starts(kiwix, "a")) == patience.tries


def test_a_mirror_that_drips_is_not_asked_for_every_drop(kiwix: Kiwix, tmp_path: Path) -> None:
    found = locked(kiwix)
    kiwix.mirror("a").breaks_after = kiwix.mirror("b").breaks_after = 3
    fetched(found, tmp_path)
    assert len(kiwix.asked) < 2 * QUICK.tries + 3


def test_mirrors_that_break_off_before_a_byte(kiwix: Kiwix, tmp_path: Path) -> None:
    found = locked(kiwix)
    for name in ("a", "b", "origin"):
        kiwix.mirror(name).breaks_after = 0
    with pytest.raises(NotFetched, match=r"broke off after 0 of 123,003 bytes"):
        fetch.fetch(found, tmp_path, patience=QUICK)
    assert len(starts(kiwix, "a")) == len(starts(kiwix, "b")) == QUICK.tries


@pytest.mark.parametrize(
    "says",
    [
        "bytes 0-123002/123003",
        "bytes 20531-123002/123003",
        "bytes 20530-123003/123004",
        "bytes */100",
        "",
    ],
    ids=["from-0", "one-later", "larger", "none", "empty"],
)
def test_a_range_that_is_not_the_one_asked_for(says: str, kiwix: Kiwix, tmp_path: Path) -> None:
    """Mirror a gives the beginning, b then says something else than it was asked for."""
    found = locked(kiwix)
    kiwix.mirror("a").breaks_after = 5 * PIECE + 50
    kiwix.mirror("a").after_each = lambda: setattr(
        kiwix.mirror("a"), "status", len(starts(kiwix, "a")) > 1 and 404
    )
    kiwix.mirror("b").says = says
    fetched(found, tmp_path)
    assert starts(kiwix, "b") == [5 * PIECE + 50]
    assert starts(kiwix, "origin") == [5 * PIECE + 50]


def test_a_mirror_that_sends_everything_is_asked_last_and_skipped_through(
    kiwix: Kiwix, tmp_path: Path
) -> None:
    """200 instead of 206: others go before it; when it alone is left, what is there is passed over."""
    found = locked(kiwix)
    tmp_path.joinpath(f"{FILE}.part").write_bytes(CONTENT[: 7 * PIECE])
    kiwix.mirror("a").ranges = False
    fetched(found, tmp_path)
    assert (starts(kiwix, "a"), starts(kiwix, "b")) == ([7 * PIECE], [7 * PIECE])
    (tmp_path / FILE).unlink()
    tmp_path.joinpath(f"{FILE}.part").write_bytes(CONTENT[: 7 * PIECE])
    kiwix.mirror("b").status = kiwix.mirror("origin").status = 404
    fetched(found, tmp_path)


def test_a_slow_mirror_makes_way(kiwix: Kiwix, tmp_path: Path) -> None:
    found = locked(kiwix)
    kiwix.mirror("a").seconds_per_block, kiwix.mirror("a").block = 0.05, 1024
    began = time.monotonic()
    fetched(found, tmp_path, HASTY)
    assert time.monotonic() - began < 5  # alone it would take 6
    (second,) = starts(kiwix, "b")
    assert second > 0


def test_when_all_are_slow_the_last_goes_on(kiwix: Kiwix, tmp_path: Path) -> None:
    found = locked(kiwix)
    for name in ("a", "b", "origin"):
        kiwix.mirror(name).seconds_per_block, kiwix.mirror(name).block = 0.02, 2048
    fetched(found, tmp_path, HASTY)
    assert [len(starts(kiwix, name)) for name in ("a", "b", "origin")] == [1, 1, 1]


def test_a_file_that_grew_on_the_mirror(kiwix: Kiwix, tmp_path: Path) -> None:
    found = locked(kiwix)
    kiwix.mirror("a").content[FILE] = CONTENT + b"more"
    fetched(found, tmp_path)
    assert starts(kiwix, "b") == [0]


@pytest.mark.parametrize("pieces", [True, False])
def test_a_file_that_changes_in_the_middle(pieces: bool, kiwix: Kiwix, tmp_path: Path) -> None:
    """The mirror breaks off, and has another edition of the same size when it is asked again."""
    found = locked(kiwix, pieces=pieces, mirrors=("a",))
    mirror = kiwix.mirror("a")
    mirror.breaks_after = 8 * PIECE + 9
    kiwix.mirror("origin").status = 503

    def change() -> None:
        if len(starts(kiwix, "a")) > 1:
            mirror.content[FILE], mirror.breaks_after = bytes(len(CONTENT)), -1
            kiwix.mirror("origin").status = 0

    mirror.after_each = change
    fetched(found, tmp_path)
    assert starts(kiwix, "a") == [0, 8 * PIECE + 9]
    assert starts(kiwix, "origin") == [8 * PIECE + 9, 8 * PIECE if pieces else 0]


def test_without_pieces_the_whole_counts(kiwix: Kiwix, tmp_path: Path) -> None:
    found = locked(kiwix, pieces=False)
    kiwix.mirror("a").content[FILE] = changed(20)
    fetched(found, tmp_path)
    assert (starts(kiwix, "a"), starts(kiwix, "b")) == ([0], [0])


def test_two_hands_in_a_wrong_whole_and_nobody_is_blamed(kiwix: Kiwix, tmp_path: Path) -> None:
    """Half of it lies here from an earlier run, and is wrong; the mirror gives the rest, then all of it."""
    found = locked(kiwix, pieces=False, mirrors=("a",))
    kiwix.mirror("origin").status = 404
    tmp_path.joinpath(f"{FILE}.part").write_bytes(changed(2)[: 9 * PIECE])
    fetched(found, tmp_path)
    assert starts(kiwix, "a") == [9 * PIECE, 0]


@pytest.mark.parametrize(
    ("left", "start"),
    [
        (CONTENT[: 4 * PIECE + 1000], 4 * PIECE + 1000),
        (changed(2)[: 9 * PIECE], 2 * PIECE),
        (CONTENT[: 9 * PIECE] + bytes(5 * PIECE), 9 * PIECE),  # blocks that never reached the disk
        (CONTENT[:-1] + b"?" + b"more", 30 * PIECE),
        (CONTENT + b"more than all", None),
        (CONTENT, None),
        (b"", 0),
    ],
    ids=["short", "damaged", "zeros", "end", "long", "whole", "empty"],
)
def test_what_an_earlier_run_left_is_checked(
    left: bytes, start: int | None, kiwix: Kiwix, tmp_path: Path
) -> None:
    found = locked(kiwix)
    tmp_path.joinpath(f"{FILE}.part").write_bytes(left)
    fetched(found, tmp_path)
    assert starts(kiwix, "a") == ([] if start is None else [start])


@pytest.mark.parametrize("seed", range(20))
def test_whatever_the_mirrors_do_only_the_right_archive_gets_the_name(
    seed: int, kiwix: Kiwix, tmp_path: Path
) -> None:
    """Mirrors with random faults, one of them good in every second run; anything may have been left there."""
    chance = random.Random(seed)
    found = locked(kiwix, pieces=chance.random() < 0.7, mirrors=("a", "b", "c", "d"))
    for name in ("a", "b", "c", "d", "origin"):
        mirror = kiwix.mirror(name)
        mirror.status = chance.choice([0, 0, 0, 0, 404, 503])
        mirror.breaks_after = chance.choice([-1, -1, 0, 1, 20_000, 60_000])
        mirror.ranges = chance.random() < 0.7
        mirror.says = chance.choice([None, None, None, "bytes 0-9/10", "nonsense"])
        mirror.block = chance.choice([999, 4096, 70_000])
        if chance.random() < 0.5:
            wrong = changed(chance.randrange(30))
            mirror.content[FILE] = chance.choice([wrong, wrong, CONTENT[:-9], CONTENT + b"x", b""])
    good = seed % 2 == 0
    if good:
        kiwix.mirrors[chance.choice("abcd")] = Mirror()  # without a fault
    cut = chance.randrange(len(CONTENT))
    left = chance.choice([b"", CONTENT[:cut], changed(3)[: 9 * PIECE], bytes(9999)])
    (tmp_path / f"{FILE}.part").write_bytes(left)
    try:
        fetch.fetch(found, tmp_path, patience=QUICK)
    except NotFetched:
        assert not good
        assert not (tmp_path / FILE).exists()
    else:
        assert (tmp_path / FILE).read_bytes() == CONTENT


def test_a_lock_that_contradicts_itself(kiwix: Kiwix, tmp_path: Path) -> None:
    found = locked(kiwix, sha256="0" * 64)
    with pytest.raises(BundleError, match="has right pieces but the SHA-256") as raised:
        fetch.fetch(found, tmp_path, patience=QUICK)
    assert "lock again" in raised.value.hint
    assert [file.name for file in tmp_path.iterdir()] == [".fetching"]


def test_one_that_fails_does_not_keep_the_others(kiwix: Kiwix, tmp_path: Path) -> None:
    found = locked(kiwix)
    kiwix.add("gone_en_all", b"x")
    gone = lock.resolve(KiwixArchive("gone_en_all", "", 0), kiwix.catalogue)
    kiwix.archives.pop()
    with pytest.raises(NotFetched, match=r"gone_en_all_2026-04\.zim could not be fetched: .*404"):
        fetch.fetch(Lock(found.catalogue, (gone, *found.archives)), tmp_path, patience=QUICK)
    assert (tmp_path / FILE).read_bytes() == CONTENT


def test_another_file_of_that_name_is_left_alone(kiwix: Kiwix, tmp_path: Path) -> None:
    found = locked(kiwix)
    (tmp_path / FILE).write_bytes(b"mine")
    with pytest.raises(BundleError, match="has 4 bytes, expected 123,003"):
        fetch.fetch(found, tmp_path)
    assert (tmp_path / FILE).read_bytes() == b"mine"


def test_too_small_a_disk_is_said_before_anything_is_fetched(kiwix: Kiwix, tmp_path: Path) -> None:
    (archive,) = locked(kiwix).archives
    huge = Lock(kiwix.catalogue, (replace(archive, bytes=10**17, pieces=None),))
    with pytest.raises(SetupError, match="needs 100,000,000,000 MB"):
        fetch.fetch(huge, tmp_path)
    assert kiwix.asked == []


def test_what_is_here(kiwix: Kiwix, tmp_path: Path) -> None:
    found = locked(kiwix)
    with pytest.raises(NotFetched, match=f"Not fetched yet: {FILE}"):
        fetch.here(found, tmp_path)
    fetched(found, tmp_path)
    assert fetch.here(found, tmp_path) == [tmp_path / FILE]


# From here on a process of its own, as people start it.


@pytest.fixture
def defined(kiwix: Kiwix, tmp_path: Path) -> Defined:
    kiwix.add("wikem_en_all", CONTENT, flavour="maxi")
    file = tmp_path / "clinic.toml"
    file.write_text(
        'title = "Clinic"\ndescription = "Ours"\nlanguages = ["eng"]\n'
        '[[kiwix]]\nname = "wikem_en_all"\nflavour = "maxi"\n'
    )
    found = read(file)
    lock.make(found, kiwix.catalogue)
    kiwix.asked.clear()
    return found


def start(defined: Defined, *options: str, **more: object) -> "subprocess.Popen[str]":
    home = defined.file.parent / "home"
    command = [sys.executable, "-m", "appliance", "bundle", "fetch", str(defined.file), "--home", str(home)]
    environment = {**os.environ, "no_proxy": "127.0.0.1"}
    return subprocess.Popen(
        [*command, *options],
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
        **more,
    )


def wait_for(condition, seconds: float = 20) -> None:
    latest = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < latest, "it did not come"
        time.sleep(0.005)


def test_sizes_first_and_progress(defined: Defined, kiwix: Kiwix) -> None:
    kiwix.mirror("a").seconds_per_block, kiwix.mirror("a").block = 0.4, 12_000
    out, said = start(defined, "--parallel", "2").communicate(timeout=60)
    lines = [line.strip() for line in said.splitlines()]
    assert lines[0] == f"{FILE}: 0 MB"
    assert lines[1].startswith("To fetch: 0 MB, into ")
    assert lines[1].endswith("MB are free there.")
    assert any(line.startswith("At 0.0 MB/s the rest takes ") for line in lines)
    assert any(line.startswith(f"{FILE}: 5") and "%" in line for line in lines)
    assert lines[-2] == f"{FILE}: 100 %, whole"
    archive = defined.file.parent / "home" / "archives" / FILE
    assert out.split() == [str(archive)]
    assert archive.read_bytes() == CONTENT


def test_checking_only(defined: Defined, kiwix: Kiwix) -> None:
    kiwix.mirror("a").seconds_per_block, kiwix.mirror("a").block = 0.5, 9_000
    process = start(defined, "--check")
    out, said = process.communicate(timeout=60)
    assert (process.returncode, out) == (0, "")
    assert "MB/s the rest takes" in said
    left = defined.file.parent / "home" / "archives" / f"{FILE}.part"
    assert CONTENT.startswith(left.read_bytes())
    assert 0 < left.stat().st_size < len(CONTENT)


def test_killed_at_random_points_and_whole_at_the_end(defined: Defined, kiwix: Kiwix) -> None:
    """SIGKILL: whatever it was doing, the next run goes on behind what is right."""
    folder = defined.file.parent / "home" / "archives"
    kiwix.mirror("a").seconds_per_block, kiwix.mirror("a").block = 0.02, 2_000
    when = random.Random(3)
    kills = 0
    for _ in range(6):
        before = len(kiwix.asked)
        process = start(defined)
        wait_for(lambda seen=before: len(kiwix.asked) > seen)
        time.sleep(when.uniform(0, 0.3))
        process.kill()
        kills += process.wait() == -signal.SIGKILL
        process.communicate()
        assert not (folder / FILE).exists() or (folder / FILE).read_bytes() == CONTENT
    assert kills == 6
    kiwix.mirror("a").seconds_per_block = 0
    process = start(defined)
    process.communicate(timeout=60)
    assert process.returncode == 0
    assert (folder / FILE).read_bytes() == CONTENT
    asked = starts(kiwix, "a")
    assert asked == sorted(asked)
    assert asked[-1] > 0


def test_ctrl_c_ends_it_at_once_though_a_mirror_hangs(defined: Defined, kiwix: Kiwix) -> None:
    kiwix.mirror("a").seconds_per_block = 60
    process = start(defined)
    wait_for(lambda: kiwix.asked)
    began = time.monotonic()
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=20)
    assert process.returncode == 130
    assert time.monotonic() - began < 15  # the mirror hangs for 60


def test_a_disk_that_is_full_is_a_sentence(defined: Defined) -> None:
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (9 * PIECE, 9 * PIECE))  # noqa: E731
    process = start(defined, preexec_fn=limit)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 2
    assert "File too large." in said
    assert "Traceback" not in said


def test_two_at_once(defined: Defined, kiwix: Kiwix) -> None:
    kiwix.mirror("a").seconds_per_block = 60
    first = start(defined)
    wait_for(lambda: kiwix.asked)
    second = start(defined)
    _, said = second.communicate(timeout=60)
    first.kill()
    first.communicate()
    assert second.returncode == 2
    assert "Another process fetches into" in said
