"""The table of all measurements as text, Markdown, CSV and JSON, and its comparison with published numbers."""

import csv
import io
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from . import published, sweep
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
    ("MHz median", lambda row: number(row.mhz_median) if row.seeds and row.seeds > 1 else ""),
    ("cycles/op", lambda row: f"{row.cycles:g}"),
    ("Mop/s", lambda row: number(row.mops)),
    ("ASAP7 logic um2", lambda row: number(row.asap7_logic_um2)),
    ("ASAP7 memory um2", lambda row: number(None if row.asap7_memory_mm2 is None else row.asap7_memory_mm2 * 1e6)),
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
    """All measurements."""
    found = [row for row in rows if row.luts is not None or row.asap7_logic_um2 is not None]
    cells = [[cell(row) for _, cell in COLUMNS] for row in sorted(found, key=order)]
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
    """The configurations with limits, with options for area and for speed, beside the published design in the same flow."""
    heads = ["configuration", "options for", "LUT", "at most", "published", "ratio", "MHz best", "median", "at least", "published",
             "ratio", "holds"]  # fmt: skip
    lines = []
    for limit, other in zip(published.LIMITS, published.ECP5, strict=True):
        row = find(rows, limit.point)
        if row is None:
            continue
        for options, luts, best, median in (
            ("area", row.luts, row.mhz_best, row.mhz_median),
            ("speed", row.luts_for_speed, row.mhz_best_for_speed, row.mhz_median_for_speed),
        ):
            if luts is None:
                continue
            small = limit.luts is None or luts <= limit.luts
            holds = "" if best is None else "yes" if small and best >= limit.mhz else "no"
            lines.append([
                f"{row.levels} levels of {row.width} bits, {row.entries:,} entries", options,
                number(luts), number(limit.luts), number(other.luts), ratio(luts, other.luts),
                number(best, 1), number(median, 1), number(limit.mhz), number(other.mhz), ratio(best, other.mhz),
                holds,
            ])  # fmt: skip
    return markdown_table(heads, lines)


def paths(rows: Sequence[Row]) -> str:
    """The limit of the clock: for promised configurations on the ECP5, for the smallest and the largest of Table 4 in ASAP7."""
    parts = []
    for limit in published.LIMITS:
        row = find(rows, limit.point)
        if row and row.ecp5_path:
            parts.append(f"ECP5, {limit.point.source().name}, best seed:\n\n```text\n{row.ecp5_path}\n```")
    for point in (sweep.TABLE_4[0], sweep.TABLE_4[-1]):
        row = find(rows, point)
        if row and row.asap7_path:
            parts.append(f"ASAP7, {point.source().name}:\n\n```text\n{row.asap7_path}\n```")
    return "\n\n".join(parts)


def resources(rows: Sequence[Row]) -> str:
    """The short table of docs/rtl.md."""
    left_out = ("levels", "width", "MHz median", "ASAP7 memory um2")
    columns = [(head, cell) for head, cell in COLUMNS if head not in left_out]
    found = [row for point in sweep.RESOURCES if (row := find(rows, point))]
    cells = [[f"{DESIGNS[row.design].title}{shape(row)}", *(cell(row) for _, cell in columns[1:])] for row in found]
    return markdown_table([head for head, _ in columns], cells) + "\n"


def shape(row: Row) -> str:
    """Levels and width of a BBQ, in few letters."""
    return "" if row.levels is None else f", {row.levels} x {row.width} bits"


def write_data(rows: Sequence[Row], folder: Path) -> None:
    """`report.json` and `report.csv`."""
    write_tables(folder, "report", [row.data() for row in sorted(rows, key=order)])


def write_rows(folder: Path, name: str, rows: Sequence[Any]) -> None:
    """Rows of a dataclass as `name.json` and `name.csv`, without texts for people."""
    kept = [{key: value for key, value in asdict(row).items() if not key.endswith("_path")} for row in rows]
    write_tables(folder, name, kept)


def write_tables(folder: Path, name: str, data: Sequence[dict[str, Any]]) -> None:
    """`name.json` and `name.csv`."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.json").write_text(json.dumps(data, indent=1) + "\n")
    text = io.StringIO()
    writer = csv.DictWriter(text, list(data[0]) if data else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(data)
    (folder / f"{name}.csv").write_text(text.getvalue())


def markdown(rows: Sequence[Row], figures: Sequence[tuple[str, str]] = ()) -> str:
    """The text between the markers of docs/rtl-synthesis.md; figures are titles and paths from there."""
    parts = ["### Promised configurations", promised(rows), "### Beside the paper's Table 4", table_4(rows)]
    if figures:
        parts += ["### Figures", "\n\n".join(f"![{title}]({path})" for title, path in figures)]
    parts += ["### All configurations", main_table(rows)]
    notes = [f"- {DESIGNS[row.design].title}, {row.entries} entries, {row.rank_bits} bits: {row.note}" for row in rows if row.note]
    if notes:
        parts += ["Not measured, or not wholly:", "\n".join(notes)]
    limits = paths(rows)
    if limits:
        parts += ["### What limits the clock", limits]
    return "\n\n".join(parts) + "\n"


def put_between(page: Path, name: str, text: str) -> bool:
    """Replaces the text between `<!-- name begin -->` and `<!-- name end -->`; False without markers."""
    begin, end = f"<!-- {name} begin -->", f"<!-- {name} end -->"
    whole = page.read_text() if page.exists() else ""
    before, found, rest = whole.partition(begin)
    _, closed, after = rest.partition(end)
    if not (found and closed):
        return False
    page.write_text(f"{before}{begin}\n{text}{end}{after}")
    return True
