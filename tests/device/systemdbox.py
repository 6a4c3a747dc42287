"""A systemd of its own in namespaces, over this machine's root with a layer in memory: the card's units for
sticks, and a process that is shut in as the pages are. Needs root, systemd and util-linux. There is no udev:
what it would say of the stick is written down for systemd and said by a stand-in.
"""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from units import ROOT, ROOTFS, UNITS

SYSTEMD = "/lib/systemd/systemd"
USER = 990
APP = ROOT / "appliance"
STICKS = "/run/lamplight/sticks"
# As it needs nothing else of a system: no target of Debian's is started.
TARGETS = ("sysinit", "basic", "local-fs", "shutdown", "sockets", "timers", "swap", "paths")
UDEVADM = """#!/bin/sh
for word; do case $word in
--property=ID_FS_TYPE) echo {kind} ;;
--property=ID_FS_LABEL_ENC) echo {label} ;;
esac; done
"""
START = """
set -eu
mount --make-rprivate /
mount -t tmpfs layer "$1"
mkdir "$1/up" "$1/work" "$1/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/up,workdir=$1/work" "$1/root"
cd "$1/root"
rm -f .dockerenv
rm -rf lib/systemd/system/*.wants etc/systemd/system/*.wants
cp -r "$2/." .
: >etc/fstab
echo "lamplight:x:990:990::/:/bin/sh" >>etc/passwd
echo lamplight:x:990: >>etc/group
mount -t proc proc proc
mount --bind proc/sys proc/sys
mount -o remount,ro,bind proc/sys
mount -t sysfs sys sys
mount -t cgroup2 cgroup sys/fs/cgroup
mount -t tmpfs run run
mount -t tmpfs dev dev
mkdir -p dev/pts dev/shm oldroot run/lamplight/sticks run/lamplight/services
while read -r name major minor; do mknod -m 666 "dev/$name" c "$major" "$minor"; done <<END
null 1 3
zero 1 5
full 1 7
random 1 8
urandom 1 9
tty 5 0
ptmx 5 2
END
touch dev/console
cp -a "$3" dev/
number=b$((0x$(stat -c %t "$3"))):$((0x$(stat -c %T "$3")))
mkdir -p run/udev/data run/udev/tags/systemd
printf 'I:1\nG:systemd\nQ:systemd\nV:1\n' >"run/udev/data/$number"
touch "run/udev/tags/systemd/$number"
pivot_root . oldroot
umount -l oldroot
exec /lib/systemd/systemd --unit=tiny.target --log-target=null --show-status=no </dev/null >/dev/null 2>&1
"""


class Box:
    """`pid` is systemd's on this machine."""

    def __init__(self, pid: int) -> None:
        self.pid = pid

    def ask(self, *words: str) -> subprocess.CompletedProcess[str]:
        """A command in the box, as root."""
        inside = ["nsenter", "-t", str(self.pid), "-m", "-p", "-u", "-i", "-n", "-C", "-r", "-w"]
        return subprocess.run([*inside, *words], capture_output=True, text=True, check=False, timeout=120)

    def run(self, *words: str) -> str:
        done = self.ask(*words)
        assert done.returncode == 0, f"{' '.join(words)}: {done.stdout}{done.stderr}"
        return done.stdout

    def pages(self, script: str) -> list[str]:
        """The command that runs a script as the pages' process would: in its namespaces, as its user."""
        inner = self.run("systemctl", "show", "-P", "MainPID", "lamplight-web").strip()
        who = [
            "nsenter",
            "-t",
            str(self._outer(inner)),
            "-m",
            "-U",
            "-p",
            "-r",
            "-S",
            str(USER),
            "-G",
            str(USER),
        ]
        return [*who, "sh", "-c", script]

    def _outer(self, inner: str) -> int:
        """What this machine calls a process of the box."""
        for status in Path("/proc").glob("[0-9]*/status"):
            try:
                lines = status.read_text().splitlines()
            except OSError:
                continue
            numbers = next((line.split()[1:] for line in lines if line.startswith("NSpid:")), [])
            same = numbers[-1:] == [inner] and len(numbers) > 1
            if same and os.readlink(status.with_name("ns") / "pid") == os.readlink(
                f"/proc/{self.pid}/ns/pid"
            ):
                return int(numbers[0])
        raise AssertionError(f"There is no process {inner} in the box.")

    def mount(self) -> str:
        """Kind and options of the one stick that is mounted; "" for none."""
        rows = self.run("findmnt", "-rn", "-o", "TARGET,FSTYPE,OPTIONS").splitlines()
        return " ".join(row.split(" ", 1)[1] for row in rows if row.startswith(f"{STICKS}/"))


@contextmanager
def started(
    folder: Path, device: str, kind: str, label: str, lay_over: Callable[[Path], None] = lambda _more: None
) -> Iterator[Box]:
    """A box that has this block device, with a file system of this kind and label; ended at the end. What
    `lay_over` puts into a folder lies over the root, too."""
    layer, more = folder / "layer", folder / "more"
    layer.mkdir()
    _lay_out(more, UDEVADM.format(kind=kind, label=label))
    lay_over(more)
    words = [
        "unshare",
        *(f"--{kind}" for kind in ("pid", "fork", "kill-child", "mount", "ipc", "uts", "net")),
    ]
    words += ["--cgroup", "sh", "-c", START, "box", str(layer), str(more), device]
    outside = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, process_group=0)
    try:
        yield _up(outside)
    finally:
        outside.send_signal(signal.SIGKILL)  # and with it, by --kill-child, all of the box
        outside.wait(60)
        assert outside.stderr is not None
        outside.stderr.close()


def _lay_out(more: Path, udevadm: str) -> None:
    """Files that lie over the root: the card's units, without the devices; the pages, asleep."""
    units, programs = more / "etc/systemd/system", more / "usr/lib/lamplight"
    units.mkdir(parents=True)
    programs.mkdir(parents=True)
    for name in TARGETS:
        (units / f"{name}.target").write_text(f"[Unit]\nDescription={name}\nDefaultDependencies=no\n")
    (units / "tiny.target").write_text(
        "[Unit]\nDefaultDependencies=no\nWants=lamplight-web.service lamplight-helper.socket\n"
    )
    shutil.copytree(APP, more / "opt/lamplight/app/appliance", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("lamplight-helper.service", "lamplight-helper.socket"):
        shutil.copy(UNITS / name, units)
    for name in ("lamplight-usb@", "lamplight-usb-write@"):
        text = (UNITS / f"{name}.service").read_text("utf-8")
        text += "Environment=PATH=/usr/lib/lamplight/stand-ins:/usr/sbin:/usr/bin:/sbin:/bin\n"
        (units / f"{name}.service").write_text(text)
    (units / "lamplight-web.service").write_text(
        _asleep((UNITS / "lamplight-web.service").read_text("utf-8"))
    )
    stick = programs / "stick"
    stick.write_bytes((ROOTFS / "usr/lib/lamplight/stick").read_bytes())
    (programs / "stand-ins").mkdir()
    stand_in = programs / "stand-ins/udevadm"
    stand_in.write_text(udevadm)
    stand_in.chmod(0o755)
    stick.chmod(0o755)


def _asleep(unit: str) -> str:
    """The pages' unit with all that shuts it in, and nothing else."""
    gone = (
        "Requires=",
        "Wants=",
        "Type=",
        "Exec",
        "Environment",
        "LoadC",
        "SetC",
        "Watchdog",
        "WorkingD",
        "Memory",
    )
    gone += ("RestartSteps", "RestartMax")
    kept = [line for line in unit.splitlines() if not line.startswith(gone) or "WriteExecute" in line]
    return "\n".join(kept).replace("[Service]", "[Service]\nExecStart=/bin/sleep infinity") + "\n"


def _up(outside: subprocess.Popen[bytes]) -> Box:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        assert outside.poll() is None, outside.stderr and outside.stderr.read().decode()
        children = Path(f"/proc/{outside.pid}/task/{outside.pid}/children").read_text().split()
        if children and Path(f"/proc/{children[0]}/cmdline").read_bytes().startswith(SYSTEMD.encode()):
            box = Box(int(children[0]))
            if box.ask("systemctl", "is-active", "lamplight-web").stdout.strip() == "active":
                return box
        time.sleep(0.2)
    raise AssertionError("systemd did not start in its namespaces.")
