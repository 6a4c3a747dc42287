"""The entry that Raspberry Pi Imager reads, and the file of checksums. Pure.

The fields are those of Imager's published schema of lists of systems: sizes and hashes both of the download
and of what is in it, and the tags of the boards. `init_format` is none: what Imager could set (a user, Wi-Fi,
SSH) is not what this card has; its lamplight.toml is set instead.
"""

import base64
import json
from dataclasses import dataclass

BOARDS = ("pi5-64bit", "pi4-64bit", "pi3-64bit")  # the last stands for the Zero 2 W, too


@dataclass(frozen=True, slots=True)
class File:
    """A finished file: its name, bytes, and SHA-256 in hex."""

    name: str
    bytes: int
    sha256: str


def entry(version: str, date: str, image: File, download: File, url: str, icon: bytes) -> str:
    """JSON of a list with this one system: `date` is YYYY-MM-DD, `url` where the download can be had, `icon`
    the bytes of an SVG."""
    system = {
        "name": f"Lamplight {version}",
        "description": "An offline library that answers with sources, on a Wi-Fi of its own",
        "icon": "data:image/svg+xml;base64," + base64.b64encode(icon).decode(),
        "url": url,
        "release_date": date,
        "extract_size": image.bytes,
        "extract_sha256": image.sha256,
        "image_download_size": download.bytes,
        "image_download_sha256": download.sha256,
        "devices": list(BOARDS),
        "init_format": "none",
    }
    return json.dumps({"os_list": [system]}, indent=2) + "\n"


def checksums(*files: File) -> str:
    """Lines that `sha256sum --check` reads."""
    return "".join(f"{file.sha256}  {file.name}\n" for file in files)
