"""What ./build.sh image leaves in dist/: sizes, checksums, block map, the entry for Imager, partitions."""

import hashlib
import json
import subprocess
from pathlib import Path

import pytest
from recipe import disk, lock, sizes, step60_boot

from appliance import models

pytestmark = pytest.mark.image
RAW, PACKED = 2_000_000_000, 700_000_000  # bytes at most, without a language model


def run(*command: str | Path) -> str:
    return subprocess.run(
        list(map(str, command)), capture_output=True, text=True, check=True, timeout=600
    ).stdout


def sha256(file: Path) -> str:
    with file.open("rb") as data:
        return hashlib.file_digest(data, "sha256").hexdigest()


@pytest.fixture(scope="module")
def partitions(image: Path) -> list[dict[str, int]]:
    return json.loads(run("sfdisk", "--json", image))["partitiontable"]["partitions"]


@pytest.fixture(scope="module")
def model(image: Path, partitions: list[dict[str, int]]) -> int:
    """Bytes of the language model on the card; 0 without one."""
    names = run("debugfs", "-R", "ls -p /opt/lamplight/models", system(image, partitions[1])).split("/")
    known = models.catalogue().files.values()
    return sum(found.bytes for found in known if found.file.endswith(".gguf") and found.file in names)


def system(image: Path, partition: dict[str, int]) -> str:
    return f"{image}?offset={partition['start'] * disk.SECTOR}"


def test_the_image_is_small_enough(image: Path, model: int) -> None:
    """A language model hardly compresses: it counts with nine tenths of its size."""
    assert image.stat().st_size - model <= RAW
    assert image.with_suffix(".img.zst").stat().st_size - 0.9 * model <= PACKED


def test_checksums_are_right(image: Path) -> None:
    run(
        "sh",
        "-c",
        'cd "$0" && sha256sum --check --quiet "$1"',
        image.parent,
        image.with_suffix(".sha256").name,
    )


def test_the_compressed_image_is_the_image(image: Path) -> None:
    with subprocess.Popen(
        ["zstd", "-qdc", image.with_suffix(".img.zst")], stdout=subprocess.PIPE
    ) as unpacked:
        assert unpacked.stdout is not None
        assert hashlib.file_digest(unpacked.stdout, "sha256").hexdigest() == sha256(image)


def test_the_block_map_copies_the_whole_image(image: Path, tmp_path: Path) -> None:
    copy = tmp_path / "card.img"
    run("bmaptool", "--quiet", "copy", "--bmap", image.with_suffix(".img.bmap"), image, copy)
    assert sha256(copy) == sha256(image)


def test_imager_gets_the_sizes_and_checksums_of_the_files(image: Path) -> None:
    (entry,) = json.loads(image.with_suffix(".json").read_text())["os_list"]
    packed = image.with_suffix(".img.zst")
    assert (entry["extract_size"], entry["extract_sha256"]) == (image.stat().st_size, sha256(image))
    assert (entry["image_download_size"], entry["image_download_sha256"]) == (
        packed.stat().st_size,
        sha256(packed),
    )


def test_the_partitions_are_those_of_the_plan(image: Path, partitions: list[dict[str, int]]) -> None:
    bytes_ = [row["size"] * disk.SECTOR for row in partitions]
    planned = disk.layout(*bytes_)
    assert [row["start"] * disk.SECTOR for row in partitions] == [part.start for part in planned]
    assert [row["type"] for row in partitions] == [part.kind for part in planned]
    assert bytes_[0] == sizes.BOOT
    assert bytes_[2] >= sizes.DATA
    assert image.stat().st_size == disk.size(planned)


@pytest.mark.parametrize(("number", "label"), [(1, disk.ROOT_LABEL), (2, disk.DATA_LABEL)])
def test_the_file_systems_are_whole(
    image: Path, partitions: list[dict[str, int]], number: int, label: str
) -> None:
    place = system(image, partitions[number])
    run("e2fsck", "-fn", place)
    head = run("dumpe2fs", "-h", place)
    assert f"Filesystem volume name:   {label}" in head
    assert ("has_journal" in head) == (label == disk.DATA_LABEL)


def test_the_boot_partition_is_whole_and_has_every_board(
    image: Path, partitions: list[dict[str, int]], tmp_path: Path
) -> None:
    fat = f"{image}@@{partitions[0]['start'] * disk.SECTOR}"
    names = run("mdir", "-b", "-i", fat, "::").replace("::/", "").split()
    needed = {"config.txt", "cmdline.txt", "lamplight.toml", "vmlinuz", "initrd.img", *step60_boot.NEEDED}
    assert needed | set(step60_boot.BOARDS.values()) <= set(names)
    run("mcopy", "-i", fat, "::vmlinuz", tmp_path)
    # The firmware starts an Image of arm64 only: "ARM\x64" at byte 56 (Documentation/arch/arm64/booting.rst).
    assert (tmp_path / "vmlinuz").read_bytes()[56:60] == b"ARM\x64"


def test_what_is_in_it_is_listed(image: Path) -> None:
    found = lock.recorded(image.with_suffix(".packages").read_text())
    assert {"libc6", "raspi-firmware", "kiwix-tools", "hostapd"} <= found.keys()
