"""The two files that say what a bundle is: what is read from them, and what is said of a wrong one."""

import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from every import every

from appliance.bundles import manifest
from appliance.bundles.manifest import (
    Bundle,
    BundleArchive,
    BundleModel,
    DefinitionError,
    KiwixArchive,
    ManifestError,
    Needs,
    NewerFormat,
    OwnFolder,
    read_bundle,
    read_definition,
    write_bundle,
)
from appliance.errors import BundleError

HEAD = 'title = "Clinic"\ndescription = "Ours"\nlanguages = ["eng"]\n'
KIWIX = '[[kiwix]]\nname = "ifixit_en_all"\n'
ARCHIVE = BundleArchive(
    name="wikem_en_all_maxi_2021-02",
    files=("archives/wikem_en_all_maxi_2021-02.zim",),
    index="indexes/wikem_en_all_maxi_2021-02.index",
    title="WikEM",
    language="eng",
    date="2021-02-11",
    uuid="",
    licence="CC BY-SA 3.0",
    source="",
)
BUNDLE = Bundle(
    name="clinic",
    version="2026-11-30",
    title="Clinic",
    description='Ours: "quoted", and – ünïcode',
    languages=("eng", "fra"),
    created=datetime(2026, 11, 30, 12, 0, 5, tzinfo=UTC),
    needs=Needs(("pi5",), 32),
    archives=(ARCHIVE,),
    models=(BundleModel("qwen2.5-0.5b-instruct", "models/qwen.gguf"),),
    sizes={
        "archives/wikem_en_all_maxi_2021-02.zim": 42_000_000,
        "indexes/wikem_en_all_maxi_2021-02.index": 9_000_000,
        "models/qwen.gguf": 491_400_032,
    },
)
README = Path(manifest.__file__).parent.parent.parent / "bundles" / "README.md"


def test_a_definition_with_everything() -> None:
    found = read_definition(
        "clinic",
        HEAD
        + 'model = "qwen2.5-0.5b-instruct"\n[needs]\nboards = ["pi5"]\ndisk_gb = 32\n'
        + '[[kiwix]]\nname = "wikipedia_en_medicine"\nflavour = "nopic"\nabout_mb = 800\n'
        + '[[kiwix]]\nname = "wikipedia_en_medicine"\nflavour = "mini"\nabout_mb = 90\n'
        + '[[zim]]\npath = "own.zim"\n'
        + '[[folder]]\npath = "notes"\nname = "notes"\ntitle = "Notes"\nlanguage = "eng"\n',
    )
    assert found == manifest.Definition(
        name="clinic",
        title="Clinic",
        description="Ours",
        languages=("eng",),
        needs=Needs(("pi5",), 32),
        model="qwen2.5-0.5b-instruct",
        kiwix=(
            KiwixArchive("wikipedia_en_medicine", "nopic", 800),
            KiwixArchive("wikipedia_en_medicine", "mini", 90),
        ),
        zims=("own.zim",),
        folders=(OwnFolder("notes", "notes", "Notes", "eng"),),
    )
    assert found.about_bytes == 890_000_000


def test_what_may_be_left_out() -> None:
    found = read_definition("clinic", HEAD + KIWIX)
    assert (found.needs, found.model, found.zims, found.texts) == (Needs(), "", (), {})
    assert found.kiwix == (KiwixArchive("ifixit_en_all", "", 0),)


@every(
    ("name", "text", "said"),
    [
        ("clinic", "title = ", r"clinic\.toml is not TOML"),
        ("clinic", KIWIX, "has no title"),
        ("clinic", HEAD, "has nothing to read"),
        ("clinic", HEAD + "flavor = 1\n" + KIWIX, "unknown key flavor"),
        ("clinic", HEAD + KIWIX + 'flavor = "maxi"\n', r"\[\[kiwix\]\] number 1 has an unknown key flavor"),
        ("clinic", HEAD + KIWIX + KIWIX, "names ifixit_en_all 2 times"),
        ("clinic", HEAD + "[kiwix]\nname = 'a'\n", r"expected tables \[\[kiwix\]\]"),
        ("clinic", HEAD + "[[kiwix]]\nname = '../a'\n", r"name is '\.\./a', expected a name of letters"),
        ("clinic", HEAD + "[[kiwix]]\nname = 3\n", "name is 3"),
        ("clinic", HEAD + KIWIX + "about_mb = -1\n", "about_mb is -1, expected a whole number from 0"),
        ("clinic", HEAD + KIWIX + "about_mb = true\n", "about_mb is True"),
        ("clinic", HEAD + "needs = 3\n" + KIWIX, r"needs is 3, expected a table \[needs\]"),
        ("clinic", HEAD + "[needs]\nboards = ['pi3']\n" + KIWIX, "expected one of pi4, pi5, desktop"),
        ("clinic", HEAD.replace("eng", "en") + KIWIX, "languages is 'en', expected a code of three letters"),
        ("clinic", HEAD.replace('"eng"', '"eng", "eng"') + KIWIX, "a list of different entries"),
        ("clinic", HEAD.replace('["eng"]', "[]") + KIWIX, "a list of different entries"),
        ("clinic", HEAD.replace("Clinic", "") + KIWIX, "title is ''"),
        ("clinic", HEAD.replace("Clinic", r"a\u0000b") + KIWIX, "title is"),
        ("clinic", HEAD.replace("Clinic", "x" * 3000) + KIWIX, "title is 'xxx"),
        ("Clinic", HEAD + KIWIX, "name is 'Clinic', expected 1 to 64"),
        ("..", HEAD + KIWIX, r"name is '\.\.'"),
    ],
)
def test_what_is_wrong_with_a_definition_is_said(name: str, text: str, said: str) -> None:
    with pytest.raises(DefinitionError, match=said):
        read_definition(name, text)


def test_a_near_miss_is_guessed() -> None:
    with pytest.raises(DefinitionError) as raised:
        read_definition("clinic", HEAD + KIWIX + 'flavor = "maxi"\n')
    assert raised.value.hint == "Did you mean flavour?"


def test_a_manifest_comes_back_as_it_was_written() -> None:
    text = write_bundle(BUNDLE)
    assert read_bundle(text) == BUNDLE
    assert read_bundle(text).bytes == 542_400_032
    reordered = replace(BUNDLE, sizes=dict(reversed(BUNDLE.sizes.items())))
    assert write_bundle(reordered) == text
    elsewhere = BUNDLE.created.astimezone(timezone(timedelta(hours=5)))
    assert write_bundle(replace(BUNDLE, created=elsewhere)) == text


def test_a_newer_format_is_told_apart() -> None:
    newer = write_bundle(BUNDLE).replace("format = 1", "format = 2") + '\n[something]\nnew = "x"\n'
    with pytest.raises(NewerFormat, match="format 2; this box reads up to 1"):
        read_bundle(newer)


def test_what_is_unfit_is_not_written() -> None:
    with pytest.raises(ManifestError, match="version"):
        write_bundle(replace(BUNDLE, version="one two"))


BAD_PATHS = [
    *("/etc/shadow", "../a.zim", "archives/../../a.zim", "archives//a.zim", "archives/./a.zim", "archives/"),
    *("archives\\a.zim", "C:a.zim", "archives/a?.zim", "archives/.a.zim", "archives/a.zim ", "a\x7f.zim"),
    *("archives/" + "a" * 256, "a/" * 600 + "a.zim", "bundle.toml", "SHA256SUMS", "bundle.sig", "a\ud800"),
]


@every("path", BAD_PATHS)
def test_a_path_that_leads_out_or_cannot_be_a_file(path: str) -> None:
    model = replace(BUNDLE.models[0], file=path)
    sizes = {**BUNDLE.sizes, path: 1}
    del sizes["models/qwen.gguf"]
    # What TOML itself cannot carry fails before it gets here.
    with pytest.raises((ManifestError, UnicodeEncodeError)):
        read_bundle(write_bundle(replace(BUNDLE, models=(model,), sizes=sizes)).encode().decode())


@every(
    ("changed", "said"),
    [
        ({"sizes": {**BUNDLE.sizes, "extra.txt": 1}}, "extra.txt is of no archive and no model"),
        ({"sizes": {}}, "is used but not listed"),
        ({"archives": (ARCHIVE, ARCHIVE)}, "has the archive wikem_en_all_maxi_2021-02 2 times"),
        ({"models": (BUNDLE.models[0],) * 2}, "has the file in use models/qwen.gguf 2 times"),
        ({"sizes": {**BUNDLE.sizes, "Models/Qwen.gguf": 1}}, "has the file models/qwen.gguf 2 times"),
        ({"sizes": {**BUNDLE.sizes, "models/qwen.gguf": -1}}, "bytes is -1"),
        ({"sizes": {f"f{n}": 1 for n in range(10_001)}}, "lists 10,001 files, expected at most 10,000"),
    ],
)
def test_files_and_their_users_fit(changed: dict, said: str) -> None:
    with pytest.raises(ManifestError, match=said):
        write_bundle(replace(BUNDLE, **changed))


def test_a_file_listed_twice_in_the_text() -> None:
    row = '{ path = "models/qwen.gguf", bytes = 491400032 },'
    text = write_bundle(BUNDLE)
    assert row in text
    text = text.replace(row, row * 2)
    with pytest.raises(ManifestError, match=r"has the file models/qwen\.gguf 2 times"):
        read_bundle(text)


@every("text", ["", "format = 0", "format = 'x'", "\0", "a=" + "[" * 9000, "format = 1"])
def test_nonsense_is_an_error_of_ours(text: str) -> None:
    with pytest.raises(BundleError):
        read_bundle(text)


@every(
    "key",
    [
        *("title", "description", "languages", "model", "[needs]", "[[kiwix]]", "[[zim]]", "[[folder]]"),
        *(f"needs.{key}" for key in manifest.Needs.__slots__),
        *(f"kiwix.{key}" for key in manifest.KiwixArchive.__slots__),
        *(f"folder.{key}" for key in manifest.OwnFolder.__slots__),
        *(f"archive.{key}" for key in manifest.BundleArchive.__slots__),
        *(f"model.{key}" for key in manifest.BundleModel.__slots__),
        *("zim.path", "[texts]", "format", "name", "version", "created", "file.path", "file.bytes"),
    ],
)
def test_every_field_is_documented(key: str) -> None:
    rows = [line for line in README.read_text("utf-8").splitlines() if line.startswith("| `")]
    assert any(f"`{key}`" in row.split(" | ")[0] for row in rows)


GOOD = (
    'format = 1\nname = "a"\nversion = "1"\ntitle = "t"\ndescription = "d"\nlanguages = ["eng"]\n'
    "created = 2026-01-01T00:00:00Z\n"
)
BOMBS = {
    "a number of 100,000 digits": ("format = 1", f"format = 0x{'F' * 100_000}"),
    "such a number where a text should be": ('"eng"', f"0x{'F' * 100_000}"),
    "a key of a million dots": ("title =", f"title{'.a' * 1_000_000} ="),
    "a quoted key of many dots": ("title =", "title" + '."a"' * 20_000 + " ="),
    "a key of quotes and dots": ("title =", "title" + r'."\""' * 20_000 + " ="),
    "a table of many dots": ("title =", f"[{'a . ' * 20_000}a]\ntitle ="),
    "a key of a million letters": ("title", "t" * 1_000_000),
    "arrays in arrays": ('"eng"', "[" * 900 + "]" * 900),
    "tables in tables": ('"t"', "{a=" * 300 + "1" + "}" * 300),
    "a time before the year 1": ("2026-01-01T00:00:00Z", "0001-01-01T00:00:00+14:00"),
    "a time after the year 9999": ("2026-01-01T00:00:00Z", "9999-12-31T23:59:59-14:00"),
}


@every("bomb", BOMBS)
def test_a_manifest_that_should_harm_is_refused_at_once_and_in_a_short_sentence(bomb: str) -> None:
    assert read_bundle(GOOD).name == "a"
    began = time.process_time()
    with pytest.raises(ManifestError) as caught:
        read_bundle(GOOD.replace(*BOMBS[bomb], 1))
    assert len(str(caught.value)) < 300
    assert time.process_time() - began < 3


@pytest.mark.parametrize(
    "title", ["Wikip\u00e9dia\u00a0: m\u00e9decine", "\u0645\u06cc\u200c\u062e", "\u0915\u094d\u200d\u0937"]
)
def test_titles_in_the_writing_of_their_language_stay(title: str) -> None:
    bundle = replace(BUNDLE, title=title)
    assert read_bundle(write_bundle(bundle)).title == title


@every("title", ["two\nlines", "a\tb", "\u202egnp", "\x1b[31m", "\x00"])
def test_no_title_has_control_characters(title: str) -> None:
    with pytest.raises(ManifestError, match="title is"):
        write_bundle(replace(BUNDLE, title=title))


OF_ARCHIVE = "archives/wikem_en_all_maxi_2021-02.zim"
MISPLACED = {
    "an archive as a model, whose head nobody looks at": (BUNDLE.models[0].file, "archives/unseen.zim"),
    "an archive under another name": (OF_ARCHIVE, "archives/other.zim"),
    "an archive where no box looks": (OF_ARCHIVE, "models/wikem_en_all_maxi_2021-02.zim"),
    "an archive under a name that looks the same": (OF_ARCHIVE, OF_ARCHIVE.replace("a", "\u0430")),
    "the second part of an archive alone": (OF_ARCHIVE, f"{OF_ARCHIVE}ab"),
    "an index among the archives": (ARCHIVE.index, "archives/second.zim"),
    "an index of another name": (ARCHIVE.index, "indexes/other.index"),
    "a model with a name of two scripts": (BUNDLE.models[0].file, "models/qw\u0435n.gguf"),
}


@every("lie", MISPLACED)
def test_a_file_lies_where_a_box_looks_for_what_it_is(lie: str) -> None:
    text = write_bundle(BUNDLE)
    old, new = MISPLACED[lie]
    assert old in text
    with pytest.raises(ManifestError, match=r"expected (archives|indexes|models)/"):
        read_bundle(text.replace(f'"{old}"', f'"{new}"'))


def test_the_parts_of_an_archive_lie_in_order() -> None:
    both = (f"{OF_ARCHIVE}aa", f"{OF_ARCHIVE}ab")
    sizes = {**BUNDLE.sizes, **dict.fromkeys(both, 5)}
    del sizes[OF_ARCHIVE]
    right = replace(BUNDLE, sizes=sizes, archives=(replace(ARCHIVE, files=both),))
    assert read_bundle(write_bundle(right)) == right
    with pytest.raises(ManifestError, match=r"expected (archives|indexes|models)/"):
        write_bundle(replace(right, archives=(replace(ARCHIVE, files=both[::-1]),)))
