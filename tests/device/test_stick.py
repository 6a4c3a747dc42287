"""The script that has systemd mount a stick: which options for which file system, which folder for which
label. Stand-ins for udevadm and systemd-mount write down what they were asked."""

import os
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "image/rootfs/usr/lib/lamplight/stick"
RULES = SCRIPT.parents[3] / "etc/udev/rules.d/91-lamplight-sticks.rules"
UDEVADM = """#!/bin/sh
for word; do case $word in
--property=ID_FS_TYPE) printf '%s\\n' "$KIND" ;;
--property=ID_FS_LABEL_ENC) printf '%s\\n' "$STICK_LABEL" ;;
esac; done
"""
MOUNT = """#!/bin/sh
printf '%s\\n' "$@" >>"$SAID"
case $* in *--umount*) ;; *) for last; do :; done; mkdir -p "$last" ;; esac
"""


@pytest.fixture
def stick(tmp_path):
    """Runs the script; gives the words that systemd-mount got."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, text in (("udevadm", UDEVADM), ("systemd-mount", MOUNT)):
        (programs / name).write_text(text)
        (programs / name).chmod(0o755)
    (tmp_path / "sticks").mkdir()

    def run(act, device="sda1", kind="vfat", label="CLINIC"):
        said = tmp_path / "said"
        said.unlink(missing_ok=True)
        variables = {"KIND": kind, "STICK_LABEL": label, "SAID": str(said)}
        variables |= {
            "PATH": f"{programs}:{os.environ['PATH']}",
            "LAMPLIGHT_STICKS": str(tmp_path / "sticks"),
        }
        done = subprocess.run([SCRIPT, act, device], env=variables, capture_output=True, text=True)
        run.code, run.stderr = done.returncode, done.stderr
        return said.read_text().splitlines() if said.exists() else []

    run.folder = tmp_path / "sticks"
    return run


@pytest.mark.parametrize(
    ("kind", "mounted", "more"),
    [
        ("vfat", "vfat", ",iocharset=utf8"),
        ("exfat", "exfat", ""),
        ("ntfs", "ntfs3", ",iocharset=utf8"),
        ("ext4", "ext4", ",noload"),
        ("ext2", "ext4", ",noload"),
    ],
)
def test_every_file_system_is_mounted_for_reading_alone(stick, kind, mounted, more):
    words = stick("mount", kind=kind)
    assert f"--options=ro,nosuid,nodev,noexec{more}" in words
    assert f"--type={mounted}" in words
    assert {"--bind-device", "--property=LazyUnmount=yes", "--fsck=no", "--collect"} <= set(words)
    assert words[-2:] == ["/dev/sda1", str(stick.folder / "CLINIC")]


@pytest.mark.parametrize("kind", ["", "btrfs", "crypto_LUKS", "vfat; reboot"])
def test_no_other_file_system_is_mounted(stick, kind):
    assert stick("mount", kind=kind) == []
    assert stick.code == 1
    assert "is not read" in stick.stderr


@pytest.mark.parametrize(
    ("label", "folder"),
    [
        ("", "sda1"),
        (".hidden", "sda1"),
        ("..", "sda1"),
        ("Our\\x20valley", "Our\\x20valley"),
        ("..\\x2f..\\x2fetc", "sda1"),
        ("$(reboot)", "$(reboot)"),
        ("a b;c", "a b;c"),
        ("Köln", "Köln"),
    ],
)
def test_the_folder_is_named_by_the_label_and_stays_below(stick, label, folder):
    assert stick("mount", label=label)[-1] == str(stick.folder / folder)


def test_two_sticks_of_one_label_stay_apart_and_leave_apart(stick):
    stick("mount", "sda1")
    assert stick("mount", "sdb1")[-1] == str(stick.folder / "CLINIC-sdb1")
    assert stick("leave", "sda1")[-1] == str(stick.folder / "CLINIC")
    assert sorted(os.listdir(stick.folder)) == [".sdb1", "CLINIC-sdb1"]
    stick("leave", "sdb1")
    assert os.listdir(stick.folder) == []
    assert stick("leave", "sdc1") == []
    assert stick.code == 0


def test_a_folder_that_is_not_empty_is_left_alone(stick):
    stick("mount")
    (stick.folder / "CLINIC/file").touch()
    stick("leave")
    assert (stick.folder / "CLINIC/file").exists()


def test_the_cards_own_partitions_are_no_sticks():
    lines = RULES.read_text("utf-8").splitlines()
    (own,) = [line for line in lines if "LAMPLIGHT" in line]
    (wanted,) = [line for line in lines if "SYSTEMD_WANTS" in line]
    assert lines.index(own) < lines.index(wanted)
    assert own.startswith('ENV{ID_FS_LABEL}=="LAMPLIGHT|lamp-root|lamp-data", GOTO=')
    assert 'ENV{ID_BUS}!="usb"' in "\n".join(lines)
