"""The machine under emulation: started, spoken to, cut off from its power.

`-M virt` is no Raspberry Pi: the processor's instructions, the kernel, the root and every program are those
of the card; the firmware, the board's own devices and the radio's chip are not.
"""

import base64
import json
import signal
import socket
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import testdisk
from card import BootFiles, Card, run
from guest import Guest
from waiting import Clock, until

T = TypeVar("T")
SLOWNESS = 10  # about what a core of a Raspberry Pi 4 does in the time of an emulated one
RADIOS = 4  # simulated ones: the box's own and three phones
TIMER_HZ = 62_500_000  # of QEMU's emulated timer
TABLET = 0x7FFF  # of QEMU's tablet, from one end to the other
COMMAND_LINE = 2047  # characters that an arm64 kernel takes


@dataclass(frozen=True, slots=True)
class Board:
    """What is emulated. `clock` is what the machine believes at power-on, as it has no battery. `slowness`:
    real seconds in one second of the box (_device_tree). `screen`: with one, and a tablet that touches it."""

    cpu: str = "cortex-a72"
    memory_mb: int = 2048
    cores: int = 2
    clock: str = "2024-01-01T00:00:00"
    slowness: int = 1
    screen: bool = False


class Machine:
    """One power-on of a card. Use it as a context: leaving it cuts the power."""

    def __init__(self, card: Card, files: BootFiles, tools: Path, folder: Path, board: Board) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.card, self.board, self.folder = card, board, folder
        self._console = folder / "console.log"
        command = [
            *_hardware(board),
            *("-dtb", str(_device_tree(board, folder))),
            *("-kernel", str(files.kernel), "-initrd", str(files.initramfs), "-append", _arguments(files)),
            *card.drive(),
            *_test_disk(tools),
            *_network(folder),
            *_channels(folder, self._console),
        ]
        self._errors = (folder / "qemu.log").open("wb")
        self._process = subprocess.Popen(command, stdout=self._errors, stderr=self._errors, process_group=0)
        self.clock = Clock(self._process.pid)
        self._monitor: socket.socket | None = None
        self.guest = self._connect()

    def __enter__(self) -> "Machine":
        return self

    def __exit__(self, *_: object) -> None:
        self.cut()
        self.guest.close()
        if self._monitor is not None:
            self._monitor.close()
        self._errors.close()

    def age(self) -> float:
        """Seconds since power-on, without those in which other work of this machine kept QEMU waiting."""
        return self.clock()

    def tail(self, lines: int = 40) -> str:
        """The console's last lines."""
        text = self._console.read_text("utf-8", "replace") if self._console.exists() else ""
        return f"The console's last lines ({self.folder.name}):\n" + "\n".join(text.splitlines()[-lines:])

    def wait_for_agent(self, seconds: float) -> None:
        self.until("the test's agent in the box", seconds, self._agent_or_end, pause=0.2)

    def until(
        self,
        what: str,
        seconds: float,
        look: Callable[[], T],
        tail: Callable[[], str] | None = None,
        pause: float = 1.0,
    ) -> T:
        """As waiting.until, in seconds as `age` counts them."""
        return until(what, seconds, look, tail or self.tail, pause, self.clock)

    def _agent_or_end(self) -> bool:
        assert self.running(), f"QEMU has ended.\n{self.tail()}\n{(self.folder / 'qemu.log').read_text()}"
        return self.guest.hello.is_set()

    def running(self) -> bool:
        return self._process.poll() is None

    def cut(self) -> None:
        """The power goes: no signal reaches the guest, and nothing is flushed."""
        if self.running():
            self._process.send_signal(signal.SIGKILL)
        self._process.wait(30)

    def wait_for_end(self, seconds: float) -> None:
        """Until the box has switched itself off."""
        self.until("the machine to switch off", seconds, lambda: not self.running(), pause=0.2)

    def qmp(self, command: str, **arguments: Any) -> Any:
        """One command of QEMU's monitor; its reply. Raises AssertionError for an error."""
        if self._monitor is None:
            self._monitor = socket.socket(socket.AF_UNIX)
            self._monitor.settimeout(30)
            self._monitor.connect(str(self.folder / "qmp"))
            self.qmp("qmp_capabilities")
        self._monitor.sendall(json.dumps({"execute": command, "arguments": arguments}).encode())
        with self._monitor.makefile("rb") as replies:
            for line in replies:
                reply = json.loads(line)
                assert "error" not in reply, f"{command}: {reply}"
                if "return" in reply:
                    return reply["return"]
        raise AssertionError(f"QEMU's monitor ended before it answered {command}.")

    def touch(self, across: float, down: float) -> None:
        """The screen, at these parts of its width and height, and lets go of it."""
        where = [("x", across), ("y", down)]
        move = [
            {"type": "abs", "data": {"axis": axis, "value": round(part * TABLET)}} for axis, part in where
        ]
        for pressed in (True, False):
            press = {"type": "btn", "data": {"button": "left", "down": pressed}}
            self.qmp("input-send-event", events=[*move, press])

    def _connect(self) -> Guest:
        def connected() -> Guest:
            assert self.running(), (self.folder / "qemu.log").read_text()
            return Guest(self.folder / "agent", self.tail, self.clock)

        return self.until("QEMU's socket of the agent", 30, connected, pause=0.05)


def _machine(board: Board) -> list[str]:
    return ["-cpu", board.cpu, "-smp", str(board.cores), "-m", str(board.memory_mb)]


def _hardware(board: Board) -> list[str]:
    return [
        *("qemu-system-aarch64", "-M", "virt", *_machine(board), "-nodefaults", "-display", "none"),
        *("-accel", "tcg,thread=multi,tb-size=1024", "-rtc", f"base={board.clock},clock=vm"),
        *("-device", "qemu-xhci,id=usb"),  # where sticks are plugged in (usbdisk.py)
        *(("-device", "virtio-gpu-pci", "-device", "usb-tablet,bus=usb.0") if board.screen else ()),
    ]


def _device_tree(board: Board, folder: Path) -> Path:
    """QEMU's own description of the machine, in which the timer is said to tick `slowness` times as fast as
    it does. So a second in the box is longer, by about what emulation is slower than a board, and what waits
    for a second there waits for as much work as it would on a board."""
    file = folder / "virt.dtb"
    run("qemu-system-aarch64", "-M", f"virt,dumpdtb={file}", *_machine(board), "-display", "none")
    run("fdtput", "-t", "u", str(file), "/timer", "clock-frequency", str(TIMER_HZ * board.slowness))
    return file


def _arguments(files: BootFiles) -> str:
    """The card's own arguments, and what the test adds: the radios, the agent's unit, and the console of this
    machine for those of the boards (a serial port that is not there keeps the kernel from using the next)."""
    own = " ".join(word for word in files.arguments.split() if not word.startswith("console="))
    unit = base64.b64encode(testdisk.UNIT.encode()).decode()
    text = (
        f"{own} console=ttyAMA0 modules_load=mac80211_hwsim mac80211_hwsim.radios={RADIOS} "
        f"systemd.set_credential_binary=systemd.extra-unit.{testdisk.UNIT_NAME}:{unit} "
        f"systemd.wants={testdisk.UNIT_NAME}"
    )
    assert len(text) <= COMMAND_LINE, (
        f"The kernel takes {COMMAND_LINE} characters of arguments, not {len(text)}."
    )
    return text


def _test_disk(tools: Path) -> list[str]:
    disk = {
        "driver": "raw",
        "node-name": "tools",
        "read-only": True,
        "file": {"driver": "file", "filename": str(tools)},
    }
    return ["-blockdev", json.dumps(disk), "-device", f"virtio-blk-pci,drive=tools,serial={testdisk.LABEL}"]


def _network(folder: Path) -> list[str]:
    """A cable from the box's Ethernet port (eth0) to a second port (eth1), which a phone may take; it leads
    nowhere else. Everything on it is captured."""
    return [
        *("-netdev", "hubport,id=box,hubid=1", "-device", "virtio-net-pci,netdev=box,mac=52:54:00:00:00:01"),
        *("-netdev", "hubport,id=far,hubid=1", "-device", "virtio-net-pci,netdev=far,mac=52:54:00:00:00:02"),
        *("-object", f"filter-dump,id=dump,netdev=box,file={folder / 'eth0.pcap'}"),
    ]


def _channels(folder: Path, console: Path) -> list[str]:
    for name in ("agent", "qmp"):
        (folder / name).unlink(missing_ok=True)
    return [
        *("-chardev", f"file,id=console,path={console}", "-serial", "chardev:console"),
        *(
            "-device",
            "virtio-serial-pci",
            "-chardev",
            f"socket,id=agent,path={folder / 'agent'},server=on,wait=off",
        ),
        *("-device", f"virtserialport,chardev=agent,name={testdisk.LABEL}"),
        *(
            "-chardev",
            f"socket,id=qmp,path={folder / 'qmp'},server=on,wait=off",
            "-mon",
            "chardev=qmp,mode=control",
        ),
    ]
