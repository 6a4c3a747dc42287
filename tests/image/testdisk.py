"""The test's own disk: what plays the phones in the guest. No part of the image.

A small Debian tree with Wi-Fi, DHCP and HTTP clients, unpacked and not set up, with the agent (agent.py). It
is attached read-only as a second disk. A unit that is handed over as a system credential on the kernel's
command line (systemd.system-credentials(7), `systemd.extra-unit.*`) mounts it and starts the agent. So
nothing in the shipped root knows of the test; what is tested is what is shipped, byte for byte.
"""

import hashlib
import os
import shutil
import tempfile
from pathlib import Path

from card import run

LABEL = "lamplight-test"
PLACE = "/run/lamplight-test"
UNIT_NAME = "lamplight-test.service"
PACKAGES = ("busybox", "curl", "iproute2", "iw", "tcpdump", "wpasupplicant")
SUITE = "trixie"
_DEVICE = r"dev-disk-by\x2did-virtio\x2dlamplight\x2dtest.device"
UNIT = f"""[Unit]
DefaultDependencies=no
Requires={_DEVICE}
After={_DEVICE}
[Service]
ExecStartPre=mkdir -p {PLACE}
ExecStartPre=mount -o ro /dev/disk/by-id/virtio-{LABEL} {PLACE}
ExecStartPre=mount --bind /run {PLACE}/run
ExecStartPre=mount --bind /dev {PLACE}/dev
ExecStartPre=mount -t proc proc {PLACE}/proc
ExecStartPre=mount -t sysfs sys {PLACE}/sys
ExecStartPre=mount -t tmpfs tmp {PLACE}/tmp
ExecStart=python3 {PLACE}/agent.py /dev/virtio-ports/{LABEL}
"""
# What udhcpc does with a lease: address, way out, and the name server for this namespace (ip-netns(8)).
_LEASE = """#!/bin/busybox sh
case $1 in bound|renew) ;; *) exit 0 ;; esac
/bin/busybox env | /bin/busybox sort
ip address replace "$ip/$mask" dev "$interface"
[ -z "$router" ] || ip route replace default via "${router%% *}"
name=$(ip netns identify $$)
/bin/busybox mkdir -p "/run/lamplight-phones/$name"
for server in $dns; do echo "nameserver $server"; done >"/run/lamplight-phones/$name/resolv.conf"
"""


def made(cache: Path) -> Path:
    """The disk's image; made on the first call and when what it is made of changes. Needs mmdebstrap and the
    network then."""
    source = _agent().read_bytes() + Path(__file__).read_bytes()
    disk = cache / f"phones-{hashlib.sha256(source).hexdigest()[:12]}.img"
    if not disk.exists():
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache, prefix="phones-") as folder:
            _make(Path(folder), disk)
    return disk


def _agent() -> Path:
    return Path(__file__).with_name("agent.py")


def _make(folder: Path, disk: Path) -> None:
    tree, aside = folder / "tree", folder / "disk.img"
    options = ["--variant=extract", "--architectures=arm64", "--skip=check/qemu"]
    options.append(f"--include={','.join(PACKAGES)}")
    left_out = [f"--dpkgopt=path-exclude=/usr/share/{name}/*" for name in ("doc", "man", "locale", "info")]
    run("mmdebstrap", *options, *left_out, SUITE, str(tree))
    for name in ("bin", "sbin", "lib"):
        (tree / name).symlink_to(f"usr/{name}")
    for name in ("dev", "proc", "run", "sys", "tmp"):
        (tree / name).mkdir(exist_ok=True)
    (tree / "etc/resolv.conf").write_text("", "utf-8")  # ip-netns puts each phone's over it
    (tree / "etc/netns").symlink_to("/run/lamplight-phones")
    (tree / "etc/passwd").write_text("root:x:0:0::/:/bin/sh\n", "utf-8")
    (tree / "lease.sh").write_text(_LEASE, "utf-8")
    (tree / "lease.sh").chmod(0o755)
    shutil.copy(_agent(), tree / "agent.py")
    run("mke2fs", "-q", "-t", "ext4", "-L", LABEL, "-d", str(tree), str(aside), "160M")
    os.replace(aside, disk)
