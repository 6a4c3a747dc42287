"""Programs of the card run on this machine: through QEMU's user emulation, in a mount namespace of their own,
so that nothing stays mounted whatever ends them. The one place that needs root beside mmdebstrap.
"""

import os
import shlex
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from appliance.errors import SetupError
from appliance.install.commands import run

MISC = Path("/proc/sys/fs/binfmt_misc")
HANDLER = MISC / "qemu-aarch64"
# Nothing of this machine's reaches the programs of the card; a fixed seed orders Python's sets always alike.
CLEAN = {"PATH": "/usr/sbin:/usr/bin", "HOME": "/", "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "0"}


def require() -> None:
    """Makes the kernel start aarch64 programs through QEMU. Raises SetupError when it cannot be made to."""
    if os.geteuid() != 0:
        raise SetupError("Making the image needs root.", "Start ./build.sh image as root, or where sudo is.")
    if os.uname().machine == "aarch64" or HANDLER.exists():
        return
    commands = [["update-binfmts", "--enable", "qemu-aarch64"]]
    if not (MISC / "register").exists():
        commands.insert(0, ["mount", "-t", "binfmt_misc", "binfmt_misc", str(MISC)])
    said = " ".join(map(_tried, commands)).strip()
    if not HANDLER.exists():
        raise SetupError(
            f"Programs for aarch64 cannot be run here: {said or 'binfmt_misc has no qemu-aarch64'}.",
            "Install qemu-user-static and binfmt-support; in a container, the host must have them.",
        )


def _tried(command: Sequence[str]) -> str:
    """Runs a command and gives what it complained of."""
    try:
        ended = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        return f"{command[0]}: {error.strerror}"
    return ended.stderr.strip()


def inside(
    root: Path,
    command: Sequence[str],
    what: str,
    log: Path,
    shown: Mapping[str, Path] | None = None,
    **variables: str,
) -> None:
    """Runs a program of `root` in it; `shown` are folders of this machine by where the program sees them.

    Raises SetupError, with the program's own words, when it fails.
    """
    # Folders are shown first: `root` itself, shown in itself, then appears without anything mounted in it.
    mounts = [["mount", "--bind", str(folder), f"{root}{place}"] for place, folder in (shown or {}).items()]
    mounts += [["mount", "-t", "proc", "proc", f"{root}/proc"], ["mount", "--rbind", "/dev", f"{root}/dev"]]
    environment = [f"{name}={value}" for name, value in {**CLEAN, **variables}.items()]
    started = ["exec", "env", "-i", *environment, "chroot", str(root), *command]
    script = " && ".join(map(shlex.join, [*mounts, started]))
    run(["unshare", "--mount", "sh", "-c", script], what, log)
