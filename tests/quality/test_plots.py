import struct
import sys

import numpy as np
import pytest

from appliance.errors import SetupError
from appliance.quality import plots
from appliance.quality.plots import Judged

SETTINGS = {"strict": 0.8, "balanced": 0.6, "open": 0.4}


def judged(probabilities=(0.9, 0.55, 0.0, 0.7, 0.1, 0.0), answerable=(1, 1, 1, 0, 0, 0)):
    return Judged(np.array(probabilities), np.array(answerable, dtype=np.bool_))


@pytest.mark.parametrize(
    ("groups", "said"),
    [
        ({}, "need a group"),
        ({"NQ": judged(answerable=[1] * 6)}, "NQ: needs questions that can be answered and"),
        ({"NQ": judged(answerable=[0] * 6)}, "NQ: needs questions that can be answered and"),
        ({"NQ": judged([0.5, 0.5, 1.5], [1, 0, 0])}, "NQ: every probability must lie between 0 and 1"),
        ({"NQ": judged([0.5, 0.5, np.nan], [1, 0, 0])}, "NQ: every probability must lie between 0 and 1"),
        ({"NQ": judged([0.5, 0.5], [1, 0, 0])}, r"NQ: .* must both be \[n\], they are \(2,\) and \(3,\)"),
        ({"NQ": judged([], [])}, "NQ: needs questions that can be answered and"),
    ],
)
def test_what_cannot_be_drawn_is_named(groups, said, tmp_path):
    with pytest.raises(ValueError, match=said):
        plots.draw(groups, SETTINGS, tmp_path)


def test_no_more_settings_than_can_be_told_apart(tmp_path):
    with pytest.raises(ValueError, match="at most 3 settings"):
        plots.draw({"NQ": judged()}, {**SETTINGS, "wide": 0.1}, tmp_path)


def test_without_matplotlib_it_says_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(SetupError, match="matplotlib") as caught:
        plots.draw({"NQ": judged()}, SETTINGS, tmp_path / "plots")
    assert "lamplight[desktop]" in caught.value.hint
    assert not (tmp_path / "plots").exists()


# These need no model, but importing matplotlib and drawing takes seconds, which the default tier has not.
@pytest.mark.models
def test_three_pictures_with_the_same_bytes_each_time(tmp_path):
    groups = {"NQ": judged(), "SQuAD": judged((1.0, 0.8, 0.2, 0.3, 0.0, 0.0))}
    first = plots.draw(groups, SETTINGS, tmp_path / "new" / "first")
    import matplotlib

    with matplotlib.rc_context({"lines.linewidth": 9, "font.size": 30, "savefig.dpi": 20}):
        again = plots.draw(groups, SETTINGS, tmp_path / "again")  # a reader's own settings change nothing
        assert matplotlib.rcParams["font.size"] == 30  # nor are they changed
    assert [path.name for path in first] == ["gate-roc.png", "gate-calibration.png", "gate-errors.png"]
    assert sorted(path.name for path in first[0].parent.iterdir()) == sorted(path.name for path in first)
    for one, other in zip(first, again, strict=True):
        drawn = one.read_bytes()
        assert drawn == other.read_bytes()
        assert not {kind for kind, _ in chunks(drawn)} & {b"tIME", b"tEXt", b"iTXt", b"zTXt", b"eXIf"}
        width, height = struct.unpack(">II", dict(chunks(drawn))[b"IHDR"][:8])
        assert min(width, height) >= 1000


@pytest.mark.models
def test_each_picture_follows_its_input(tmp_path):
    """Other probabilities change all three; other thresholds all but the calibration."""
    base = [path.read_bytes() for path in plots.draw({"NQ": judged()}, SETTINGS, tmp_path)]
    other = judged((0.9, 0.55, 0.3, 0.7, 0.1, 0.0))
    moved = [path.read_bytes() for path in plots.draw({"NQ": other}, SETTINGS, tmp_path)]
    assert [a == b for a, b in zip(base, moved, strict=True)] == [False, False, False]
    stricter = {**SETTINGS, "strict": 0.95}
    moved = [path.read_bytes() for path in plots.draw({"NQ": judged()}, stricter, tmp_path)]
    assert [a == b for a, b in zip(base, moved, strict=True)] == [False, True, False]


@pytest.mark.models
def test_what_is_drawn_is_what_was_measured():
    """The curve of the picture against the rates counted by hand: 1 of 3 answerable ones is refused at .4."""
    figure = plots.errors_by_threshold({"NQ": judged()}, SETTINGS)
    (axes,) = figure.axes
    labels = [text.get_text() for text in axes.get_legend().get_texts()]
    assert "open (0.40): 33.3 % false answers, 33.3 % false refusals" in labels
    assert "strict (0.80): 0.0 % false answers, 66.7 % false refusals" in labels
    (answers,) = [line for line in axes.get_lines() if line.get_label() == "false answers"]
    assert np.interp(0.4, answers.get_xdata(), answers.get_ydata()) == pytest.approx(1 / 3)
    roc = plots.roc({"NQ": judged()}, SETTINGS).axes[0]
    assert any("NQ: AUC 0.611" in text.get_text() for text in roc.get_legend().get_texts())  # 5.5 of 9 pairs


def chunks(png):
    """Kind and data of each chunk of a PNG file."""
    at = 8
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        yield png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        at += 12 + length
