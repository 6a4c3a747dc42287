"""Starts processes, waits until they answer, restarts what dies or falls silent, and ends all with itself.

A process that dies is started again after a pause that doubles each time; after some deaths in a row, none
of them after a good minute, it is given up with a sentence for the status page, and the others go on. One
that answers is asked again all the time: when it no longer does it is ended, and that counts as a death. An
end by Ctrl-C, SIGTERM or SIGHUP ends every process started here (how: `children`). Leaves to `run` which
processes there are.
"""

import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType, TracebackType
from typing import Self

from appliance.errors import SetupError
from appliance.log import say
from appliance.services.children import end, ended, exit_words, last_words, spawn
from appliance.services.runtime import ServiceState, asked_again, write_states

MOST_PATIENCE = 900.0  # seconds
LOG_BYTES = 1_000_000  # of one process, kept over its restarts


@dataclass(frozen=True, slots=True)
class Pace:
    """How often to look, how long to wait (seconds), and after how many deaths in a row to give up. One that
    answers is asked again every `beat`; after `steady` seconds a process counts as well again; `goodbye` lies
    between asking and ending; after `hello` a start is announced although something that is not essential
    does not answer yet."""

    tick: float = 0.1
    beat: float = 10.0
    first_pause: float = 0.5
    longest_pause: float = 30.0
    steady: float = 60.0
    goodbye: float = 5.0
    hello: float = 8.0
    failures: int = 5


@dataclass(frozen=True, slots=True)
class Program:
    """One process: its plain `title` for the reader, how to start it, and whether it answers (asked in a
    thread of its own; must come back within seconds). After `patience` seconds without a first answer (more
    at each further try), and later after `silences` looks in a row without one, it counts as dead. All end
    when an `essential` one is given up."""

    name: str
    title: str
    command: Sequence[str]
    answers: Callable[[], bool]
    environment: Mapping[str, str]
    patience: float = 120.0
    silences: int = 3
    essential: bool = False


@dataclass(slots=True)
class Pulse:
    """What the looks at one process have found: whether it ever answered, and how often in a row it has not
    since. Written by the thread that looks."""

    answered: bool = False
    silent: int = 0


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
    pulse: Pulse = field(default_factory=Pulse)


def patience(child: Child) -> float:
    """Seconds in which its first answer must come: twice as many at each further try, since a model may be
    read from a slow card."""
    return min(MOST_PATIENCE, child.program.patience * 2.0**child.failures)


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

    def run(self, announce: Callable[[Sequence[str]], None]) -> bool:
        """Until `stop`, or until a page asks to start all again: then True. Calls `announce` once, when the
        essential programs answer and the others do or have failed (or have had their time), with the
        sentences of those that do not answer. Raises SetupError when an essential program is given up."""
        announced, began = False, time.monotonic()
        asked_again(self._runtime)  # what is left of a supervisor before
        try:
            while not self._stop.wait(self._pace.tick):
                for child in self._children:
                    self._look(child, time.monotonic())
                self._note()
                if not announced and self._is_up(time.monotonic() - began > self._pace.hello):
                    announced = True
                    announce([child.sentence for child in self._children if child.state != "ready"])
                if asked_again(self._runtime):
                    return True
            return False
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
        elif child.state == "starting" and child.pulse.answered:
            child.state, child.sentence = "ready", ""
        elif child.state == "starting" and now - child.started > patience(child):
            self._died(child, now, f"did not answer within {patience(child):.0f} s")
        elif child.state == "ready" and child.pulse.silent >= child.program.silences:
            self._died(child, now, "no longer answered")
        elif child.state == "ready" and child.failures and now - child.started > self._pace.steady:
            child.failures = 0

    def _start(self, child: Child, now: float) -> None:
        child.started, child.state, child.pulse = now, "starting", Pulse()
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
        looking = (child.program, child.process, child.pulse, self._pace)
        threading.Thread(target=_look_often, args=looking, daemon=True).start()

    def _died(self, child: Child, now: float, what: str) -> None:
        if child.process is not None:
            end([child.process], self._pace.tick)
            what = f"{what} ({exit_words(child.process.returncode)})"
            child.process = None
        child.failures += 1
        title, log = child.program.title, f"{child.program.name}.log"
        if child.failures >= self._pace.failures:
            child.state = "stopped"
            child.sentence = f"{title} {what}, {child.failures} times in a row, and is left off."
            say(f"{child.sentence} {last_words(self._runtime / log)}")
            if child.program.essential:
                raise SetupError(child.sentence, f"See {self._runtime / log}.")
            return
        pause = min(self._pace.longest_pause, self._pace.first_pause * 2 ** (child.failures - 1))
        child.state, child.due = "waiting", now + pause
        child.sentence = f"{title} {what} and is started again."
        say(f"{child.sentence} {last_words(self._runtime / log)}")

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
        write_states(self._runtime, [])  # before: nobody is told that what is being ended is ready
        end([child.process for child in reversed(self._children) if child.process], self._pace.goodbye)


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


def _look_often(program: Program, process: subprocess.Popen[bytes], pulse: Pulse, pace: Pace) -> None:
    """Until the process has been ended: at every `tick` before its first answer, every `beat` after it."""
    while process.returncode is None:
        if program.answers():
            pulse.answered, pulse.silent = True, 0
        elif pulse.answered:
            pulse.silent += 1
        time.sleep(pace.beat if pulse.answered else pace.tick)
