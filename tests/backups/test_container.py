"""The file of a backup: read by any tar, refused wherever it is not what its list says (bombs and lies)."""

import io
import json
import random
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest
from every import every

from appliance.backups import container
from appliance.backups.container import BLOCK, LIST, Contents, Member, Unpacking
from appliance.errors import BackupError

PARTS = {"one.db": b"1" * 1000, "two.db": b"", "three.toml": b"3" * BLOCK}


@pytest.fixture
def packed(tmp_path: Path) -> bytes:
    for name, content in PARTS.items():
        (tmp_path / name).write_bytes(content)
    contents = Contents("0.1.0", "2026-11-30T16:00:00+00:00", container.members(tmp_path, PARTS))
    found = b"".join(container.pack(contents, tmp_path))
    assert len(found) == contents.bytes
    return found


def unpacked(
    data: bytes, folder: Path, step: int = 1 << 20, room: Callable[[int], None] = lambda _: None
) -> Contents:
    folder.mkdir(exist_ok=True)
    unpacking = Unpacking(folder, PARTS, room)
    try:
        for start in range(0, len(data), step):
            unpacking.feed(data[start : start + step])
        return unpacking.done()
    finally:
        unpacking.close()


def test_any_tar_program_reads_it(packed: bytes) -> None:
    with tarfile.open(fileobj=io.BytesIO(packed)) as found:
        assert found.getnames() == [LIST, *PARTS]
        for name, content in PARTS.items():
            member = found.extractfile(name)
            assert member is not None
            assert member.read() == content


@pytest.mark.parametrize("step", [1, 511, 512, 513, 100_000])
def test_pieces_of_any_size_give_the_same(packed: bytes, tmp_path: Path, step: int) -> None:
    contents = unpacked(packed, tmp_path / "to", step)
    assert (contents.version, [part.name for part in contents.parts]) == ("0.1.0", list(PARTS))
    assert {name: (tmp_path / "to" / name).read_bytes() for name in PARTS} == PARTS


def test_room_is_asked_for_before_anything_is_written(packed: bytes, tmp_path: Path) -> None:
    def none(needed: int) -> None:
        assert needed == sum(map(len, PARTS.values()))
        raise BackupError("no room")

    with pytest.raises(BackupError, match="no room"):
        unpacked(packed, tmp_path / "to", room=none)
    assert list((tmp_path / "to").iterdir()) == []


def test_every_byte_counts(packed: bytes, tmp_path: Path) -> None:
    """One bit of any byte turned: refused, unless nobody reads it (a header's owner, mode and time, and what
    fills up a block), and then the parts are right."""
    draw = random.Random(7)
    for place in [*draw.sample(range(len(packed)), 60), 0, BLOCK, BLOCK + 1, len(packed) - 1]:
        bent = bytearray(packed)
        bent[place] ^= 1 << draw.randrange(8)
        folder = tmp_path / str(place)
        try:
            unpacked(bytes(bent), folder)
        except BackupError:
            continue
        assert {name: (folder / name).read_bytes() for name in PARTS} == PARTS, place


def test_a_file_shorter_than_a_tar_is_no_backup(tmp_path: Path) -> None:
    with pytest.raises(BackupError, match="no backup"):
        unpacked(b"Dear Jonas,", tmp_path / "to")


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9, 0.999])
def test_a_file_that_breaks_off_is_refused(packed: bytes, tmp_path: Path, share: float) -> None:
    with pytest.raises(BackupError, match="breaks off"):
        unpacked(packed[: int(len(packed) * share)], tmp_path / "to")


def listing(**changes: object) -> bytes:
    parts = [{"name": name, "bytes": 1, "sha256": "0" * 64} for name in PARTS]
    return json.dumps({"format": 1, "version": "1", "made": "2026", "parts": parts} | changes).encode()


PART = {"name": "one.db", "bytes": 1, "sha256": "0" * 64}
REST = [{**PART, "name": name} for name in list(PARTS)[1:]]


@every(
    ("text", "told"),
    [
        (b"", "cannot be read"),
        (b"[" * 10_000, "cannot be read"),
        (b"[]", "no backup of a Lamplight"),
        (b"{}", "no backup of a Lamplight"),
        (listing(format="1"), "no backup of a Lamplight"),
        (listing(format=True), "no backup of a Lamplight"),
        (listing(format=0), "not as it should be"),
        (listing(format=2), "format 2; this version reads up to 1"),
        (listing(version="<b>"), "not as it should be"),
        (listing(made="x" * 41), "not as it should be"),
        (listing(more=1), "not as it should be"),
        (listing(parts=[]), "not as it should be"),
        (listing(parts=[PART, *REST, PART]), "not as it should be"),
        (listing(parts=[{**PART, "name": "../../etc/passwd"}, *REST]), "not as it should be"),
        (listing(parts=[{**PART, "bytes": -1}, *REST]), "not as it should be"),
        (listing(parts=[{**PART, "bytes": 1e9}, *REST]), "not as it should be"),
        (listing(parts=[{**PART, "bytes": True}, *REST]), "not as it should be"),
        (listing(parts=[{**PART, "bytes": 10**30}, *REST]), "not as it should be"),
        (listing(parts=[{**PART, "sha256": "0"}, *REST]), "not as it should be"),
        (listing(parts=[{**PART, "link": "/"}, *REST]), "not as it should be"),
    ],
)
def test_a_list_that_is_none_is_refused(text: bytes, told: str) -> None:
    with pytest.raises(BackupError, match=told):
        container.parse_list(text, PARTS)


def tar(*members: tuple[tarfile.TarInfo, bytes]) -> bytes:
    """With headers as they are, whatever follows them."""
    blocks = (
        info.tobuf(tarfile.GNU_FORMAT) + content.ljust(-(-len(content) // BLOCK) * BLOCK, b"\0")
        for info, content in members
    )
    return b"".join(blocks) + bytes(2 * BLOCK)


def member(name: str, content: bytes, /, **changes: object) -> tuple[tarfile.TarInfo, bytes]:
    info = tarfile.TarInfo(name)
    info.size = len(content)
    for key, value in changes.items():
        setattr(info, key, value)
    return info, content


def lying(**changes: object) -> bytes:
    """A tar whose list is right, and whose first part is not what it says."""
    hashes = {name: Member(name, len(content), "0" * 64) for name, content in PARTS.items()}
    text = Contents("1", "2026", tuple(hashes.values())).written()
    return tar(member(LIST, text), member("one.db", PARTS["one.db"], **changes))


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"PK\x03\x04" + b"\0" * 1000, "no backup of a Lamplight"),
        (b"\0" * 2048, "no backup of a Lamplight"),
        (tar(member("x", b"")), f"something else where {LIST} should be"),
        (tar(member(LIST, b"")), f"something else where {LIST} should be"),
        (tar(member(LIST, b" " * (container.LONGEST_LIST + 1))), f"something else where {LIST}"),
        (tar(member(LIST, b"", type=tarfile.SYMTYPE, linkname="/etc/shadow")), "something else"),
        (tar(member("x" * 300, b"")), "something else"),  # a name in a block of its own
        (lying(), "one.db of this backup is damaged"),
        (lying(name="other.db"), "something else where one.db should be"),
        (lying(name="../one.db"), "something else where one.db should be"),
        (lying(size=1001), "something else where one.db should be"),
        (lying(size=8 << 30), "something else where one.db should be"),
        (lying(type=tarfile.SYMTYPE, linkname="/etc/shadow"), "something else where one.db should be"),
        (lying(type=tarfile.GNUTYPE_SPARSE), "something else where one.db should be"),
        (lying(type=tarfile.DIRTYPE), "something else where one.db should be"),
    ],
    ids=range(15),
)
def test_what_is_not_what_its_list_says_is_refused(tmp_path: Path, data: bytes, told: str) -> None:
    with pytest.raises(BackupError, match=told):
        unpacked(data, tmp_path / "to")


@pytest.mark.parametrize("more", [b"x", b"\0" * 20_000, bytes(BLOCK - 1) + b"\1"])
def test_more_than_the_list_says_is_refused(packed: bytes, tmp_path: Path, more: bytes) -> None:
    with pytest.raises(BackupError, match="more in this backup"):
        unpacked(packed + more, tmp_path / "to")
