"""The script that has systemd mount a stick: which options for which file system, which folder for which
label. Stand-ins for udevadm and systemd-mount write down what they were asked."""

import os
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

SCRIPT = Path(__file__).parents[2] / "image/rootfs/usr/lib/lamplight/stick"
RULES = SCRIPT.parents[3] / "etc/udev/rules.d/91-lamplight-sticks.rules"
UDEVADM = """#!/bin/sh
for word; do case $word in
--property=ID_FS_TYPE) printf '%s\\n' "$KIND" ;;
--property=ID_FS_LABEL_ENC) printf '%s\\n' "$STICK_LABEL" ;;
esac; done
"""
# Mounting makes the folder, which cannot be removed while it is mounted: a file stands for that. As often as
# BUSY says it is refused first, since somebody still reads.
MOUNT = """#!/bin/sh
printf '%s\\n' "$@" >>"$SAID"
for last; do :; done
case $* in
*--umount*) rm -f "$last/mounted" ;;
*)
	left=$(cat "$SAID.busy")
	[ "$left" = 0 ] || { echo $((left - 1)) >"$SAID.busy"; exit 1; }
	mkdir -p "$last"
	touch "$last/mounted"
	;;
esac
"""
ID = "#!/bin/sh\necho 990\n"
NOTHING = "#!/bin/sh\n"


@pytest.fixture
def stick(tmp_path):
    """Runs the script; gives the words that systemd-mount got."""
    programs = tmp_path / "bin"
    programs.mkdir()
    stand_ins = {"udevadm": UDEVADM, "systemd-mount": MOUNT, "id": ID, "sleep": NOTHING, "sync": NOTHING}
    for name, text in stand_ins.items():
        (programs / name).write_text(text)
        (programs / name).chmod(0o755)
    (tmp_path / "sticks").mkdir()
    (tmp_path / "dev").mkdir()

    def run(act, device="sda1", kind="vfat", label="CLINIC", busy=0):
        said = tmp_path / "said"
        said.unlink(missing_ok=True)
        (tmp_path / "said.busy").write_text(f"{busy}")
        if act == "mount":
            (tmp_path / "dev" / device).touch()
        variables = {"KIND": kind, "STICK_LABEL": label, "SAID": str(said)}
        variables |= {
            "PATH": f"{programs}:{os.environ['PATH']}",
            "LAMPLIGHT_STICKS": str(tmp_path / "sticks"),
            "LAMPLIGHT_DEVICES": str(tmp_path / "dev"),
        }
        done = subprocess.run([SCRIPT, act, device], env=variables, capture_output=True, text=True)
        run.code, run.stderr = done.returncode, done.stderr
        return said.read_text().splitlines() if said.exists() else []

    run.folder, run.devices = tmp_path / "sticks", tmp_path / "dev"
    return run


OWNED = ",uid=990,gid=990,umask=0022"


@pytest.mark.parametrize(
    ("kind", "mounted", "more"),
    [
        ("vfat", "vfat", f",iocharset=utf8{OWNED}"),
        ("exfat", "exfat", OWNED),
        ("ntfs", "ntfs", f",iocharset=utf8{OWNED}"),
        ("ext4", "ext4", ",noload"),
        ("ext2", "ext4", ",noload"),
    ],
)
def test_every_file_system_is_mounted_for_reading_alone(stick, kind, mounted, more):
    words = stick("mount", kind=kind)
    assert f"--options=ro,nosuid,nodev,noexec{more}" in words
    assert f"--type={mounted}" in words
    assert {"--bind-device", "--property=LazyUnmount=yes", "--fsck=no", "--collect"} <= set(words)
    assert words[-2:] == [str(stick.devices / "sda1"), str(stick.folder / "CLINIC")]


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


def test_what_a_stick_left_behind_is_not_in_the_way(stick):
    (stick.folder / "CLINIC").mkdir()
    assert stick("mount")[-1] == str(stick.folder / "CLINIC")


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


@pytest.mark.parametrize(
    ("kind", "more"), [("vfat", f",iocharset=utf8{OWNED}"), ("exfat", OWNED), ("ext4", "")]
)
def test_for_writing_it_is_taken_away_and_mounted_anew_and_back(stick, kind, more):
    """A mount that other processes see cannot be changed for them; a new one can be seen by them all."""
    stick("mount", kind=kind)
    words = stick("write", kind=kind)
    away = words.index("--umount")
    assert away < words.index(f"--options=rw,nosuid,nodev,noexec{more}")
    words = stick("read", kind=kind)
    assert words.index("--umount") < words.index(f"--options=ro,nosuid,nodev,noexec{more or ',noload'}")
    assert stick.code == 0


def test_it_waits_for_who_still_reads_and_not_for_ever(stick):
    stick("mount")
    assert stick("write", busy=3).count("--options=rw,nosuid,nodev,noexec,iocharset=utf8" + OWNED) == 4
    assert stick.code == 0
    stick("write", busy=1000)
    assert stick.code != 0


def test_what_was_never_mounted_is_not_opened(stick):
    assert stick("write", "sdz1") == []
    assert stick.code != 0
    assert stick("read", "sdz1") == []
    assert stick.code == 0


def test_an_ext4_sticks_top_folder_is_lent_to_the_pages(stick):
    stick("mount", kind="ext4")
    place = stick.folder / "CLINIC"
    place.chmod(0o755)
    stick("write", kind="ext4")
    assert place.stat().st_mode & 0o777 == 0o757
    stick("read", kind="ext4")
    assert place.stat().st_mode & 0o777 == 0o755


def test_pulled_out_while_it_is_written_to(stick):
    stick("mount")
    stick("write")
    (stick.devices / "sda1").unlink()
    words = stick("read")
    assert "--umount" in words
    assert not [word for word in words if word.startswith("--options")]
    stick("leave")
    assert os.listdir(stick.folder) == []


def test_the_cards_own_partitions_are_no_sticks():
    lines = RULES.read_text("utf-8").splitlines()
    (own,) = [line for line in lines if "LAMPLIGHT" in line]
    (wanted,) = [line for line in lines if "SYSTEMD_WANTS" in line]
    assert lines.index(own) < lines.index(wanted)
    assert own.startswith('ENV{ID_FS_LABEL}=="LAMPLIGHT|lamp-root|lamp-data", GOTO=')
    assert wanted.startswith('SUBSYSTEMS=="usb", ')
