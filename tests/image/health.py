"""When a box is healthy: its pages answer, nothing has failed, and the network is open."""

import json
import re
from dataclasses import dataclass

import phone
from qemu import Machine

BOOT = 420  # seconds at most from power-on to a healthy box, under emulation on a busy machine
HERE = "http://127.0.0.1"
# What the model, which reads for minutes before it is ready, keeps waiting; the pages do not wait for it.
LATER = {"lamplight-llama.service", "multi-user.target", "graphical.target"}


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds from power-on; `waited`: what this machine's other work took beside them until the network."""

    agent: float
    pages: float
    network: float
    waited: float


def pages_answer(machine: Machine) -> bool:
    """Whether the box's own web server gives the start page with a library behind it."""
    words = ["chroot", phone.PLACE, "curl", "-sS", "-i", "--max-time", "20", "-w", r"\n%{time_total}"]
    found = phone.reply(machine.guest.ask(*words, f"{HERE}/healthz", seconds=40))
    return found.status == 200 and bool(json.loads(found.body))


def active(machine: Machine, unit: str) -> bool:
    return machine.guest.ask("systemctl", "is-active", unit).out.strip() == "active"


def failed(machine: Machine) -> list[str]:
    """The units that have failed, by name."""
    words = ["--failed", "--plain", "--no-legend", "--full"]
    return [line.split()[0] for line in machine.guest.run("systemctl", *words).splitlines() if line.strip()]


def finished(machine: Machine) -> bool:
    """Whether systemd has done all that a start asks for; the language model is waited for apart."""
    lines = machine.guest.run("systemctl", "list-jobs", "--no-legend", "--plain").splitlines()
    rows = [line.split() for line in lines if re.match(r"\s*\d", line)]  # or: No jobs running.
    return {row[1] for row in rows} <= LATER


def wait(machine: Machine, seconds: float = BOOT) -> Times:
    """Until the box is healthy. Raises TimedOut, or AssertionError with the journal of what failed."""
    machine.wait_for_agent(seconds)
    agent = machine.age()

    def left() -> float:
        return max(seconds - machine.age(), 1)

    machine.until("the pages to answer", left(), lambda: pages_answer(machine), lambda: why(machine))
    pages = machine.age()

    def opened() -> bool:
        return active(machine, "lamplight-hotspot")

    machine.until("the network to open", left(), opened, lambda: why(machine))
    network, waited = machine.age(), machine.clock.waited
    machine.until("systemd to finish the start", left(), lambda: finished(machine), lambda: why(machine))
    assert failed(machine) == [], why(machine)
    return Times(agent, pages, network, waited)


def why(machine: Machine) -> str:
    """What the box says of itself, for messages."""
    jobs = machine.guest.ask("systemctl", "list-jobs", "--no-pager").out
    units = machine.guest.ask("systemctl", "--failed", "--no-pager").out
    journal = machine.guest.ask("journalctl", "-b", "--no-pager", "-n", "60", "-p", "notice").out
    return f"{units}\n{jobs}\n{journal}\n{machine.tail(15)}"
