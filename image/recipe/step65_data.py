"""Step 6b: what the data partition holds at first: the bundles that the builder gives, each checked to its
last byte as it is copied, the last of them in use.
"""

from appliance.bundles import install, verify
from appliance.bundles.folder import Disk
from appliance.bundles.store import Store
from appliance.log import Step, step
from recipe.placing import own
from recipe.plan import Plan

STORE = "bundles"  # /data/bundles on the card


def sizes(plan: Plan) -> dict[str, int]:
    """Bytes of each bundle by its name. Raises BundleError for one that is not what its lists say."""
    found = (verify.quick(Disk(bundle)) for bundle in plan.bundles)
    return {f"bundle {checked.label}": checked.bytes for checked in found}


def make(plan: Plan) -> None:
    """Fills plan.data. Raises BundleError."""
    plan.data.mkdir()
    store = Store(plan.data / STORE)
    for bundle in plan.bundles:
        disk = Disk(bundle)
        found = verify.quick(disk)
        megabytes = install.plan(store, found).work / 1e6
        with step(f"Putting the bundle {found.label} onto the card", megabytes, "MB") as current:
            folder = install.install(store, disk, found, _progress(current))
            store.switch(folder)
            store.answered(folder)
    own(plan.data, plan.epoch)


def _progress(current: Step) -> verify.Progress:
    return lambda count: current.advance(count / 1e6)
