"""Small charts of bars as the template draws them (SVG): places and sizes in the chart's own units. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

HEIGHT, STEP, GAP = 60, 10, 2  # of the bars' field; from bar to bar; between two


@dataclass(frozen=True, slots=True)
class Bar:
    """`label` names it; of `number` so many are `part`, drawn at its foot. A number that is not 0 is at least
    a line."""

    label: str
    number: int
    part: int
    x: int
    height: float
    part_height: float

    @property
    def y(self) -> float:
        return HEIGHT - self.height

    @property
    def part_y(self) -> float:
        return HEIGHT - self.part_height


@dataclass(frozen=True, slots=True)
class Chart:
    """Bars from left to right, and the largest number."""

    bars: tuple[Bar, ...]
    most: int

    @property
    def width(self) -> int:
        return len(self.bars) * STEP

    @property
    def total(self) -> int:
        return sum(bar.number for bar in self.bars)

    @property
    def parts(self) -> int:
        return sum(bar.part for bar in self.bars)

    @property
    def empty(self) -> bool:
        return not self.most


def chart(labels: Sequence[str], numbers: Sequence[int], parts: Sequence[int] = ()) -> Chart:
    """A bar for each label; `parts` are those of each number that are drawn apart."""
    most = max(numbers, default=0)
    bars = tuple(
        Bar(label, number, part, place * STEP, _height(number, most), _height(part, most))
        for place, (label, number, part) in enumerate(
            zip(labels, numbers, parts or [0] * len(numbers), strict=True)
        )
    )
    return Chart(bars, most)


def _height(number: int, most: int) -> float:
    return round(max(1.5, HEIGHT * number / most), 1) if number else 0.0
