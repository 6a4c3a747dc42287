"""How phones and computers ask whether a network leads to the internet, and what each takes for yes; pure.

A device that joins a network asks a plain-HTTP address of its maker. The answer that it knows means
"online"; a redirect means "somebody has to agree to something first", and it opens a sheet with the page
that it was led to. Every name leads to this box, so the paths tell who asks; a few ask for no path of their
own and are known by the name. Status, type and body are what the makers' own servers give, as far as that
is published or was seen by others; `docs/portal.md` says for which rows no real device was met.
"""

from dataclasses import dataclass

ANY = "*"


@dataclass(frozen=True, slots=True)
class Probe:
    """One row. `path` is exact, or a beginning with `*` at its end; with `hosts` it counts on these only.
    `page`: a browser shows what comes back, so once the visitor has agreed it is led to the start page."""

    who: str
    path: str
    body: bytes = b""
    status: int = 200
    type: str = "text/plain"
    headers: tuple[tuple[str, str], ...] = ()
    hosts: tuple[str, ...] = ()
    page: bool = False


_APPLE = b"<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>"
_FIREFOX = b'<meta http-equiv="refresh" content="0;url=https://support.mozilla.org/kb/captive-portal"/>'
_KINDLE = b"81ce4465-7167-4dcb-835b-dcc9e44c112a\n"  # a Kindle looks for this number
_ONLINE = (("x-networkmanager-status", "online"),)  # enough for NetworkManager, whatever the body is
_NETWORKMANAGER = b"NetworkManager is online\n"

TABLE = (
    # Android asks /generate_204, then /gen_204. Makers changed the name that is asked, not the path: Samsung,
    # Xiaomi (MIUI), Oppo, OnePlus, Realme, Vivo, Honor, Amazon (Fire OS), LineageOS, GrapheneOS.
    Probe("Android, its makers, ChromeOS, Chrome", "/generate_204", status=204),
    Probe("Huawei, with a number at the end", "/generate_204_*", status=204),
    Probe("Android's second question", "/gen_204", status=204),
    Probe("some makers' Android", "/generate204", status=204),
    Probe("Edge", "/captiveportal/generate_204", status=204),
    Probe("Samsung with apps of Facebook", "/mobile/status.php", status=204),
    Probe("iOS and macOS", "/hotspot-detect.html", _APPLE, type="text/html"),
    Probe("iOS, older", "/hotspotdetect.html", _APPLE, type="text/html"),
    Probe("iOS and macOS, older", "/library/test/success.html", _APPLE, type="text/html"),
    Probe(
        "iOS, with paths made up each time",
        ANY,
        _APPLE,
        type="text/html",
        hosts=(
            "captive.apple.com",
            "www.airport.us",
            "www.appleiphonecell.com",
            "www.ibook.info",
            "www.itools.info",
            "www.thinkdifferent.us",
        ),
    ),
    Probe("Windows", "/connecttest.txt", b"Microsoft Connect Test"),
    Probe("Windows before 10, Kobo", "/ncsi.txt", b"Microsoft NCSI"),
    Probe("Windows, in the browser that it opens", "/redirect", page=True),
    Probe("Firefox", "/canonical.html", _FIREFOX, type="text/html"),
    Probe("Firefox, its second question", "/success.txt", b"success\n"),
    Probe("Kindle, Echo", "/kindle-wifi/wifistub.html", _KINDLE, type="text/html"),
    Probe("Kindle", "/kindle-wifi/wifistub-eink.html", _KINDLE, type="text/html"),
    Probe("Kindle, in its browser", "/kindle-wifi/wifiredirect.html", page=True),
    Probe("GNOME, Arch", "/check_network_status.txt", _NETWORKMANAGER, headers=_ONLINE),
    Probe("Arch", "/nm-check.txt", _NETWORKMANAGER, headers=_ONLINE),
    Probe("Debian", "/nm", _NETWORKMANAGER, headers=_ONLINE),
    Probe("Fedora", "/static/hotspot.txt", b"OK", headers=_ONLINE),
    Probe("Ubuntu", "/", status=204, headers=_ONLINE, hosts=("connectivity-check.ubuntu.com",)),
    Probe("openSUSE", "/", headers=_ONLINE, hosts=("conncheck.opensuse.org",)),
    Probe("KDE", "/", b"OK\n", headers=_ONLINE, hosts=("networkcheck.kde.org",)),
    Probe("ConnMan", "/online/status.html", type="text/html", headers=(("x-connman-status", "online"),)),
    Probe("Roku", "/ok", b"ok"),
)
_BY_PATH = {row.path: row for row in TABLE if not row.hosts}
_BY_BEGINNING = tuple(row for row in TABLE if row.path.endswith(ANY) and not row.hosts)
_BY_HOST = {host: row for row in TABLE for host in row.hosts}


def find(host: str, path: str) -> Probe | None:
    """The row that a request is, by its path alone where it can be; None: it is no probe that we know."""
    if found := _BY_PATH.get(path):
        return found
    for row in _BY_BEGINNING:
        if path.startswith(row.path[:-1]):
            return row
    named = _BY_HOST.get(host)
    return named if named and named.path in (ANY, path) else None
