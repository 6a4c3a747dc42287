"""What a label says, and what its two codes hold; pure.

The code to join is `WIFI:T:…;S:…;P:…;;` as phones' cameras read it (ZXing's "Barcode contents"): a
backslash before each of `\\ ; , : "`, and no quotes around what looks like a hexadecimal number, which
iPhones take for a part of the passphrase.
"""

from dataclasses import dataclass

from segno.helpers import make_wifi_data

from appliance.settings import VISITORS_ADDRESS


@dataclass(frozen=True, slots=True)
class Facts:
    """`network` is the Wi-Fi's name; `passphrase` "" means an open one; `name` is the box's, by which it is
    opened; `language` is one of words.LANGUAGES."""

    network: str
    passphrase: str
    name: str
    language: str

    @property
    def join(self) -> str:
        if not self.passphrase:
            return make_wifi_data(self.network, None, "nopass")
        return make_wifi_data(self.network, self.passphrase, "WPA")

    @property
    def address(self) -> str:
        """What people type and the second code opens."""
        return f"http://{self.name}"

    @property
    def number(self) -> str:
        """The same where names do not work."""
        return f"http://{VISITORS_ADDRESS}"
