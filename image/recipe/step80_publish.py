"""Step 8: what goes with the image: compressed, checksums, block map, the entry for Raspberry Pi Imager, and
the list of Debian packages that it was made from.
"""

import hashlib
import os
import shutil
from datetime import UTC, datetime
from pathlib import Path

from appliance.install.commands import run
from appliance.log import say, step
from recipe import imager
from recipe.plan import Plan
from recipe.step10_debian import RECORD

LEVEL = 6  # of zstd: 10 takes twice as long for a hundredth less, 19 ten times for a tenth


def make(plan: Plan) -> list[Path]:
    """Writes dist/NAME.img.zst, .sha256, .bmap, .json and .packages; gives all files, the image first."""
    packed = plan.image.with_suffix(".img.zst")
    with step(f"Compressing {plan.image.name}"):
        aside = packed.with_suffix(".part")
        command = ["zstd", "--quiet", "--force", f"-{LEVEL}", "-T0", str(plan.image), "-o", str(aside)]
        run(command, "The compressed image", plan.log)
        aside.replace(packed)
    blocks = plan.image.with_suffix(".img.bmap")
    with step("Writing checksums and the block map"):
        run(["bmaptool", "--quiet", "create", "-o", str(blocks), str(plan.image)], "The block map", plan.log)
        image, download = measured(plan.image), measured(packed)
    listed = {
        plan.image.with_suffix(".sha256"): imager.checksums(image, download),
        plan.image.with_suffix(".json"): _entry(plan, image, download, packed),
        plan.image.with_suffix(".packages"): (plan.root / RECORD).read_text("utf-8"),
    }
    for file, text in listed.items():
        file.write_text(text, "utf-8")
    made = [plan.image, packed, blocks, *listed]
    for file in made:
        _give(file)
    say(f"{plan.image}: {image.bytes / 1e6:,.0f} MB, compressed {download.bytes / 1e6:,.0f} MB")
    shutil.rmtree(plan.work)
    return made


def measured(file: Path) -> imager.File:
    with file.open("rb") as data:
        return imager.File(file.name, file.stat().st_size, hashlib.file_digest(data, "sha256").hexdigest())


def _entry(plan: Plan, image: imager.File, download: imager.File, packed: Path) -> str:
    """For Imager on this machine; whoever publishes the image puts its address in the place of the file's."""
    date = datetime.fromtimestamp(plan.epoch, UTC).strftime("%Y-%m-%d")
    icon = (plan.project / "web/static/lamp.svg").read_bytes()
    return imager.entry(plan.version, date, image, download, packed.as_uri(), icon)


def _give(file: Path) -> None:
    """To whoever called sudo."""
    if caller := os.environ.get("SUDO_UID"):
        os.chown(file, int(caller), int(os.environ.get("SUDO_GID", caller)))
