"""The data partition grows over the card: real images of cards, killed at any moment, run again (case 40).

Here the file system is not mounted, so it grows without its journal: harder than on the card. (With an offset
e2fsprogs also write at the disk's own beginning, where a GPT would be; the card has the older kind of table.)
"""

import hashlib
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from appliance.device import grow
from appliance.device.grow import GRAIN, SECTOR, SPARE, Partition, room
from appliance.errors import DeviceError

pytestmark = pytest.mark.slow

START, SIZE = 64 * GRAIN, 24 * GRAIN  # of the data partition in the image, in sectors
DISK = 256 * GRAIN  # of the card
FILES = {f"file-{number}": random.Random(number).randbytes(40_000) for number in range(40)}
GROW = "import sys; from tests.device.test_grow import grow_all; grow_all(sys.argv[1])"
ROOT = Path(__file__).parents[2]


def tool(*words, given=None):
    return subprocess.run([*map(str, words)], input=given, capture_output=True, text=True, check=True).stdout


@pytest.fixture(scope="module", autouse=True)
def programs():
    """Where systemd finds them on the card."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", f"{os.environ['PATH']}:/usr/sbin:/sbin")
        missing = [name for name in ("sfdisk", "mke2fs", "resize2fs", "debugfs") if not shutil.which(name)]
        if missing:
            pytest.fail(f"{', '.join(missing)} are not here: apt install fdisk e2fsprogs")
        yield


@pytest.fixture(scope="module")
def image(tmp_path_factory):
    """A card as it was flashed: a first partition, and a small one with files, on a large disk."""
    folder = tmp_path_factory.mktemp("card")
    content = folder / "content"
    content.mkdir()
    for name, data in FILES.items():
        (content / name).write_bytes(data)
    disk, part = folder / "disk.img", folder / "part.img"
    tool("mke2fs", "-q", "-t", "ext4", "-L", "lamp-data", "-d", content, part, f"{SIZE * SECTOR // 1024}k")
    with disk.open("wb") as file:
        file.truncate((START + SIZE + SPARE) * SECTOR)
    table = f"label: dos\nstart=2048, size=2048, type=L\nstart={START}, size={SIZE}, type=L\n"
    tool("sfdisk", "--quiet", disk, given=table)
    with disk.open("r+b") as file:
        file.seek(START * SECTOR)
        file.write(part.read_bytes())
    return disk


@pytest.fixture
def card(image, tmp_path):
    """The image on a larger card."""
    found = tmp_path / "card.img"
    tool("cp", "--sparse=always", image, found)
    with found.open("r+b") as file:
        file.truncate(DISK * SECTOR)
    return found


def entry(card):
    return grow.read_table(Path(card), 2, DISK)


def grow_all(card):
    """The steps of grow.grow that a file allows (a kernel knows no partition in it)."""
    partition = grow.grow_entry(entry(card))
    grow.grow_filesystem(Path(card), partition, partition.start * SECTOR)


def check(card):
    """As systemd does before mounting: repaired where it was cut off."""
    done = subprocess.run(
        ["e2fsck", "-f", "-y", f"{card}?offset={START * SECTOR}"], capture_output=True, text=True, check=False
    )
    assert done.returncode in (0, 1), done.stdout + done.stderr


def size(card):
    """Of the file system, in sectors."""
    said = tool("dumpe2fs", "-h", f"{card}?offset={START * SECTOR}")
    rows = dict(line.split(":", 1) for line in said.splitlines() if ":" in line)
    return int(rows["Block count"]) * int(rows["Block size"]) // SECTOR


def digest(card):
    with card.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def contents(card):
    commands = "".join(f"cat {name}\n" for name in FILES)
    done = subprocess.run(
        ["debugfs", "-f", "/dev/stdin", f"{card}?offset={START * SECTOR}"],
        input=commands.encode(), capture_output=True, check=True,
    )  # fmt: skip
    return done.stdout


def assert_whole(card):
    check(card)
    assert size(card) == entry(card).size == (DISK - SPARE) // GRAIN * GRAIN - START
    said = contents(card)
    for name, data in FILES.items():
        assert data in said, name


def test_it_grows_once_and_is_left_alone_then(card):
    grow_all(card)
    assert_whole(card)
    before = digest(card)
    grow_all(card)
    assert digest(card) == before


def test_it_goes_on_after_each_step(card):
    grow.grow_entry(entry(card))
    check(card)
    grow_all(card)
    assert_whole(card)


@pytest.mark.parametrize(
    "seed", [*range(3), *(pytest.param(seed, marks=pytest.mark.image) for seed in range(3, 60))]
)
def test_killed_anywhere_it_is_whole_after_the_next_start(card, seed):
    chance = random.Random(seed)
    for _ in range(3):
        process = subprocess.Popen([sys.executable, "-c", GROW, card], cwd=ROOT, process_group=0)
        time.sleep(chance.uniform(0.0, 0.25))
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        check(card)
    grow_all(card)
    assert_whole(card)


@pytest.mark.parametrize("missing", [0.0, 0.03])
def test_a_card_smaller_than_its_label_is_filled_as_far_as_it_goes(missing):
    disk = int(32e9 / SECTOR * (1 - missing))
    grown = room(Partition(Path("/dev/x"), 3, START, SIZE, disk))
    end = START + grown
    assert end % GRAIN == 0
    assert disk - SPARE - GRAIN < end <= disk - SPARE


def test_a_card_that_cannot_hold_the_image_is_told_in_a_sentence():
    with pytest.raises(DeviceError, match=r"The card is too small: found 3\.88 GB, the image needs 4\.00 GB"):
        room(Partition(Path("/dev/x"), 3, START, int(4e9 / SECTOR) - START, int(4e9 * 0.97 / SECTOR)))


def test_little_more_room_is_not_worth_a_change():
    size = DISK - SPARE - START - GRAIN
    assert room(Partition(Path("/dev/x"), 3, START, size, DISK)) == size
