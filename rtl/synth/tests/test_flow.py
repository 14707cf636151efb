"""The flows on a memory and on small netlists whose counts are known by hand."""

import json
from pathlib import Path

import pytest

from synth import critical_path, ecp5, harness, liberty, netlist, report, sram, store, tools
from synth.source import source

RAM = tools.ROOT / "rtl" / "common" / "ram_1r1w.sv"


def ram(depth: int, width: int) -> ecp5.Netlist:
    return ecp5.synthesise(source("ram_1r1w", [RAM], {"Depth": depth, "Width": width}))


def test_a_deep_memory_is_block_ram_and_its_second_register_flip_flops() -> None:
    made = ram(512, 18)
    assert (made.luts, made.block_rams, made.flops) == (0, 1, 18)


def test_a_shallow_memory_is_distributed_ram_of_six_luts_for_16_words_of_4_bits() -> None:
    made = ram(16, 8)
    assert (made.cells["TRELLIS_DPR16X4"], made.block_rams) == (2, 0)
    assert made.luts == 12 + made.cells["LUT4"]


def test_what_is_placed_has_a_clock_that_is_expected_and_kept() -> None:
    made = ram(16, 8)
    expected = ecp5.placed(made, 1)
    # Two flip-flops with a LUT or two between them, and what the harness adds.
    assert 150 < expected < 1_500
    assert ecp5.placed(made, 1, seconds_at_most=0) == expected


def test_statistics_that_are_missing_are_a_failure(tmp_path: Path) -> None:
    with pytest.raises(tools.ToolError, match="no statistics"):
        ecp5.statistics_of(tmp_path / "stat.json", "ram_1r1w")
    (tmp_path / "stat.json").write_text('{"modules": {')
    with pytest.raises(tools.ToolError, match="no statistics"):
        ecp5.statistics_of(tmp_path / "stat.json", "ram_1r1w")


def test_a_cell_that_is_not_counted_is_a_failure(tmp_path: Path) -> None:
    cells = {"num_cells_by_type": {"LUT4": 1, "EHXPLLL": 1}}
    (tmp_path / "stat.json").write_text(json.dumps({"modules": {"\\top": cells}}))
    with pytest.raises(tools.ToolError, match="EHXPLLL"):
        ecp5.statistics_of(tmp_path / "stat.json", "top")


def test_the_harness_registers_every_bit_once_and_reduces_all_outputs_to_one() -> None:
    text = harness.ecp5("top", "clk_i", {"clk_i": ("input", 1), "a_i": ("input", 3), "b_o": ("output", 9)})
    # 3 at inputs, 9 at outputs, then 9 -> 3 -> 1.
    assert text.count("TRELLIS_FF") == 3 + 9 + 3 + 1
    assert text.count("LUT4") == 3 + 1


def memory_cell(**parameters: str) -> dict:
    usual = {"SIZE": "10000", "WIDTH": "1000", "RD_PORTS": "1", "WR_PORTS": "1", "RD_CLK_ENABLE": "1"}
    return {
        "type": "$mem_v2",
        "attributes": {"src": "rtl/common/ram_1r1w.sv:30.1"},
        "parameters": {**usual, **parameters},
        "connections": {"RD_CLK": [2], "RD_DATA": [3, 4], "RD_ADDR": [5], "WR_EN": [6, 6], "WR_CLK": [2]},
    }


def test_a_memory_becomes_ports() -> None:
    module = {"ports": {}, "cells": {"m": memory_cell()}}
    (memory,) = sram.take_out(module)
    assert memory.bits == 16 * 8
    assert module["cells"] == {}
    assert module["ports"]["sram0_rd_data"] == {"direction": "input", "bits": [3, 4]}
    assert module["ports"]["sram0_wr_en"] == {"direction": "output", "bits": [6]}


def test_a_memory_that_answers_at_once_is_refused() -> None:
    with pytest.raises(tools.ToolError, match="clocked"):
        sram.take_out({"ports": {}, "cells": {"m": memory_cell(RD_CLK_ENABLE="0")}})


def test_a_megabit_costs_what_the_paper_says() -> None:
    assert sram.area_mm2(1_000_000) == 0.027


LIBRARY = """library (one) {
  time_unit : "1ps";
  cell (INVx1) {
    area : 0.5;
    leakage_power () {
      value : 1;
    }
    pin (Y) {
    }
  }
  cell (HB1) {
    area : 9;
  }
}
"""


def test_libraries_become_one_without_power_and_unused_cells() -> None:
    merged = liberty.merge([LIBRARY, LIBRARY.replace("INVx1", "BUFx2")], "both", ["*"], ["HB*"])
    assert merged.count("{") == merged.count("}")
    assert merged.startswith("library (both) {")
    assert "INVx1" in merged and "BUFx2" in merged
    assert "HB1" not in merged and "leakage" not in merged


def test_a_netlist_names_each_bit() -> None:
    module = {
        "ports": {"a": {"direction": "input", "bits": [2, 3]}, "y": {"direction": "output", "bits": [4]}},
        "netnames": {"a": {"bits": [2, 3]}, "y": {"bits": [4]}},
        "cells": {"g": {"type": "NAND2", "connections": {"A": [2], "B": [3], "Y": [4]}}},
    }
    text = netlist.verilog("top", module)
    assert "NAND2 g (.A(\\a.0 ), .B(\\a.1 ), .Y(y));" in text
    assert "assign" not in text


def test_names_on_a_path_are_those_of_the_source() -> None:
    assert critical_path.shorten("design_under_test.u_bbq.tree_q_LUT4_Z_3_C") == "u_bbq.tree_q"
    assert critical_path.shorten("design_under_test.mem.mem.0.0") == "mem.mem.0.0"


def test_stored_results_depend_on_contents(tmp_path: Path) -> None:
    file = tmp_path / "a.sv"
    file.write_text("one")
    before = store.key(["x"], [file])
    file.write_text("two")
    assert store.key(["x"], [file]) != before
    assert store.key(["xtwo"], []) != store.key(["x"], [file])


def test_a_result_that_was_cut_off_is_none(tmp_path: Path) -> None:
    (tmp_path / "r.json").write_text('{"mhz": 1')
    assert store.load(tmp_path / "r.json") is None


def test_markers_keep_what_stands_around(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- t begin -->\nx\n<!-- t end -->\nafter\n")
    assert report.put_between(page, "t", "new\n")
    assert page.read_text() == "before\n<!-- t begin -->\nnew\n<!-- t end -->\nafter\n"
    assert not report.put_between(page, "other", "new\n")
