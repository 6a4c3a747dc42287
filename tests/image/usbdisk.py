"""USB sticks for the emulated box: plugged in and pulled out through QEMU's monitor as a hand does it,
without a word to the guest before."""

from dataclasses import dataclass
from pathlib import Path

from card import run
from qemu import Machine

FORMATS = {
    "vfat": ("mkfs.vfat", "-F", "32", "-n"),
    "exfat": ("mkfs.exfat", "-L"),
    "ntfs": ("mkntfs", "-q", "-F", "-f", "-L"),
    "ext4": ("mke2fs", "-q", "-t", "ext4", "-L"),
}


@dataclass(slots=True)
class Stick:
    """A raw file with one file system and no table of partitions, as many sticks have it."""

    file: Path
    name: str

    @classmethod
    def format(cls, kind: str, label: str, folder: Path, size: int) -> "Stick":
        """An empty one of `size` bytes; `kind` as the kernel names its file system."""
        stick = cls(folder / f"{label}.img", label.lower())
        stick.file.unlink(missing_ok=True)
        with stick.file.open("wb") as file:
            file.truncate(size)
        run(*FORMATS[kind], label, str(stick.file))
        return stick

    def fill(self, folder: Path) -> None:
        """Copies a folder to the top of a FAT stick."""
        run("mcopy", "-s", "-Q", "-i", str(self.file), str(folder), "::")

    def plug(self, machine: Machine, bytes_a_second: int = 0) -> None:
        """`bytes_a_second`: as slow as that, 0: as fast as it is."""
        disk = {"driver": "raw", "file": {"driver": "file", "filename": str(self.file)}}
        if bytes_a_second:
            limits = {"bps-total": bytes_a_second}
            machine.qmp(
                "object-add", **{"qom-type": "throttle-group", "id": f"{self.name}-slow", "limits": limits}
            )
            disk = {"driver": "throttle", "throttle-group": f"{self.name}-slow", "file": disk}
        machine.qmp("blockdev-add", **{"node-name": self.name, **disk})
        machine.qmp(
            "device_add",
            driver="usb-storage",
            id=f"usb-{self.name}",
            drive=self.name,
            bus="usb.0",
            removable=True,
        )

    def pull(self, machine: Machine) -> None:
        """In the middle of whatever it does."""
        machine.qmp("device_del", id=f"usb-{self.name}")
        machine.until("QEMU to let go of the stick", 30, lambda: self._is_free(machine))

    def _is_free(self, machine: Machine) -> bool:
        try:
            machine.qmp("blockdev-del", **{"node-name": self.name})
        except AssertionError:  # still in use
            return False
        try:
            machine.qmp("object-del", id=f"{self.name}-slow")
        except AssertionError:  # it was not slow
            return True
        return True
