"""Starts processes, waits until they answer, restarts what dies, and ends all of them with itself.

A process that dies is started again after a pause that doubles each time; after some deaths in a row, none
of them after a good minute, it is given up with a sentence for the status page, and the others go on. An end
by Ctrl-C, SIGTERM or SIGHUP ends every process started here, together with what it started itself; should
this process be killed outright, the kernel ends them (prctl(2), PR_SET_PDEATHSIG). Leaves to `run` which
processes there are.
"""

import os
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType, TracebackType
from typing import Self

from appliance.errors import SetupError
from appliance.log import say
from appliance.services.runtime import ServiceState, write_states

LOG_BYTES = 1_000_000  # of one process, kept over its restarts


@dataclass(frozen=True, slots=True)
class Pace:
    """How often to look, how long to wait (seconds), and after how many deaths in a row to give up.
    After `steady` seconds a process counts as well again; `goodbye` lies between asking and ending;
    after `hello` a start is announced although something that is not essential does not answer yet."""

    tick: float = 0.1
    first_pause: float = 0.5
    longest_pause: float = 30.0
    steady: float = 60.0
    goodbye: float = 5.0
    hello: float = 8.0
    failures: int = 5


@dataclass(frozen=True, slots=True)
class Program:
    """One process: its plain `title` for the reader, how to start it, and whether it answers yet. After
    `patience` seconds without an answer it counts as dead. All end when an `essential` one is given up."""

    name: str
    title: str
    command: Sequence[str]
    ready: Callable[[], bool]
    environment: Mapping[str, str]
    patience: float = 120.0
    essential: bool = False


@dataclass(slots=True)
class Child:
    """A program's process now. `failures` counts deaths in a row; `due` is when to start it again."""

    program: Program
    process: subprocess.Popen[bytes] | None = None
    state: str = "waiting"
    sentence: str = ""
    started: float = 0.0
    due: float = 0.0
    failures: int = 0
    restarts: int = -1
    probe: threading.Thread | None = None
    answered: threading.Event = field(default_factory=threading.Event)


class Supervisor:
    """Watches the programs, in order of start; `notes` are states that never change (what is off)."""

    def __init__(
        self,
        programs: Sequence[Program],
        runtime: Path,
        notes: Sequence[ServiceState] = (),
        pace: Pace = Pace(),
    ) -> None:
        self._pace = pace
        self._children = [Child(program) for program in programs]
        self._runtime = runtime
        self._notes = list(notes)
        self._stop = threading.Event()
        self._written: list[ServiceState] = []

    def stop(self) -> None:
        """Makes `run` end; may be called from a signal handler or another thread."""
        self._stop.set()

    def run(self, announce: Callable[[Sequence[str]], None]) -> None:
        """Until `stop`. Calls `announce` once, when the essential programs answer and the others do or have
        failed (or have had their time), with the sentences of those that do not answer. Raises SetupError
        when an essential program is given up."""
        announced, began = False, time.monotonic()
        try:
            while not self._stop.wait(self._pace.tick):
                for child in self._children:
                    self._look(child, time.monotonic())
                self._note()
                if not announced and self._is_up(time.monotonic() - began > self._pace.hello):
                    announced = True
                    announce([child.sentence for child in self._children if child.state != "ready"])
        finally:
            self._end()

    def _is_up(self, late: bool) -> bool:
        return all(
            child.state == "ready" or (not child.program.essential and (child.failures or late))
            for child in self._children
        )

    def _look(self, child: Child, now: float) -> None:
        if child.state == "waiting" and now >= child.due:
            self._start(child, now)
        elif child.process is not None and ended(child.process):
            self._died(child, now, "ended")
        elif child.state == "starting" and child.answered.is_set():
            child.state, child.sentence = "ready", ""
        elif child.state == "starting" and now - child.started > child.program.patience:
            self._died(child, now, f"did not answer within {child.program.patience:.0f} s")
        elif child.state == "ready" and child.failures and now - child.started > self._pace.steady:
            child.failures = 0

    def _start(self, child: Child, now: float) -> None:
        child.started, child.state, child.answered = now, "starting", threading.Event()
        child.restarts += 1
        child.sentence = child.sentence or f"{child.program.title} is being started."
        log = self._runtime / f"{child.program.name}.log"
        kept = log.exists() and child.restarts and log.stat().st_size < LOG_BYTES
        try:
            child.process = spawn(child.program.command, child.program.environment, log, append=bool(kept))
        except OSError as error:
            child.process = None
            self._died(child, now, f"cannot be started: {error.strerror}")
            return
        threading.Thread(
            target=_probe, args=(child.program, child.process, child.answered), daemon=True
        ).start()

    def _died(self, child: Child, now: float, what: str) -> None:
        if child.process is not None:
            end([child.process], self._pace.tick)
            what = f"{what} ({_exit(child.process.returncode)})"
            child.process = None
        child.failures += 1
        title, log = child.program.title, f"{child.program.name}.log"
        if child.failures >= self._pace.failures:
            child.state = "stopped"
            child.sentence = f"{title} {what}, {child.failures} times in a row, and is left off."
            say(f"{child.sentence} {_last_line(self._runtime / log)}")
            if child.program.essential:
                raise SetupError(child.sentence, f"See {self._runtime / log}.")
            return
        pause = min(self._pace.longest_pause, self._pace.first_pause * 2 ** (child.failures - 1))
        child.state, child.due = "waiting", now + pause
        child.sentence = f"{title} {what} and is started again."
        say(f"{child.sentence} {_last_line(self._runtime / log)}")

    def _note(self) -> None:
        states = [
            ServiceState(
                child.program.name,
                child.state,
                child.sentence,
                child.process.pid if child.process else 0,
                max(0, child.restarts),
            )
            for child in self._children
        ]
        if states != self._written and write_states(self._runtime, [*states, *self._notes]):
            self._written = states

    def _end(self) -> None:
        end([child.process for child in reversed(self._children) if child.process], self._pace.goodbye)
        write_states(self._runtime, [])


class Signals:
    """While entered, the signals that end a program call `stop` instead (nohup's ignored one stays so)."""

    ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

    def __init__(self, stop: Callable[[], None]) -> None:
        self._stop = stop

    def __enter__(self) -> Self:
        def caught(_number: int, _frame: FrameType | None) -> None:
            self._stop()

        listened = [number for number in self.ENDING if signal.getsignal(number) is not signal.SIG_IGN]
        self._before = {number: signal.signal(number, caught) for number in listened}
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)


def spawn(
    command: Sequence[str], environment: Mapping[str, str], log: Path | None, append: bool = False
) -> subprocess.Popen[bytes]:
    """Starts a process in a group of its own that the kernel ends together with this one. What it says on
    stderr goes to `log` (None: to our own); stdout is dropped, since kiwix-serve prints addresses there."""
    guard = shutil.which("setpriv")
    if guard is None:
        raise SetupError("The program setpriv is missing; it ties processes together.", "Install util-linux.")
    stderr = open(log, "ab" if append else "wb") if log else None  # noqa: SIM115 (closed below)
    try:
        return subprocess.Popen(
            [guard, "--pdeathsig", "KILL", "--", *command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=stderr,
            env=dict(environment),
            process_group=0,
        )
    finally:
        if stderr:
            stderr.close()


def ended(process: subprocess.Popen[bytes]) -> bool:
    """Whether it has ended. It stays a zombie until `end`, so that its number still means its group."""
    if process.returncode is not None:
        return True
    return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def end(processes: Sequence[subprocess.Popen[bytes]], patience: float) -> None:
    """Asks the groups of these processes to end; after `patience` seconds in all, ends them."""
    running = [process for process in processes if process.returncode is None]
    for process in running:
        _signal(process, signal.SIGTERM)
    until = time.monotonic() + patience
    while time.monotonic() < until and not all(ended(process) for process in running):
        time.sleep(0.02)
    for process in running:
        _signal(process, signal.SIGKILL)
        process.wait()


def _signal(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    """To the whole group, which may outlive the process that led it."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)


def _probe(program: Program, process: subprocess.Popen[bytes], answered: threading.Event) -> None:
    while process.returncode is None:
        if program.ready():
            answered.set()
            return
        time.sleep(0.1)


def _exit(code: int) -> str:
    if code < 0:
        return signal.Signals(-code).name
    return f"exit code {code}"


def _last_line(log: Path) -> str:
    try:
        lines = log.read_text("utf-8", "replace").strip().splitlines()
    except OSError:
        return ""
    return f"It said last: {' '.join(lines[-2:])}" if lines else ""
