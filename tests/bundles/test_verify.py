"""Every lie is an error of its own that names the file (case 38); a good bundle passes all levels."""

import os
import shutil
import struct

import pytest
from small_bundle import edit_manifest, index_beside, list_anew, total_bytes, write_small
from small_library import PAGES

from appliance.bundles import lies, signature
from appliance.bundles.folder import Disk
from appliance.bundles.verify import fits, full, quick, require_trusted
from appliance.quality.interrupted import Pulled

pytestmark = pytest.mark.slow

ZIM, INDEX = "archives/small_2025-06.zim", "indexes/small_2025-06.index"
OTHER, OTHER_INDEX = "archives/second_2025-06.zim", "indexes/second_2025-06.index"


def verify(bundle, keys=()):
    found = quick(Disk(bundle), keys)
    fits(Disk(bundle), found)
    full(Disk(bundle), found)
    return found


def test_a_good_bundle_passes(signed, keys):
    seen = []
    found = quick(Disk(signed), keys)
    require_trusted(found)
    fits(Disk(signed), found)
    full(Disk(signed), found, seen.append)
    assert found.signer.name == "The librarians of the valley"
    assert found.label == "valley 1"
    assert sum(seen) == found.bytes == sum(found.bundle.sizes.values()) + found.files["bundle.toml"].size
    assert set(found.hashes) == {"bundle.toml", ZIM, INDEX, OTHER, OTHER_INDEX}


def append(bundle, path):
    with (bundle / path).open("ab") as file:
        file.write(b"x")


def change_byte(bundle, path, place, bits=1):
    with (bundle / path).open("r+b") as file:
        file.seek(place)
        (byte,) = file.read(1)
        file.seek(place)
        file.write(bytes([byte ^ bits]))


def in_the_middle(bundle, path):
    change_byte(bundle, path, (bundle / path).stat().st_size // 2)


def grow_sparse(bundle, path):
    os.truncate(bundle / path, 100 * 10**9)


def swap(bundle, path, other):
    shutil.move(bundle / path, bundle / "aside")
    shutil.move(bundle / other, bundle / path)
    shutil.move(bundle / "aside", bundle / other)


def link_to_shadow(bundle, path):
    (bundle / path).unlink()
    (bundle / path).symlink_to("/etc/shadow")


def link_the_folder(bundle):
    shutil.move(bundle / "archives", bundle.parent / "elsewhere")
    (bundle / "archives").symlink_to(bundle.parent / "elsewhere")


def pipe(bundle, path):
    (bundle / path).unlink()
    os.mkfifo(bundle / path)


def sums_line(bundle, line):
    with (bundle / "SHA256SUMS").open("a") as file:
        file.write(line)


def cut(bundle, path, size):
    os.truncate(bundle / path, size)


def newer(bundle):
    (bundle / "maps").mkdir()  # of a layout that this version does not know
    edit_manifest(bundle, "format = 1", "format = 2")


def sign_with_another(bundle, tmp_path):
    signature.new_key(tmp_path / "other.pem")
    sums = (bundle / "SHA256SUMS").read_bytes()
    (bundle / "bundle.sig").write_text(signature.sign(sums, tmp_path / "other.pem"))


# What is done to the bundle, the error, the file that it names. All show in the quick level.
QUICK = {
    "a file is missing": (lambda b: (b / OTHER_INDEX).unlink(), lies.Missing, OTHER_INDEX),
    "all indexes are missing": (lambda b: shutil.rmtree(b / "indexes"), lies.Missing, OTHER_INDEX),
    "a file too many": (lambda b: (b / "archives/x.zim").write_bytes(b"x"), lies.Extra, "archives/x.zim"),
    "a file too many at the top": (lambda b: (b / "autorun.inf").touch(), lies.Extra, "autorun.inf"),
    "a folder too many": (lambda b: (b / "more").mkdir(), lies.Extra, "more"),
    "a folder in a folder": (lambda b: (b / "archives/in").mkdir(), lies.NotAFile, "archives/in"),
    "a byte too many": (lambda b: append(b, ZIM), lies.TooBig, ZIM),
    "a copy that broke off": (lambda b: cut(b, ZIM, 5000), lies.TooSmall, ZIM),
    "an empty file": (lambda b: cut(b, INDEX, 0), lies.TooSmall, INDEX),
    "100 GB that are not there": (lambda b: grow_sparse(b, ZIM), lies.TooBig, ZIM),
    "a link to /etc/shadow": (lambda b: link_to_shadow(b, ZIM), lies.NotAFile, ZIM),
    "the list is a link": (lambda b: link_to_shadow(b, "SHA256SUMS"), lies.NotAFile, "SHA256SUMS"),
    "a folder is a link": (link_the_folder, lies.NotAFile, "archives"),
    "a pipe": (lambda b: pipe(b, INDEX), lies.NotAFile, INDEX),
    "the manifest is a pipe": (lambda b: pipe(b, "bundle.toml"), lies.NotAFile, "bundle.toml"),
    "a path that escapes": (
        lambda b: sums_line(b, f"{'0' * 64}  ../../etc/passwd\n"), lies.Escapes, "../../etc/passwd",
    ),
    "an absolute path": (lambda b: sums_line(b, f"{'0' * 64}  /etc/passwd\n"), lies.Escapes, "/etc/passwd"),
    "a path of Windows": (
        lambda b: sums_line(b, f"{'0' * 64}  archives/..\\x\n"), lies.Escapes, "archives/..\\x",
    ),
    "a newer format": (newer, lies.NewerFormat, "bundle.toml"),
    "no manifest": (lambda b: (b / "bundle.toml").unlink(), lies.NotABundle, "bundle.toml"),
    "no list": (lambda b: (b / "SHA256SUMS").unlink(), lies.Missing, "SHA256SUMS"),
    "a list that is cut": (lambda b: cut(b, "SHA256SUMS", 100), lies.NotABundle, "SHA256SUMS"),
    "a manifest of 5 MB": (lambda b: cut(b, "bundle.toml", 5 * 10**6), lies.NotABundle, "bundle.toml"),
    "a manifest that is no text": (
        lambda b: (b / "bundle.toml").write_bytes(b"\xff\xfe"), lies.NotABundle, "bundle.toml",
    ),
    "a manifest nested too deeply": (
        lambda b: (b / "bundle.toml").write_text("a = " + "[" * 100_000), lies.NotABundle, "bundle.toml",
    ),
    "another archive of the same size": (lambda b: change_byte(b, ZIM, 10), lies.Changed, ZIM),
    "no archive": (lambda b: change_byte(b, ZIM, 0), lies.Changed, ZIM),
    "an index in another journal mode": (lambda b: change_byte(b, INDEX, 18, 3), lies.Changed, INDEX),
}  # fmt: skip


@pytest.mark.parametrize("lie", QUICK)
def test_a_lie_that_sizes_heads_and_lists_show(bundle, lie):
    act, kind, file = QUICK[lie]
    act(bundle)
    if (bundle / "bundle.sig").exists():
        (bundle / "bundle.sig").unlink()  # so that the lie itself is found, not that the list was changed
    with pytest.raises(kind) as caught:
        quick(Disk(bundle))
    assert type(caught.value) is kind
    assert caught.value.file == file
    assert file in str(caught.value) or file.endswith("\\x")
    assert caught.value.hint


@pytest.mark.parametrize("path", [ZIM, INDEX, OTHER_INDEX])
def test_a_changed_byte_shows_in_the_full_level(bundle, path):
    in_the_middle(bundle, path)
    found = quick(Disk(bundle))
    with pytest.raises(lies.Changed, match=path) as caught:
        full(Disk(bundle), found)
    assert caught.value.file == path


def test_a_manifest_that_is_not_the_listed_one(bundle):
    with (bundle / "bundle.toml").open("a") as file:
        file.write("# more\n")
    with pytest.raises(lies.Changed, match=r"bundle\.toml is not the one"):
        quick(Disk(bundle))


def test_an_index_of_another_archive(bundle, tmp_path):
    """The liar lists it well: sizes, heads and hashes are right."""
    other = index_beside(write_small(tmp_path / "other.zim", PAGES[:4]))
    sizes = [f"{file.stat().st_size}" for file in (bundle / INDEX, other)]
    shutil.copy(other, bundle / INDEX)
    edit_manifest(bundle, *(f'path = "{INDEX}", bytes = {size} ' for size in sizes))
    (bundle / "bundle.sig").unlink()
    found = quick(Disk(bundle))
    full(Disk(bundle), found)
    with pytest.raises(lies.WrongIndex, match="made from another archive") as caught:
        fits(Disk(bundle), found)
    assert caught.value.file == INDEX


def test_two_indexes_that_changed_places(bundle):
    """Their archives are of the same pages, so they differ in their UUID alone."""
    swap(bundle, INDEX, OTHER_INDEX)
    list_anew(bundle)
    (bundle / "bundle.sig").unlink()
    if (bundle / INDEX).stat().st_size == (bundle / OTHER_INDEX).stat().st_size:
        with pytest.raises(lies.WrongIndex):
            fits(Disk(bundle), quick(Disk(bundle)))
    else:
        with pytest.raises((lies.TooBig, lies.TooSmall)):
            quick(Disk(bundle))


def test_the_signature_does_not_fit(bundle, keys):
    list_anew(bundle, **{"archives/small_2025-06.zim": "0" * 64})
    with pytest.raises(lies.BadSignature) as caught:
        quick(Disk(bundle), keys)
    assert caught.value.file == "bundle.sig"


@pytest.mark.parametrize("text", [b"", b"x", b"rsa a b\n", b"ed25519 AAAA BBBB\n", b"\xff", b"x" * 20_000])
def test_a_signature_that_is_none(bundle, keys, text):
    (bundle / "bundle.sig").write_bytes(text)
    with pytest.raises((lies.BadSignature, lies.NotABundle)) as caught:
        quick(Disk(bundle), keys)
    assert caught.value.file == "bundle.sig"


def test_a_key_that_is_not_trusted(bundle, keys, tmp_path):
    sign_with_another(bundle, tmp_path)
    found = quick(Disk(bundle), keys)
    with pytest.raises(lies.NotTrusted, match="an unknown key") as caught:
        require_trusted(found)
    assert type(caught.value) is lies.NotTrusted


def test_an_unsigned_bundle_needs_a_yes(bundle, keys):
    (bundle / "bundle.sig").unlink()
    found = quick(Disk(bundle), keys)
    with pytest.raises(lies.Unsigned, match="is not signed"):
        require_trusted(found)


def test_what_systems_leave_on_a_stick_is_passed_over(bundle, keys):
    (bundle / "System Volume Information").mkdir()
    (bundle / "System Volume Information/IndexerVolumeGuid").touch()
    (bundle / "archives/._small_2025-06.zim").write_bytes(b"x" * 4096)
    (bundle / ".Trashes").mkdir()
    verify(bundle, keys)


def test_files_in_pieces_are_read_as_one(bundle, keys):
    content = (bundle / ZIM).read_bytes()
    (bundle / ZIM).unlink()
    cuts = [0, 70, 90, len(content) - 7, len(content)]  # through the header and through the checksum
    for place, letters in enumerate(("aa", "ab", "ac", "ad")):
        (bundle / f"{ZIM}{letters}").write_bytes(content[cuts[place] : cuts[place + 1]])
    verify(bundle, keys)
    (bundle / f"{ZIM}ac").unlink()
    with pytest.raises(lies.TooSmall) as caught:
        quick(Disk(bundle), keys)
    assert caught.value.file == ZIM


def test_a_piece_and_the_whole_together(bundle):
    (bundle / f"{ZIM}aa").touch()
    with pytest.raises(lies.Extra) as caught:
        quick(Disk(bundle))
    assert caught.value.file == f"{ZIM}aa"


def test_a_stick_that_is_pulled_out_is_said(signed):
    for left in range(-1, total_bytes(signed), 40_000):
        stick = Pulled(signed, left)
        with pytest.raises(lies.Unreadable):
            full(stick, quick(stick))


def test_a_file_that_shrinks_while_it_is_read(bundle):
    found = quick(Disk(bundle))
    cut(bundle, ZIM, 5000)
    with pytest.raises(lies.TooSmall):
        full(Disk(bundle), found)


def test_a_file_that_becomes_a_link_after_the_quick_level(bundle):
    found = quick(Disk(bundle))
    link_to_shadow(bundle, ZIM)
    with pytest.raises(lies.NotAFile, match="a link"):
        full(Disk(bundle), found)


def test_the_head_of_an_archive_that_lies_about_its_size(bundle):
    with (bundle / ZIM).open("r+b") as file:
        file.seek(72)
        file.write(struct.pack("<Q", 10**12))
    with pytest.raises(lies.Changed, match="and says"):
        quick(Disk(bundle))
