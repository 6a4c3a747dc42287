"""Who made a bundle: Ed25519 over SHA256SUMS, which holds the hash of everything else. The one door to
`cryptography`.

bundle.sig has a line for each signature: `ed25519 PUBLIC SIGNATURE`, both in base64 (RFC 8032, RFC 4648). A
private key is PEM (PKCS #8), as `openssl genpkey -algorithm ed25519` makes it. Trusted keys are a text file:
a line for each, `PUBLIC NAME`; lines that begin with `#` are remarks.

The package is loaded with the first signature: it takes 8 MB, which a box without sticks need not have.
"""

import base64
import binascii
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from appliance.bundles.lies import BadSignature
from appliance.bundles.manifest import SIGNATURE
from appliance.errors import BundleError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

MAKE = "Make one with `appliance bundle key FILE`."
LARGEST = 16_384  # bytes of bundle.sig
_PREFIX = b"lamplight bundle 1\n"  # what is signed can be nothing else than a bundle's list
_KIND = "ed25519"


@dataclass(frozen=True, slots=True)
class TrustedKey:
    """A public key, 32 bytes, and whose it is."""

    public: bytes
    name: str


@dataclass(frozen=True, slots=True)
class Signer:
    """Whose word stands for a bundle. `name` is that of a trusted key, or "" for a key that is none;
    `public` is the key in base64, "" for an unsigned bundle."""

    name: str = ""
    public: str = ""

    @property
    def trusted(self) -> bool:
        return bool(self.name)


def new_key(file: Path) -> str:
    """Writes a new private key for its owner alone and gives the public one in base64. Raises BundleError
    when the file is there already."""
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    key = Ed25519PrivateKey.generate()
    pem = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    try:
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError as error:
        raise BundleError(f"{file} is there already; a key is never overwritten.") from error
    with os.fdopen(handle, "wb") as out:
        out.write(pem)
        out.flush()
        os.fsync(out.fileno())
    return _public(key)


def sign(sums: bytes, key: Path) -> str:
    """The text of bundle.sig for a list. Raises BundleError for a file that is no Ed25519 key."""
    private = _private(key)
    signed = base64.b64encode(private.sign(_PREFIX + sums)).decode()
    return f"{_KIND} {_public(private)} {signed}\n"


def signer(sums: bytes, signature: bytes | None, trusted: Sequence[TrustedKey]) -> Signer:
    """Who signed the list: the first trusted key, else the first key at all. Raises BadSignature when any of
    the signatures does not fit, or cannot be read."""
    if signature is None:
        return Signer()
    names = {key.public: key.name for key in trusted}
    found = [_checked(line, sums) for line in _lines(signature)]
    for public in found:
        if public in names:
            return Signer(names[public], base64.b64encode(public).decode())
    return Signer("", base64.b64encode(found[0]).decode())


def read_trusted(file: Path) -> tuple[TrustedKey, ...]:
    """The keys of a file; none when it is not there. Raises BundleError that names the line."""
    try:
        lines = file.read_text("utf-8").splitlines()
    except FileNotFoundError:
        return ()
    except (OSError, UnicodeDecodeError) as error:
        raise BundleError(f"The list of trusted keys {file} cannot be read: {error}.") from error
    found = []
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        public, _, name = line.strip().partition(" ")
        try:
            key = TrustedKey(_decoded(public, 32), name.strip())
        except ValueError as error:
            raise BundleError(f"Line {number} of {file} is not a public key in base64 and a name.") from error
        if not key.name:
            raise BundleError(f"Line {number} of {file} does not say whose key it is.")
        found.append(key)
    return tuple(found)


def _lines(signature: bytes) -> list[str]:
    try:
        lines = signature.decode("ascii").splitlines()
    except UnicodeDecodeError:
        lines = []
    if not lines or len(signature) > LARGEST:
        raise BadSignature(SIGNATURE, f"{SIGNATURE} is not a list of signatures.")
    return lines


def _checked(line: str, sums: bytes) -> bytes:
    """The public key of a line whose signature fits."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    kind, _, rest = line.partition(" ")
    public, _, signed = rest.partition(" ")
    try:
        if kind != _KIND:
            raise ValueError(kind)
        key, value = _decoded(public, 32), _decoded(signed, 64)
        Ed25519PublicKey.from_public_bytes(key).verify(value, _PREFIX + sums)
    except ValueError as error:
        raise BadSignature(SIGNATURE, f"{SIGNATURE} has a line that is no Ed25519 signature.") from error
    except InvalidSignature as error:
        raise BadSignature(
            SIGNATURE, f"{SIGNATURE} does not fit SHA256SUMS: one of them was changed since it was signed."
        ) from error
    return key


def _decoded(text: str, size: int) -> bytes:
    try:
        value = base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise ValueError(text) from error
    if len(value) != size:
        raise ValueError(text)
    return value


def _private(file: Path) -> "Ed25519PrivateKey":
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    try:
        key = serialization.load_pem_private_key(file.read_bytes(), None)
    except (OSError, ValueError, TypeError) as error:
        raise BundleError(f"The key {file} cannot be read: {error}.", MAKE) from error
    if not isinstance(key, Ed25519PrivateKey):
        raise BundleError(f"The key {file} is not an Ed25519 key.", MAKE)
    return key


def _public(key: "Ed25519PrivateKey") -> str:
    from cryptography.hazmat.primitives import serialization

    raw = key.public_key().public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
    return base64.b64encode(raw).decode()
