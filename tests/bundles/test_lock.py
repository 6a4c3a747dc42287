"""From names to exact editions, against servers on this machine that speak as Kiwix's do."""

import hashlib
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from kiwix_servers import PIECE, Kiwix

from appliance.__main__ import main
from appliance.bundles import catalogue, definitions, lock
from appliance.bundles.catalogue import NotInCatalogue
from appliance.bundles.definitions import Defined
from appliance.bundles.lockfile import Lock, LockedArchive, LockError, read_lock, write_lock
from appliance.bundles.manifest import KiwixArchive
from appliance.bundles.metalink import Pieces, read_metalink, read_sha256
from appliance.downloads import SourceDown
from appliance.errors import BundleError

pytestmark = pytest.mark.slow

CONTENT = bytes(range(256)) * 50 + b"end"
WANTED = KiwixArchive("wikem_en_all", "maxi", 400)
HEAD = 'title = "Clinic"\ndescription = "Ours"\nlanguages = ["eng"]\n'
SHA1 = Pieces(4096, "sha-1", tuple(hashlib.sha1(bytes([n])).digest() for n in range(25)))
LOCKED = LockedArchive(
    name="wikem_en_all",
    flavour="maxi",
    file="wikem_en_all_maxi_2026-04.zim",
    date="2026-04-11",
    uuid="",
    bytes=25 * 4096,
    sha256="0f" * 32,
    addresses=("https://a.example/wikem.zim", "http://b.example/wikem.zim"),
    pieces=SHA1,
)


def defined(tmp_path: Path, *archives: str) -> Defined:
    file = tmp_path / "clinic.toml"
    rows = "".join(f"[[kiwix]]\n{archive}\n" for archive in archives)
    file.write_text(HEAD + rows)
    return definitions.read(file)


def test_the_newest_edition_with_everything_about_it(kiwix: Kiwix) -> None:
    kiwix.add("wikem_en_all", b"old", flavour="maxi", issued="2021-02-10")
    newest = kiwix.add("wikem_en_all", CONTENT, flavour="maxi")
    kiwix.add("wikem_en_all", b"small", flavour="mini", issued="2026-09-01")
    kiwix.add("wikem_en_all", b"hidden", flavour="maxi", issued="2026-10-01", link=False)
    found = lock.resolve(WANTED, kiwix.catalogue)
    assert (
        found
        == LockedArchive(
            name="wikem_en_all",
            flavour="maxi",
            file="wikem_en_all_maxi_2026-04.zim",
            date="2026-04-11",
            uuid=hashlib.sha256(newest.file.encode()).hexdigest()[:32],
            bytes=len(CONTENT),  # the catalogue says 13,312
            sha256=hashlib.sha256(CONTENT).hexdigest(),
            addresses=tuple(
                f"{kiwix.url}/{place}/wikem_en_all_maxi_2026-04.zim"
                for place in ("mirror/a", "mirror/b", "zim")
            ),
            pieces=Pieces(
                PIECE,
                "sha-1",
                tuple(hashlib.sha1(CONTENT[n : n + PIECE]).digest() for n in range(0, len(CONTENT), PIECE)),
            ),
        )
    )


def test_one_archive_without_a_flavour_named(kiwix: Kiwix) -> None:
    kiwix.add("ifixit_en_all", CONTENT)
    assert lock.resolve(KiwixArchive("ifixit_en_all", "", 0), kiwix.catalogue).file == (
        "ifixit_en_all_2026-04.zim"
    )


def test_a_catalogue_that_moved_and_comes_in_pages(kiwix: Kiwix) -> None:
    kiwix.moved, kiwix.page = True, 3
    for number in range(10):
        kiwix.add(f"book-{number}_en_all", CONTENT)
    names = [entry.name for entry in catalogue.entries(kiwix.catalogue)]
    assert names == [f"book-{number}_en_all" for number in range(10)]
    assert lock.resolve(KiwixArchive("book-9_en_all", "", 0), kiwix.catalogue).bytes == len(CONTENT)


def test_a_catalogue_that_finds_nothing_by_name(kiwix: Kiwix) -> None:
    kiwix.filters = False
    kiwix.add("wikem_en_all", CONTENT, flavour="maxi")
    assert lock.resolve(WANTED, kiwix.catalogue).bytes == len(CONTENT)


def test_a_name_that_is_not_there(kiwix: Kiwix) -> None:
    kiwix.page = 2
    for name in ("wikipedia_en_medicine", "wikipedia_fr_medicine", "ifixit_en_all", "wikem_en_all"):
        kiwix.add(name, CONTENT, flavour="maxi")
    with pytest.raises(NotInCatalogue, match="no archive named wikipedia_en_medecine") as raised:
        lock.resolve(KiwixArchive("wikipedia_en_medecine", "maxi", 0), kiwix.catalogue)
    assert raised.value.hint.startswith("Did you mean wikipedia_en_medicine or ")
    with pytest.raises(NotInCatalogue) as raised:
        lock.resolve(KiwixArchive("zzz", "", 0), kiwix.catalogue)
    assert raised.value.hint.startswith("It has 4 others")


@pytest.mark.parametrize(
    ("flavour", "said"), [("nopic", "has no flavour nopic"), ("", "comes in several flavours")]
)
def test_a_flavour_that_is_not_there(flavour: str, said: str, kiwix: Kiwix) -> None:
    kiwix.add("wikem_en_all", CONTENT, flavour="maxi")
    kiwix.add("wikem_en_all", CONTENT, flavour="mini")
    with pytest.raises(NotInCatalogue, match=said) as raised:
        lock.resolve(replace(WANTED, flavour=flavour), kiwix.catalogue)
    assert raised.value.hint == "The catalogue's flavours: maxi, mini."


def test_the_checksum_beside_it_where_the_metalink_has_none(kiwix: Kiwix) -> None:
    for more in ({"sha256": None, "pieces": False, "size": None}, {"metalink": False}):
        kiwix.archives.clear()
        kiwix.add("wikem_en_all", CONTENT, flavour="maxi", **more)
        found = lock.resolve(WANTED, kiwix.catalogue)
        assert (found.bytes, found.sha256) == (len(CONTENT), hashlib.sha256(CONTENT).hexdigest())
        assert found.pieces is None


def test_an_archive_without_any_hash_is_not_locked(kiwix: Kiwix) -> None:
    kiwix.add("wikem_en_all", CONTENT, flavour="maxi", metalink=False, checksum=False)
    with pytest.raises(BundleError, match=r"SHA-256 of wikem_en_all_maxi_2026-04\.zim is not to be had"):
        lock.resolve(WANTED, kiwix.catalogue)


BOMB = b"""<?xml version="1.0"?><!DOCTYPE feed [<!ENTITY a "aaaaaaaaaa">
<!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]>
<feed xmlns="http://www.w3.org/2005/Atom"><title>&c;</title></feed>"""
READER = b"""<?xml version="1.0"?><!DOCTYPE feed [<!ENTITY x SYSTEM "file:///etc/passwd">]>
<feed xmlns="http://www.w3.org/2005/Atom"><title>&x;</title></feed>"""


@pytest.mark.parametrize(
    "feed", [b"<feed", b"<html/>", BOMB, READER, b"\xff\xfe", b"<a>" * 200_000], ids=range(6)
)
def test_a_catalogue_that_is_none(feed: bytes, kiwix: Kiwix) -> None:
    kiwix.feed = feed
    with pytest.raises(BundleError, match=r"no XML that can be read|expected .*Atom.feed"):
        lock.resolve(WANTED, kiwix.catalogue)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (b"wikem_en_all_maxi_2026-04.zim", b"other.zim", "has 0 files named"),
        (b"<size>12803", b"<size>12803000", "4 pieces, which do not make 12803000 bytes"),
        (b"<size>12803", b"<size>-5", "size '-5'"),
        (b'type="sha-256">', b'type="sha-256">zz', "which cannot be"),
        (b'length="4096"', b'length="0"', "pieces of 0 bytes"),
        (b"<hash>", b"<hash>00", "that cannot be"),
        (b"urn:ietf:params:xml:ns:metalink", b"urn:else", "expected {urn:ietf"),
        (b"</metalink>", b"", "no XML that can be read"),
    ],
)
def test_a_metalink_that_is_wrong(old: bytes, new: bytes, said: str, kiwix: Kiwix) -> None:
    archive = kiwix.add("wikem_en_all", CONTENT, flavour="maxi")
    right = kiwix.meta4(archive)
    assert old in right
    kiwix.metalink = right.replace(old, new)
    with pytest.raises(BundleError, match=said):
        lock.resolve(WANTED, kiwix.catalogue)


def test_of_several_kinds_of_pieces_the_strongest() -> None:
    digest = "ab" * 32
    text = f"""<metalink xmlns="urn:ietf:params:xml:ns:metalink"><file name="a.zim"><size>5000</size>
    <pieces length="4096" type="md5"><hash>{"0" * 32}</hash></pieces>
    <pieces length="4096" type="sha-256"><hash>{digest}</hash><hash>{digest}</hash></pieces>
    <pieces length="4096" type="sha-1"><hash>{"1" * 40}</hash><hash>{"2" * 40}</hash></pieces>
    <url>https://last.example/a.zim</url><url priority="2">https://b.example/a.zim</url>
    <url priority="1">file:///etc/passwd</url><url priority="1">https://a.example/a.zim</url></file></metalink>"""
    found = read_metalink(text.encode(), "x", "a.zim")
    assert found.pieces == Pieces(4096, "sha-256", (bytes.fromhex(digest),) * 2)
    assert found.addresses == tuple(f"https://{host}.example/a.zim" for host in ("a", "b", "last"))


@pytest.mark.parametrize("found", [b"", b"zz", b"0" * 63, b"0" * 64 + b"  other.zim", b"<html>"])
def test_a_checksum_of_something_else(found: bytes) -> None:
    assert read_sha256(b"0" * 64 + b" *dir/a.zim\n", "x", "a.zim") == "0" * 64
    with pytest.raises(BundleError, match=r"expected the SHA-256 of a\.zim"):
        read_sha256(found, "x", "a.zim")


def test_a_lock_comes_back_as_it_was_written() -> None:
    for archive in (LOCKED, replace(LOCKED, pieces=None, flavour="")):
        found = Lock("https://library.example/catalog/v2/entries", (archive,))
        text = write_lock("clinic", found)
        assert read_lock("clinic", text, [KiwixArchive(archive.name, archive.flavour, 1)]) == found
        assert max(map(len, text.splitlines())) <= 110


def test_every_field_of_a_lock_is_documented() -> None:
    readme = (definitions.SHIPPED / "README.md").read_text("utf-8")
    section = readme.split("## The lock")[1].split("\n## ")[0]
    found = tomllib.loads(write_lock("clinic", Lock("https://x.example", (replace(LOCKED, uuid="0"),))))
    keys = {*found, *(f"archive.{key}" for key in found["archive"][0])} - {"archive"}
    assert {key for key in keys if f"`{key}`" not in section} == set()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("format = 1", "format = 2", "format 2; this version reads up to 1"),
        ('sha256 = "0f', 'sha256 = "', "expected 64 hexadecimal digits"),
        ("wikem_en_all_maxi_2026-04.zim", "../x.zim", "expected a name that ends in .zim"),
        ("https://a.example", "file://", "expected an address of the web"),
        ("bytes = 102400", "bytes = 1024", "expected as many as make 1,024 bytes"),
        ('pieces = """', 'pieces = """!', "expected hashes as Base64"),
        ('name = "wikem_en_all"', 'name = "other"', "the definition says otherwise"),
        ("sha-1", "md5", "expected one of sha-1"),
        ("uuid", "colour", "no uuid"),
    ],
)
def test_a_lock_that_was_changed(old: str, new: str, said: str) -> None:
    text = write_lock("clinic", Lock("https://x.example", (replace(LOCKED, uuid="0"),)))
    assert old in text
    if new == "colour":
        said = "unknown key colour"
    with pytest.raises(LockError, match=said):
        read_lock("clinic", text.replace(old, new, 1), [WANTED])


def test_the_verb_writes_the_same_lock_twice(
    kiwix: Kiwix, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kiwix.add("wikem_en_all", CONTENT, flavour="maxi")
    kiwix.add("ifixit_en_all", CONTENT * 2)
    plan = defined(tmp_path, 'name = "ifixit_en_all"', 'name = "wikem_en_all"\nflavour = "maxi"')
    command = ["bundle", "lock", str(plan.file), "--catalogue", kiwix.catalogue, "--home", str(tmp_path)]
    assert main(command) == 0
    printed = capsys.readouterr().out
    assert "ifixit_en_all_2026-04.zim" in printed
    assert "25,606" in printed
    first = plan.lock.read_bytes()
    assert lock.read(plan).bytes == 3 * len(CONTENT)
    assert main(["bundle", "show", str(plan.file), "--home", str(tmp_path)]) == 0
    assert "wikem_en_all_maxi_2026-04.zim" in capsys.readouterr().out
    assert main(command) == 0
    assert plan.lock.read_bytes() == first
    kiwix.archives.pop()
    assert main(command) == 2
    assert plan.lock.read_bytes() == first
    assert sorted(file.name for file in tmp_path.iterdir()) == ["clinic.lock.toml", "clinic.toml"]


def test_all_that_is_not_there_is_said_at_once(kiwix: Kiwix, tmp_path: Path) -> None:
    kiwix.add("wikem_en_all", CONTENT, flavour="maxi")
    plan = defined(tmp_path, 'name = "wikem_en_al"', 'name = "wikem_en_all"\nflavour = "mini"', 'name = "x"')
    with pytest.raises(NotInCatalogue) as raised:
        lock.make(plan, kiwix.catalogue)
    assert str(raised.value).splitlines() == [
        "The catalogue has no archive named wikem_en_al. Did you mean wikem_en_all?",
        "The archive wikem_en_all has no flavour mini. The catalogue's flavours: maxi.",
        f"The catalogue has no archive named x. It has 1 others: {kiwix.catalogue}",
    ]
    assert not plan.lock.exists()


def test_nothing_to_lock_and_nothing_locked(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(HEAD + '[[zim]]\npath = "own.zim"\n')
    with pytest.raises(BundleError, match="nothing to lock"):
        lock.make(definitions.read(file))
    with pytest.raises(LockError, match="clinic is not locked yet") as raised:
        lock.read(defined(tmp_path, 'name = "wikem_en_all"'))
    assert raised.value.hint == "Lock it: appliance bundle lock clinic"


def test_a_catalogue_that_does_not_answer() -> None:
    with pytest.raises(SourceDown, match=r"127\.0\.0\.1 was not reached"):
        lock.resolve(WANTED, "http://127.0.0.1:9/catalog/v2/entries")
