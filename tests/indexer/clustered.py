"""A program that makes an index on a Dask cluster, in a process of its own: `python clustered.py ADDRESS
ARCHIVE.zim FILE.index`; and the encoder that its workers load. `Slow` notes each batch in the folder that
SLOWLY names, so that a test can kill a worker in the middle of one."""

import functools
import os
import sys
import time
from pathlib import Path

from appliance.indexer.build import build
from appliance.indexer.workers import Encoding
from appliance.sources.zim import ZimArchive
from appliance.vectors import HashEncoder


class Slow(HashEncoder):
    def __init__(self, seconds, notes, _threads):
        self.seconds, self.notes = seconds, Path(notes)

    def encode(self, texts):
        with (self.notes / str(os.getpid())).open("a") as note:
            note.write(f"{len(texts)}\n")
        time.sleep(self.seconds)
        return super().encode(texts)


def encoding(seconds, notes):
    return Encoding(
        "hash", HashEncoder.model_sha256, HashEncoder, functools.partial(Slow, seconds, str(notes))
    )


if __name__ == "__main__":
    address, zim, target, notes, seconds = sys.argv[1:]
    build(
        ZimArchive.open(Path(zim)), Path(target), encoding(float(seconds), notes), window=4, cluster=address
    )
