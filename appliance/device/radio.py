"""What Wi-Fi takes: network names, passphrases, countries, channels. Pure.

A passphrase of WPA2-Personal has 8 to 63 printable ASCII characters; the key is PBKDF2-HMAC-SHA1 of it with
the network's name as salt, 4096 rounds, 32 bytes (IEEE 802.11-2020, J.4). hostapd gets it as hexadecimal, so
that no quoting can change it.
"""

import hashlib

SHORTEST, LONGEST = 8, 63  # characters of a passphrase
SSID_BYTES = 32
CHANNELS = {"2.4": (6, 1, 11), "5": (36, 40, 44, 48)}  # by band, the usual one first
WORLD = "00"  # no country named: what is allowed everywhere, on 2.4 GHz alone
# Countries that the kernel has radio rules for (wireless-regdb 2026.05.30).
_LISTED = (
    "AD AE AF AI AL AM AN AR AS AT AU AW AZ BA BB BD BE BF BG BH BL BM BN BO BR BS BT BW BY BZ CA CF CH "
    "CI CL CN CO CR CU CX CY CZ DE DK DM DO DZ EC EE EG ES ET FI FM FO FR GB GD GE GF GH GI GL GP GR GT "
    "GU GY HK HN HR HT HU ID IE IL IM IN IR IS IT JM JO JP KE KH KN KP KR KW KY KZ LB LC LI LK LS LT LU "
    "LV MA MC MD ME MF MH MK MN MO MP MQ MR MT MU MV MW MX MY NA NG NI NL NO NP NZ OM PA PE PF PG PH PK "
    "PL PM PR PT PW PY QA RE RO RS RU RW SA SE SG SI SK SM SN SR SV SX SY TC TD TG TH TN TR TT TW TZ UA "
    "UG US UY UZ VA VC VE VI VN VU WF WS YE YT ZA ZW"
)
COUNTRIES = frozenset(_LISTED.split())


def ssid_refusal(ssid: str) -> str:
    """Why this cannot be a network's name, as the end of a sentence; "" when it can."""
    if not ssid.isprintable():
        return "found a sign that cannot be shown, expected text"
    length = len(ssid.encode())
    if not 1 <= length <= SSID_BYTES:
        return f"found {length} bytes, expected 1 to {SSID_BYTES} (é has 2, an emoji 4)"
    if ssid != ssid.strip():
        return f"found {ssid!r} with a space at an end, which nobody sees, expected none there"
    return ""


def refusal(passphrase: str) -> str:
    """Why this cannot be a passphrase, as the end of a sentence that never quotes it; "" when it can."""
    expected = (
        f"expected {SHORTEST} to {LONGEST} letters, digits, spaces and signs of a plain English keyboard"
    )
    if not SHORTEST <= len(passphrase) <= LONGEST:
        return f"found {len(passphrase)} characters, {expected}"
    strange = next((place for place, sign in enumerate(passphrase, 1) if not " " <= sign <= "~"), 0)
    return f"character {strange} is none that every phone sends alike, {expected}" if strange else ""


def key(passphrase: str, ssid: str) -> str:
    """The network's key as 64 hexadecimal digits."""
    return hashlib.pbkdf2_hmac("sha1", passphrase.encode("ascii"), ssid.encode(), 4096, 32).hex()
