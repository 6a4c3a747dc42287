"""The docs are proved: every setting, verb and model file is documented; no address of a machine or an index
stands in the tree; the pages lead nowhere outside."""

import re
import subprocess
from pathlib import Path

from every import every

from appliance import __main__, models, settings
from appliance.setting import Setting

ROOT = Path(__file__).parent.parent


def text(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def tracked() -> list[Path]:
    """The project's own text files: what git knows, or everything where there is no git."""
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    names = listing.stdout.split("\0") if listing.returncode == 0 else [str(p) for p in ROOT.rglob("*")]
    files = [ROOT / name for name in names if name and (ROOT / name).is_file()]
    return [file for file in files if b"\0" not in file.read_bytes()[:4096]]


@every("row", settings.TABLE, ids=lambda row: row.name)
def test_every_setting_is_documented(row: Setting) -> None:
    assert settings_row(row) in text("docs/settings.md").splitlines()


def test_what_the_desk_may_choose_is_documented() -> None:
    said = text("docs/settings.md").partition("can be chosen: ")[2].partition(".")[0]
    assert set(re.findall(r"`(\w+)`", said)) == {row.name for row in settings.CHOICES}


def settings_row(row: Setting) -> str:
    """The row of a setting in docs/settings.md, as the table of settings says it."""
    values = " ".join(f"`{choice}`" for choice in row.choices)
    if row.low is not None and row.high is not None:
        values = f"{row.low:g} to {row.high:g} {row.unit}".strip()
    default = f"`{str(row.default).lower()}`" if row.default not in (None, "", ()) else ""
    return f"| `{row.name}` | `{row.flag}` | {default} | {values} | {row.help} |"


@every("verb", __main__.VERBS)
def test_every_verb_is_documented(verb: str) -> None:
    assert f"`appliance {verb}" in text("docs/verbs.md")


COMMANDS = ("run", "test", "bench", "image", "test-image", "test-security", "appliance", "help")


@every("verb", COMMANDS)
def test_every_command_of_the_build_script_is_documented(verb: str) -> None:
    assert f"./build.sh {verb}" in text("README.md") + text("docs/verbs.md")
    assert re.search(rf"^  ./build.sh {verb}\b", text("build.sh"), re.MULTILINE)


@every("model", models.catalogue().files.values(), ids=lambda model: model.name)
def test_every_model_file_is_documented(model: models.ModelFile) -> None:
    (row,) = [line for line in text("docs/models.md").splitlines() if line.startswith(f"| `{model.name}` ")]
    assert f"| {model.bytes:,} | {model.sha256[:12]}… | {model.licence} |" in row


def test_every_page_of_the_docs_can_be_found() -> None:
    """From README.md or docs/README.md, by links that lead to a file."""
    linked = set()
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
            there = (page.parent / target).resolve()
            assert there.exists(), f"{page.name} links to {target}, which is not there"
            linked.add(there)
    assert {page for page in (ROOT / "docs").rglob("*.md") if page.resolve() not in linked} == set()


def test_no_path_of_a_machine_and_no_index_in_the_tree() -> None:
    # Written apart, so that this file does not find itself.
    words = [
        "/ro" + "ot/",
        "/wo" + "rk/",
        "/ho" + "me/us",
        "py" + "pi.org",
        "python" + "hosted",
        "deb.deb" + "ian",
        "npm" + "js",
    ]
    found = [
        f"{file.relative_to(ROOT)}: {word}"
        for file in tracked()
        for word in words
        if word in file.read_text("utf-8")
    ]
    assert found == []


def test_the_pages_fetch_nothing_from_outside() -> None:
    """Names of namespaces are no addresses to be fetched."""
    names = (
        "http://www.w3.org/2000/svg",
        "http://www.w3.org/1999/xlink",
        "http://www.w3.org/1998/Math/MathML",
    )
    found = []
    for file in (ROOT / "web").rglob("*"):
        if file.is_file() and b"\0" not in file.read_bytes()[:4096]:
            addresses = re.findall(r"(?:https?:)?//[a-z0-9-]+\.[^\s\"'<>]+", file.read_text("utf-8"))
            found += [f"{file.name}: {address}" for address in addresses if not address.startswith(names)]
    assert found == []


def test_the_pins_name_packages_and_hashes_only() -> None:
    pins = sorted(ROOT.glob("requirements*.lock"))
    assert len(pins) == 7
    for file in pins:
        for line in file.read_text("utf-8").splitlines():
            assert re.fullmatch(
                r"[a-z0-9-]+==[^ ]+( ; [^\\]+)? \\|    --hash=sha256:[0-9a-f]{64}( \\)?", line
            ), line
