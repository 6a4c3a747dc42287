import pytest
from every import every

from appliance.label.facts import Facts

SPECIAL = {
    "plain": "water and light",
    "backslash": "back\\slash",
    "semicolon": "semi;colon",
    "comma": "com,ma,ma",
    "colon": "co:lon:::",
    "quotes": '"quoted"',
    "all": '\\;,:"' * 12,
    "ends-in-backslash": "trailing\\",
    "digits": "12345678",
    "hexadecimal": "deadbeef00",
    "looks-like-a-code": "x;;WIFI:S:y;P:z;;",
    "spaces": " two  spaces ",
    "longest": "~" * 63,
}
NETWORKS = ("Lamplight", "École", "図書館", "CAFE", 'a\\;,:"b', "📚")


def read(code: str) -> dict[str, str]:
    """What a phone makes of a code: fields up to an unescaped `;`, a backslash taking the next sign as it is
    (ZXing, "Barcode contents")."""
    assert code.startswith("WIFI:")
    assert code.endswith(";;")
    fields, part, signs = {}, "", iter(code.removeprefix("WIFI:"))
    for sign in signs:
        if sign == "\\":
            part += next(signs)
        elif sign == ";":
            name, _, value = part.partition(":")
            fields |= {name: value} if part else {}
            part = ""
        else:
            part += sign
    return fields


@every("passphrase", SPECIAL.values())
@every("network", NETWORKS)
def test_a_phone_reads_name_and_passphrase_as_they_are(network: str, passphrase: str) -> None:
    assert read(Facts(network, passphrase, "lamplight", "en").join) == {
        "T": "WPA",
        "S": network,
        "P": passphrase,
    }


def test_an_open_network_has_no_passphrase() -> None:
    assert read(Facts("Lamplight", "", "lamplight", "en").join) == {"T": "nopass", "S": "Lamplight"}


@pytest.mark.parametrize("passphrase", [SPECIAL["digits"], SPECIAL["hexadecimal"]])
def test_no_quotes_are_put_around_a_number(passphrase: str) -> None:
    """iPhones take them for a part of the passphrase."""
    assert '"' not in Facts("CAFE", passphrase, "lamplight", "en").join


def test_addresses() -> None:
    facts = Facts("Lamplight", "", "clinic", "en")
    assert (facts.address, facts.number) == ("http://clinic", "http://198.51.100.1")
