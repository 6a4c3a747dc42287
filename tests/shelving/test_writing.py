"""A stick is opened for writing by the helper alone, and closed whatever happens; the helper is a thread with
its real socket, and what it would mount is a word in a file."""

import os
import socket
import threading

import pytest

from appliance.device import client, helper
from appliance.device.verbs import CloseStick, OpenStick
from appliance.errors import BundleError, DeviceError, ServiceDown
from appliance.shelving.writing import writable

pytestmark = pytest.mark.slow


class Box:
    """Sticks under run/sticks as the card's units leave them; `mounted` is how the one stick is."""

    def __init__(self, run):
        self.run, self.mounted, self.asked, self.locked, self.stuck = run, "ro", [], False, False
        self.stick = run / "sticks/CLINIC"
        self.stick.mkdir(parents=True)
        (run / "sticks/.sdb1").write_text("CLINIC\n")
        (run / "sticks/.sdc1").write_text("OTHER\n")

    def act(self, verb):
        self.asked.append(verb)
        match verb:
            case OpenStick():
                self.mounted = "ro" if self.locked else "rw"
            case CloseStick() if self.stuck:
                raise DeviceError("systemctl stop failed.")
            case CloseStick():
                self.mounted = "ro"
        return "Done."

    def writable(self):
        return writable(str(self.run), self.stick, lambda _: self.mounted == "ro")


@pytest.fixture
def box(tmp_path):
    found = Box(tmp_path)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / client.SOCKET))
        listening.listen()
        thread = threading.Thread(target=helper.serve, args=(listening, found.act, {os.getuid()}, 0.1))
        thread.start()
        yield found
        thread.join(60)


def test_it_is_open_while_it_is_written_to(box):
    with box.writable():
        assert box.mounted == "rw"
    assert box.mounted == "ro"
    assert box.asked == [OpenStick("sdb1"), CloseStick("sdb1")]


def test_it_is_closed_when_writing_fails(box):
    with pytest.raises(OSError, match="No space"), box.writable():
        raise OSError(28, "No space left on device")
    assert box.mounted == "ro"


def test_a_stick_with_a_lock_is_a_sentence(box):
    box.locked = True
    with pytest.raises(BundleError, match="The stick CLINIC cannot be written to"), box.writable():
        pytest.fail("it was not open")
    assert box.asked[-1] == CloseStick("sdb1")


def test_a_stick_that_was_not_closed_is_not_called_ready(box):
    box.stuck = True
    with pytest.raises(BundleError, match="was written to, but not closed"), box.writable():
        pass


def test_what_went_wrong_first_is_told(box):
    box.stuck = True
    with pytest.raises(OSError, match="Input/output"), box.writable():
        raise OSError(5, "Input/output error")


def test_a_stick_that_no_unit_has_mounted_is_asked_for_by_nobody(box):
    (box.run / "sticks/.sdb1").unlink()
    with pytest.raises(BundleError, match="no longer there"), box.writable():
        pytest.fail("it was not open")
    assert box.asked == []


def test_without_a_helper_it_is_a_sentence(tmp_path):
    box = Box(tmp_path)
    with pytest.raises(ServiceDown, match="does not answer"), box.writable():
        pytest.fail("it was not open")


def test_a_desktop_has_no_helper_and_needs_none(tmp_path):
    with writable("", tmp_path):
        (tmp_path / "file").touch()
