"""Ed25519 over the list of hashes: keys of ours and of openssl, several signers, lists of trusted keys."""

import shutil
import stat
import subprocess

import pytest

from appliance.bundles import signature
from appliance.bundles.lies import BadSignature
from appliance.bundles.signature import Signer, TrustedKey
from appliance.errors import BundleError

LISTS = b"0000  bundle.toml\n"


def test_what_was_signed_is_known_again(key, keys):
    text = signature.sign(LISTS, key).encode()
    found = signature.signer(LISTS, text, keys)
    assert (found.name, found.trusted) == ("The librarians of the valley", True)
    assert signature.signer(LISTS, text, ()) == Signer("", found.public)
    assert signature.signer(LISTS, None, keys) == Signer("", "")
    with pytest.raises(BadSignature, match="one of them was changed"):
        signature.signer(LISTS + b"x", text, keys)


def test_one_signature_of_two_that_does_not_fit_spoils_both(key, keys, tmp_path):
    signature.new_key(tmp_path / "second")
    both = signature.sign(LISTS, tmp_path / "second") + signature.sign(LISTS, key)
    assert signature.signer(LISTS, both.encode(), keys).trusted
    bad = signature.sign(b"something else", tmp_path / "second") + signature.sign(LISTS, key)
    with pytest.raises(BadSignature):
        signature.signer(LISTS, bad.encode(), keys)


def test_a_private_key_is_its_owners_alone_and_never_overwritten(tmp_path):
    public = signature.new_key(tmp_path / "key")
    assert stat.S_IMODE((tmp_path / "key").stat().st_mode) == 0o600
    with pytest.raises(BundleError, match="never overwritten"):
        signature.new_key(tmp_path / "key")
    assert signature.sign(LISTS, tmp_path / "key").split()[1] == public


@pytest.mark.skipif(not shutil.which("openssl"), reason="openssl is not installed")
def test_a_key_of_openssl(tmp_path):
    command = ["openssl", "genpkey", "-algorithm", "ed25519", "-out", str(tmp_path / "key")]
    subprocess.run(command, check=True, capture_output=True)
    assert signature.signer(LISTS, signature.sign(LISTS, tmp_path / "key").encode(), ()).public


@pytest.mark.parametrize("content", [b"", b"no key", b"-----BEGIN PRIVATE KEY-----\nAAAA\n"])
def test_a_file_that_is_no_key(tmp_path, content):
    (tmp_path / "key").write_bytes(content)
    with pytest.raises(BundleError, match="cannot be read") as caught:
        signature.sign(LISTS, tmp_path / "key")
    assert "appliance bundle key" in caught.value.hint


def test_trusted_keys_are_lines_with_names(tmp_path):
    public = signature.new_key(tmp_path / "key")
    listed = tmp_path / "trusted.txt"
    assert signature.read_trusted(listed) == ()
    listed.write_text(f"# remark\n\n{public}   Asha, of the clinic\n", "utf-8")
    (found,) = signature.read_trusted(listed)
    assert (found.name, len(found.public)) == ("Asha, of the clinic", 32)
    assert found == TrustedKey(found.public, "Asha, of the clinic")


@pytest.mark.parametrize("line", ["AAAA a short key", "not/base64! Asha", "A" * 43 + "=", "\x00"])
def test_a_line_that_is_no_key_is_named(tmp_path, line):
    (tmp_path / "trusted.txt").write_text(f"# remark\n{line}\n", "utf-8")
    with pytest.raises(BundleError, match="Line 2 of"):
        signature.read_trusted(tmp_path / "trusted.txt")
