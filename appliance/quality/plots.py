"""Pictures of the gate: ROC, calibration, and both error rates by threshold, as PNG files.

The one door to matplotlib, which only the desktop has: it is imported when something is drawn. The same input
gives the same bytes: the look is set here and not by the reader's own settings, and the files hold neither a
date nor a version. The colours are those of Okabe and Ito (2008), which colour-blind people tell apart; each
has a line and a marker of its own too.
"""

import io
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from appliance.errors import SetupError
from appliance.quality import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BLUE, RED, GREEN, PURPLE = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
GREY, DARK = "#767676", "#333333"
LINES = ((BLUE, "-", "o"), (RED, "--", "s"), (GREEN, "-.", "^"), (PURPLE, ":", "D"))
MARKS = (("s", ":"), ("o", "--"), ("^", "-."))  # marker and line of each setting, in their order
DENSITY = 200  # dots per inch: twice the 100 that the sizes below are meant for


@dataclass(frozen=True, slots=True)
class Judged:
    """A group's questions: the gate's probability of each, [n] in 0…1; whether it can be answered, [n]."""

    probabilities: NDArray[np.float64]
    answerable: NDArray[np.bool_]


def require_matplotlib() -> None:
    """Raises SetupError when matplotlib is not installed. Call it before a long measurement."""
    try:
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise SetupError(
            "Drawing plots needs the package matplotlib, which is not installed.",
            "Install the extra: pip install 'lamplight[desktop]'.",
        ) from error


def draw(groups: Mapping[str, Judged], settings: Mapping[str, float], folder: Path) -> list[Path]:
    """Writes gate-roc.png, gate-calibration.png and gate-errors.png into `folder`, which is made if need be.

    `groups`: name -> its questions. `settings`: name -> threshold of at most three settings, strictest first.
    Raises ValueError when a group cannot be drawn (none or one kind of question, no probabilities),
    SetupError without matplotlib, OSError when a file cannot be written.
    """
    if not groups or len(settings) > len(MARKS):
        raise ValueError(f"Plots need a group and at most {len(MARKS)} settings, not {groups}, {settings}.")
    for name, group in groups.items():
        _require_drawable(name, group)
    require_matplotlib()
    pictures = {"roc": roc, "calibration": calibration, "errors": errors_by_threshold}
    with _look():
        return [
            _write(picture(groups, settings), folder / f"gate-{name}.png")
            for name, picture in pictures.items()
        ]


def _require_drawable(name: str, group: Judged) -> None:
    if group.probabilities.ndim != 1 or group.probabilities.shape != group.answerable.shape:
        shapes = f"{group.probabilities.shape} and {group.answerable.shape}"
        raise ValueError(f"{name}: probabilities and answerable must both be [n], they are {shapes}.")
    if not np.all((group.probabilities >= 0) & (group.probabilities <= 1)):  # NaN is neither
        raise ValueError(f"{name}: every probability must lie between 0 and 1.")
    if group.answerable.all() or not group.answerable.any():
        raise ValueError(f"{name}: needs questions that can be answered and questions that cannot.")


@contextmanager
def _look() -> Iterator[None]:
    import matplotlib

    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(
            {
                "font.family": "DejaVu Sans",  # comes with matplotlib
                "font.size": 10,
                "text.parse_math": False,
                "axes.titlesize": 11,
                "axes.edgecolor": GREY,
                "axes.spines.top": False,
                "axes.spines.right": False,
                "axes.grid": True,
                "axes.axisbelow": True,
                "grid.color": "#E4E4E4",
                "legend.fontsize": 9,
                "legend.edgecolor": "white",
                "lines.linewidth": 1.8,
                "figure.constrained_layout.w_pad": 0.1,  # inches
            }
        )
        yield


def _figure(width: float, height: float, title: str) -> "Figure":
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), dpi=DENSITY, facecolor="white", layout="constrained")
    figure.suptitle(title, fontsize=13, fontweight="bold", color=DARK)
    return figure


def _write(figure: "Figure", target: Path) -> Path:
    """Aside, then renamed: the name never holds half a picture."""
    drawn = io.BytesIO()
    figure.savefig(drawn, format="png", metadata={"Software": None})  # by Agg: no screen is needed
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(target.name + ".part")
    part.write_bytes(drawn.getvalue())
    part.replace(target)
    return target


def _percent(axes: "Axes", *, both: bool) -> None:
    """Shares as 0 % to 100 %, with room for a marker on the edge."""
    from matplotlib.ticker import FuncFormatter

    for axis in (axes.xaxis, axes.yaxis) if both else (axes.yaxis,):
        axis.set_major_formatter(FuncFormatter(lambda share, _: f"{100 * share:.0f} %"))
    axes.set_xlim(-0.02, 1.02)
    axes.set_ylim(-0.02, 1.02)
    axes.set_xticks(np.linspace(0, 1, 6))
    axes.set_yticks(np.linspace(0, 1, 6))


def _kinds(group: Judged) -> str:
    asked = int(group.answerable.sum())
    return f"{asked:,} answerable, {len(group.answerable) - asked:,} unanswerable"


def roc(groups: Mapping[str, Judged], settings: Mapping[str, float]) -> "Figure":
    """One curve for each group, over every threshold; a marker where each setting stands."""
    figure = _figure(6.6, 6.6, "How well the gate tells what it can answer")
    axes = figure.subplots()
    axes.plot([0, 1], [0, 1], color=GREY, linewidth=1, linestyle=(0, (1, 3)), label="chance (AUC 0.5)")
    for (name, group), (colour, line, _) in zip(groups.items(), cycle(LINES), strict=False):
        p, answerable = group.probabilities, group.answerable
        rows = [figures.errors(p, answerable, t) for t in (np.inf, *np.unique(p)[::-1])]
        axes.plot(
            [row.false_answers for row in rows],
            [1 - row.false_refusals for row in rows],
            color=colour,
            linestyle=line,
            label=f"{name}: AUC {figures.area(p, answerable):.3f} ({_kinds(group)})",
        )
        for (_, threshold), (marker, _) in zip(settings.items(), MARKS, strict=False):
            at = figures.errors(p, answerable, threshold)
            _mark(axes, at.false_answers, 1 - at.false_refusals, marker, colour)
    for (setting, threshold), (marker, _) in zip(settings.items(), MARKS, strict=False):
        _mark(axes, np.nan, np.nan, marker, GREY, f"{setting}: answered from {threshold:.2f} on")
    _percent(axes, both=True)
    axes.set_aspect("equal")
    axes.set_xlabel("False answers: unanswerable questions that are answered")
    axes.set_ylabel("Answerable questions that are answered")
    axes.legend(loc="lower right")
    return figure


def _mark(axes: "Axes", x: float, y: float, marker: str, colour: str, label: str = "") -> None:
    axes.plot(
        [x],
        [y],
        marker=marker,
        color=colour,
        markersize=8,
        markeredgecolor="white",
        linestyle="none",
        zorder=5,
        label=label or "_",
    )


def calibration(groups: Mapping[str, Judged], _settings: Mapping[str, float]) -> "Figure":
    """A reliability diagram for each group, with how many questions each of its ten bins holds."""
    figure = _figure(max(6.0, 4.8 * len(groups)), 6.4, "Does the probability mean what it says?")
    grid = figure.subplots(2, len(groups), sharex=True, sharey="row", squeeze=False, height_ratios=(3, 1))
    for upper, lower, (name, group), (colour, line, marker) in zip(
        *grid, groups.items(), cycle(LINES), strict=False
    ):
        bins = figures.calibration(group.probabilities, group.answerable)
        filled = [one for one in bins if one is not None]
        upper.plot([0, 1], [0, 1], color=GREY, linewidth=1, linestyle=(0, (1, 3)), label="as promised")
        upper.plot(
            [one.promised for one in filled],
            [one.kept for one in filled],
            color=colour,
            linestyle=line,
            marker=marker,
            label="measured",
        )
        _percent(upper, both=True)
        off = f"off by {100 * figures.calibration_error(bins):.1f} points (expected calibration error)"
        upper.set_title(f"{name}: {off}\n{_kinds(group)}")
        upper.legend(loc="upper left")
        counts = [one.count if one else 0 for one in bins]
        middles = (np.arange(len(bins)) + 0.5) / len(bins)
        bars = lower.bar(middles, counts, width=0.9 / len(bins), color=colour)
        lower.bar_label(bars, [f"{count:,}" for count in counts], fontsize=8, padding=1)
        lower.margins(y=0.2)
        lower.grid(visible=False)
        lower.set_xlabel("Probability that the evidence answers the question")
    grid[0][0].set_ylabel("Share that can be answered")
    grid[1][0].set_ylabel("Questions")
    return figure


def errors_by_threshold(groups: Mapping[str, Judged], settings: Mapping[str, float]) -> "Figure":
    """Both rates for each group, a vertical line at each setting, and what it costs in figures."""
    figure = _figure(max(6.0, 4.8 * len(groups)), 5.8, "What each threshold costs")
    panels = figure.subplots(1, len(groups), sharey=True, squeeze=False)[0]
    for axes, (name, group) in zip(panels, groups.items(), strict=True):
        p, answerable = group.probabilities, group.answerable
        rows = [figures.errors(p, answerable, float(t)) for t in np.linspace(0, 1, 1001)]
        at = [row.threshold for row in rows]
        axes.plot(at, [row.false_answers for row in rows], color=RED, label="false answers")
        axes.plot(
            at, [row.false_refusals for row in rows], color=BLUE, linestyle="--", label="false refusals"
        )
        for (setting, threshold), (marker, line) in zip(settings.items(), MARKS, strict=False):
            here = figures.errors(p, answerable, threshold)
            axes.axvline(threshold, color=DARK, linewidth=1, linestyle=line)
            _mark(axes, threshold, here.false_answers, marker, RED)
            _mark(axes, threshold, here.false_refusals, marker, BLUE)
            label = (
                f"{setting} ({threshold:.2f}): {100 * here.false_answers:.1f} % false answers, "
                f"{100 * here.false_refusals:.1f} % false refusals"
            )
            axes.plot([], [], color=DARK, linewidth=1, linestyle=line, marker=marker, label=label)
        _percent(axes, both=False)
        axes.set_title(f"{name}\n{_kinds(group)}")
        axes.set_xlabel("Threshold: answered from this probability on")
        axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14))
    panels[0].set_ylabel("Share of the questions of that kind")
    return figure
