"""Measures configurations and makes rows of the results."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from typing import Any

from . import asap7, critical_path, ecp5, sweep, tools
from .designs import DATA_WIDTH, Point


@dataclass
class Row:
    """One configuration; None was not measured."""

    design: str
    levels: int | None
    width: int | None
    entries: int
    rank_bits: int
    data_width: int
    cycles: float
    luts: int | None = None
    flops: int | None = None
    block_rams: int | None = None
    seeds: int | None = None
    mhz_best: float | None = None
    mhz_median: float | None = None
    luts_for_speed: int | None = None
    mhz_best_for_speed: float | None = None
    mhz_median_for_speed: float | None = None
    asap7_logic_um2: float | None = None
    asap7_flops: int | None = None
    asap7_memory_bits: int | None = None
    asap7_memory_mm2: float | None = None
    asap7_ghz: float | None = None
    note: str = ""
    # For people: the limit of the clock.
    ecp5_path: str = ""
    asap7_path: str = ""

    @property
    def mops(self) -> float | None:
        """Million operations per second on the ECP5 at the best clock."""
        return None if self.mhz_best is None else self.mhz_best / self.cycles

    @property
    def gops(self) -> float | None:
        """Billion operations per second in ASAP7."""
        return None if self.asap7_ghz is None else self.asap7_ghz / self.cycles

    def data(self) -> dict[str, Any]:
        """Names and numbers for JSON and CSV."""
        numbers = {name: value for name, value in asdict(self).items() if not name.endswith("_path")}
        return {**numbers, "mops": self.mops, "asap7_gops": self.gops}


def start(point: Point) -> Row:
    """A row without results."""
    return Row(
        point.design, point.levels, point.width, point.entries, point.rank_bits, DATA_WIDTH, point.shape.cycles
    )


def add_ecp5(row: Row, point: Point, seeds: int, jobs: int) -> None:
    """Counts, and with `seeds` the clocks."""
    netlist = ecp5.synthesise(point.source())
    row.luts, row.flops, row.block_rams = netlist.luts, netlist.flops, netlist.block_rams
    if seeds:
        clock = ecp5.clocks(netlist, range(1, seeds + 1), jobs)
        row.seeds, row.mhz_best, row.mhz_median = seeds, clock.best, clock.median
        row.ecp5_path = critical_path.text(clock.reports[clock.best_seed])


def add_for_speed(row: Row, point: Point, seeds: int, jobs: int) -> None:
    """The same with the options for speed."""
    netlist = ecp5.synthesise(point.source(), ecp5.FOR_SPEED)
    row.luts_for_speed = netlist.luts
    if seeds:
        clock = ecp5.clocks(netlist, range(1, seeds + 1), jobs)
        row.mhz_best_for_speed, row.mhz_median_for_speed = clock.best, clock.median


def add_asap7(row: Row, point: Point) -> None:
    """Areas and clock."""
    result = asap7.synthesise(point.source())
    row.asap7_logic_um2, row.asap7_flops, row.asap7_ghz = result.logic_um2, result.flops, result.ghz
    row.asap7_memory_bits, row.asap7_memory_mm2 = result.memory_bits, result.memory_mm2
    row.asap7_path = result.path_text()


def attempt(row: Row, what: Callable[[], None]) -> None:
    """A configuration that fails does not stop the others; its row says so."""
    try:
        what()
    except tools.ToolError as error:
        row.note = f"{row.note}; {error}".removeprefix("; ").splitlines()[0]
        tools.say(f"  failed: {error}")


def measure(on_ecp5: Sequence[Point], on_asap7: Sequence[Point], seeds: int, jobs: int) -> list[Row]:
    """Rows of all configurations whose sources exist, in the order given; `jobs` at a time."""
    points = list(dict.fromkeys([*on_ecp5, *on_asap7]))
    missing = sorted({point.design for point in points if not point.available})
    if missing:
        tools.say(f"skipped: no sources of {', '.join(missing)}")
    points = [point for point in points if point.available]
    tools.say(f"{len(points)} configurations; can be interrupted, and goes on there")

    def row_of(point: Point) -> Row:
        row = start(point)
        placed = sweep.seeds(point, seeds)
        if point in on_ecp5:
            attempt(row, lambda: add_ecp5(row, point, placed, 1))
            if point in sweep.PROMISED:
                attempt(row, lambda: add_for_speed(row, point, placed, 1))
        if point in on_asap7:
            attempt(row, lambda: add_asap7(row, point))
        return row

    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(row_of, points))
