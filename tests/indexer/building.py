"""A program that makes an index with the stand-in encoder, for tests that kill it; and what kills it.

`python building.py ARCHIVE.zim FILE.index [BATCHES | checking]`: killed with SIGKILL by its own worker after
so many batches, or by itself in the middle of the check of the finished file. One that comes to its end
prints how many kilobytes of memory it had at most.
"""

import functools
import os
import signal
import sys
from pathlib import Path

import numpy as np

from appliance.indexer.build import build
from appliance.indexer.workers import Encoding
from appliance.sources.zim import ZimArchive
from appliance.vectors import HashEncoder

WINDOW = 4  # passages: the small archive makes several windows


class Breaking(HashEncoder):
    """After `batches` batches: "parent" and "worker" are killed, "zero" spoils the vectors."""

    def __init__(self, what, batches, parent, _threads):
        self.what, self.left, self.parent = what, batches, parent

    def encode(self, texts):
        self.left -= 1
        if self.left < 0 and self.what == "parent":
            os.kill(self.parent, signal.SIGKILL)
        if self.left < 0 and self.what == "worker":
            os.kill(os.getpid(), signal.SIGKILL)
        vectors = super().encode(texts)
        return np.zeros_like(vectors) if self.what == "zero" and self.left < 0 else vectors


def encoding(what="", batches=0):
    encoder = functools.partial(Breaking, what, batches, os.getpid())
    return Encoding("hash", HashEncoder.model_sha256, HashEncoder, encoder)


class KilledWhileChecking(ZimArchive):
    """An archive whose reader dies when the finished index is compared with it."""

    def document(self, path):
        os.kill(os.getpid(), signal.SIGKILL)
        return super().document(path)


if __name__ == "__main__":
    when = sys.argv[3]
    kind = KilledWhileChecking if when == "checking" else ZimArchive
    model = encoding("parent", int(when)) if when.isdigit() else encoding()
    build(kind.open(Path(sys.argv[1])), Path(sys.argv[2]), model, workers=1, window=WINDOW)
    # Not getrusage: that still knows the memory of the process that started this one.
    status = Path("/proc/self/status").read_text().splitlines()
    print(next(line.split()[1] for line in status if line.startswith("VmHWM")))
