"""A stick with a real file system, mounted and opened for writing by a real systemd with the card's own units
and script; seen and written to by a process that is shut in as the pages are.

As root. Of the file systems, those that this machine's kernel has: ext4 everywhere; the card's own kernel
mounts all four in tests/image/test_usb_stick.py.
"""

import shutil
import subprocess
import time
from pathlib import Path

import pytest
from systemdbox import STICKS, started

pytestmark = pytest.mark.image
UNIT, WRITE = "lamplight-usb@{}", "lamplight-usb-write@{}"
SHUT = "nosuid,nodev,noexec"
FORMATS = {
    "ext4": ("mke2fs", "-q", "-t", "ext4", "-L"),
    "vfat": ("mkfs.vfat", "-F", "32", "-n"),
    "exfat": ("mkfs.exfat", "-L"),
    "ntfs": ("mkntfs", "-q", "-F", "-f", "-L"),
}
HERE = [kind for kind in FORMATS if f"\t{kind}\n" in Path("/proc/filesystems").read_text()]


def run(*words):
    return subprocess.run([*map(str, words)], capture_output=True, text=True, check=True).stdout.strip()


@pytest.fixture(scope="module", params=HERE)
def plugged(request, tmp_path_factory):
    """A box with a stick (label OURS) that is mounted for reading; its unit's name for it."""
    missing = [name for name in ("systemd-mount", "nsenter", "losetup") if not shutil.which(name)]
    if missing:
        pytest.fail(f"{', '.join(missing)}: apt install systemd util-linux mount")
    folder = tmp_path_factory.mktemp("box")
    disk = folder / "stick.img"
    with disk.open("wb") as file:
        file.truncate(100_000_000)
    run(*FORMATS[request.param], "OURS", disk)
    device = run("losetup", "--find", "--show", disk)
    try:
        with started(folder, device, request.param, "OURS") as box:
            box.name, box.kind = Path(device).name, request.param
            box.run("systemctl", "start", UNIT.format(box.name))
            yield box
    finally:
        run("losetup", "-d", device)


@pytest.fixture
def box(plugged):
    """The same; whatever the test before did, the stick is for reading."""
    plugged.ask("systemctl", "start", "lamplight-web")
    plugged.ask("systemctl", "stop", WRITE.format(plugged.name))
    plugged.ask("systemctl", "reset-failed")
    assert plugged.mount().startswith(f"{plugged.kind} ro,{SHUT}")
    return plugged


def pages(box, script):
    return subprocess.run(box.pages(script), capture_output=True, text=True, timeout=60)


def test_the_pages_read_and_do_not_write(box):
    assert pages(box, f"ls {STICKS}/OURS").returncode == 0
    assert "Read-only" in pages(box, f"touch {STICKS}/OURS/file").stderr


def test_opened_the_pages_write_and_closed_they_do_not(box):
    rights = box.run("stat", "-c", "%a", f"{STICKS}/OURS")
    box.run("systemctl", "start", WRITE.format(box.name))
    assert box.mount().startswith(f"{box.kind} rw,{SHUT}")
    written = pages(box, f"mkdir -p {STICKS}/OURS/valley && echo water >{STICKS}/OURS/valley/file")
    assert (written.returncode, written.stderr) == (0, "")
    box.run("systemctl", "stop", WRITE.format(box.name))
    assert box.mount().startswith(f"{box.kind} ro,{SHUT}")
    assert pages(box, f"cat {STICKS}/OURS/valley/file").stdout == "water\n"
    assert "Read-only" in pages(box, f"touch {STICKS}/OURS/valley/more").stderr
    assert box.run("stat", "-c", "%a", f"{STICKS}/OURS") == rights


def test_the_pages_open_it_through_the_helper_in_its_own_sandbox(box):
    """What "Make a stick" does, with nothing played: the pages' code, the socket, the helper, systemd."""
    code = f"""
import sys
from pathlib import Path
sys.path.insert(0, "/opt/lamplight/app")
from appliance.shelving.writing import writable
stick = Path("{STICKS}/OURS")
with writable("/run/lamplight", stick):
    (stick / "made").write_text("whole")
print((stick / "made").read_text())
try:
    (stick / "made").unlink()
except OSError as error:
    print(error.strerror)
"""
    done = pages(box, f"python3 - <<'END'\n{code}\nEND")
    assert done.stdout.splitlines() == ["whole", "Read-only file system"], done.stderr


def test_it_is_for_reading_again_when_the_pages_die(box):
    box.run("systemctl", "start", WRITE.format(box.name))
    box.run("systemctl", "kill", "--signal=KILL", "lamplight-web")
    end = time.monotonic() + 20
    while not box.mount().startswith(f"{box.kind} ro,"):
        assert time.monotonic() < end, box.mount()
        time.sleep(0.2)


def test_who_still_reads_is_waited_for(box):
    reading = subprocess.Popen(box.pages(f"exec 3<{STICKS}/OURS; sleep 3"))
    time.sleep(0.3)
    box.run("systemctl", "start", WRITE.format(box.name))
    assert box.mount().startswith(f"{box.kind} rw,")
    reading.wait(60)


def test_who_never_stops_reading_keeps_it_as_it_was(box):
    reading = subprocess.Popen(box.pages(f"exec 3<{STICKS}/OURS; exec sleep 60"))
    try:
        time.sleep(0.3)
        assert box.ask("systemctl", "start", WRITE.format(box.name)).returncode != 0
        assert box.mount().startswith(f"{box.kind} ro,{SHUT}")
    finally:
        reading.kill()
        reading.wait(60)


def test_taken_away_nothing_is_left(plugged):
    """The last: the stick is gone after it."""
    plugged.run("systemctl", "stop", UNIT.format(plugged.name))
    assert plugged.mount() == ""
    assert plugged.run("ls", "-A", STICKS) == ""
