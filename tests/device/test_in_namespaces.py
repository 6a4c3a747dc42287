"""The real firewall, dnsmasq and nginx with the card's own files, and a phone on the other end of a wire.

As root; the programs are Debian's: dnsmasq-base, nftables, nginx-light, hostapd, iproute2.
"""

import ast
import shutil
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from namespaces import ROOT, joined

from appliance.device import hotspot, names, network, problems
from appliance.device.owner import DEFAULT

pytestmark = pytest.mark.image
ROOTFS = ROOT / "image/rootfs"
BOX = network.ADDRESSES["wlan0"].ip
PAGES = """
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
class Pages(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def do_GET(self):
        body = f"{self.headers['Host']} {self.headers['X-Real-IP']} {self.path}".encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *_words):
        pass
ThreadingHTTPServer(("127.0.0.1", 8080), Pages).serve_forever()
"""


@pytest.fixture(scope="module", autouse=True)
def programs():
    missing = [name for name in ("ip", "nft", "dnsmasq", "nginx", "hostapd") if not shutil.which(name)]
    if missing:
        pytest.fail(f"{', '.join(missing)}: apt install iproute2 nftables dnsmasq-base nginx-light hostapd")


def dnsmasq_file(folder, interface):
    file = folder / f"{interface}.conf"
    file.write_text(
        names.dnsmasq(interface).replace(names.LEASES[interface], str(folder / f"{interface}.leases"))
    )
    return file


def sysctls(family):
    """Of the card, those of one family."""
    lines = (ROOTFS / "etc/sysctl.d/90-lamplight.conf").read_text().splitlines()
    return [line.replace(" ", "") for line in lines if line.startswith(family)]


def nginx_file(folder):
    text = (ROOTFS / "etc/nginx/nginx.conf").read_text()
    file = folder / "nginx.conf"
    file.write_text(
        text.replace("/run/nginx.pid", str(folder / "nginx.pid"))
        .replace("/usr/lib/lamplight", str(ROOTFS / "usr/lib/lamplight"))
    )  # fmt: skip
    return file


@pytest.fixture(scope="module")
def wifi(tmp_path_factory):
    """(box, phone), the phone with an address and the box as its way out, as DHCP tells it."""
    folder = tmp_path_factory.mktemp("box")
    folder.chmod(0o755)
    with joined("lamp-test", "wlan0", str(network.ADDRESSES["wlan0"])) as (box, phone):
        box("ip", "address", "add", f"{network.VISITORS}/32", "dev", "lo")
        box("nft", "-f", ROOTFS / "etc/nftables.conf")
        box("sysctl", "-w", *sysctls("net.ipv4"))
        with (
            box.running("dnsmasq", "--keep-in-foreground", f"--conf-file={dnsmasq_file(folder, 'wlan0')}"),
            box.running("nginx", "-c", nginx_file(folder), "-g", "daemon off;"),
            box.running(sys.executable, "-c", PAGES),
        ):
            offered = phone.python("from appliance.device import dhcp; print(*dhcp.servers('phone0', 2.0))")
            assert offered == str(BOX)
            phone("ip", "address", "add", "10.42.0.77/24", "dev", "phone0")
            phone("ip", "route", "add", "default", "via", str(BOX))
            yield box, phone


def asked(phone, call):
    return ast.literal_eval(phone.python(f"import asking; print(repr(asking.{call}))"))


def fetched(phone, url, host=""):
    headers = {"Host": host} if host else {}
    code = (
        f"import urllib.request; r = urllib.request.Request({url!r}, headers={headers!r})\n"
        "try: print(urllib.request.urlopen(r, timeout=5).read().decode())\n"
        "except urllib.error.HTTPError as e: print(e.code, e.headers['Retry-After'])\n"
    )
    return phone.python(code)


@pytest.mark.parametrize("host", ["lamplight", "lamplight.home.arpa", "captive.apple.com", "a.b.c.example"])
def test_every_name_is_the_box(wifi, host):
    _, phone = wifi
    for server in (BOX, "8.8.8.8"):  # phones that know a server by heart get the same answer
        assert asked(phone, f"name({host!r}, 1, '{server}')") == (0, [str(network.VISITORS)])
        for kind in (28, 65):
            assert asked(phone, f"name({host!r}, {kind}, '{server}')") == (0, [])


def test_windows_gets_the_address_that_it_knows(wifi):
    assert asked(wifi[1], f"name('{names.WINDOWS[0]}', 1, '{BOX}')") == (0, [names.WINDOWS[1]])


@pytest.mark.parametrize("address", [network.VISITORS, BOX, "93.184.216.34"])
def test_the_pages_answer_under_every_address(wifi, address):
    _, phone = wifi
    found = fetched(phone, f"http://{address}/x", "captive.apple.com")
    assert found == "captive.apple.com 10.42.0.77 /x"


def test_a_program_that_names_no_host_reaches_the_pages_too(wifi):
    """HTTP/1.0 needs no Host; passed on as HTTP/1.1 without one, it would be refused."""
    code = (
        "import socket; s = socket.create_connection(('198.51.100.1', 80), 5)\n"
        "s.sendall(b'GET /generate_204 HTTP/1.0\\r\\n\\r\\n')\n"
        "print(s.makefile('rb').read().decode().split('\\r\\n')[-1])"
    )
    assert wifi[1].python(code) == "_ 10.42.0.77 /generate_204"


def test_nobody_can_say_another_address_for_themselves(wifi):
    code = (
        "import urllib.request; r = urllib.request.Request('http://198.51.100.1/', "
        "headers={'X-Real-IP': '1.2.3.4', 'X-Forwarded-For': '1.2.3.4'})\n"
        "print(urllib.request.urlopen(r, timeout=5).read().decode())"
    )
    assert wifi[1].python(code) == "198.51.100.1 10.42.0.77 /"


@pytest.mark.parametrize("port", [443, 853, 22, 8080, 8081, 5228])
@pytest.mark.parametrize("address", [network.VISITORS, BOX, "8.8.8.8"])
def test_every_other_door_is_shut_at_once(wifi, address, port):
    assert asked(wifi[1], f"door('{address}', {port})") == "refused"


@pytest.mark.parametrize("port", [443, 853, 123])
@pytest.mark.parametrize("address", [network.VISITORS, BOX, "8.8.8.8"])
def test_every_other_datagram_is_refused(wifi, address, port):
    assert asked(wifi[1], f"datagram('{address}', {port})") == "refused"


def test_one_visitor_cannot_take_all_connections(wifi):
    """It opens them and says nothing; another one is answered all the while, and it again when it lets go."""
    _, phone = wifi
    phone("ip", "address", "add", "10.42.0.78/24", "dev", "phone0")
    code = (
        "import socket, time\n"
        "def connect(source): return socket.create_connection(('198.51.100.1', 80), 5, (source, 0))\n"
        "def get(source):\n"
        "    with connect(source) as one:\n"
        "        one.sendall(b'GET /x HTTP/1.0\\r\\n\\r\\n'); return b'200 OK' in one.makefile('rb').read()\n"
        "held = []\n"
        "try:\n"
        "    while len(held) < 1000: held.append(connect('10.42.0.77'))\n"
        "except ConnectionRefusedError: pass\n"
        "print(len(held), get('10.42.0.78'))\n"
        "for one in held: one.close()\n"
        "end = time.monotonic() + 20\n"
        "while True:\n"
        "    try: print(get('10.42.0.77')); break\n"
        "    except ConnectionRefusedError:\n"  # the ends of so many are still on their way
        "        if time.monotonic() > end: raise\n"
        "        time.sleep(0.1)"
    )
    assert phone.python(code).split() == ["200", "True", "True"]


def test_the_box_itself_speaks_to_nobody_else(wifi):
    box, _ = wifi
    box("ip", "route", "add", "default", "via", "10.42.0.77")
    try:
        for address in ("8.8.8.8", "93.184.216.34"):
            assert asked(box, f"door('{address}', 80)").startswith("silence")
    finally:
        box("ip", "route", "del", "default")


def test_the_cable_falls_silent_for_another_server(tmp_path):
    """The other one gives out addresses on the wire already; then it is gone."""
    tmp_path.chmod(0o755)
    with joined("lamp-cable", "eth0", str(network.ADDRESSES["eth0"])) as (box, other):
        box("nft", "-f", ROOTFS / "etc/nftables.conf")
        ask = "from appliance.device import cable; print(*cable.others())"
        assert box.python(ask) == ""
        other("ip", "address", "add", "192.168.9.1/24", "dev", "phone0")
        options = [
            "--keep-in-foreground",
            "--port=0",
            "--interface=phone0",
            "--dhcp-range=192.168.9.50,192.168.9.90",
        ]
        with other.running(
            "dnsmasq", *options, f"--dhcp-leasefile={tmp_path / 'leases'}", "--conf-file=/dev/null"
        ):
            assert box.python(ask) == "192.168.9.1"
        assert box.python(ask) == ""


def test_the_box_serves_the_cable_until_another_server_comes(tmp_path):
    """The whole process of lamplight-cable.service, with a quicker eye."""
    tmp_path.chmod(0o755)
    dnsmasq_file(tmp_path, "eth0").rename(tmp_path / "dnsmasq-eth0.conf")
    watch = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r})\n"
        "from pathlib import Path; from appliance.device import cable; "
        f"cable.run(Path({str(tmp_path)!r}), 3.0)"
    )
    served = "from appliance.device import dhcp; print(*sorted(dhcp.servers('phone0', 1.5)))"
    ours = str(network.ADDRESSES["eth0"].ip)
    options = [
        "--keep-in-foreground",
        "--port=0",
        "--interface=phone0",
        "--dhcp-range=192.168.9.50,192.168.9.90",
    ]
    with joined("lamp-watch", "eth0", str(network.ADDRESSES["eth0"])) as (box, other):
        box("nft", "-f", ROOTFS / "etc/nftables.conf")
        with box.running(sys.executable, "-c", watch):
            until(lambda: other.python(served) == ours)
            assert problems.read(tmp_path) == ()
            other("ip", "address", "add", "192.168.9.1/24", "dev", "phone0")
            with other.running(
                "dnsmasq", *options, f"--dhcp-leasefile={tmp_path}/leases", "--conf-file=/dev/null"
            ):
                until(lambda: problems.read(tmp_path) != ())
                assert "192.168.9.1" in problems.read(tmp_path)[0].sentence
                until(lambda: ours not in other.python(served))
            until(lambda: other.python(served) == ours)
            assert problems.read(tmp_path) == ()


def until(found):
    """Waits for what comes within a minute."""
    end = time.monotonic() + 60
    while not found():
        assert time.monotonic() < end
        time.sleep(0.5)


def test_our_own_server_is_nobody_else(tmp_path):
    tmp_path.chmod(0o755)
    with joined("lamp-own", "eth0", str(network.ADDRESSES["eth0"])) as (box, phone):
        box("nft", "-f", ROOTFS / "etc/nftables.conf")
        with box.running("dnsmasq", "--keep-in-foreground", f"--conf-file={dnsmasq_file(tmp_path, 'eth0')}"):
            served = "from appliance.device import dhcp; print(*dhcp.servers('phone0', 2.0))"
            assert phone.python(served) == str(network.ADDRESSES["eth0"].ip)
            assert box.python("from appliance.device import cable; print(*cable.others())") == ""


def test_a_box_whose_pages_are_away_says_so(tmp_path):
    tmp_path.chmod(0o755)
    with joined("lamp-away", "wlan0", str(network.ADDRESSES["wlan0"])) as (box, phone):
        phone("ip", "address", "add", "10.42.0.77/24", "dev", "phone0")
        with box.running("nginx", "-c", nginx_file(tmp_path), "-g", "daemon off;"):
            assert fetched(phone, f"http://{BOX}/") == "503 5"
            ready = "from appliance.device import ready; print(ready.pages_answer())"
            assert box.python(ready) == "False"
            with box.running(sys.executable, "-c", PAGES):
                assert box.python(ready) == "True"


@pytest.mark.parametrize(
    "changes", [{}, {"open_network": True}, {"band": "5", "country": "FR", "ssid": "santé"}]
)
def test_hostapd_reads_its_file(tmp_path, changes):
    """It fails for want of a radio here, but not over a line of the file."""
    owner = replace(DEFAULT, **changes)
    file = tmp_path / "hostapd.conf"
    text = hotspot.hostapd(owner, "" if owner.open_network else "water and light")
    file.write_text(text)
    assert "errors found in configuration" not in said_of(file)
    file.write_text(text.replace("max_num_sta", "max_num_stations"))
    assert "errors found in configuration" in said_of(file)


def said_of(file: Path) -> str:
    done = subprocess.run(["hostapd", file], capture_output=True, text=True, check=False, timeout=20)
    return done.stdout + done.stderr
