"""`python -m recipe`, called by ./build.sh image: runs the steps, one after the other."""

import signal
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from appliance.downloads import require_space
from appliance.errors import LamplightError, SetupError
from appliance.log import duration, say
from recipe import (
    emulation,
    lock,
    options,
    sizes,
    step10_debian,
    step20_python,
    step30_engine,
    step40_content,
    step50_root,
    step60_boot,
    step65_data,
    step70_disk,
    step80_publish,
)
from recipe.placing import weigh
from recipe.plan import NO_MODEL, Plan

DAY = 86_400  # seconds
SHOWN = 20  # lines of differences that are printed; all packages are in the .packages file


def main(words: Sequence[str] | None = None) -> int:
    """Gives the exit code: 0, 2 for an error that a person can act on, 130 for Ctrl-C."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    started = time.monotonic()
    try:
        build(options.read(words))
    except LamplightError as error:
        print(f"{error}\n{error.hint}".rstrip(), file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        say("Stopped. What is finished is kept: the next start goes on from here.")
        return 130
    say(f"The image took {duration(time.monotonic() - started)}.")
    return 0


def build(given: options.Options) -> None:
    """All steps. Raises SetupError or ModelFileError; what is finished stays in the cache."""
    locked = lock.read(given.plan.lock)
    if given.update_lock:
        locked = replace(locked, packages={}, epoch=int(time.time()) // DAY * DAY)
    plan = replace(given.plan, epoch=given.plan.epoch or locked.epoch)
    emulation.require()
    _sizes_first(plan, locked)
    debian = step10_debian.make(plan, locked)
    packages = step20_python.make(plan)
    engines = {} if plan.model == NO_MODEL else step30_engine.make(plan)
    content = step40_content.make(plan)
    step50_root.make(plan, debian, packages, engines, content)
    found = lock.recorded((plan.root / step10_debian.RECORD).read_text("utf-8"))
    if given.update_lock:
        locked = _write_lock(plan, locked, found)
        debian = debian.rename(step10_debian.tarball(plan, locked))
    _compare(locked, found, given.strict)
    step60_boot.make(plan, debian.stem)
    step65_data.make(plan)
    step70_disk.make(plan)
    step80_publish.make(plan)


def _sizes_first(plan: Plan, locked: lock.Lock) -> None:
    """Adds up what the image will hold, and what making it takes on the disk, before anything is fetched."""
    parts = {**locked.sizes, **step40_content.sizes(plan), **step65_data.sizes(plan)}
    image = sizes.require_card(parts, plan.card)
    say(f"{plan.image.name} will take about {image / sizes.MB:,.0f} MB.")
    # The root as a folder, its file systems, the image; Debian's root where it is not kept yet.
    require_space(plan.cache, 3 * image + 2 * locked.sizes["debian"], "Making the image")
    require_space(plan.dist, 2 * image, "The image")


def _write_lock(plan: Plan, before: lock.Lock, found: Mapping[str, lock.Package]) -> lock.Lock:
    parts = {name: plan.root / step50_root.HOME / name for name in step50_root.PARTS}
    ours = {name: weigh(part)[0] for name, part in parts.items() if part.exists()}
    debian = weigh(plan.root)[0] - weigh(plan.root / step50_root.HOME)[0]
    now = datetime.now(UTC).strftime(lock.SNAPSHOT)
    locked = replace(before, snapshot=now, sizes={**before.sizes, **ours, "debian": debian}, packages=found)
    aside = plan.lock.with_suffix(".part")
    aside.write_text(lock.written(locked), "utf-8")
    aside.replace(plan.lock)
    say(f"Written: {plan.lock.relative_to(plan.project)}, {len(found)} packages.")
    return locked


def _compare(locked: lock.Lock, found: Mapping[str, lock.Package], strict: bool) -> None:
    lines = lock.differences(locked.packages, found)
    for line in lines[:SHOWN]:
        say(f"Not as locked: {line}")
    if len(lines) > SHOWN:
        say(f"… and {len(lines) - SHOWN} more.")
    if lines and strict:
        raise SetupError(
            f"{len(lines)} Debian packages are not as in the lock: the mirror has other versions.",
            f"Set DEBIAN_MIRROR to a mirror of {locked.snapshot}, or take the new ones with --update-lock.",
        )


if __name__ == "__main__":
    sys.exit(main())
