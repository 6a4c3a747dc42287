"""How two processes of pytest-xdist share the tests of a run, with `--dist loadgroup`."""

from tiers import group
from xdist.scheduler import LoadScopeScheduling


class InTurn(LoadScopeScheduling):
    """Group by group. xdist finds its own groups by an attribute that the tests of pytest 9.2 have not: each
    test went alone to whichever process was free, and both started every model and browser."""

    def _split_scope(self, nodeid: str) -> str:
        return group(nodeid)
