"""Reading a root: links that stay in it, libraries that are found or not, a partition's listing."""

import stat
from pathlib import Path

import pytest
import root
from card import run
from elf import AARCH64, Linked, missing


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    tree = tmp_path / "root"
    (tree / "usr/lib").mkdir(parents=True)
    (tree / "usr/lib/libone.so.1.2").write_bytes(b"")
    (tree / "usr/lib/libone.so.1").symlink_to("libone.so.1.2")
    (tree / "lib").symlink_to("usr/lib")
    (tree / "opt").mkdir()
    (tree / "opt/absolute").symlink_to("/usr/lib/libone.so.1")
    (tree / "opt/host").symlink_to("/proc/self")  # exists here, not there
    (tree / "opt/round").symlink_to("round")
    (tree / "opt/up").symlink_to("../../../../usr")
    return tree


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("/lib/libone.so.1", "usr/lib/libone.so.1.2"),
        ("/opt/absolute", "usr/lib/libone.so.1.2"),
        ("/opt/up/lib", "usr/lib"),
        ("/opt/../lib", "usr/lib"),
        ("/opt/host", None),
        ("/opt/round", None),
        ("/nowhere/../usr", None),
    ],
)
def test_links_are_followed_in_the_root(tree: Path, path: str, found: str | None) -> None:
    assert root.inside(tree, path) == (tree / found if found else None)


def test_a_library_is_looked_for_where_its_user_says(tree: Path) -> None:
    (tree / "opt/own").mkdir()
    (tree / "opt/own/libtwo.so").write_bytes(b"")
    files = [
        Linked("/usr/bin/a", AARCH64, ("libone.so.1", "libtwo.so"), ()),
        Linked("/usr/bin/b", AARCH64, ("libone.so.1", "libtwo.so"), ("/opt/own",)),
    ]
    assert missing(tree, files) == ["/usr/bin/a needs libtwo.so"]


def test_a_private_library_may_lean_on_all_its_users(tree: Path) -> None:
    (tree / "opt/own").mkdir()
    for name in ("libtwo.so", "libprivate.so"):
        (tree / "opt/own" / name).write_bytes(b"")
    private = Linked("/opt/own/libprivate.so", AARCH64, ("libtwo.so",), ())
    both = Linked("/usr/bin/a", AARCH64, ("libprivate.so", "libtwo.so"), ("/opt/own",))
    one = Linked("/usr/bin/b", AARCH64, ("libprivate.so",), ("/opt/own",))
    assert missing(tree, [private, both]) == []
    assert missing(tree, [private, both, one]) == ["/opt/own/libprivate.so needs libtwo.so"]


def test_a_configured_folder_counts(tree: Path) -> None:
    (tree / "etc/ld.so.conf.d").mkdir(parents=True)
    (tree / "etc/ld.so.conf.d/own.conf").write_text("# ours\n/opt/own\n", "utf-8")
    (tree / "opt/own").mkdir()
    (tree / "opt/own/libtwo.so").write_bytes(b"")
    assert missing(tree, [Linked("/usr/bin/a", AARCH64, ("libtwo.so",), ())]) == []


def test_a_partition_is_listed_with_modes(tree: Path, tmp_path: Path) -> None:
    (tree / "opt/a file").write_bytes(b"12345")
    (tree / "opt/a file").chmod(0o4755)
    system, image = tmp_path / "root.ext4", tmp_path / "card.img"
    run("mke2fs", "-q", "-t", "ext4", "-d", str(tree), str(system), "8M")
    image.write_bytes(bytes(1 << 20) + system.read_bytes())
    run("sfdisk", "-q", str(image), text="label: dos\nstart=2048,size=16384,type=83\n")
    found = {entry.path: entry for entry in root.listing(image, 1)}
    assert found["/opt/a file"].size == 5
    assert stat.S_IMODE(found["/opt/a file"].mode) == 0o4755
    assert stat.S_ISLNK(found["/lib"].mode)
    unpacked = root.unpack(image, 1, tmp_path / "unpacked")
    assert (unpacked / "opt/a file").read_bytes() == b"12345"
