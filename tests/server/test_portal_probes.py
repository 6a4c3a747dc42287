from collections import Counter

from every import every

from appliance.server import portal_probes
from appliance.server.portal_probes import TABLE, Probe, find

# What each system is known to ask, and the answer that it takes for "online": host, path, status, type, body.
# Kept apart from the table on purpose, as the makers' own servers give it.
SUCCESS = "<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>"
CANONICAL = '<meta http-equiv="refresh" content="0;url=https://support.mozilla.org/kb/captive-portal"/>'
KINDLE = "81ce4465-7167-4dcb-835b-dcc9e44c112a\n"
KNOWN = [
    ("connectivitycheck.gstatic.com", "/generate_204", 204, None, ""),
    ("www.google.com", "/gen_204", 204, None, ""),
    ("play.googleapis.com", "/generate_204", 204, None, ""),
    ("connectivitycheck.android.com", "/generate_204", 204, None, ""),
    ("clients3.google.com", "/generate_204", 204, None, ""),
    ("connectivity.samsung.com.cn", "/generate_204", 204, None, ""),
    ("connect.rom.miui.com", "/generate_204", 204, None, ""),
    ("connectivitycheck.platform.hicloud.com", "/generate_204", 204, None, ""),
    (
        "connectivitycheck.cbg-app.huawei.com",
        "/generate_204_57a6b1f2-0c1d-4f0e-9d3c-3b1f8f3d0a11",
        204,
        None,
        "",
    ),
    ("conn1.oppomobile.com", "/generate_204", 204, None, ""),
    ("wifi.vivo.com.cn", "/generate_204", 204, None, ""),
    ("fireoscaptiveportal.com", "/generate_204", 204, None, ""),
    ("www.gstatic.com", "/generate_204", 204, None, ""),
    ("edge-http.microsoft.com", "/captiveportal/generate_204", 204, None, ""),
    ("b-www.facebook.com", "/mobile/status.php", 204, None, ""),
    ("captive.apple.com", "/hotspot-detect.html", 200, "text/html", SUCCESS),
    ("www.apple.com", "/library/test/success.html", 200, "text/html", SUCCESS),
    ("www.airport.us", "/Xw2k/9fA.html", 200, "text/html", SUCCESS),
    ("captive.apple.com", "/", 200, "text/html", SUCCESS),
    ("www.msftconnecttest.com", "/connecttest.txt", 200, "text/plain", "Microsoft Connect Test"),
    ("ipv6.msftconnecttest.com", "/connecttest.txt", 200, "text/plain", "Microsoft Connect Test"),
    ("www.msftncsi.com", "/ncsi.txt", 200, "text/plain", "Microsoft NCSI"),
    ("detectportal.firefox.com", "/canonical.html", 200, "text/html", CANONICAL),
    ("detectportal.firefox.com", "/success.txt", 200, "text/plain", "success\n"),
    ("spectrum.s3.amazonaws.com", "/kindle-wifi/wifistub.html", 200, "text/html", KINDLE),
    ("spectrum.s3.amazonaws.com", "/kindle-wifi/wifistub-eink.html", 200, "text/html", KINDLE),
    ("nmcheck.gnome.org", "/check_network_status.txt", 200, "text/plain", "NetworkManager is online\n"),
    ("ping.archlinux.org", "/nm-check.txt", 200, "text/plain", "NetworkManager is online\n"),
    ("network-test.debian.org", "/nm", 200, "text/plain", "NetworkManager is online\n"),
    ("fedoraproject.org", "/static/hotspot.txt", 200, "text/plain", "OK"),
    ("connectivity-check.ubuntu.com", "/", 204, None, ""),
    ("conncheck.opensuse.org", "/", 200, "text/plain", ""),
    ("networkcheck.kde.org", "/", 200, "text/plain", "OK\n"),
    ("ipv4.connman.net", "/online/status.html", 200, "text/html", ""),
    ("captive.roku.com", "/ok", 200, "text/plain", "ok"),
]
PAGES = [("www.msftconnecttest.com", "/redirect"), ("www.amazon.com", "/kindle-wifi/wifiredirect.html")]


@every(("host", "path"), [(row[0], row[1]) for row in KNOWN] + PAGES)
def test_every_known_question_is_in_the_table(host: str, path: str) -> None:
    assert find(host, path) is not None


def test_every_row_is_asked_for_by_some_known_question() -> None:
    met = {found.who for host, path in [(r[0], r[1]) for r in KNOWN] + PAGES if (found := find(host, path))}
    alike = {"some makers' Android", "iOS, older"}  # the same answer as the row before, under one more path
    assert {row.who for row in TABLE} - alike == met


@every("row", [row for row in TABLE if not row.hosts], ids=lambda row: row.path)
def test_a_path_counts_on_any_host(row: Probe) -> None:
    path = row.path.replace(portal_probes.ANY, "x")
    assert find("some.name.example", path) is find("", path) is row


@every(
    ("host", "path"),
    [
        ("connectivity-check.ubuntu.com", "/other"),
        ("example.org", "/"),
        ("example.org", "/generate_204/"),
        ("example.org", "/a/generate_204"),
        ("example.org", "/HOTSPOT-DETECT.HTML"),
        ("example.org", "/nm/x"),
        ("www.apple.com", "/iphone"),
    ],
)
def test_what_only_looks_like_a_question_is_none(host: str, path: str) -> None:
    assert find(host, path) is None


def test_no_path_and_no_host_stands_in_two_rows() -> None:
    counted = Counter(row.path for row in TABLE if not row.hosts)
    counted += Counter(host for row in TABLE for host in row.hosts)
    assert max(counted.values()) == 1


@every(
    "path",
    [
        *("/", "/ask", "/status", "/source", "/welcome", "/favicon.ico", "/static/lamplight.css", "/healthz"),
        *("/read/", "/read/book/A/page.html", "/read/catch/external", "/api/search", "/v1/models"),
    ],
)
@every("host", ["lamplight.home.arpa", "lamplight", "198.51.100.1", "kiosk.localhost"])
def test_no_page_of_the_box_is_taken_for_a_question(host: str, path: str) -> None:
    assert find(host, path) is None
