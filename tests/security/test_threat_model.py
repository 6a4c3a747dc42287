"""Each claim of docs/threat-model.md names a test that is there."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROWS = [
    line for line in (ROOT / "docs/threat-model.md").read_text("utf-8").splitlines()
    if line.startswith("| ") and not line.startswith(("| claim", "| who"))
]  # fmt: skip


def test_every_claim_names_a_test_that_is_there() -> None:
    claims = [row for row in ROWS if row.count("|") == 3]
    assert len(claims) > 25
    for row in claims:
        held = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", row)
        assert held, row
        for file, name in held:
            assert f"def {name}(" in (ROOT / file).read_text("utf-8"), (file, name)
