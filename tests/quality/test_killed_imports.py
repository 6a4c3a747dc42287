"""Processes that import are killed; nothing that they acknowledged is lost. The bench does it 500 times."""

from pathlib import Path

import pytest

from appliance.quality.killed_imports import kills


@pytest.mark.slow
def test_kills_during_imports_lose_nothing_acknowledged(tmp_path: Path) -> None:
    tally = kills(tmp_path / "documents", 12)
    assert tally.wrong == []
    assert tally.healed == 0
    assert tally.kills == 12
    assert tally.added > 12
    assert tally.deleted > 0
