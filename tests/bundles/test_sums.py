"""SHA256SUMS: what `sha256sum` writes and checks, and which paths a bundle may hold."""

import shutil
import subprocess

import pytest

from appliance.bundles import sums
from appliance.bundles.lies import Escapes, NotABundle

pytestmark = pytest.mark.slow

HASH = "0123456789abcdef" * 4
TOP = f"{HASH}  bundle.toml\n"


@pytest.mark.skipif(not shutil.which("sha256sum"), reason="coreutils are not here")
def test_coreutils_check_the_list(signed):
    done = subprocess.run(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=signed, capture_output=True)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 5


def test_written_and_read_again():
    hashes = {"indexes/köln.index": HASH, "bundle.toml": HASH, "archives/köln.zim": HASH}
    assert sums.parse(sums.render(hashes)) == hashes
    assert list(sums.parse(sums.render(hashes))) == sorted(hashes)


@pytest.mark.parametrize(
    "path",
    ["archives/a.zim", "archives/東京 (2).zim", "models/q.gguf", "indexes/a+b.index", "bundle.toml"],
)
def test_a_path_of_a_bundle(path):
    sums.check_path(path)


@pytest.mark.parametrize(
    "path",
    [
        *("", ".", "..", "/", "/etc/passwd", "../x", "archives/../x", "archives/..", "archives//x"),
        *("archives/.x.zim", "archives/x/y", "archives\\x", "archives/a\\b", "archives/a:b", "archives/a\nb"),
        *("archives/a\0b", "archives/x.", "archives/ x", "archives/" + "x" * 300, "elsewhere/x", "x.zim"),
        *("ARCHIVES/x.zim", "archives/\ud800", "archives/a*"),
    ],
)
def test_a_path_that_no_bundle_may_hold(path):
    with pytest.raises(Escapes) as caught:
        sums.check_path(path)
    assert caught.value.file == path


@pytest.mark.parametrize(
    "text",
    [
        *("", "\n", TOP[:-1], TOP + "\n", TOP.replace("  ", " *"), TOP.upper(), TOP[1:], "\\" + TOP),
        f"{HASH}  archives/a.zim\n",
        TOP + f"{HASH}  archives/a.zim\n{HASH}  archives/A.zim\n",
        TOP + f"{HASH}  SHA256SUMS\n",
        TOP + TOP,
    ],
)
def test_what_is_no_list(text):
    with pytest.raises(NotABundle) as caught:
        sums.parse(text)
    assert caught.value.file == "SHA256SUMS"
