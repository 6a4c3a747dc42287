"""The cable: nobody is served before the question who else serves, and everyone falls silent for another."""

import random
import struct
from ipaddress import IPv4Address

from every import every

from appliance.device import cable, dhcp, problems
from appliance.device.cable import AGAIN, Cable

OTHER = IPv4Address("192.168.1.1")
MAC = bytes.fromhex("dca632000001")


def reply(number, kind=dhcp.OFFER, server=OTHER.packed, op=dhcp.REPLY):
    packet = bytearray(dhcp.discover(number, MAC))
    packet[0] = op
    options = bytes((0, 0, dhcp.TYPE, 1, kind, 51, 4, 0, 0, 14, 16, dhcp.SERVER, len(server))) + server
    return bytes(packet[:240]) + options + b"\xff"


def test_the_question_is_a_dhcp_message():
    packet = dhcp.discover(0x12345678, MAC)
    assert packet[:8] == bytes((1, 1, 6, 0)) + struct.pack(">I", 0x12345678)
    assert packet[10:12] == b"\x80\x00"
    assert packet[28:34] == MAC
    assert packet[236:] == bytes((99, 130, 83, 99, 53, 1, 1, 255))


def test_an_offer_names_its_server():
    assert dhcp.offered(reply(7), 7) == OTHER


@every(
    "packet",
    [
        b"",
        reply(8),
        reply(7, kind=5),
        reply(7, server=b"\1\2"),
        reply(7, op=1),
        reply(7)[:200],
        reply(7)[:240],
    ],
)
def test_other_packets_are_none(packet):
    assert dhcp.offered(packet, 7) is None


def test_no_scribble_is_more_than_none():
    chance = random.Random(4)
    for _ in range(3000):
        packet = bytearray(reply(7))
        for _ in range(chance.randint(1, 8)):
            packet[chance.randrange(len(packet))] = chance.randrange(256)
        found = dhcp.offered(bytes(packet[: chance.randrange(len(packet) + 1)]), 7)
        assert found is None or isinstance(found, IPv4Address)


class World:
    """A plug, another server, and whether we serve."""

    def __init__(self):
        self.plug, self.others, self.serving, self.asked, self.told = b"1", set(), False, 0, None
        self.plug_after = None  # what a question finds changed when it is over
        self.cable = Cable(self, lambda: self.plug, self.ask, self.tell)

    def start(self):
        self.serving = True

    def stop(self):
        self.serving = False

    def ask(self):
        assert self.plug
        self.asked += 1
        self.plug = self.plug_after or self.plug
        return set(self.others)

    def tell(self, found):
        self.told = set(found)


def test_nobody_else_so_it_serves_and_asks_again():
    world = World()
    world.cable.look(0.0)
    assert world.serving
    world.cable.look(1.0)
    assert world.asked == 1
    world.cable.look(AGAIN + 1)
    assert world.asked == 2


def test_somebody_else_keeps_it_silent_until_gone():
    world = World()
    world.others = {OTHER}
    world.cable.look(0.0)
    assert not world.serving
    assert world.told == {OTHER}
    world.others = set()
    world.cable.look(AGAIN + 1)
    assert world.serving
    assert world.told == set()


def test_somebody_who_comes_later_silences_it():
    world = World()
    world.cable.look(0.0)
    world.others = {OTHER}
    world.cable.look(AGAIN + 1)
    assert not world.serving


def test_a_cable_put_elsewhere_is_asked_about_before_anything_is_served():
    world = World()
    world.cable.look(0.0)
    world.plug = None
    world.cable.look(2.0)
    assert not world.serving
    world.plug, world.others = b"3", {OTHER}
    world.cable.look(4.0)
    assert not world.serving
    assert world.asked == 2


def test_a_cable_changed_between_two_looks_is_a_new_one():
    world = World()
    world.cable.look(0.0)
    world.plug, world.others = b"3", {OTHER}
    world.cable.look(2.0)
    assert not world.serving


def test_a_cable_changed_while_asking_is_asked_about_again():
    world = World()
    world.plug_after = b"3"
    world.cable.look(0.0)
    assert not world.serving
    world.cable.look(2.0)
    assert world.asked == 2
    assert world.serving


def test_the_status_page_names_the_other_one(tmp_path):
    cable.tell(tmp_path, {OTHER})
    (problem,) = problems.read(tmp_path)
    assert str(OTHER) in problem.sentence
    cable.tell(tmp_path, set())
    assert problems.read(tmp_path) == ()


def test_a_plug_is_read_from_the_kernel(tmp_path):
    assert cable.plug(tmp_path) is None
    (tmp_path / "carrier").write_text("1\n")
    (tmp_path / "carrier_changes").write_text("5\n")
    assert cable.plug(tmp_path) == b"5\n"
    (tmp_path / "carrier").write_text("0\n")
    assert cable.plug(tmp_path) is None
