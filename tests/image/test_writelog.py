"""What a card holds after a power cut, from logs made here byte by byte."""

import random
import struct
from pathlib import Path

import pytest
import writelog
from writelog import FLUSH, FUA, MAGIC, SECTOR

CARD = 64 * SECTOR


def entry(sector: int, data: bytes = b"", flags: int = 0) -> bytes:
    head = struct.pack("<QQQQ", sector, len(data) // SECTOR, flags, 0)
    return head.ljust(SECTOR, b"\0") + data


def log(folder: Path, *entries: bytes, count: int = 0) -> Path:
    file = folder / "writes.log"
    head = struct.pack("<QQQI", MAGIC, 1, count, SECTOR).ljust(SECTOR, b"\0")
    file.write_bytes(head + b"".join(entries) + bytes(4 * SECTOR))
    return file


def card(folder: Path) -> Path:
    file = folder / "card.img"
    file.write_bytes(b"." * CARD)
    return file


def sectors(letter: str, count: int = 1) -> bytes:
    return letter.encode() * SECTOR * count


def letters(file: Path) -> str:
    """The first byte of each sector."""
    return file.read_bytes()[::SECTOR].decode()


def test_all_requests_are_read_whatever_the_count_says(tmp_path: Path) -> None:
    found = writelog.read(log(tmp_path, entry(3, sectors("a", 2)), entry(0, flags=FLUSH), count=0))
    assert [(one.to, one.length, one.flags) for one in found] == [(3 * SECTOR, 2 * SECTOR, 0), (0, 0, FLUSH)]


def test_a_write_whose_data_is_missing_is_none(tmp_path: Path) -> None:
    file = log(tmp_path, entry(0, sectors("a")), entry(1, sectors("b", 2)))
    file.write_bytes(file.read_bytes()[: 5 * SECTOR])
    assert [one.to for one in writelog.read(file)] == [0]


def test_a_cut_before_the_first_flush_leaves_a_log_without_its_head(tmp_path: Path) -> None:
    file = log(tmp_path, entry(3, sectors("a")))
    file.write_bytes(bytes(SECTOR) + file.read_bytes()[SECTOR:])
    found = writelog.read(file)
    assert [(one.to, one.length) for one in found] == [(3 * SECTOR, SECTOR)]
    assert writelog.unflushed(found) == 0


def test_another_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "writes.log"
    file.write_bytes(b"x" * 4096)
    with pytest.raises(ValueError, match="no log of writes"):
        writelog.read(file)


def test_after_a_shutdown_everything_is_there(tmp_path: Path) -> None:
    file = card(tmp_path)
    fared = writelog.apply(log(tmp_path, entry(1, sectors("a")), entry(2, sectors("b"))), file, None)
    assert letters(file)[:4] == ".ab."
    assert fared == writelog.Lost(0, 0, 0)


def test_what_was_flushed_or_forced_is_kept_and_the_rest_is_not_always(tmp_path: Path) -> None:
    """Over many cuts: flushed and FUA writes are always there, a later one sometimes, whole or torn."""
    entries = [
        entry(1, sectors("a")),
        entry(0, flags=FLUSH),
        entry(2, sectors("b", 4)),
        entry(8, sectors("c"), flags=FUA),
    ]
    seen = set()
    for seed in range(50):
        file = card(tmp_path)
        writelog.apply(log(tmp_path, *entries), file, random.Random(seed))
        found = letters(file)
        assert found[1] == "a"
        assert found[8] == "c"
        seen.add(found[2:6])
    assert {"....", "bbbb"} < seen
    assert seen <= {"....", "b...", "bb..", "bbb.", "bbbb"}


def test_the_count_of_what_fared_how_is_of_the_unflushed_writes(tmp_path: Path) -> None:
    entries = [entry(1, sectors("a")), entry(0, flags=FLUSH), *(entry(n, sectors("b")) for n in range(2, 32))]
    fared = writelog.apply(log(tmp_path, *entries), card(tmp_path), random.Random(1))
    assert fared.kept + fared.lost + fared.torn == 30
    assert min(fared.kept, fared.lost, fared.torn) > 0
