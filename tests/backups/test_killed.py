"""A restore whose process is killed at any moment ends with the old box or the new one, whole."""

import multiprocessing
import random
import time
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from appliance.backups import coming, settling
from appliance.backups.coming import receive
from appliance.backups.saving import save_to
from backups.marked import all_of, filled, marks

pytestmark = pytest.mark.slow
ROUNDS, MOST = 12, 60
KINDS = {"begun", "ready"}  # kills before and after it was ready


def work(home: Path, backup: Path, pipe: Connection) -> None:
    pipe.send("begun")
    receive(home, backup)
    pipe.send("ready")
    settling.settle(home)
    pipe.send("done")


def killed(home: Path, backup: Path, seconds: float) -> list[str]:
    """How far it came, as it told."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["appliance.backups.settling"])
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=work, args=(home, backup, theirs), daemon=True)
    process.start()
    theirs.close()
    told = [ours.recv()] if ours.poll(60) else []
    time.sleep(seconds)
    process.kill()
    process.join()
    try:
        while ours.poll():
            told.append(ours.recv())
    except EOFError:
        pass
    ours.close()
    return told


def test_old_or_new_and_never_in_between(tmp_path: Path) -> None:
    backups = {}
    for mark in ("old", "new"):
        filled(tmp_path / mark, mark)
        backups[mark] = tmp_path / f"{mark}.tar"
        save_to(tmp_path / mark, backups[mark])
    home, mark = tmp_path / "old", "old"
    began = time.monotonic()
    receive(home, backups["new"])
    settling.settle(home)
    longest, mark = (time.monotonic() - began) * 1.2, "new"
    draw, ended = random.Random(11), []
    for n in range(MOST):
        if n >= ROUNDS:
            if {told for told, _ in ended} >= KINDS:
                break
            longest *= 1.1  # other work has the processor
        wanted = "old" if mark == "new" else "new"
        told = killed(home, backups[wanted], draw.uniform(0, longest))
        settling.settle(home)
        found = marks(home)
        assert found in (all_of(mark), all_of(wanted)), told
        if "ready" in told:  # then it had been promised
            assert found == all_of(wanted)
        ended.append((told[-1], found == all_of(wanted)))
        mark = wanted if found == all_of(wanted) else mark
        assert not (home / coming.FOLDER / coming.READY).exists()
    assert {told for told, _ in ended} >= KINDS, ended
