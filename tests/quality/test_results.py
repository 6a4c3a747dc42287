"""Figures as data: lines that name no machine's owner or path, and a table of the newest."""

import json
from dataclasses import replace

import pytest
from every import every

from appliance.__main__ import parser
from appliance.errors import SetupError
from appliance.quality import results
from appliance.quality.bench import PARTS, bench
from appliance.quality.results import Figure
from appliance.settings import load


def test_a_line_says_on_what_it_was_measured():
    (line,) = results.lines([Figure("search", "p50", 12.3456, "ms", "at most 60")])
    assert line.figure == 12.3
    assert len(line.model_sha256) == 64
    assert line.date.count("-") == 2
    assert "cores" in line.machine
    assert "/" not in line.machine.replace("x86_64", "").split(",")[-1]


@every(("found", "kept"), [(0.95449, 0.954), (9.8765, 9.877), (123.456, 123.5), (1e6, 1e6)])
def test_figures_keep_three_digits_at_least(found, kept):
    assert results.lines([Figure("p", "w", found, "u")])[0].figure == kept


def test_the_table_has_the_newest_of_each(tmp_path):
    file = tmp_path / "benchmarks" / "results.jsonl"
    (first, other) = results.lines(
        [Figure("search", "p50", 80, "ms", "at most 60"), Figure("box", "start", 4, "s")]
    )
    results.append(file, [first, other])
    results.append(file, [replace(first, figure=40.0, commit="abc1234")])
    assert [line.figure for line in results.read(file)] == [80, 4, 40]
    table = file.with_name("README.md").read_text()
    assert "| p50 | 40 | ms | at most 60 | abc1234 |" in table
    assert "| p50 | 80 |" not in table
    assert table.index("### search") < table.index("### box")
    assert all(set(json.loads(line)) >= {"what", "figure", "unit"} for line in file.read_text().splitlines())


def test_a_line_that_is_no_result_is_named(tmp_path):
    (tmp_path / "results.jsonl").write_text('{"what": 1}\n')
    with pytest.raises(SetupError, match=r"Line 1 of results\.jsonl"):
        results.read(tmp_path / "results.jsonl")


@pytest.mark.slow
def test_parts_without_their_data_are_left_out_with_a_sentence(tmp_path, capsys):
    file = tmp_path / "results.jsonl"
    needing = [part for part in PARTS if part not in ("conversations", "small")]  # they make their own
    assert bench(load({"home": tmp_path}, {}), tmp_path, needing, file) == 1
    said = capsys.readouterr()
    for part in needing:
        assert f"Left out: {part}. " in said.err
    assert said.out == ""
    assert not file.exists()


def test_every_part_can_be_named_and_no_other(capsys):
    for part in PARTS:
        assert parser().parse_args(["bench", "--only", part]).only == [part]
    with pytest.raises(SystemExit):
        parser().parse_args(["bench", "--only", "wings"])
    said = capsys.readouterr().err
    assert "invalid choice: 'wings'" in said
    assert all(part in said.rpartition("choose from")[2] for part in PARTS)
