"""Where the state of the box is read: files that the kernel and the set-up units leave, as the pages' own
user."""

from dataclasses import dataclass
from pathlib import Path

from appliance.device import clock


@dataclass(frozen=True, slots=True)
class Sources:
    """`run` is the setting `device`; a test brings folders of its own."""

    run: Path
    data: Path = Path("/data")
    groups: Path = Path("/sys/fs/cgroup/system.slice")
    thermal: Path = Path("/sys/class/thermal")
    hwmon: Path = Path("/sys/class/hwmon")
    memory: Path = Path("/proc/meminfo")
    ext4: Path = Path("/sys/fs/ext4")
    mounts: Path = Path("/proc/self/mountinfo")
    built: Path = clock.EPOCH
    rtc: Path = Path("/sys/class/rtc")
    notes: Path = Path("/run/lamplight/services/states")
    leases: Path = Path("/run/lamplight/dnsmasq/leases")
