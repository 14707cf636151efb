"""Tables and figures from rows made by hand."""

import json
from pathlib import Path

from synth import measure, plots, published, report
from synth.designs import Point, bbq


def row(point: Point, mhz: float, luts: int) -> measure.Row:
    made = measure.start(point)
    made.luts, made.flops, made.block_rams, made.seeds = luts, 10, 1, 5
    made.mhz_best, made.mhz_median = mhz, mhz - 1
    return made


def test_operations_follow_from_clock_and_cycles() -> None:
    assert row(Point("bmw_tree", 84, 9), 150, 1).mops == 100
    assert row(bbq(2, 4, 127), 150, 1).mops == 150


def test_ratios_are_measured_by_published() -> None:
    table = report.promised([row(bbq(2, 4, 127), 2 * published.ECP5[0].mhz, 422)])
    (line,) = table.splitlines()[2:]
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    assert cells[5] == "0.50"
    assert cells[10] == "2.00"
    assert cells[11] == "yes"


def test_a_promise_holds_if_area_and_clock_do() -> None:
    limit = published.LIMITS[0]
    for mhz, luts, holds in ((limit.mhz, limit.luts, "yes"), (limit.mhz - 1, limit.luts, "no"), (limit.mhz, limit.luts + 1, "no")):
        table = report.promised([row(limit.point, mhz, luts)])
        assert table.splitlines()[2].strip("| ").endswith(holds)


def test_the_short_table_names_the_shape() -> None:
    table = report.resources([row(bbq(2, 4, 127), 180, 700), row(Point("pifo", 64, 9), 140, 5000)])
    assert "BBQ, 2 x 4 bits" in table and "PIFO" in table


def test_table_4_compares_area_and_clock() -> None:
    made = measure.start(bbq(3, 8, 2047))
    made.asap7_logic_um2, made.asap7_memory_mm2, made.asap7_ghz = 1420.0, 0.0029, 1.55
    (line,) = report.table_4([made]).splitlines()[2:]
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    assert cells[5] == "0.50" and cells[8] == "2.00" and cells[11] == "1.00"


def test_files_hold_every_row(tmp_path: Path) -> None:
    rows = [row(bbq(2, 4, 127), 180, 700), row(Point("pifo", 64, 9), 140, 5000)]
    report.write_data(rows, tmp_path)
    assert len(json.loads((tmp_path / "report.json").read_text())) == 2
    assert len((tmp_path / "report.csv").read_text().splitlines()) == 3


def test_figures_are_drawn_for_what_was_measured(tmp_path: Path) -> None:
    rows = [row(bbq(3, 8, entries), 150, 1500) for entries in (127, 511)] + [row(Point("pifo", 64, 9), 140, 5000)]
    names = {path.name for _, path in plots.write(rows, tmp_path)}
    assert names == {"clock.svg", "throughput.svg", "luts.svg", "block_ram.svg", "widths.svg", "levels.svg"}
    lines = (tmp_path / "clock.data.csv").read_text().splitlines()
    assert lines[0] == "line,entries,MHz" and len({line.rsplit(",", 2)[0] for line in lines[1:]}) == 2
