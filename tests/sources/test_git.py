"""Fetching with the real git, from real servers: sshd and git over HTTPS, both on 127.0.0.1."""

import os
import stat
import subprocess
import threading
import time
from pathlib import Path

import pytest
from git_servers import Https, Origin, Sshd, git

from appliance.errors import GitError
from appliance.sources.git import Limits, Mirror
from appliance.sources.keys import Keys
from appliance.sources.remotes import Remote, remote

pytestmark = pytest.mark.slow
MIB = 1 << 20
HERE = ("127.0.0.1",)


@pytest.fixture
def keys(tmp_path: Path) -> Keys:
    return Keys(tmp_path / "a folder, 100 %")  # what has spaces and percent signs must reach ssh whole


def mirror(tmp_path: Path, web: Https | None = None, limits: Limits | None = None) -> Mirror:
    return Mirror(tmp_path / "mirror.git", limits or Limits(50 * MIB, 60), web.certificate if web else None)


def test_a_key_made_here_opens_the_repository_and_nothing_else(
    origin: Origin, ssh: Sshd, keys: Keys, tmp_path: Path
) -> None:
    commit = origin.commit({"a.md": "# A\n\ntext", "b/c.md": "# C"})
    where, here = remote(ssh.url(origin.bare)), mirror(tmp_path)
    public = keys.make("wiki")
    assert public.startswith("ssh-ed25519 ")
    assert stat.S_IMODE(keys.private("wiki").stat().st_mode) == 0o600
    ssh.authorized.write_text("")
    with pytest.raises(GitError, match="does not know this box's key") as refused:
        here.fetch(where, "", HERE, keys, "wiki")
    assert refused.value.kind == "key"
    ssh.authorized.write_text(public + "\n")
    assert here.fetch(where, "", HERE, keys, "wiki") == commit
    assert [entry.path for entry in here.tree(commit)] == ["a.md", "b/c.md"]
    with here.blobs() as read:
        assert [read(entry.blob) for entry in here.tree(commit)] == [b"# A\n\ntext", b"# C"]
    assert not any((tmp_path / "mirror.git" / "hooks").glob("*"))


def test_a_host_key_is_kept_when_first_met_and_another_one_ends_the_fetch(
    origin: Origin, ssh: Sshd, keys: Keys, tmp_path: Path
) -> None:
    first = origin.commit({"a.md": "one"})
    where, here = remote(ssh.url(origin.bare)), mirror(tmp_path)
    ssh.authorized.write_text(keys.make("wiki") + "\n")
    assert keys.hosts(where) == []
    here.fetch(where, "", HERE, keys, "wiki")
    (kept,) = keys.hosts(where)
    told = subprocess.run(
        ["ssh-keygen", "-l", "-f", f"{ssh.host_key}.pub"], capture_output=True, text=True, check=True
    )
    assert kept == f"ED25519 {told.stdout.split()[1]}"
    ssh.renew_host_key()
    origin.commit({"a.md": "two"})
    with pytest.raises(GitError, match="another host key than before") as changed:
        here.fetch(where, "", HERE, keys, "wiki")
    assert changed.value.kind == "changed"
    assert "SHA256:" in str(changed.value)
    assert kept.split()[1] not in str(changed.value)
    assert here.commit() == first
    assert keys.hosts(where) == [kept]
    keys.forget(where)
    assert here.fetch(where, "", HERE, keys, "wiki") != first
    assert keys.hosts(where) != [kept]


def test_https_with_a_certificate_of_its_own(origin: Origin, web: Https, keys: Keys, tmp_path: Path) -> None:
    commit = origin.commit({"a.md": "one"})
    where = remote(web.url(origin.bare.name))
    with pytest.raises(GitError, match="certificate of localhost cannot be trusted"):
        mirror(tmp_path).fetch(where, "", HERE, keys, "wiki")
    assert mirror(tmp_path, web).fetch(where, "main", HERE, keys, "wiki") == commit


def test_git_goes_to_the_address_that_was_judged(
    origin: Origin, web: Https, ssh: Sshd, keys: Keys, tmp_path: Path
) -> None:
    """The name is not looked up again: a name that stands for nothing is reached all the same."""
    commit = origin.commit({"a.md": "one"})
    ssh.authorized.write_text(keys.make("wiki") + "\n")
    there = Remote("ssh", "no-such-host.invalid", str(origin.bare), ssh.user, ssh.port)
    assert mirror(tmp_path).fetch(there, "", HERE, keys, "wiki") == commit
    named = Remote("https", "no-such-host.invalid", f"/{origin.bare.name}", "", web.port)
    with pytest.raises(GitError, match=r"certificate of no-such-host\.invalid is for another name"):
        mirror(tmp_path, web).fetch(named, "", HERE, keys, "wiki")


def test_no_redirect_is_followed(origin: Origin, web: Https, keys: Keys, tmp_path: Path) -> None:
    origin.commit({"a.md": "one"})
    web.asked.clear()
    with pytest.raises(GitError, match="sends the box on to another address") as refused:
        mirror(tmp_path, web).fetch(remote(web.url(f"moved/{origin.bare.name}")), "", HERE, keys, "wiki")
    assert refused.value.kind == "refused"
    assert [path for path in web.asked if not path.startswith("/moved/")] == []


def test_a_force_push_takes_the_place_of_what_was_there(
    origin: Origin, web: Https, keys: Keys, tmp_path: Path
) -> None:
    origin.commit({"a.md": "one"})
    where, here = remote(web.url(origin.bare.name)), mirror(tmp_path, web)
    first = here.fetch(where, "", HERE, keys, "wiki")
    second = origin.commit({"a.md": "other", "b.md": "new"}, again=True)
    assert here.fetch(where, "", HERE, keys, "wiki") == second != first
    assert [entry.path for entry in here.tree(second)] == ["a.md", "b.md"]


def test_what_is_empty_vanished_or_has_no_such_branch_is_said(
    origin: Origin, web: Https, ssh: Sshd, keys: Keys, tmp_path: Path
) -> None:
    where, here = remote(web.url(origin.bare.name)), mirror(tmp_path, web)
    for branch in ("", "main"):
        with pytest.raises(GitError, match="empty, or has no such branch"):
            here.fetch(where, branch, HERE, keys, "wiki")
    commit = origin.commit({"a.md": "one"})
    assert here.fetch(where, "", HERE, keys, "wiki") == commit
    origin.bare.rename(origin.bare.with_name("elsewhere-" + origin.bare.name))
    ssh.authorized.write_text(keys.make("wiki") + "\n")
    for gone in (where, remote(ssh.url(origin.bare))):
        with pytest.raises(GitError, match="has no such repository") as error:
            here.fetch(gone, "", HERE, keys, "wiki")
        assert error.value.kind == "gone"
    assert here.commit() == commit
    assert [entry.path for entry in here.tree(commit)] == ["a.md"]


def test_nobody_listening_and_a_host_that_is_silent(keys: Keys, tmp_path: Path) -> None:
    keys.make("wiki")
    for url in ("https://localhost:1/wiki.git", "ssh://git@127.0.0.1:1/wiki.git"):
        with pytest.raises(GitError, match="takes no connection") as away:
            mirror(tmp_path).fetch(remote(url), "", HERE, keys, "wiki")
        assert away.value.kind == "away"


def test_time_and_a_stop_end_git_and_all_that_it_started(
    origin: Origin, web: Https, keys: Keys, tmp_path: Path
) -> None:
    origin.commit({"a.md": "one"})
    where, web.slow = remote(web.url(origin.bare.name)), 5.0
    try:
        began = time.monotonic()
        with pytest.raises(GitError, match="longer than") as slow:
            mirror(tmp_path, web, Limits(MIB, 0.5)).fetch(where, "", HERE, keys, "wiki")
        stop = threading.Event()
        threading.Timer(0.5, stop.set).start()
        with pytest.raises(GitError, match="was stopped"):
            Mirror(tmp_path / "two.git", Limits(MIB), web.certificate, stop.is_set).fetch(
                where, "", HERE, keys, "wiki"
            )
        assert time.monotonic() - began < 4
    finally:
        web.slow = 0.0
    assert slow.value.kind == "slow"
    assert not _running(str(tmp_path))
    assert mirror(tmp_path, web).fetch(where, "", HERE, keys, "wiki")  # what was left over is no hindrance


def _running(words: str) -> list[str]:
    found = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = file.read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
        except OSError:
            continue
        if words in line and "git-dir" in line:
            found.append(line)
    return found


def test_what_is_too_large_is_not_taken(origin: Origin, web: Https, keys: Keys, tmp_path: Path) -> None:
    small = origin.commit({"a.md": "one"})
    where, here = remote(web.url(origin.bare.name)), mirror(tmp_path, web, Limits(MIB, 60))
    assert here.fetch(where, "", HERE, keys, "wiki") == small
    noise = os.urandom(3 * MIB)
    origin.commit({"large.bin": noise})
    with pytest.raises(GitError, match="larger than 1 MiB") as large:
        here.fetch(where, "", HERE, keys, "wiki")
    assert large.value.kind == "large"
    assert here.size() < MIB
    assert here.commit() == small


def test_too_many_files_are_not_listed(origin: Origin, web: Https, keys: Keys, tmp_path: Path) -> None:
    origin.commit({f"{n}.md": "x" for n in range(30)})
    here = mirror(tmp_path, web, Limits(MIB, 60, 1000))
    commit = here.fetch(remote(web.url(origin.bare.name)), "", HERE, keys, "wiki")
    with pytest.raises(GitError, match="too many files") as large:
        here.tree(commit)
    assert large.value.kind == "large"


def test_links_and_submodules_are_told_apart_and_odd_names_do_no_harm(
    origin: Origin, web: Https, keys: Keys, tmp_path: Path
) -> None:
    origin.commit({"a.md": "one", "-rf.md": "two", "Über größe.md": "three", "x\ny.md": "four"})
    head = git(origin.work, "rev-parse", "HEAD").decode().strip()
    git(origin.work, "update-index", "--add", "--cacheinfo", f"160000,{head},other")
    target = git(origin.work, "hash-object", "-w", "--stdin", given=b"/etc/passwd").decode().strip()
    git(origin.work, "update-index", "--add", "--cacheinfo", f"120000,{target},link.md")
    git(origin.work, "commit", "--quiet", "-m", "x")
    origin.push()
    here = mirror(tmp_path, web)
    commit = here.fetch(remote(web.url(origin.bare.name)), "", HERE, keys, "wiki")
    kinds = {entry.path: entry.kind for entry in here.tree(commit)}
    assert kinds == {
        "-rf.md": "file", "a.md": "file", "Über größe.md": "file", "x\ny.md": "file",
        "other": "module", "link.md": "link",
    }  # fmt: skip


def test_objects_that_are_not_whole_are_refused(
    origin: Origin, web: Https, keys: Keys, tmp_path: Path
) -> None:
    """A tree that would lead out of the working tree, as CVE-2014-9390 and its like made them."""
    blob = git(origin.work, "hash-object", "-w", "--stdin", given=b"x").decode().strip()
    tree = git(origin.work, "mktree", given=f"100644 blob {blob}\t.git\n".encode()).decode().strip()
    commit = git(origin.work, "commit-tree", tree, "-m", "x").decode().strip()
    git(origin.work, "push", "--quiet", "origin", f"{commit}:refs/heads/main")
    with pytest.raises(GitError, match="not as it should be"):
        mirror(tmp_path, web).fetch(remote(web.url(origin.bare.name)), "", HERE, keys, "wiki")


def test_many_fetches_are_put_into_one(origin: Origin, web: Https, keys: Keys, tmp_path: Path) -> None:
    where, here = remote(web.url(origin.bare.name)), mirror(tmp_path, web)
    for n in range(16):
        commit = origin.commit({"a.md": f"text {n}"})
        assert here.fetch(where, "", HERE, keys, "wiki") == commit
    assert len(list((tmp_path / "mirror.git/objects/pack").glob("*.pack"))) < 10
    with here.blobs() as read:
        assert read(here.tree(commit)[0].blob) == b"text 15"
