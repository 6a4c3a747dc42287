"""A small program for the supervisor's tests: `child.py MODE FOLDER`.

live: answers (makes FOLDER/ready) and sleeps · stubborn: the same, deaf to SIGTERM · dies: ends with 3 at
once · mute: never answers · parent: starts a child of its own, notes its number, and sleeps.
"""

import signal
import subprocess
import sys
import time
from pathlib import Path

mode, folder = sys.argv[1], Path(sys.argv[2])
if mode == "dies":
    print("Hello.\nThe disk is on fire.\nCall for help.", file=sys.stderr)
    sys.exit(3)
if mode == "stubborn":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
if mode == "parent":
    (folder / "grandchild").write_text(
        str(subprocess.Popen([sys.executable, "-I", "-S", __file__, "live", folder]).pid)
    )
if mode != "mute":
    (folder / "ready").touch()
time.sleep(60)
