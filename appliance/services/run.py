"""`appliance run`: set-up, then kiwix-serve, embedder, language model and pages, under one supervisor.

The set-up runs as a process of its own, so that this one stays small. Every process gets the settings as
environment variables and listens on 127.0.0.1 or on a private socket.
"""

import errno
import fcntl
import os
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from appliance import settings
from appliance.errors import SetupError
from appliance.log import say
from appliance.people import code
from appliance.services import kiwix, language, runtime
from appliance.services.children import end, ended, spawn
from appliance.services.probe import answers
from appliance.services.runtime import ServiceState
from appliance.services.supervise import Program, Signals, Supervisor
from appliance.settings import Settings
from appliance.sources.zimfile import check_whole

READY = "\nLamplight is ready: {}\nCtrl-C ends it."
FIRST = "Nobody looks after this box yet: become its admin at {}first-use, once, with the code {}."
LOCAL = "127.0.0.1"
INTERRUPTED = 130  # what shells give for Ctrl-C
PORT_HINT = "End what uses the port, or give another one with --port."
HOST_HINT = (
    "Give an address of this machine with --host: 127.0.0.1 for this machine alone, "
    "0.0.0.0 for every network that it is on."
)
ROOT_HINT = "Ports below 1024 are often for root alone; give another one with --port."
# Looks in a row without an answer before a process counts as hung. Ending the embedder costs a second; ending
# the language model or the pages costs whoever is being answered, so they get two minutes of a busy machine.
GENEROUS = 8
HEAP = {
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_MMAP_THRESHOLD_": "1000000",
    "MALLOC_TRIM_THRESHOLD_": "1000000",
}
TITLES = {
    "kiwix": "Reading in Kiwix",
    "embedder": "The embedder",
    "llama": "The language model",
    "web": "Pages",
}


def run(given: Settings) -> int:
    """Until a signal ends it; gives the exit code: 0 after serving, 130 when the set-up was interrupted.
    Raises SetupError or ArchiveError before any work when it cannot start."""
    check(given)
    runtime.prepare(given.runtime)
    with alone(given.runtime):
        while True:
            stop = threading.Event()
            with Signals(stop.set):
                failed = _set_up(given, stop)
            if stop.is_set():
                say("Stopped. What is done is kept: the next start goes on from here.")
                return INTERRUPTED
            given = settings.again(given)
            if failed or not _served(given):
                return failed
            say("Starting again, as asked for at the desk.")


def _served(given: Settings) -> bool:
    """Serves until a signal; True when a page asked to start all again."""
    reader = f"http://{LOCAL}:{free_port()}" if kiwix.installed() else ""
    given = replace(given, reader=reader)
    supervisor = Supervisor(programs(given), given.runtime, left_out(given))
    with Signals(supervisor.stop):
        return supervisor.run(
            lambda absent: say("\n".join((READY.format(opened(given)), *first_use(given), *absent)))
        )


def first_use(given: Settings) -> list[str]:
    """The code that makes the first admin, which the pages have made where there is none; for the terminal
    alone."""
    try:
        found = code.file(given.home).read_text("utf-8").strip() if not given.admin_code else ""
    except (OSError, UnicodeDecodeError):
        return []
    return [FIRST.format(named(given), found)] if found else []


def check(given: Settings) -> None:
    """Raises ArchiveError or SetupError for archives that were named and cannot be used, and for a port that
    is taken. Needs the standard library alone: build.sh asks before anything is installed."""
    for archive in given.archive:
        check_whole(archive)
    require_free(given.host, given.port)


def programs(given: Settings) -> list[Program]:
    """What these settings ask for, in order of start."""
    shown = answering_host(given.host)
    found = [
        Program(
            "embedder",
            TITLES["embedder"],
            verb("embedder"),
            lambda: answers(runtime.socket_path(given.runtime, "embedder"), "/health"),
            environment(given),
        )
    ]
    if language.choose(given).name:
        found.append(
            Program(
                "llama",
                TITLES["llama"],
                verb("llama"),
                lambda: answers(runtime.socket_path(given.runtime, "llama"), "/health"),
                environment(given),
                silences=GENEROUS,
            )
        )
    if given.reader:
        port = kiwix.port(given.reader)
        found.append(
            Program(
                "kiwix",
                TITLES["kiwix"],
                verb("reader"),
                lambda: answers((LOCAL, port), f"{kiwix.ROOT}/"),
                environment(given),
                silences=GENEROUS,
            )
        )
    web = Program(
        "web",
        TITLES["web"],
        verb("web"),
        lambda: answers((shown, given.port), "/"),
        environment(given),
        silences=GENEROUS,
        essential=True,
    )
    return [*found, web]


def left_out(given: Settings) -> list[ServiceState]:
    """What is off from the start, and why, for the status page."""
    found = []
    if not given.reader:
        found.append(ServiceState("kiwix", "off", f"{kiwix.PROGRAM} is not installed. {kiwix.HINT}"))
    if given.search_only:
        found.append(ServiceState("llama", "off", "The language model is left out (--search-only)."))
    elif not language.choose(given).name:
        found.append(ServiceState("llama", "off", "No language model is here; questions get passages."))
    for state in found:
        say(state.sentence)
    return found


def verb(*words: str) -> list[str]:
    """The command line of one of our own verbs."""
    return [sys.executable, "-m", "appliance", *words]


def require_free(host: str, port: int) -> None:
    """Raises SetupError when nobody can listen there."""
    try:
        family, kind, _, _, where = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(where)
    except (OSError, UnicodeError) as error:  # a name that no address can be made of
        reason = error.strerror if isinstance(error, OSError) else "this is no name of a machine"
        hints = {errno.EADDRINUSE: PORT_HINT, errno.EACCES: ROOT_HINT}
        number = error.errno if isinstance(error, OSError) else None
        raise SetupError(
            f"The pages cannot listen on {host}, port {port}: {reason}.", hints.get(number or 0, HOST_HINT)
        ) from error


def free_port() -> int:
    """A port of 127.0.0.1 that nobody uses now."""
    with socket.create_server((LOCAL, 0)) as probe:
        return int(probe.getsockname()[1])


def answering_host(host: str) -> str:
    """Where to ask for pages that listen on `host`."""
    return {"0.0.0.0": LOCAL, "::": "::1"}.get(host, host)


def address(given: Settings) -> str:
    """The one address for a browser on this machine."""
    host = answering_host(given.host)
    return f"http://[{host}]:{given.port}/" if ":" in host else f"http://{host}:{given.port}/"


def named(given: Settings) -> str:
    """The same under a name, under which people sign in and own documents open."""
    return f"http://{'localhost' if _is_local(given) else socket.gethostname()}:{given.port}/"


def opened(given: Settings) -> str:
    """The one that is told: the name where it is sure to be known."""
    return named(given) if _is_local(given) else address(given)


def _is_local(given: Settings) -> bool:
    return answering_host(given.host) in (LOCAL, "::1", "localhost")


def _set_up(given: Settings, stop: threading.Event) -> int:
    process = spawn(verb("setup"), environment(given), log=None)
    while not ended(process) and not stop.wait(0.1):
        pass
    end([process], 5.0)
    return process.returncode


def environment(given: Settings) -> dict[str, str]:
    """Ours, the settings, and a heap that gives back what is freed: few arenas, large blocks on their own
    (mallopt(3)). Without, the embedder keeps 60 MB that it used while loading."""
    return {**HEAP, **os.environ, **settings.environment(given)}


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Holds the runtime folder for one supervisor. Raises SetupError when another one has it, or when it
    cannot be written to."""
    try:
        lock = open(folder / "lock", "w")  # noqa: SIM115 (closed below)
    except OSError as error:
        raise SetupError(
            f"The runtime folder {folder} cannot be written to: {error.strerror}.",
            "Free some space, or give another folder with --runtime.",
        ) from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise SetupError(
                f"Another Lamplight runs with the folder {folder}.", "End it first, or give another --home."
            ) from error
        yield
