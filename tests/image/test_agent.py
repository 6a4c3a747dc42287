"""The agent and its other end, over a socket of this machine in place of the virtio port."""

import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from agent import Agent
from guest import Guest
from waiting import TimedOut

pytestmark = pytest.mark.slow


@pytest.fixture
def guest(tmp_path: Path) -> Iterator[Guest]:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "agent"))
        server.listen()
        guest = Guest(tmp_path / "agent", lambda: "the tail")
        port, _ = server.accept()
    with port, port.makefile("rwb", buffering=0) as opened:
        listening = threading.Thread(target=Agent(opened).listen)
        listening.start()
        assert guest.hello.wait(10)
        yield guest
        port.shutdown(socket.SHUT_RDWR)
        listening.join(10)
    guest.close()


def test_output_and_code_come_back(guest: Guest) -> None:
    done = guest.ask("sh", "-c", "echo out; echo err >&2; exit 3")
    assert (done.out, done.err, done.code) == ("out\n", "err\n", 3)


def test_large_output_comes_whole_while_others_talk(guest: Guest) -> None:
    large = [guest.start("sh", "-c", "yes | head -c 3000000") for _ in range(3)]
    assert [len(one.wait().out) for one in large] == [3_000_000] * 3
    assert guest.run("echo", "still here") == "still here\n"


def test_input_is_handed_over(guest: Guest) -> None:
    assert guest.run("cat", text="zwölf") == "zwölf"


def test_commands_run_side_by_side_and_output_comes_piece_by_piece(guest: Guest) -> None:
    slow = guest.start("sh", "-c", "echo first; read line; echo $line", text="")
    waiting = guest.start("sh", "-c", "echo a; sleep 0.3; echo b")
    assert guest.run("echo", "meanwhile") == "meanwhile\n"
    assert not waiting.ended.is_set()
    assert slow.wait().out == "first\n\n"
    pieces = [piece for piece in waiting.wait().pieces if piece.fd == 1]
    assert [piece.data for piece in pieces] == [b"a\n", b"b\n"]
    assert pieces[1].at - pieces[0].at > 0.2


def test_a_command_that_takes_too_long_is_ended_and_told_with_the_console(guest: Guest) -> None:
    with pytest.raises(TimedOut, match=r"(?s)sleep 60.*the tail"):
        guest.ask("sh", "-c", "sleep 60", seconds=0.2)
    assert guest.run("echo", "still here") == "still here\n"


def test_a_program_that_is_not_there(guest: Guest) -> None:
    done = guest.ask("/nowhere/program")
    assert done.code == 127
    assert "nowhere" in done.err


def test_a_command_that_must_end_well_says_what_it_printed(guest: Guest) -> None:
    with pytest.raises(AssertionError, match="ended with 1\nwhy"):
        guest.run("sh", "-c", "echo why; exit 1")
