"""Figures 5 to 10 of the BBQ paper, from measurements on the ECP5."""

from collections.abc import Callable, Sequence
from pathlib import Path

from . import charts, ecp5, sweep
from .designs import DESIGNS
from .measure import Row

WIDTHS = (2, 4, 8, 16, 32)
LEVELS = (2, 3, 4, 5, 6)
Value = Callable[[Row], float | None]


def over_entries(rows: Sequence[Row], value: Value) -> list[charts.Series]:
    """A line for each design and width of ranks, for sizes that fit the device; BBQ with nodes of 8 bits, as in the paper."""
    rows = [row for row in rows if (row.block_rams or 0) <= ecp5.BLOCK_RAMS]
    series = []
    for name, design in DESIGNS.items():
        for bits in sweep.LEVELS_OF_RANK:
            chosen = [row for row in rows if row.design == name and row.rank_bits == bits and row.width in (None, 8)]
            points = sorted((row.entries, found) for row in chosen if (found := value(row)) is not None)
            if points:
                series.append(charts.Series(f"{design.title}, {bits} bits", tuple(points)))
    return series


def over_priorities(rows: Sequence[Row], by: str, keys: Sequence[int], label: str) -> list[charts.Series]:
    """BBQ's operations per second, a line for each width or number of levels."""
    series = []
    for key in keys:
        chosen = [
            row
            for row in rows
            if row.design == "bbq" and row.entries == sweep.SENSITIVITY_ENTRIES and getattr(row, by) == key
        ]
        points = sorted((2.0**row.rank_bits, row.mops) for row in chosen if row.mops is not None)
        if points:
            series.append(charts.Series(label.format(key), tuple(points)))
    return series


def write(rows: Sequence[Row], folder: Path) -> list[tuple[str, Path]]:
    """Writes the figures that have data; returns their titles and files."""
    folder.mkdir(parents=True, exist_ok=True)
    entries = "entries"
    priorities = f"priorities (BBQ, {sweep.SENSITIVITY_ENTRIES} entries)"
    drawn = [
        ("clock", "Clock on the ECP5 (figure 5)", entries, "MHz", over_entries(rows, lambda row: row.mhz_best), False),
        ("throughput", "Operations on the ECP5 (figure 6)", entries, "million operations/s",
         over_entries(rows, lambda row: row.mops), False),
        ("luts", "Logic on the ECP5 (figure 7)", entries, "LUT", over_entries(rows, lambda row: row.luts), True),
        ("block_ram", "Block RAM on the ECP5 (figure 8)", entries, "blocks of 18 kb",
         over_entries([row for row in rows if row.block_rams], lambda row: row.block_rams), True),
        ("widths", "Width of nodes (figure 9)", priorities, "million operations/s",
         over_priorities(rows, "width", WIDTHS, "{} bits"), False),
        ("levels", "Number of levels (figure 10)", priorities, "million operations/s",
         over_priorities(rows, "levels", LEVELS, "{} levels"), False),
    ]  # fmt: skip
    written = []
    for name, title, x_title, y_title, series, log_y in drawn:
        if series:
            path = folder / f"{name}.svg"
            charts.write(path, title, x_title, y_title, series, log_y)
            written.append((title, path))
    return written
