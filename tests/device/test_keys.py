"""Secrets: made once on each box, never empty after a power cut, readable for whom they are."""

import os
import re
import stat

import pytest

from appliance.device import keys

GROUP = os.getgid()


def test_each_is_made_once(tmp_path):
    first = keys.keep(tmp_path, GROUP)
    assert keys.keep(tmp_path, GROUP) == first
    assert re.fullmatch(r"[a-z2-9]{4}-[a-z2-9]{4}", first.admin_code)
    assert re.fullmatch(r"([a-z2-9]{4}-){2}[a-z2-9]{4}", first.wifi_passphrase)


def test_no_two_boxes_share_one(tmp_path):
    made = set()
    for name in range(20):
        (tmp_path / str(name)).mkdir()
        found = keys.keep(tmp_path / str(name), GROUP)
        made |= {found.admin_code, found.wifi_passphrase}
    assert len(made) == 40


@pytest.mark.parametrize("content", [b"", b"\0" * 65, b"abc", b"\xff\xfe"])
@pytest.mark.parametrize("name", ["admin-code", "wifi-passphrase"])
def test_what_is_not_whole_is_made_again_and_the_rest_stays(tmp_path, name, content):
    before = keys.keep(tmp_path, GROUP)
    (tmp_path / "secrets" / name).write_bytes(content)
    after = keys.keep(tmp_path, GROUP)
    changed = {field for field in keys.Keys.__slots__ if getattr(before, field) != getattr(after, field)}
    assert changed == {name.replace("-", "_")}


def test_nobody_else_reads_them(tmp_path):
    keys.keep(tmp_path, GROUP)
    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in (tmp_path / "secrets").iterdir()}
    assert modes == {"admin-code": 0o640, "wifi-passphrase": 0o600}
    assert stat.S_IMODE((tmp_path / "secrets").stat().st_mode) == 0o750


def test_an_owner_who_asks_for_it_gets_another_code_and_nothing_else(tmp_path):
    before = keys.keep(tmp_path, GROUP)
    after = keys.keep(tmp_path, GROUP, new_code=True)
    assert after.admin_code != before.admin_code
    assert after.wifi_passphrase == before.wifi_passphrase
    assert keys.keep(tmp_path, GROUP) == after
