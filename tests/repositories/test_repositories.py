"""Sources as a box has them, with the real git, from sshd and git over HTTPS on 127.0.0.1."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from git_servers import Https, Origin, Sshd, git

from appliance import settings
from appliance.errors import EntryMissing, GitError, ServiceDown
from appliance.repositories.records import Progress
from appliance.repositories.repositories import Repositories
from appliance.vectors import HashEncoder

pytestmark = pytest.mark.slow
PUMP = "# Pump\n\n## Start\n\nOpen the valve, then start the pump.\n"


def box(home: Path, web: Https, **more: object) -> Repositories:
    given = settings.load(
        {"home": home, "git_reach": "all", "git_certificates": str(web.certificate), **more}, {}
    )
    return Repositories(given, HashEncoder(), HashEncoder.model_sha256)


@pytest.fixture
def sources(tmp_path: Path, web: Https) -> Iterator[Repositories]:
    found = box(tmp_path, web)
    yield found
    found.close()


def ask(sources: Repositories, words: str, signed_in: bool = True) -> list[str]:
    """The paths of the files that hold the words."""
    found = []
    for source in sources.sources(signed_in):
        with source.opened() as book:
            ids = book.phrases.holding(words).tolist()
            found += [pointer.path for pointer in book.phrases.pointers(ids)]
    return found


@pytest.mark.parametrize("way", ["ssh", "https"])
def test_a_source_from_its_key_to_its_removal(
    way: str, origin: Origin, ssh: Sshd, web: Https, sources: Repositories, tmp_path: Path
) -> None:
    first = origin.commit({"ops/pump.md": PUMP, "lamp.md": "# Lamp\n\nTrim the wick.", "x.bin": b"\0"})
    about = sources.add(ssh.url(origin.bare) if way == "ssh" else web.url(origin.bare.name), "wiki")
    if way == "ssh":
        assert sources.sync("wiki").outcome.kind == "key"
        assert ask(sources, "pump") == []
        ssh.authorized.write_text(sources.keys.public("wiki") + "\n")
    told: list[Progress] = []
    outcome = sources.sync("wiki", told=told.append).outcome
    assert (outcome.kind, outcome.commit, outcome.tally.files, outcome.failures) == ("", first, 2, 0)
    assert told[0].stage == "fetching"
    assert sources.progress("wiki") is None
    assert ask(sources, "start the pump") == ["ops/pump.md"]
    assert ask(sources, "start the pump", signed_in=False) == []
    sources.show("wiki", "everyone")
    assert ask(sources, "start the pump", signed_in=False) == ["ops/pump.md"]
    git(origin.work, "mv", "ops/pump.md", "ops/water.md")
    second = origin.commit({"lamp.md": None, "new.md": "# New\n\nfresh words"})
    outcome = sources.sync("wiki").outcome
    tally = outcome.tally
    assert (outcome.commit, tally.renamed, tally.changed, tally.removed) == (second, 1, 1, 1)
    assert ask(sources, "start the pump") == ["ops/water.md"]
    assert ask(sources, "wick") == []
    third = origin.commit({"only.md": "# Only\n\nforced words", "new.md": None}, again=True)
    assert sources.sync("wiki").outcome.commit == third
    assert ask(sources, "forced words") == ["only.md"]
    assert bool(sources.keys.hosts(about.remote)) == (way == "ssh")
    sources.remove("wiki")
    assert sources.listed() == []
    assert not [file for file in tmp_path.rglob("*") if "wiki" in file.name and file.suffix != ".lock"]


def test_a_key_that_is_gone_is_made_anew(origin: Origin, ssh: Sshd, sources: Repositories) -> None:
    """As after a restore of the box, whose file holds no keys."""
    origin.commit({"pump.md": PUMP})
    sources.add(ssh.url(origin.bare), "wiki")
    before = sources.keys.public("wiki")
    sources.keys.remove("wiki")
    assert sources.sync("wiki").outcome.kind == "key"
    assert sources.keys.public("wiki") not in ("", before)
    ssh.authorized.write_text(sources.keys.public("wiki") + "\n")
    assert sources.sync("wiki").outcome.kind == ""


def test_whatever_goes_wrong_the_last_state_is_served_and_the_reason_said(
    origin: Origin, web: Https, sources: Repositories
) -> None:
    first = origin.commit({"pump.md": PUMP})
    sources.add(web.url(origin.bare.name), "wiki")
    sources.sync("wiki")
    hidden = origin.bare.with_name("hidden.git")
    origin.bare.rename(hidden)
    for failures in (1, 2):
        outcome = sources.sync("wiki").outcome
        assert (outcome.kind, outcome.failures, outcome.commit) == ("gone", failures, first)
        assert ask(sources, "start the pump") == ["pump.md"]
    hidden.rename(origin.bare)
    assert sources.sync("wiki").outcome.failures == 0


def test_no_network(origin: Origin, web: Https, tmp_path: Path) -> None:
    """The name is found no more: nothing is lost, and what was read is served after a restart too."""
    origin.commit({"pump.md": PUMP})
    here = box(tmp_path, web)
    here.add(web.url(origin.bare.name), "wiki")
    here.sync("wiki")
    here.close()

    def nothing(_host: str, _port: int) -> list[str]:
        raise OSError("Temporary failure in name resolution")

    given = settings.load({"home": tmp_path}, {})
    away = Repositories(given, HashEncoder(), HashEncoder.model_sha256, nothing)
    outcome = away.sync("wiki").outcome
    assert (outcome.kind, outcome.tally.files) == ("away", 1)
    assert outcome.synced
    assert ask(away, "start the pump") == ["pump.md"]
    away.close()
    other = Repositories(given, HashEncoder(), "another model", nothing)  # its vectors are made without git
    assert other.sync("wiki").outcome.kind == "away"
    with other.source("git:wiki", True).opened() as book:
        assert book.phrases.nearest(HashEncoder().encode(["start the pump"])[0], 3)
    other.close()


def test_this_machine_is_no_source_unless_a_setting_says_so(
    origin: Origin, web: Https, tmp_path: Path
) -> None:
    origin.commit({"pump.md": PUMP})
    here, before = box(tmp_path, web, git_reach="network"), box(tmp_path, web)
    with pytest.raises(GitError, match="is not opened from here") as refused:
        here.add(web.url(origin.bare.name), "wiki")
    assert (refused.value.kind, here.listed()) == ("refused", [])
    before.add(web.url(origin.bare.name), "wiki")  # when the setting was another
    web.asked.clear()
    assert here.sync("wiki").outcome.kind == "refused"
    assert web.asked == []
    here.close()
    before.close()


def test_two_do_not_sync_one_source_at_once(origin: Origin, web: Https, tmp_path: Path) -> None:
    origin.commit({"pump.md": PUMP})
    one, other = box(tmp_path, web), box(tmp_path, web)
    one.add(web.url(origin.bare.name), "wiki")
    web.slow = 0.5
    try:
        first = threading.Thread(target=one.sync, args=("wiki",))
        first.start()
        time.sleep(0.4)
        assert other.sync("wiki").outcome.tried == ""  # left to the one that runs
        first.join()
    finally:
        web.slow = 0.0
    assert one.find("wiki").outcome.tally.files == 1
    assert ask(other, "start the pump") == ["pump.md"]
    one.close()
    other.close()


def test_another_process_may_remove_a_source_and_add_one_of_its_name(
    origin: Origin, web: Https, tmp_path: Path
) -> None:
    origin.commit({"pump.md": PUMP})
    one, other = box(tmp_path, web), box(tmp_path, web)
    one.add(web.url(origin.bare.name), "wiki")
    one.sync("wiki")
    assert ask(other, "start the pump") == ["pump.md"]
    one.remove("wiki")
    assert ask(other, "start the pump") == []
    origin.commit({"pump.md": None, "well.md": "# Well\n\nDug by hand."})
    one.add(web.url(origin.bare.name), "wiki")
    one.sync("wiki")
    assert ask(other, "start the pump") == []
    assert ask(other, "Dug by hand") == ["well.md"]
    one.close()
    other.close()


def test_a_removal_ends_a_sync_that_runs(origin: Origin, web: Https, sources: Repositories) -> None:
    origin.commit({"pump.md": PUMP})
    sources.add(web.url(origin.bare.name), "wiki")
    web.slow = 5.0
    try:
        running = threading.Thread(target=sources.sync, args=("wiki",))
        running.start()
        time.sleep(0.4)
        began = time.monotonic()
        sources.remove("wiki")
        assert time.monotonic() - began < 3
        running.join()
    finally:
        web.slow = 0.0
    assert sources.listed() == []


def test_a_source_is_asked_for_by_name_only_by_those_who_may(
    origin: Origin, web: Https, sources: Repositories
) -> None:
    origin.commit({"pump.md": PUMP})
    sources.add(web.url(origin.bare.name), "wiki")
    with pytest.raises(EntryMissing):
        sources.source("git:wiki", True)  # never synced
    sources.sync("wiki")
    assert sources.source("git:wiki", True).about.name == "wiki"
    with pytest.raises(EntryMissing):
        sources.source("git:wiki", False)
    with pytest.raises(GitError):
        sources.remove("other")


class Gone(HashEncoder):
    def encode(self, _texts):  # type: ignore[no-untyped-def]
        raise ServiceDown("The embedder does not answer.", "Wait.")


def test_without_the_embedder_it_waits_with_the_last_state(
    origin: Origin, web: Https, tmp_path: Path
) -> None:
    origin.commit({"pump.md": PUMP})
    here = box(tmp_path, web)
    here.add(web.url(origin.bare.name), "wiki")
    here.sync("wiki")
    here.close()
    origin.commit({"pump.md": "# Pump\n\nother text"})
    given = settings.load(
        {"home": tmp_path, "git_reach": "all", "git_certificates": str(web.certificate)}, {}
    )
    here = Repositories(given, Gone(), HashEncoder.model_sha256)
    assert here.sync("wiki").outcome.kind == "waiting"
    assert ask(here, "start the pump") == ["pump.md"]
    assert ask(here, "other text") == []
    here.close()


KILLED = """
import sys
from pathlib import Path
from appliance import settings
from appliance.repositories.repositories import Repositories
from appliance.vectors import HashEncoder
given = settings.load({"home": Path(sys.argv[1]), "git_reach": "all", "git_certificates": sys.argv[2]}, {})
found = Repositories(given, HashEncoder(), HashEncoder.model_sha256)
print("begun", flush=True)
found.sync("wiki")
print("done", flush=True)
"""


def test_a_sync_that_is_killed_at_any_moment_leaves_the_old_state_or_the_new(
    origin: Origin, web: Https, tmp_path: Path
) -> None:
    old = {f"{n}.md": f"# Page {n}\n\nold words of page {n}" for n in range(20)}
    origin.commit(old)
    here = box(tmp_path, web)
    here.add(web.url(origin.bare.name), "wiki")
    here.sync("wiki")
    here.close()
    new = {f"{n}.md": f"# Page {n}\n\nnew words of page {n}" for n in range(20)}
    origin.commit(new)
    states = set()
    for attempt in range(8):
        process = subprocess.Popen(
            [sys.executable, "-c", KILLED, str(tmp_path), str(web.certificate)],
            stdout=subprocess.PIPE, start_new_session=True,
        )  # fmt: skip
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(0.05 + 0.18 * attempt)
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()
        found = box(tmp_path, web)
        state = len(ask(found, "old words of page")), len(ask(found, "new words of page"))
        found.close()
        assert state in ((20, 0), (0, 20))
        states.add(state)
    last = box(tmp_path, web)
    assert last.sync("wiki").outcome.kind == ""
    assert (len(ask(last, "old words of page")), len(ask(last, "new words of page"))) == (0, 20)
    last.close()
    assert (20, 0) in states  # some were killed before their end
