"""Figures 5 to 10 of the BBQ paper, of what was measured on the ECP5."""

from collections.abc import Callable, Sequence
from pathlib import Path

from . import ecp5, svg, sweep
from .designs import DESIGNS
from .measure import Row

WIDTH_COLORS = {2: "#1b6ca8", 4: "#1e8449", 8: "#b9770e", 16: "#c0392b", 32: "#76448a"}
LEVEL_COLORS = {2: "#1b6ca8", 3: "#1e8449", 4: "#b9770e", 5: "#c0392b", 6: "#76448a"}
Value = Callable[[Row], float | None]


def over_entries(rows: Sequence[Row], value: Value) -> list[svg.Series]:
    """A line for each design and width of ranks, of what fits the device; BBQ with nodes of 8 bits, as in the paper."""
    rows = [row for row in rows if (row.block_rams or 0) <= ecp5.BLOCK_RAMS]
    series = []
    for name, design in DESIGNS.items():
        for bits in sweep.LEVELS_OF_RANK:
            chosen = [row for row in rows if row.design == name and row.rank_bits == bits and row.width in (None, 8)]
            points = sorted((row.entries, found) for row in chosen if (found := value(row)) is not None)
            if points:
                series.append(svg.Series(f"{design.title}, {bits} bits", design.color, tuple(points), bits != 9))
    return series


def over_priorities(rows: Sequence[Row], by: str, colors: dict[int, str], label: str) -> list[svg.Series]:
    """BBQ's operations per second, a line for each width or number of levels."""
    series = []
    for key, color in colors.items():
        chosen = [
            row
            for row in rows
            if row.design == "bbq" and row.entries == sweep.SENSITIVITY_ENTRIES and getattr(row, by) == key
        ]
        points = sorted((2.0**row.rank_bits, row.mops) for row in chosen if row.mops is not None)
        if points:
            series.append(svg.Series(label.format(key), color, tuple(points)))
    return series


def write(rows: Sequence[Row], folder: Path) -> list[tuple[str, Path]]:
    """Writes the figures for which there is something to show; their titles and files."""
    folder.mkdir(parents=True, exist_ok=True)
    entries = "entries"
    priorities = f"priorities (BBQ, {sweep.SENSITIVITY_ENTRIES} entries)"
    charts = [
        ("clock", "Clock on the ECP5 (figure 5)", entries, "MHz", over_entries(rows, lambda row: row.mhz_best), False),
        ("throughput", "Operations on the ECP5 (figure 6)", entries, "million operations/s",
         over_entries(rows, lambda row: row.mops), False),
        ("luts", "Logic on the ECP5 (figure 7)", entries, "LUT", over_entries(rows, lambda row: row.luts), True),
        ("block_ram", "Block RAM on the ECP5 (figure 8)", entries, "blocks of 18 kb",
         over_entries([row for row in rows if row.block_rams], lambda row: row.block_rams), True),
        ("widths", "Width of nodes (figure 9)", priorities, "million operations/s",
         over_priorities(rows, "width", WIDTH_COLORS, "{} bits"), False),
        ("levels", "Number of levels (figure 10)", priorities, "million operations/s",
         over_priorities(rows, "levels", LEVEL_COLORS, "{} levels"), False),
    ]  # fmt: skip
    written = []
    for name, title, x_title, y_title, series, log_y in charts:
        if series:
            path = folder / f"{name}.svg"
            path.write_text(svg.chart(title, x_title, y_title, series, log_y))
            written.append((title, path))
    return written
