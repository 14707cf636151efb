"""The table of all measurements as text, Markdown, CSV and JSON, and its comparison with the published."""

import csv
import io
import json
from collections.abc import Callable, Sequence
from pathlib import Path

from . import published
from .designs import DESIGNS, Point
from .measure import Row

Cell = str
COLUMNS: tuple[tuple[str, Callable[[Row], Cell]], ...] = (
    ("design", lambda row: DESIGNS[row.design].title),
    ("levels", lambda row: number(row.levels)),
    ("width", lambda row: number(row.width)),
    ("entries", lambda row: number(row.entries)),
    ("rank bits", lambda row: number(row.rank_bits)),
    ("LUT", lambda row: number(row.luts)),
    ("FF", lambda row: number(row.flops)),
    ("block RAM", lambda row: number(row.block_rams)),
    ("MHz best", lambda row: number(row.mhz_best)),
    ("MHz median", lambda row: number(row.mhz_median)),
    ("cycles/op", lambda row: f"{row.cycles:g}"),
    ("Mop/s", lambda row: number(row.mops)),
    ("logic um2", lambda row: number(row.asap7_logic_um2)),
    ("memory um2", lambda row: number(None if row.asap7_memory_mm2 is None else row.asap7_memory_mm2 * 1e6)),
    ("ASAP7 GHz", lambda row: number(row.asap7_ghz, 2)),
)


def number(value: float | None, digits: int = 0) -> str:
    """A number with thousands set off, or nothing."""
    return "" if value is None else f"{value:,.{digits}f}"


def markdown_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table whose first column is text and whose others are numbers; readable as plain text too."""
    widths = [max(len(row[index]) for row in [heads, *rows]) for index in range(len(heads))]
    lines = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(heads, widths, strict=True)) + " |"]
    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    lines.append("| " + " | ".join(rule) + " |")
    for row in rows:
        cells = [cell.rjust(width) for cell, width in zip(row, widths, strict=True)]
        cells[0] = row[0].ljust(widths[0])
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def order(row: Row) -> tuple[int, int, int, int]:
    """Designs in their order, then by ranks, then by capacity."""
    return (list(DESIGNS).index(row.design), row.rank_bits, row.width or 0, row.entries)


def main_table(rows: Sequence[Row]) -> str:
    """Everything that was measured."""
    cells = [[cell(row) for _, cell in COLUMNS] for row in sorted(rows, key=order)]
    return markdown_table([head for head, _ in COLUMNS], cells)


def find(rows: Sequence[Row], point: Point) -> Row | None:
    """The row of a configuration."""
    for row in rows:
        if (row.design, row.entries, row.rank_bits, row.levels, row.width) == (
            point.design, point.entries, point.rank_bits, point.levels, point.width,
        ):
            return row
    return None


def ratio(measured: float | None, other: float | None) -> str:
    """Measured / published."""
    return f"{measured / other:.2f}" if measured is not None and other else ""


def table_4(rows: Sequence[Row]) -> str:
    """Area and clock in ASAP7 beside the paper's Table 4; a ratio is measured / published."""
    heads = ["design", "elements", "priorities", "GHz", "published", "ratio", "logic mm2", "published", "ratio",
             "memory mm2", "published", "ratio"]  # fmt: skip
    lines = []
    for other in published.TABLE_4:
        row = find(rows, other.point)
        if row is None or row.asap7_ghz is None or row.asap7_logic_um2 is None:
            continue
        logic, memory = row.asap7_logic_um2 / 1e6, row.asap7_memory_mm2
        lines.append([
            DESIGNS[row.design].title, other.elements, other.priorities,
            f"{row.asap7_ghz:.2f}", f"{other.ghz:g}", ratio(row.asap7_ghz, other.ghz),
            f"{logic:.5f}", f"{other.logic_mm2:g}", ratio(logic, other.logic_mm2),
            f"{memory:.4f}", f"{other.memory_mm2:g}", ratio(memory, other.memory_mm2),
        ])  # fmt: skip
    return markdown_table(heads, lines)


def promised(rows: Sequence[Row]) -> str:
    """The configurations with limits, beside the published design in the same flow."""
    heads = ["configuration", "MHz best", "median", "at least", "published", "ratio", "LUT", "at most", "published", "ratio"]
    lines = []
    for limit, other in zip(published.LIMITS, published.ECP5, strict=True):
        row = find(rows, limit.point)
        if row is None or row.luts is None:
            continue
        lines.append([
            f"{row.levels} levels of {row.width} bits, {row.entries} entries",
            number(row.mhz_best, 1), number(row.mhz_median, 1), number(limit.mhz), number(other.mhz), ratio(row.mhz_best, other.mhz),
            number(row.luts), number(limit.luts), number(other.luts), ratio(row.luts, other.luts),
        ])  # fmt: skip
    return markdown_table(heads, lines)


def write_data(rows: Sequence[Row], folder: Path) -> None:
    """`report.json` and `report.csv`."""
    folder.mkdir(parents=True, exist_ok=True)
    data = [row.data() for row in sorted(rows, key=order)]
    (folder / "report.json").write_text(json.dumps(data, indent=1) + "\n")
    text = io.StringIO()
    writer = csv.DictWriter(text, list(data[0]) if data else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(data)
    (folder / "report.csv").write_text(text.getvalue())


def markdown(rows: Sequence[Row]) -> str:
    """What stands between the markers of docs/rtl-synthesis.md."""
    parts = ["### Promised configurations", promised(rows), "### Beside the paper's Table 4", table_4(rows),
             "### All configurations", main_table(rows)]  # fmt: skip
    notes = [f"- {DESIGNS[row.design].title}, {row.entries} entries, {row.rank_bits} bits: {row.note}" for row in rows if row.note]
    if notes:
        parts += ["Not measured:", "\n".join(notes)]
    return "\n\n".join(parts) + "\n"


def put_between(page: Path, name: str, text: str) -> bool:
    """Replaces what stands between `<!-- name begin -->` and `<!-- name end -->`; False without markers."""
    begin, end = f"<!-- {name} begin -->", f"<!-- {name} end -->"
    whole = page.read_text() if page.exists() else ""
    before, found, rest = whole.partition(begin)
    _, closed, after = rest.partition(end)
    if not (found and closed):
        return False
    page.write_text(f"{before}{begin}\n{text}{end}{after}")
    return True
