"""Makes the bundle that is kept for the format of this version: `python tests/data/make_bundle.py`, once for
each released format, with the real model in LAMPLIGHT_HOME. Texts of our own (tests/small_library.py), signed
with a key that is thrown away; who trusts it stands in trusted-keys.txt beside it."""

import sys
import tempfile
from pathlib import Path

DATA = Path(__file__).parent
sys.path[:0] = [str(DATA.parent), str(DATA.parents[1])]

from small_library import INDEX, METADATA, PAGES  # noqa: E402

from appliance import models, settings  # noqa: E402
from appliance.bundles import signature  # noqa: E402
from appliance.bundles.build import build  # noqa: E402
from appliance.bundles.manifest import FORMAT, Definition  # noqa: E402
from appliance.indexer.build import build as build_index  # noqa: E402
from appliance.indexer.workers import minilm  # noqa: E402
from appliance.sources.zim import ZimArchive, write_archive  # noqa: E402

PLAN = Definition("kept", "A small library", "Short pages of our own, kept for every format", ("eng",))


def main() -> None:
    home = settings.load().home
    encoding = minilm(*(models.path(home, name) for name in models.EMBEDDING))
    with tempfile.TemporaryDirectory() as scratch:
        work = Path(scratch)
        archive, index = work / "small_2025-06.zim", work / "small_2025-06.index"
        write_archive(archive, [*PAGES, INDEX], METADATA, "eng", "index")
        build_index(ZimArchive.open(archive), index, encoding, workers=1)
        public = signature.new_key(work / "key.pem")
        build(PLAN, f"format-{FORMAT}", [archive], {}, lambda _: index, DATA, work / "key.pem")
    with (DATA / "trusted-keys.txt").open("a", encoding="utf-8") as trusted:
        trusted.write(f"{public} who made the bundle of format {FORMAT}\n")


if __name__ == "__main__":
    main()
