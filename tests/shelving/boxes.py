"""Boxes with sticks that are plugged in and pulled out, for the tests of this folder."""

import os
import time

import numpy as np
from small_bundle import copy_of

from appliance.vectors import HashEncoder


class Embedding(HashEncoder):
    """With a reader that finds every passage good."""

    def read(self, _question, passages):
        return np.full(len(passages), 3.0, np.float32)


def until(condition, seconds=60.0):
    limit = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < limit, "it did not come about"
        time.sleep(0.01)
    return found


def plug(given, bundle, name="STICK"):
    """A stick appears: as udev's unit does it, mounted whole in one step."""
    stick = given.home / "sticks" / name
    stick.parent.mkdir(exist_ok=True)
    copy_of(bundle, given.home / "new/bundle")
    os.rename(given.home / "new", stick)
    return stick


def pull(stick):
    os.rename(stick, stick.parent.parent / f"pulled-{time.monotonic_ns()}")
