"""`python3 -m appliance.device VERB`: what systemd runs as root. Standard library alone."""

import grp
import pwd
import socket
import sys
import time
from collections.abc import Callable, Sequence

from appliance.device import apply, board, cable, clock, firstboot, helper, ready
from appliance.device.actions import Actions, begin_trial, end_trial
from appliance.device.problems import Problem
from appliance.errors import LamplightError

USER = "lamplight"
PLACES = apply.Places()


def main(words: Sequence[str]) -> int:
    """Runs one verb; gives the exit code."""
    if len(words) != 1 or words[0] not in VERBS:
        print(f"Expected one of: {', '.join(VERBS)}.", file=sys.stderr)
        return 2
    try:
        VERBS[words[0]]()
    except LamplightError as error:
        print(f"{error} {error.hint}".rstrip(), file=sys.stderr)
        return 1
    except OSError as error:
        print(f"{error.filename or 'The box'}: {error.strerror}.", file=sys.stderr)
        return 1
    return 0


def _firstboot() -> None:
    user = pwd.getpwnam(USER)
    _say(firstboot.first_boot(PLACES.data, PLACES.run, user.pw_uid, user.pw_gid))


def _settings() -> None:
    done = apply.apply(PLACES, board.look(), grp.getgrnam(USER).gr_gid)
    socket.sethostname(done.box.name)
    print("\n".join(filter(None, done.about.splitlines())))
    print(f"Settings: {done.box.settings}. {done.box.less}".rstrip())
    _say(done.problems)


def _say(problems: Sequence[Problem]) -> None:
    for problem in problems:
        print(f"Lamplight: {problem}")


def _clock_start() -> None:
    print(f"The clock stands at {clock.told(clock.start(PLACES.data))}.")
    _clock_keep()


def _clock_keep() -> None:
    clock.keep(PLACES.data, time.time() + clock.EVERY)


def _clock_stop() -> None:
    clock.keep(PLACES.data, time.time())


def _ready() -> None:
    ready.wait(ready.pages_answer)


def _helper() -> None:
    users = {0, pwd.getpwnam(USER).pw_uid}
    with socket.socket(fileno=helper.FIRST) as listening:
        helper.serve(listening, Actions(PLACES.run, PLACES.data, PLACES.card).act, users)


def _begin_trial() -> None:
    print(begin_trial(PLACES.run, PLACES.card))


def _end_trial() -> None:
    print(end_trial(PLACES.run))


def _cable() -> None:
    cable.run(PLACES.run)


VERBS: dict[str, Callable[[], None]] = {
    "firstboot": _firstboot,
    "settings": _settings,
    "clock-start": _clock_start,
    "clock-keep": _clock_keep,
    "clock-stop": _clock_stop,
    "ready": _ready,
    "helper": _helper,
    "begin-trial": _begin_trial,
    "end-trial": _end_trial,
    "cable": _cable,
}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
