"""A stick for the next village: whole with its signature, or a part; in pieces where the stick is FAT32."""

import pytest

from appliance.bundles import lies
from appliance.bundles.export import export
from appliance.bundles.folder import Disk
from appliance.bundles.install import install
from appliance.bundles.pack import PackError, Source, pack
from appliance.bundles.store import Store
from appliance.bundles.verify import fits, full, quick

pytestmark = pytest.mark.slow


@pytest.fixture
def stick(tmp_path):
    (tmp_path / "stick").mkdir()
    return tmp_path / "stick"


def test_a_whole_bundle_keeps_its_signature(signed, keys, stick):
    found = quick(Disk(signed), keys)
    seen = []
    made = export(Disk(signed), found, stick, progress=seen.append)
    again = quick(Disk(made), keys)
    assert (again.digest, again.signer.name) == (found.digest, "The librarians of the valley")
    assert sum(seen) == 2 * found.bytes - found.files["bundle.toml"].size  # which is written with the lists
    assert sorted(path.name for path in stick.iterdir()) == [found.folder_name]


def test_a_part_is_a_bundle_of_its_own(signed, keys, key, stick):
    found = quick(Disk(signed), keys)
    made = export(Disk(signed), found, stick, ["second_2025-06"])
    part = quick(Disk(made), keys)
    fits(Disk(made), part)
    assert part.bundle.name == "valley-part"
    assert [archive.name for archive in part.bundle.archives] == ["second_2025-06"]
    assert not part.signer.public
    with pytest.raises(PackError, match="is no folder"):
        export(Disk(signed), found, stick / "absent")
    (stick / "more").mkdir()
    ours = export(Disk(signed), found, stick / "more", ["second_2025-06"], key)
    assert quick(Disk(ours), keys).signer.trusted


def test_an_archive_that_is_not_there(signed, stick):
    with pytest.raises(PackError, match="has no archive x") as caught:
        export(Disk(signed), quick(Disk(signed)), stick, ["x"])
    assert "small_2025-06" in caught.value.hint
    assert list(stick.iterdir()) == []


def test_a_damaged_bundle_is_not_passed_on(bundle, stick):
    found = quick(Disk(bundle))
    with (bundle / "archives/small_2025-06.zim").open("r+b") as file:
        file.seek(5000)
        file.write(b"changed")
    for archives in ((), ("small_2025-06",)):
        with pytest.raises(lies.Changed, match="is damaged"):
            export(Disk(bundle), found, stick, archives)
    assert list(stick.iterdir()) == []


@pytest.mark.parametrize("size", [64, 999, 1000, 1001, 1280, 2560, 4999, 5119, 5120, 10**6])
def test_pieces_hold_every_byte(tmp_path, size):
    content = bytes(range(256)) * 20
    blocks = [memoryview(content)[at : at + 1500] for at in range(0, len(content), 1500)]
    made = pack(
        tmp_path / "to", {"archives/x": Source(lambda: blocks, len(content))}, lambda _: {}, piece_bytes=size
    )
    pieces = [file.read_bytes() for file in sorted((made / "archives").iterdir())]
    assert b"".join(pieces) == content
    assert {len(piece) for piece in pieces[:-1]} <= {size}
    assert pieces[-1]
    assert len(pieces) == -(-len(content) // size)


def test_too_many_pieces(tmp_path):
    source = Source(lambda: [memoryview(bytes(5000))], 5000)
    with pytest.raises(PackError, match="too large for 676 pieces"):
        pack(tmp_path / "to", {"archives/x": source}, lambda _: {}, piece_bytes=7)
    assert list(tmp_path.iterdir()) == []


def test_a_stick_of_pieces_is_installed_whole(signed, keys, tmp_path, stick):
    """What FAT32 makes of a bundle, with pieces of 30 kB for 4 GB; the card has it in one again."""
    found = quick(Disk(signed), keys)
    sources = {path: Source.of(signed / path) for path in found.files if path != "bundle.toml"}
    sources = {path: Source(one.blocks, one.size) for path, one in sources.items()}
    lists = {name: (signed / name).read_bytes() for name in ("bundle.toml", "SHA256SUMS", "bundle.sig")}
    made = pack(stick / "valley", sources, lambda _: lists, piece_bytes=30_000)
    assert (made / "archives/small_2025-06.zimab").stat().st_size == 30_000
    on_stick = quick(Disk(made), keys)
    full(Disk(made), on_stick)
    store = Store(tmp_path / "store")
    installed = install(store, Disk(made), on_stick)
    for path in found.files:
        assert (installed / path).read_bytes() == (signed / path).read_bytes()
