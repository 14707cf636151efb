"""Seer's Table 1: clock and area of the fully ordered list over its entries, beside the numbers of the paper.

On ASAP7 all sizes of the paper are measured. From two banks on, a bank is synthesised once and the
logic that joins banks anew (`parts.py`). On the ECP5 the sizes that fit are measured. The cost of an entry does not depend
on its neighbours. So LUTs of larger lists follow from a line through the two largest measured sizes.
The table has the error of that line at a measured size. Clocks of routed lists are measured or left out.
Larger lists that fit have the clock that is expected after placing.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from . import asap7, charts, critical_path, ecp5, published, tools
from .report import markdown_table, number, ratio
from .source import Source, source

FILES = "rtl/seer/ordered_list.f"
# 44 bits to an entry, as the paper has; times wrap around, as in rtl/seer/fpm_list.sv.
PARAMETERS = {"KeyWidth": 16, "TagWidth": 17, "ValueWidth": 11, "PushWidth": 11, "Wrap": 1}
COUNTED = (32, 64, 128, 256)
# The largest list that nextpnr can route: with 64 entries it rips up routed nets without end.
ROUTED = (32,)
ON_ASAP7 = (32, 64, 128, 256, 512, 1024, 2048, 4096)
# Lists of more than one bank are made of the bank.
BANK, BANK_ENTRIES = "ordered_list_bank", 64
# A list of two banks is synthesised in one piece as well, to show the cost of separate banks.
IN_ONE_PIECE = 128
# LUTs of the LFE5U-85F.
DEVICE_LUTS = 83_640


@dataclass
class Row:
    """A list of so many entries; None was not measured."""

    entries: int
    luts: int | None = None
    flops: int | None = None
    # Routed.
    mhz: float | None = None
    logic_um2: float | None = None
    ghz: float | None = None
    # In one piece.
    piece_um2: float | None = None
    piece_ghz: float | None = None
    # The expected clock on the ECP5 after placing, without routing.
    placed_mhz: float | None = None
    note: str = ""
    # For people: the limit of the clock.
    ecp5_path: str = ""
    asap7_path: str = ""


def list_of(entries: int) -> Source:
    """The source that is synthesised."""
    return source("ordered_list", [tools.ROOT / FILES], {"Entries": entries, **PARAMETERS})


def measure(with_asap7: bool, jobs: int, most_entries: int = 1 << 30) -> list[Row]:
    """Rows of all sizes, small ones first; a failure does not stop the others, and gives its reason."""

    def row_of(entries: int) -> Row:
        row = Row(entries)
        for wanted, add in ((COUNTED, add_ecp5), (ON_ASAP7 if with_asap7 else (), add_asap7)):
            if entries in wanted and entries <= most_entries:
                try:
                    add(row)
                except tools.ToolError as error:
                    row.note = f"{row.note}; {error}".removeprefix("; ").splitlines()[0]
                    tools.say(f"  failed: {error}")
        return row

    sizes = sorted({*COUNTED, *ON_ASAP7, *(other.entries for other in published.SEER_TABLE_1)})
    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(row_of, sizes))


def add_ecp5(row: Row) -> None:
    """Counts, and a clock with one seed: placed, and of the small routed."""
    netlist = ecp5.synthesise(list_of(row.entries), large=True)
    row.luts, row.flops = netlist.luts, netlist.flops
    row.placed_mhz = ecp5.placed(netlist, 1)
    if row.entries in ROUTED:
        clock = ecp5.clocks(netlist, [1], 1)
        row.mhz, row.ecp5_path = clock.best, critical_path.text(clock.reports[1])


def add_asap7(row: Row) -> None:
    """Area and clock."""
    part = BANK if row.entries > BANK_ENTRIES else None
    made = asap7.synthesise(list_of(row.entries), large=True, part=part)
    row.logic_um2, row.ghz, row.asap7_path = made.logic_um2, made.ghz, made.path_text()
    if row.entries == IN_ONE_PIECE:
        whole = asap7.synthesise(list_of(row.entries), large=True)
        row.piece_um2, row.piece_ghz = whole.logic_um2, whole.ghz


@dataclass(frozen=True)
class Line:
    """A straight line through two measured sizes."""

    slope: float
    start: float
    through: tuple[int, int]

    def at(self, entries: int) -> float:
        """Its value."""
        return self.start + self.slope * entries


def line(points: Sequence[tuple[int, float]]) -> Line:
    """Through the two last points."""
    (x0, y0), (x1, y1) = points[-2:]
    slope = (y1 - y0) / (x1 - x0)
    return Line(slope, y0 - slope * x0, (x0, x1))


def measured(rows: Sequence[Row], value: Callable[[Row], float | None]) -> list[tuple[int, float]]:
    """The sizes that have a value, in order."""
    return sorted((row.entries, found) for row in rows if (found := value(row)) is not None)


def values(rows: Sequence[Row], value: Callable[[Row], float | None]) -> dict[int, tuple[float, bool]]:
    """For every size the measured value, or the value of the line (True)."""
    points = dict(measured(rows, value))
    fitted = line(sorted(points.items())) if len(points) > 1 else None
    found: dict[int, tuple[float, bool]] = {}
    for row in rows:
        if row.entries in points:
            found[row.entries] = (points[row.entries], False)
        elif fitted is not None and row.entries > fitted.through[1]:
            found[row.entries] = (fitted.at(row.entries), True)
    return found


def check_of_line(rows: Sequence[Row], value: Callable[[Row], float | None], what: str) -> str:
    """The error of the line through all measured sizes but the largest, at the largest."""
    points = measured(rows, value)
    if len(points) < 3 or not any(fitted for _, fitted in values(rows, value).values()):
        return ""
    (largest, found), told = points[-1], line(points[:-1])
    miss = told.at(largest) / found - 1
    used = line(points)
    return (
        f"{what}: ~ is a line through {used.through[0]} and {used.through[1]} entries ({used.slope:,.1f} for each entry more). "
        f"Drawn through {told.through[0]} and {told.through[1]}, it says {told.at(largest):,.0f} for {largest} entries, where "
        f"{found:,.0f} were measured ({miss:+.1%})."
    )


def table(rows: Sequence[Row]) -> str:
    """A line for each size, measured and published."""
    heads = ["entries", "LUT", "of the device", "FF", "MHz placed", "MHz", "published", "published logic", "ASAP7 mm2", "published", "ratio",
             "GHz", "published", "ratio"]  # fmt: skip
    others = {other.entries: other for other in published.SEER_TABLE_1}
    luts, areas = values(rows, lambda row: row.luts), values(rows, lambda row: row.logic_um2)
    lines = []
    for row in rows:
        other = others.get(row.entries)
        lut, lut_fitted = luts.get(row.entries, (None, False))
        area, area_fitted = areas.get(row.entries, (None, False))
        lines.append([
            f"{row.entries:,}",
            f"{'~' if lut_fitted else ''}{number(lut)}", "" if lut is None else f"{lut / DEVICE_LUTS:.0%}", number(row.flops),
            number(row.placed_mhz), number(row.mhz), number(other.mhz if other else None),
            "" if other is None else ">100%" if other.mhz is None else f"{other.logic_percent:g}%",
            "" if area is None else f"{'~' if area_fitted else ''}{area / 1e6:.4f}",
            f"{other.mm2:g}" if other else "", ratio(None if area is None else area / 1e6, other.mm2 if other else None),
            number(row.ghz, 2), f"{other.ghz:g}" if other else "",
            ratio(row.ghz, other.ghz if other else None),
        ])  # fmt: skip
    return markdown_table(heads, lines)


def figures(rows: Sequence[Row], folder: Path) -> list[tuple[str, Path]]:
    """Clock and area over entries, measured and published; titles and files."""
    folder.mkdir(parents=True, exist_ok=True)
    areas = values(rows, lambda row: row.logic_um2)
    published_of = published.SEER_TABLE_1
    drawn = (
        ("list_ghz", "Clock of the ordered list as a chip", "GHz", False, (
            charts.Series("ASAP7", tuple(measured(rows, lambda row: row.ghz))),
            charts.Series("published, 15 nm", tuple((each.entries, each.ghz) for each in published_of)),
        )),
        ("list_area", "Area of the ordered list as a chip", "mm2", True, (
            charts.Series("ASAP7", tuple((n, area / 1e6) for n, (area, fitted) in sorted(areas.items()) if not fitted)),
            charts.Series("ASAP7, line", tuple((n, area / 1e6) for n, (area, fitted) in sorted(areas.items()) if fitted)),
            charts.Series("published, 15 nm", tuple((each.entries, each.mm2) for each in published_of)),
        )),
        ("list_mhz", "Clock of the ordered list on an FPGA", "MHz", False, (
            charts.Series("ECP5, routed", tuple(measured(rows, lambda row: row.mhz))),
            charts.Series("ECP5, placed", tuple(measured(rows, lambda row: row.placed_mhz))),
            charts.Series("published, Stratix V",
                       tuple((each.entries, each.mhz) for each in published_of if each.mhz is not None)),
        )),
    )  # fmt: skip
    written = []
    for name, title, unit, log_y, series in drawn:
        shown = [one for one in series if one.points]
        if len(shown) > 1:
            path = folder / f"{name}.svg"
            charts.write(path, title, "entries", unit, shown, log_y)
            written.append((title, path))
    return written


def pieces(rows: Sequence[Row]) -> list[str]:
    """The cost of synthesising banks separately."""
    return [
        f"{row.entries} entries on ASAP7 in one piece instead of two banks: {row.piece_um2 / 1e6:.4f} mm2 and {row.piece_ghz:.2f} GHz, "
        f"so apart they are {row.logic_um2 / row.piece_um2 - 1:+.1%} in area and {row.ghz / row.piece_ghz - 1:+.1%} in clock."
        for row in rows
        if row.piece_um2 and row.piece_ghz and row.logic_um2 and row.ghz
    ]


def markdown(rows: Sequence[Row], figures: Sequence[tuple[str, str]] = ()) -> str:
    """The text between the markers of docs/seer-hardware.md; figures are titles and paths from there."""
    checks = [check_of_line(rows, lambda row: row.luts, "LUT"), check_of_line(rows, lambda row: row.logic_um2, "ASAP7, um2")]
    parts = [table(rows), *(text for text in checks if text), *pieces(rows)]
    notes = [f"- {row.entries} entries: {row.note}" for row in rows if row.note]
    if notes:
        parts += ["Not measured, or not wholly:", "\n".join(notes)]
    if figures:
        parts.append("\n\n".join(f"![{title}]({path})" for title, path in figures))
    for flow, path_of in (("ECP5", lambda row: row.ecp5_path), ("ASAP7", lambda row: row.asap7_path)):
        limited = [row for row in rows if path_of(row)]
        if limited:
            parts.append(f"What limits {limited[-1].entries} entries, {flow}:\n\n```text\n{path_of(limited[-1])}\n```")
    return "\n\n".join(parts) + "\n"
