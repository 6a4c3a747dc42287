"""The supervisor over real small programs that live, die, ignore and stay mute."""

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from appliance.errors import SetupError
from appliance.services.children import last_words
from appliance.services.runtime import ServiceState, ask_again, asked_again, read_states, supervised
from appliance.services.supervise import Child, Pace, Program, Signals, Supervisor, patience

pytestmark = pytest.mark.slow

QUICK = Pace(tick=0.01, beat=0.02, first_pause=0.01, goodbye=0.3)
CHILD = Path(__file__).parent / "child.py"
ROOT = CHILD.parent.parent.parent


def program(name, mode, folder, **options):
    folder = folder / name
    folder.mkdir(exist_ok=True)
    command = [sys.executable, "-I", "-S", str(CHILD), mode, str(folder)]
    return Program(name, name.title(), command, (folder / "ready").exists, dict(os.environ), **options)


def until(condition, seconds=30.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)


def alive(pid):
    """Zombies are dead."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


@contextmanager
def running(folder, *programs, notes=(), pace=QUICK):
    """The supervisor in a thread; gives a look at the states by name, and what `run` raised."""
    supervisor = Supervisor(programs, folder, notes, pace)
    announced = threading.Event()
    raised = []

    def run():
        try:
            supervisor.run(lambda _absent: announced.set())
        except SetupError as error:
            raised.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield (lambda: {state.name: state for state in read_states(folder)}), announced, raised
    finally:
        supervisor.stop()
        thread.join(60)
        assert not thread.is_alive()


def test_announces_once_all_answer_and_ends_all(tmp_path):
    with running(tmp_path, program("one", "live", tmp_path), program("two", "live", tmp_path)) as (
        states,
        up,
        _,
    ):
        assert up.wait(30)
        pids = [state.pid for state in states().values()]
        assert [state.state for state in states().values()] == ["ready", "ready"]
        assert all(alive(pid) for pid in pids)
    assert not any(alive(pid) for pid in pids)
    assert read_states(tmp_path) == ()


def test_what_dies_comes_back_and_the_others_go_on(tmp_path):
    with running(tmp_path, program("one", "live", tmp_path), program("two", "live", tmp_path)) as (
        states,
        up,
        _,
    ):
        assert up.wait(30)
        before = states()
        os.kill(before["one"].pid, signal.SIGKILL)
        until(lambda: states()["one"].restarts == 1 and states()["one"].state == "ready")
        assert states()["one"].pid != before["one"].pid
        assert states()["two"] == before["two"]


def test_what_keeps_dying_is_given_up_with_a_sentence(tmp_path, capsys):
    with running(tmp_path, program("bad", "dies", tmp_path), program("good", "live", tmp_path)) as (
        states,
        up,
        _,
    ):
        assert up.wait(30)
        until(lambda: states()["bad"].state == "stopped")
        assert states()["bad"].sentence == "Bad ended (exit code 3), 5 times in a row, and is left off."
        assert states()["good"].state == "ready"
    assert "It said last: The disk is on fire. Call for help.\n" in capsys.readouterr().err


def test_an_essential_program_that_keeps_dying_ends_all(tmp_path):
    bad, good = program("bad", "dies", tmp_path, essential=True), program("good", "live", tmp_path)
    with running(tmp_path, bad, good) as (states, up, raised):
        until(lambda: states().get("good") and states()["good"].pid)
        pid = states()["good"].pid
        until(lambda: raised)
        assert not up.is_set()
        assert not alive(pid)
    assert "Bad ended (exit code 3), 5 times in a row" in str(raised[0])


def test_a_program_that_cannot_be_started_is_one_that_dies(tmp_path):
    absent = Program("gone", "Gone", ["/nowhere/program"], lambda: False, dict(os.environ))
    with running(tmp_path, absent) as (states, _, _raised):
        until(lambda: states() and states()["gone"].state == "stopped")
        assert "Gone ended (exit code 127)" in states()["gone"].sentence


def test_silence_counts_as_death(tmp_path, capsys):
    with running(tmp_path, program("mute", "mute", tmp_path, patience=0.1)) as (states, _, _raised):
        until(lambda: states() and states()["mute"].restarts == 1)
    assert "Mute did not answer within 0 s (SIGTERM) and is started again." in capsys.readouterr().err


def test_one_that_hangs_is_ended_and_started_again(tmp_path, capsys):
    with running(tmp_path, program("one", "live", tmp_path), program("two", "live", tmp_path)) as (
        states,
        up,
        _,
    ):
        assert up.wait(30)
        before = states()
        os.kill(before["one"].pid, signal.SIGSTOP)
        (tmp_path / "one" / "ready").unlink()  # which is all that its probe looks at
        until(lambda: states()["one"].restarts == 1 and states()["one"].state == "ready")
        assert not alive(before["one"].pid)
        assert states()["two"] == before["two"]
    assert "One no longer answered (SIGKILL) and is started again." in capsys.readouterr().err


def test_two_looks_without_an_answer_end_nothing(tmp_path):
    looks = []

    def answers():
        looks.append(len(looks) % 3 == 0)
        return looks[-1]

    busy = replace(program("busy", "live", tmp_path), answers=answers)
    with running(tmp_path, busy) as (states, up, _):
        assert up.wait(30)
        until(lambda: len(looks) > 9)
        assert states()["busy"].restarts == 0


def test_a_log_that_cannot_be_opened_keeps_nobody_from_starting(tmp_path):
    (tmp_path / "one.log").mkdir()
    with running(tmp_path, program("one", "live", tmp_path)) as (states, up, _):
        assert up.wait(30)
        assert (states()["one"].state, states()["one"].restarts) == ("ready", 0)


def test_what_libzim_says_of_each_search_is_not_what_a_process_said_last(tmp_path):
    log = tmp_path / "web.log"
    log.write_text("The disk is on fire.\nNo stemming for language 'xyz'\nNo stemming for language 'xyz'\n")
    assert last_words(log) == "It said last: The disk is on fire."
    log.write_text("No stemming for language 'xyz'\n")
    assert last_words(log) == ""


def test_what_llama_says_of_a_models_tokens_is_not_what_it_said_last(tmp_path):
    log = tmp_path / "llama.log"
    log.write_text(
        "load: control-looking token: 128247 '</s>' was not control-type; this is probably a bug in the "
        "model. its type will be overridden\n"
    )
    assert last_words(log) == ""


def test_each_further_try_has_twice_the_time_up_to_a_bound(tmp_path):
    child = Child(program("slow", "mute", tmp_path, patience=120.0))
    found = []
    for child.failures in range(5):
        found.append(patience(child))
    assert found == [120.0, 240.0, 480.0, 900.0, 900.0]


def test_a_slow_one_does_not_hold_back_the_announcement(tmp_path):
    pace = Pace(tick=0.01, hello=0.1, goodbye=0.3)
    good, mute = program("good", "live", tmp_path, essential=True), program("mute", "mute", tmp_path)
    supervisor, said = Supervisor([good, mute], tmp_path, pace=pace), []

    def announced(absent):
        said.extend(absent)
        supervisor.stop()

    supervisor.run(announced)
    assert said == ["Mute is being started."]


def test_ends_what_ignores_sigterm_and_grandchildren(tmp_path):
    deaf, parent = program("deaf", "stubborn", tmp_path), program("parent", "parent", tmp_path)
    with running(tmp_path, deaf, parent) as (states, up, _):
        assert up.wait(30)
        pids = [state.pid for state in states().values()]
        pids.append(int((tmp_path / "parent" / "grandchild").read_text()))
        assert all(alive(pid) for pid in pids)
    until(lambda: not any(alive(pid) for pid in pids))


def test_what_is_being_ended_is_no_longer_said_to_be_ready(tmp_path):
    deaf = program("deaf", "stubborn", tmp_path)
    with running(tmp_path, deaf, pace=replace(QUICK, goodbye=20)) as (states, up, _):
        assert up.wait(30)
        pid = states()["deaf"].pid
        ask_again(tmp_path)
        until(lambda: not states())
        assert alive(pid)
        os.kill(pid, signal.SIGKILL)


def test_notes_stay_in_the_states(tmp_path):
    note = ServiceState("kiwix", "off", "kiwix-serve is not installed.")
    with running(tmp_path, program("one", "live", tmp_path), notes=[note]) as (states, up, _):
        assert up.wait(30)
        assert states()["kiwix"] == note


SUPERVISED = """
import os, sys
from pathlib import Path
from appliance.services.supervise import Pace, Program, Signals, Supervisor
folder, child = Path(sys.argv[1]), sys.argv[2]
ready = (folder / "ready").exists
command = [sys.executable, "-I", "-S", child, "live", str(folder)]
supervisor = Supervisor([Program("one", "One", command, ready, os.environ)], folder)
with Signals(supervisor.stop):
    supervisor.run(print)
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_children_end_with_the_supervisor_however_it_ends(tmp_path, number):
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", SUPERVISED, str(tmp_path), str(CHILD)]
    supervisor = subprocess.Popen(command, env=environment)
    try:
        until(lambda: any(state.state == "ready" for state in read_states(tmp_path)))
        pid = read_states(tmp_path)[0].pid
        assert alive(pid)
        supervisor.send_signal(number)
        code = supervisor.wait(60)
    finally:
        supervisor.kill()
        supervisor.wait()
    until(lambda: not alive(pid))
    assert code == (-number if number == signal.SIGKILL else 0)


def test_a_page_s_wish_to_start_again_ends_all_and_says_so(tmp_path):
    ask_again(tmp_path)  # of a supervisor before: not of this one
    supervisor = Supervisor([program("one", "live", tmp_path)], tmp_path, pace=QUICK)
    said = []

    def up(_absent):
        said.append(read_states(tmp_path)[0].pid)
        assert supervised(tmp_path)
        ask_again(tmp_path)

    assert supervisor.run(up) is True
    assert not alive(said[0])
    assert not supervised(tmp_path)
    assert not asked_again(tmp_path)


def test_signals_are_put_back():
    before = signal.getsignal(signal.SIGTERM)
    with Signals(lambda: None):
        assert signal.getsignal(signal.SIGTERM) is not before
    assert signal.getsignal(signal.SIGTERM) is before
