"""The recipe's pure parts: options, sizes, partitions, lock, pins, the entry for Imager, settings, modes."""

import base64
import hashlib
import json
import os
import re
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from every import every
from recipe import disk, imager, lock, native, options, pins, sizes, step10_debian, step50_root, step60_boot
from recipe.placing import place, settle, weigh
from recipe.plan import PROJECT, Plan, key, packages

from appliance.device.owner import Owner
from appliance.device.ownerfile import parse
from appliance.errors import SettingsError, SetupError

RECIPE = PROJECT / "image"
LOCK = RECIPE / "lock.toml"


def plan(**given: object) -> Plan:
    return replace(Plan(Path("home"), Path("dist"), "1.2.3", 1_700_000_000), **given)


# Options


@every("country", ["fr", "FRA", "F", "F1", "FR\n", "XX", "ZZ"])
def test_a_country_that_is_none_is_refused(country: str) -> None:
    with pytest.raises(SettingsError, match="expected two capital letters"):
        options.read(["--country", country])


@every("name", ["", "a", "lamp-1", "x" * 32])
def test_a_hostname_is_taken(name: str) -> None:
    assert options.read(["--hostname", name]).plan.hostname == name


def test_what_the_options_put_onto_the_card_is_what_the_box_takes() -> None:
    """The box refuses its whole file for one wrong value."""
    text = (RECIPE / "boot/lamplight.toml").read_text("utf-8")
    for name, value in (("country", "KE"), ("name", "x" * 32), ("kiosk", "true")):
        text = step60_boot.with_value(text, name, value)
    found = parse(text.encode())
    assert isinstance(found, Owner), found
    assert (found.country, found.name, found.kiosk) == ("KE", "x" * 32, True)


@every("name", ["-a", "a-", "a.b", "A", "1a", "x" * 33, "a b", 'a"', "a\n", "é"])
def test_a_hostname_that_is_none_is_refused(name: str) -> None:
    with pytest.raises(SettingsError, match="expected 1 to 32 of a-z"):
        options.read([f"--hostname={name}"])


def test_a_model_that_writes_no_answers_is_refused() -> None:
    with pytest.raises(SettingsError, match="minilm writes no answers"):
        options.read(["--model", "minilm"])


def test_a_folder_that_is_no_bundle_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"has no bundle\.toml"):
        options.read(["--bundle", str(tmp_path)])


def test_a_kiosk_has_a_name_and_a_lock_of_its_own() -> None:
    assert plan(kiosk=True).image.name == "lamplight-1.2.3-kiosk.img"
    assert plan(kiosk=True).lock != plan().lock


# Keys and lists


def test_a_key_changes_with_every_part_and_with_where_they_meet() -> None:
    found = {key("ab", "c"), key("a", "bc"), key("abc"), key("abc", ""), key("abd")}
    assert len(found) == 5


def test_a_list_of_packages_is_read_without_its_remarks() -> None:
    assert packages(["# head\nb\na/backports # why\n\n", "b\nc\n"]) == ["a/backports", "b", "c"]


# Sizes


def test_an_image_that_fits_has_a_size() -> None:
    image = sizes.require_card({"debian": 700 * sizes.MB, "library": 100 * sizes.MB}, card=4)
    assert 800 * sizes.MB + sizes.BOOT + sizes.DATA < image < 1.6 * sizes.GB
    assert image % sizes.START == 0


def test_a_card_that_is_3_percent_smaller_than_its_label_is_reckoned_with() -> None:
    """Case 40."""
    parts = {"library": 0}
    while sizes.require_card(parts, card=100) < 3.9 * sizes.GB:
        parts["library"] += 10 * sizes.MB
    with pytest.raises(SetupError, match="A card sold as 4 GB may have no more than 3,880 MB"):
        sizes.require_card(parts, card=4)


def test_what_is_too_large_is_named() -> None:
    with pytest.raises(SetupError, match=r"bundle big 9,000 MB, debian 700 MB") as error:
        sizes.require_card({"debian": 700 * sizes.MB, "bundle big": 9 * sizes.GB}, card=8)
    assert "--card" in error.value.hint


# Partitions


def test_partitions_follow_one_another() -> None:
    parts = disk.layout(sizes.BOOT, 800 * sizes.MIB, sizes.DATA)
    assert [part.start for part in parts] == [
        sizes.START,
        sizes.START + sizes.BOOT,
        sizes.START + sizes.BOOT + 800 * sizes.MIB,
    ]
    assert disk.size(parts) == parts[2].start + sizes.DATA
    assert all(part.start % sizes.START == 0 for part in parts)


def test_the_table_is_one_that_every_board_boots_from() -> None:
    text = disk.script(disk.layout(sizes.BOOT, 800 * sizes.MIB, sizes.DATA))
    assert text.splitlines()[:2] == ["label: dos", f"label-id: {disk.DISK_ID}"]
    assert re.findall(r"start=(\d+), size=(\d+), type=(\w+)(, bootable)?", text) == [
        ("8192", "1048576", "c", ", bootable"),
        ("1056768", "1638400", "83", ""),
        ("2695168", "131072", "83", ""),
    ]


def test_the_boot_partition_holds_512_mb() -> None:
    assert sizes.BOOT >= 512 * sizes.MB


# The lock


def package(name: str = "a", version: str = "1:2.0+b1", sha256: str = "0" * 64) -> lock.Package:
    return lock.Package(name, version, "arm64", 1234, sha256)


def test_a_lock_is_read_as_it_was_written(tmp_path: Path) -> None:
    found = {"g++-1.2": package("g++-1.2"), "a": package()}
    made = lock.Lock(17, "trixie", "20261130T000000Z", {"debian": 7}, found)
    (tmp_path / "lock.toml").write_text(lock.written(made))
    assert lock.read(tmp_path / "lock.toml") == made


@pytest.mark.parametrize(
    "text", ["", "epoch = 1", "[", "epoch = 1\nsizes = {}\n[debian]\nsuite='x'\nsnapshot=''\npackages={a={}}"]
)
def test_a_lock_that_is_none_is_said(tmp_path: Path, text: str) -> None:
    (tmp_path / "lock.toml").write_text(text)
    with pytest.raises(SetupError, match="cannot be read"):
        lock.read(tmp_path / "lock.toml")


def test_what_apt_says_is_recorded() -> None:
    text = """\
Package: raspi-firmware
Version: 1.2+ds-6
Architecture: all
Size: 4828544
SHA256: aaaa

Package: libc6
Version: 2.41-12
Architecture: arm64
Size: 100
SHA256: bbbb
"""
    assert lock.recorded(text) == {
        "raspi-firmware": lock.Package("raspi-firmware", "1.2+ds-6", "all", 4828544, "aaaa"),
        "libc6": lock.Package("libc6", "2.41-12", "arm64", 100, "bbbb"),
    }


def test_a_package_without_a_hash_is_refused() -> None:
    with pytest.raises(SetupError, match="SHA256"):
        lock.recorded("Package: a\nVersion: 1\nArchitecture: all\nSize: 1\n")


def test_what_is_not_as_locked_is_said_by_name() -> None:
    locked = {"a": package("a"), "b": package("b"), "c": package("c"), "d": package("d")}
    found = {"a": package("a"), "b": package("b", "3"), "c": package("c", sha256="1" * 64), "e": package("e")}
    assert lock.differences(locked, found) == [
        "b: 3, locked is 1:2.0+b1",
        f"c 1:2.0+b1: SHA-256 {'1' * 64}, locked is {'0' * 64}",
        "d is not in the image",
        "e is not in the lock",
    ]
    assert lock.differences(locked, locked) == []


def test_apt_is_told_the_locked_version() -> None:
    assert lock.preferences([package()]) == "Package: a\nPin: version 1:2.0+b1\nPin-Priority: 1001\n"


def test_the_lock_has_every_package_that_is_asked_for() -> None:
    locked = lock.read(LOCK)
    wanted = {name.partition("/")[0] for name in step10_debian.wanted(plan())}
    assert wanted | {"raspi-firmware", "libc6"} <= locked.packages.keys()
    assert all(re.fullmatch("[0-9a-f]{64}", found.sha256) for found in locked.packages.values())
    assert set(step50_root.PARTS) | {"debian"} == locked.sizes.keys()


def test_a_python_of_another_version_compiles_nothing(tmp_path: Path) -> None:
    """The card would compile all of it again at each start, without a word."""
    made = plan(home=tmp_path)
    record = "\n\n".join(
        f"Package: {name}\nVersion: 3.13.5\nArchitecture: arm64\nSize: 1\nSHA256: {'0' * 64}"
        for name in native.PACKAGES
    )
    kept = native.kept(made, ["3.13.5"] * len(native.PACKAGES))
    for root, magic in ((made.root, 3571), (kept, 3570)):
        bootstrap = root / native.BOOTSTRAP
        bootstrap.parent.mkdir(parents=True)
        bootstrap.write_text(f"MAGIC_NUMBER = ({magic}).to_bytes(2, 'little') + b'\\r\\n'\n")
    (made.root / step10_debian.RECORD).parent.mkdir(parents=True)
    (made.root / step10_debian.RECORD).write_text(record)
    with pytest.raises(SetupError, match=r"3571.*3570"):
        native.compile_in(made, Path("opt/lamplight/app"))


def test_the_time_of_all_files_is_not_after_the_lock() -> None:
    locked = lock.read(LOCK)
    written = tomllib.loads(LOCK.read_text())["debian"]["snapshot"]
    assert locked.epoch <= lock.seconds(written)


# Pins


def test_the_card_gets_what_its_own_python_needs() -> None:
    text = pins.for_the_card([(PROJECT / "requirements.lock").read_text()])
    names = [line.split("==")[0] for line in text.splitlines()]
    assert len(names) == len(set(names))  # one version of each: numpy has two in the file
    assert {"numpy", "libzim", "onnxruntime", "apsw", "hf-xet"} <= set(names)
    assert "colorama" not in names
    pin = re.compile(r"[a-z0-9-]+==\S+( --hash=sha256:[0-9a-f]{64})+")
    assert all(map(pin.fullmatch, text.splitlines()))


def test_markers_are_those_of_the_card() -> None:
    lines = """\
a==1 ; python_full_version < "3.12" \\
    --hash=sha256:aa
a==2 ; python_full_version >= "3.12" and platform_machine == "aarch64" \\
    --hash=sha256:bb \\
    --hash=sha256:cc
b==1 \\
    --hash=sha256:dd
"""
    assert pins.for_the_card([lines], without=frozenset(["b"])) == "a==2 --hash=sha256:bb --hash=sha256:cc\n"


# What Raspberry Pi Imager reads


def test_the_entry_has_all_fields_that_imager_needs() -> None:
    image = imager.File("lamplight-1.img", 2000, hashlib.sha256(b"image").hexdigest())
    packed = imager.File("lamplight-1.img.zst", 700, hashlib.sha256(b"packed").hexdigest())
    (found,) = json.loads(imager.entry("1", "2026-11-30", image, packed, "file:///x", b"<svg/>"))["os_list"]
    # "required" in doc/json-schema/os-list-schema.json of Imager's own repository.
    required = {"name", "description", "icon", "url", "release_date"}
    required |= {"extract_size", "extract_sha256", "image_download_size"}
    assert required | {"devices", "init_format", "image_download_sha256"} == found.keys()
    assert (found["extract_size"], found["extract_sha256"]) == (image.bytes, image.sha256)
    assert (found["image_download_size"], found["image_download_sha256"]) == (packed.bytes, packed.sha256)
    assert base64.b64decode(found["icon"].partition(",")[2]) == b"<svg/>"


def test_checksums_are_lines_for_sha256sum() -> None:
    assert imager.checksums(imager.File("a.img", 1, "f" * 64)) == "f" * 64 + "  a.img\n"


# What goes into the root and onto the boot partition


def test_settings_are_changed_where_they_stand() -> None:
    text = '# The country.\ncountry = "00"\n#kiosk = false # a screen\nname = "lamplight"\n'
    text = step60_boot.with_value(text, "country", "KE")
    text = step60_boot.with_value(text, "kiosk", "true")
    assert text == '# The country.\ncountry = "KE"\nkiosk = true\nname = "lamplight"\n'
    with pytest.raises(SetupError, match="has no colour"):
        step60_boot.with_value(text, "colour", "red")


def test_placed_files_have_plain_modes_and_leave_out_what_python_left(tmp_path: Path) -> None:
    source = tmp_path / "source"
    (source / "__pycache__").mkdir(parents=True)
    (source / "__pycache__" / "a.pyc").touch()
    for name, mode in (("script", 0o700), ("text", 0o600)):
        (source / name).write_text(name)
        (source / name).chmod(mode)
    (source / "link").symlink_to("text")
    place(source, tmp_path / "root/opt")
    assert sorted(os.listdir(tmp_path / "root/opt")) == ["link", "script", "text"]
    assert (tmp_path / "root/opt/script").stat().st_mode & 0o777 == 0o755
    assert (tmp_path / "root/opt/text").stat().st_mode & 0o777 == 0o644
    assert os.readlink(tmp_path / "root/opt/link") == "text"


def test_a_file_is_never_written_through_a_link_that_lies_there(tmp_path: Path) -> None:
    (tmp_path / "outside").write_text("kept")
    (tmp_path / "root").mkdir()
    (tmp_path / "root/name").symlink_to(tmp_path / "outside")
    (tmp_path / "new").write_text("new")
    place(tmp_path / "new", tmp_path / "root/name")
    assert (tmp_path / "outside").read_text() == "kept"
    assert (tmp_path / "root/name").read_text() == "new"


def test_no_file_is_younger_than_the_lock(tmp_path: Path) -> None:
    for name, time in (("old", 1000), ("new", 3000)):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (4000, time))
    (tmp_path / "folder").mkdir()
    os.utime(tmp_path / "folder", (1000, 1000))
    settle(tmp_path, 2000)
    times = {name: (tmp_path / name).stat() for name in ("old", "new", "folder", ".")}
    changed = {name: found.st_mtime for name, found in times.items()}
    assert changed == {"old": 1000, "new": 2000, "folder": 2000, ".": 2000}
    assert {found.st_atime for found in times.values()} == {2000}


def test_a_file_with_two_names_weighs_once(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x" * 100_000)
    alone, count = weigh(tmp_path)
    os.link(tmp_path / "a", tmp_path / "b")
    assert weigh(tmp_path) == (alone, count)


def test_the_boot_files_name_each_other() -> None:
    text = (RECIPE / "boot/config.txt").read_text()
    config = dict(re.findall(r"^(kernel|initramfs)[= ](\S+)", text, re.MULTILINE))
    source = Path(step60_boot.__file__).read_text()
    assert config == {"kernel": "vmlinuz", "initramfs": "initrd.img"}
    assert all(f'plan.boot / "{name}"' in source for name in config.values())
    assert f"root=LABEL={disk.ROOT_LABEL} " in (RECIPE / "boot/cmdline.txt").read_text()
