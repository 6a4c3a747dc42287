"""The root, the FAT and the data partition of an image, as they are before the first start."""

import re
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path

import elf
import pytest
import root as card_root
from card import fat, run
from root import Entry, inside

pytestmark = pytest.mark.image

ROOT, DATA = 2, 3  # partitions
UNITS = ("usr/lib/systemd/system", "etc/systemd/system")
# Programs that change to root when a user runs them, all Debian's.
SETUID = {"chfn", "chsh", "gpasswd", "mount", "newgrp", "passwd", "su", "umount", "dbus-daemon-launch-helper"}
NEVER_STARTED = "quotaon-root.service"  # systemd's generator starts it for a root with quotas alone
EXEC = re.compile(
    r"^Exec(?:Condition|Reload|Start|StartPost|StartPre|Stop|StopPost)=[-@:+!|]*(/\S+)", re.MULTILINE
)
PRIVATE = re.compile(
    rb"-----BEGIN [A-Z ]*PRIVATE KEY-----\r?\n[A-Za-z0-9+/=]{16}"
    rb"|^\s*(?:wpa_psk=[0-9a-f]{64}|wpa_passphrase=[!-z]{8})",
    re.MULTILINE,
)


@pytest.fixture(scope="module")
def tree(image: Path, place: Path) -> Path:
    """The root's files."""
    return card_root.unpack(image, ROOT, place / "root")


@pytest.fixture(scope="module")
def entries(image: Path) -> list[Entry]:
    return card_root.listing(image, ROOT)


def test_the_listing_and_the_files_agree(tree: Path, entries: list[Entry]) -> None:
    """So that neither way of reading the root leaves something out."""
    unpacked = {f"/{file.relative_to(tree)}" for file in tree.rglob("*")}
    special = {entry.path for entry in entries if stat.S_IFMT(entry.mode) in (stat.S_IFCHR, stat.S_IFBLK)}
    assert {entry.path for entry in entries} - special == unpacked - special
    assert len(unpacked) > 5000


def test_no_library_is_missing_and_all_are_for_the_board(tree: Path) -> None:
    files = elf.linked(tree)
    assert len(files) > 300
    assert [file.path for file in files if file.machine != elf.AARCH64] == []
    assert elf.missing(tree, files) == []


def test_every_program_of_a_unit_exists(tree: Path) -> None:
    programs = list(_programs(tree))
    assert len(programs) > 50
    lost = [f"{unit}: {program}" for unit, program in programs if inside(tree, program) is None]
    lost = [line for line in lost if not line.startswith(NEVER_STARTED)]
    assert lost == []


def _programs(tree: Path) -> Iterator[tuple[str, str]]:
    """Unit and program of every Exec line, but for units that ask for the program first (a Condition)."""
    for folder in UNITS:
        for unit in sorted((tree / folder).rglob("*.service")):
            text = "" if unit.is_symlink() else unit.read_text("utf-8")
            asked = set(re.findall(r"^Condition(?:PathExists|FileIsExecutable)=(/\S+)", text, re.MULTILINE))
            yield from ((unit.name, program) for program in EXEC.findall(text) if program not in asked)


def test_every_link_to_a_unit_leads_to_one(tree: Path) -> None:
    links = [link for folder in UNITS for link in (tree / folder).rglob("*") if link.is_symlink()]
    lost = [f"/{link.relative_to(tree)}" for link in links if link.readlink() != Path("/dev/null")]
    assert [path for path in lost if inside(tree, path) is None] == []


def test_every_script_finds_its_interpreter(tree: Path) -> None:
    lost = []
    for file in tree.rglob("*"):
        if file.is_file() and not file.is_symlink() and file.stat().st_mode & 0o111:
            with file.open("rb") as opened:
                first = opened.readline(200)
            if first[:2] == b"#!" and inside(tree, first[2:].split()[0].decode()) is None:
                lost.append(f"/{file.relative_to(tree)}: {first.decode().strip()}")
    assert lost == []


def test_every_directive_of_our_units_is_known(tree: Path) -> None:
    """By the systemd of this machine, which may be older than the card's; test_boot.py asks that one."""
    units = [unit.name for folder in UNITS for unit in (tree / folder).glob("lamplight-*") if unit.is_file()]
    assert len(units) >= 10
    command = ["systemd-analyze", "verify", "--man=no", "--recursive-errors=no", f"--root={tree}", *units]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    newer = ("Unknown key 'RestartSteps'", "Unknown key 'RestartMaxDelaySec'")
    wrong = [
        line for line in done.stderr.splitlines() if "lamplight" in line and not any(map(line.count, newer))
    ]
    assert wrong == []


def test_who_may_write_and_who_becomes_root(entries: list[Entry]) -> None:
    files = [entry for entry in entries if not stat.S_ISLNK(entry.mode)]
    kept = [entry for entry in files if stat.S_ISREG(entry.mode) or stat.S_ISDIR(entry.mode)]
    open_to_all = [entry.path for entry in kept if entry.mode & 0o002 and not entry.mode & stat.S_ISVTX]
    assert open_to_all == []
    become = {entry.path.rpartition("/")[2] for entry in files if entry.mode & stat.S_ISUID}
    assert become <= SETUID
    ours = ("/opt/", "/usr/lib/lamplight/", "/usr/lib/systemd/", "/etc/systemd/")
    assert [entry.path for entry in entries if entry.path.startswith(ours) and entry.uid != 0] == []
    writable = [entry.path for entry in files if entry.path.startswith(ours) and entry.mode & 0o022]
    assert writable == []


def test_nobody_can_log_in_with_a_password_and_no_key_is_shipped(tree: Path, entries: list[Entry]) -> None:
    for line in (tree / "etc/shadow").read_text("utf-8").splitlines():
        name, password = line.split(":")[:2]
        assert password.startswith(("!", "*")), f"{name} has a password"
    (shadow,) = [entry for entry in entries if entry.path == "/etc/shadow"]
    assert stat.S_IMODE(shadow.mode) & 0o037 == 0
    assert list((tree / "etc/ssh").glob("ssh_host_*")) == []
    found = [
        f"/{file.relative_to(tree)}"
        for folder in ("etc", "opt/lamplight/app", "root", "usr/lib/lamplight", "var")
        for file in (tree / folder).rglob("*")
        if file.is_file() and not file.is_symlink() and PRIVATE.search(file.read_bytes())
    ]
    assert found == []


def test_nothing_of_the_build_is_left(tree: Path) -> None:
    assert (tree / "etc/machine-id").read_text("utf-8").strip() in ("", "uninitialized")
    left: set[Path] = set()
    for folder in ("var/log", "var/cache/apt", "var/lib/apt/lists", "tmp", "var/tmp", "root"):
        left |= {file for file in (tree / folder).rglob("*") if file.is_file()}
    for pattern in ("*.dpkg-old", "*.dpkg-new", "*.dpkg-dist", "*.ucf-dist"):
        left |= set((tree / "etc").rglob(pattern))
    for name in (
        "var/lib/systemd/random-seed",
        "var/lib/systemd/credential.secret",
        "usr/bin/qemu-aarch64-static",
    ):
        left |= {tree / name} if (tree / name).exists() else set()
    allowed = {tree / "root/.bashrc", tree / "root/.profile"}
    assert sorted(str(file.relative_to(tree)) for file in left - allowed) == []


def test_the_clock_begins_at_the_image_s_date(tree: Path, image: Path) -> None:
    """Without this file systemd begins years earlier, and ours not at all (appliance/device/clock.py)."""
    epoch = (tree / "usr/lib/clock-epoch").stat().st_mtime
    assert 0 <= image.stat().st_mtime - epoch < 366 * 86_400


def test_the_owners_file_names_no_passphrase_and_the_boot_files_are_there(image: Path) -> None:
    names = run("mdir", "-b", "-i", fat(image), "::").split()
    assert {"::/config.txt", "::/cmdline.txt", "::/lamplight.toml"} <= set(names)
    settings = run("mtype", "-i", fat(image), "::/lamplight.toml")
    in_force = [line for line in settings.splitlines() if re.match(r"\s*passphrase\s*=\s*\S", line)]
    assert [line for line in in_force if not re.fullmatch(r'\s*passphrase\s*=\s*""\s*(#.*)?', line)] == []


def test_the_data_partition_holds_no_secret_yet(image: Path) -> None:
    files = [entry.path for entry in card_root.listing(image, DATA) if stat.S_ISREG(entry.mode)]
    assert files == []
