"""The tables of Seer's ordered list and of compiled policies, from rows made by hand."""

import json
from pathlib import Path

import pytest

from synth import compiled_policies, published, report, seer_table, tools, yosys

README = "| | |\n| --- | --- |\n| queue block | bbq, 1 levels of width 4 |\n| packets, with one that arrives | 129 |\n| bits of a rank | 16 |\n"


def lists(**areas: float) -> list[seer_table.Row]:
    """Rows with areas by entries, as `n128=5000`."""
    entries = {int(name[1:]): area for name, area in areas.items()}
    return [seer_table.Row(n, luts=300 * n if n in entries else None, logic_um2=entries.get(n)) for n in (32, 64, 128, 256, 4096)]


def cells(table: str, row: int) -> list[str]:
    """The cells of a table's row."""
    return [cell.strip() for cell in table.splitlines()[2 + row].strip("|").split("|")]


def test_larger_lists_are_told_by_a_line_and_marked() -> None:
    rows = lists(n32=3200.0, n64=6500.0, n128=12900.0)
    found = seer_table.values(rows, lambda row: row.logic_um2)
    assert found[128] == (12900.0, False)
    assert found[4096] == (12900.0 + 100 * (4096 - 128), True)
    line = cells(seer_table.table(rows), 4)
    assert line[0] == "4,096" and line[1] == "~1,228,800" and line[7] == ">100%"
    assert line[8] == "~0.4097" and line[9] == "0.324" and line[10] == "1.26"


def test_one_size_makes_no_line() -> None:
    assert seer_table.values(lists(n32=3200.0), lambda row: row.logic_um2) == {32: (3200.0, False)}
    assert seer_table.check_of_line(lists(n32=1.0, n64=2.0), lambda row: row.logic_um2, "um2") == ""


def test_the_line_is_held_to_the_largest_that_was_measured() -> None:
    told = seer_table.check_of_line(lists(n32=3200.0, n64=6400.0, n128=16000.0), lambda row: row.logic_um2, "um2")
    assert "Drawn through 32 and 64, it says 12,800 for 128 entries, where 16,000 were measured (-20.0%)" in told


def test_table_1_stands_beside_what_was_measured() -> None:
    row = seer_table.Row(128, 38_400, 6_000, 85.0, 6000.0, 2.1, placed_mhz=80.0)
    line = cells(seer_table.table([row]), 0)
    assert line[:8] == ["128", "38,400", "46%", "6,000", "80", "85", "170", "8%"]
    assert line[8:] == ["0.0060", "0.012", "0.50", "2.10", "4.2", "0.50"]
    assert [other.entries for other in published.SEER_TABLE_1] == [128 << doubling for doubling in range(6)]


def test_figures_show_both(tmp_path: Path) -> None:
    rows = [seer_table.Row(n, 300 * n, 50 * n, 80.0, 60.0 * n, 2.0) for n in (64, 128)] + [seer_table.Row(4096)]
    drawn = seer_table.figures(rows, tmp_path)
    assert [path.name for _, path in drawn] == ["list_ghz.svg", "list_area.svg", "list_mhz.svg"]
    lines = (tmp_path / "list_area.data.csv").read_text().splitlines()
    assert len({line.rsplit(",", 2)[0] for line in lines[1:]}) == 3
    assert seer_table.figures([seer_table.Row(64)], tmp_path / "none") == []


def test_what_banks_cost_is_told() -> None:
    row = seer_table.Row(128, logic_um2=8_080.0, ghz=1.8, piece_um2=8_000.0, piece_ghz=2.0)
    assert seer_table.pieces([row, seer_table.Row(256, logic_um2=1.0, ghz=1.0)]) == [
        "128 entries on ASAP7 in one piece instead of two banks: 0.0080 mm2 and 2.00 GHz, "
        "so apart they are +1.0% in area and -10.0% in clock."
    ]


def test_a_list_that_failed_says_so() -> None:
    assert "- 64 entries: yosys failed" in seer_table.markdown([seer_table.Row(64, note="yosys failed")])


def test_sizes_are_those_that_the_compiler_tells() -> None:
    assert compiled_policies.sizes(README) == ("bbq, 1 levels of width 4", 129, 16)
    with pytest.raises(tools.ToolError, match="queue block"):
        compiled_policies.sizes(README.replace("bits of a rank", "bits"))


def test_policies_are_those_of_the_library_and_have_titles() -> None:
    for policy in compiled_policies.POLICIES:
        assert (tools.ROOT / "policies" / f"{policy.name}.oq").is_file()
    row = compiled_policies.Row("lqd", "--param ports=8", "bbq", 129, 1, 2_000, 1_500, 5, 0, 3, 90.0, 88.0, 700.0, 5_000, 2.0)
    text = compiled_policies.markdown([row])
    assert cells(text, 0)[:9] == ["LQD over 8 queues", "bbq", "129", "1", "2,000", "1,500", "5", "0", "90"]


def test_rows_are_written_without_texts_for_people(tmp_path: Path) -> None:
    report.write_rows(tmp_path, "ordered_list", [seer_table.Row(64, luts=1, ecp5_path="long")])
    (row,) = json.loads((tmp_path / "ordered_list.json").read_text())
    assert row["luts"] == 1 and "ecp5_path" not in row
    report.write_rows(tmp_path, "policies", [])
    assert json.loads((tmp_path / "policies.json").read_text()) == []


def test_a_result_names_the_yosys_that_made_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yosys, "has_native", lambda: False)
    assert yosys.version(large=True) == yosys.version()
