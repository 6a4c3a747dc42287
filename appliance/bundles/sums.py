"""SHA256SUMS, pure: the list of a bundle's files with their hashes, and which paths a bundle may hold.

The form is that of `sha256sum` (coreutils): 64 hexadecimal digits, two spaces, the path. The list is in the
order of the paths and holds every file but itself and bundle.sig. A path is `bundle.toml` or one file in one
of FOLDERS, under a name that ext4, FAT32, exFAT and NTFS can all hold.
"""

import re
from collections.abc import Mapping

from appliance.bundles.lies import Escapes, NotABundle
from appliance.bundles.manifest import MANIFEST, SIGNATURE, SUMS
from appliance.bundles.paths import safe_path

FOLDERS = ("archives", "indexes", "models")
MOST_FILES = 10_000
LARGEST_LIST = 4_000_000  # bytes: it is read whole

_LINE = re.compile(r"([0-9a-f]{64})  ([^\n]+)")


def check_path(path: str) -> None:
    """Raises Escapes for a path that no bundle may hold."""
    folder, slash, name = path.rpartition("/")
    if not safe_path(path) or (folder not in FOLDERS if slash else name not in (MANIFEST, SUMS, SIGNATURE)):
        raise Escapes(
            path,
            f"{path!r} is no path of a bundle's file: expected {MANIFEST}, or a plain name in "
            f"{', '.join(FOLDERS)}.",
        )


def parse(text: str) -> dict[str, str]:
    """Path -> SHA-256, in the order of the list. Raises NotABundle for what is no such list, Escapes for a
    path that no bundle may hold."""
    found: dict[str, str] = {}
    folded: set[str] = set()
    lines = text.split("\n")
    if lines.pop() or len(lines) > MOST_FILES:
        raise NotABundle(SUMS, f"{SUMS} is cut off, or lists over {MOST_FILES:,} files.")
    for number, line in enumerate(lines, 1):
        read = _LINE.fullmatch(line)
        if not read:
            raise NotABundle(SUMS, f"Line {number} of {SUMS} is not a hash, two spaces and a path.")
        path = read[2]
        check_path(path)
        if path.casefold() in folded or path in (SUMS, SIGNATURE):
            raise NotABundle(SUMS, f"{SUMS} lists {path!r} twice, or should not list it.")
        folded.add(path.casefold())
        found[path] = read[1]
    if MANIFEST not in found:
        raise NotABundle(SUMS, f"{SUMS} does not list {MANIFEST}.")
    return found


def render(hashes: Mapping[str, str]) -> str:
    """The list of these files. Raises as `parse` does, so that nothing is written that cannot be read."""
    text = "".join(f"{hashes[path]}  {path}\n" for path in sorted(hashes))
    parse(text)
    return text
