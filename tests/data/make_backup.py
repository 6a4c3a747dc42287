"""Makes the backup that is kept for the format of this version: `python tests/data/make_backup.py`, once for
each released format, and for each form of its databases. Those that are there are never made again."""

import gzip
import sys
import tempfile
from pathlib import Path

DATA = Path(__file__).parent
sys.path[:0] = [str(DATA.parent), str(DATA.parents[1])]

from backups.marked import filled  # noqa: E402

from appliance import __version__  # noqa: E402
from appliance.backups.container import FORMAT  # noqa: E402
from appliance.backups.saving import save_to  # noqa: E402


def main() -> None:
    with tempfile.TemporaryDirectory() as scratch:
        home = filled(Path(scratch) / "home", "new")
        save_to(home, Path(scratch) / "backup.tar")
        packed = gzip.compress((Path(scratch) / "backup.tar").read_bytes(), 9, mtime=0)
    target = DATA / f"backup-format-{FORMAT}-{__version__}.tar.gz"
    with target.open("xb") as out:
        out.write(packed)


if __name__ == "__main__":
    main()
