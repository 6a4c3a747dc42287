"""What phones and computers ask when they have joined, and what each takes for the internet: from the makers'
published pages and `docs/portal.md`, written down here again, so that the test does not ask the code."""

AFTER = {
    "http://connectivitycheck.gstatic.com/generate_204": (204, ""),
    "http://www.google.com/gen_204": (204, ""),
    "http://clients3.google.com/generate_204": (204, ""),
    "http://connect.rom.miui.com/generate_204": (204, ""),
    "http://connectivitycheck.platform.hicloud.com/generate_204": (204, ""),
    "http://captive.apple.com/hotspot-detect.html": (200, "<TITLE>Success</TITLE>"),
    "http://www.apple.com/library/test/success.html": (200, "<TITLE>Success</TITLE>"),
    "http://www.msftconnecttest.com/connecttest.txt": (200, "Microsoft Connect Test"),
    "http://www.msftncsi.com/ncsi.txt": (200, "Microsoft NCSI"),
    "http://detectportal.firefox.com/canonical.html": (200, "support.mozilla.org/kb/captive-portal"),
    "http://detectportal.firefox.com/success.txt": (200, "success"),
    "http://spectrum.s3.amazonaws.com/kindle-wifi/wifistub.html": (
        200,
        "81ce4465-7167-4dcb-835b-dcc9e44c112a",
    ),
    "http://nmcheck.gnome.org/check_network_status.txt": (200, "NetworkManager is online"),
    "http://network-test.example.org/nm": (200, "NetworkManager is online"),
}
PROBES = tuple(AFTER)
