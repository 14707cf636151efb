"""A line chart as SVG, by hand: x in powers of two, y with logarithmic or even steps, a line with dots for each series."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT = 700, 400
LEFT, RIGHT, TOP, BOTTOM = 70, 215, 40, 50


@dataclass(frozen=True)
class Series:
    """A line: points in order of x."""

    label: str
    color: str
    points: tuple[tuple[float, float], ...]
    dashed: bool = False


def even_ticks(most: float) -> list[float]:
    """Five or so round values from 0."""
    if most <= 0:
        return [0.0, 1.0]
    step = 10 ** math.floor(math.log10(most / 4))
    step *= next(factor for factor in (1, 2, 2.5, 5, 10) if most / (step * factor) <= 5)
    return [step * index for index in range(math.ceil(most / step) + 1)]


def power_ticks(least: float, most: float) -> list[float]:
    """Powers of two around the values, ten at most."""
    low, high = math.floor(math.log2(least) + 1e-9), math.ceil(math.log2(most) - 1e-9)
    stride = max(1, math.ceil((high - low) / 9))
    return [2.0**exponent for exponent in range(low, high + stride, stride)]


def round_ticks(least: float, most: float) -> list[float]:
    """1, 2, 5, 10, 20 and so on, from the last below the values to the first above."""
    exponents = range(math.floor(math.log10(least)), math.ceil(math.log10(most)) + 1)
    steps = [factor * 10.0**exponent for exponent in exponents for factor in (1, 2, 5)]
    low = max(step for step in steps if step <= least)
    high = min(step for step in steps if step >= most)
    return [step for step in steps if low <= step <= high]


def power(value: float) -> str:
    """A power of two."""
    return f'2<tspan dy="-5" font-size="9">{round(math.log2(value))}</tspan>'


def chart(title: str, x_title: str, y_title: str, series: Sequence[Series], log_y: bool = False) -> str:
    """The chart; x is logarithmic to the base 2."""
    xs = [x for line in series for x, _ in line.points]
    ys = [y for line in series for _, y in line.points]
    x_ticks = power_ticks(min(xs), max(xs))
    y_ticks = round_ticks(min(ys), max(ys)) if log_y else even_ticks(max(ys))

    def place_x(x: float) -> float:
        low, high = math.log2(x_ticks[0]), math.log2(x_ticks[-1])
        return LEFT + (math.log2(x) - low) / max(high - low, 1e-9) * (WIDTH - LEFT - RIGHT)

    def place_y(y: float) -> float:
        scale = math.log10 if log_y else float
        low, high = scale(y_ticks[0]), scale(y_ticks[-1])
        return HEIGHT - BOTTOM - (scale(y) - low) / max(high - low, 1e-9) * (HEIGHT - TOP - BOTTOM)

    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        f'<text x="{LEFT}" y="22" font-size="14">{escape(title)}</text>',
    ]
    for x in x_ticks:
        at = place_x(x)
        lines.append(f'<line x1="{at:.1f}" y1="{TOP}" x2="{at:.1f}" y2="{HEIGHT - BOTTOM}" stroke="#eee"/>')
        lines.append(f'<text x="{at:.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{power(x)}</text>')
    for y in y_ticks:
        at = place_y(y)
        lines.append(f'<line x1="{LEFT}" y1="{at:.1f}" x2="{WIDTH - RIGHT}" y2="{at:.1f}" stroke="#ddd"/>')
        lines.append(f'<text x="{LEFT - 6}" y="{at + 4:.1f}" text-anchor="end">{y:,.6g}</text>')
    middle = (LEFT + WIDTH - RIGHT) / 2
    lines.append(f'<text x="{middle:.1f}" y="{HEIGHT - 12}" text-anchor="middle">{escape(x_title)}</text>')
    lines.append(
        f'<text transform="translate(16 {(TOP + HEIGHT - BOTTOM) / 2:.1f}) rotate(-90)" text-anchor="middle">'
        f"{escape(y_title)}</text>"
    )
    for index, line in enumerate(series):
        dash = ' stroke-dasharray="5 4"' if line.dashed else ""
        places = [(place_x(x), place_y(y)) for x, y in line.points]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        lines.append(f'<polyline points="{path}" fill="none" stroke="{line.color}" stroke-width="2"{dash}/>')
        fill = "white" if line.dashed else line.color
        lines += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{fill}" stroke="{line.color}"/>' for x, y in places]
        row = TOP + 12 + 18 * index
        start = WIDTH - RIGHT + 12
        lines.append(f'<line x1="{start}" y1="{row}" x2="{start + 22}" y2="{row}" stroke="{line.color}" stroke-width="2"{dash}/>')
        lines.append(f'<text x="{start + 28}" y="{row + 4}">{escape(line.label)}</text>')
    return "\n".join([*lines, "</svg>"]) + "\n"
