"""Parts of a design: shared if they are the same, counted as often as they are there, reached by trees of buffers."""

import pytest

from synth import netlist, parts, tools


def part(kind: str = "AND2", width: int = 1) -> dict:
    """A module of one cell, with an input `a_i` and an output `b_o`."""
    return {
        "ports": {"a_i": {"direction": "input", "bits": [2]}, "b_o": {"direction": "output", "bits": [3]}},
        "cells": {"one": {"type": kind, "parameters": {"WIDTH": width}, "connections": {"A": [2], "Y": [3]}}},
        "netnames": {"a_i": {"bits": [2]}, "b_o": {"bits": [3]}},
    }


def design(count: int) -> dict:
    """So many parts that all read what a flip-flop holds."""
    cells = {
        f"part_{i}": {"type": f"bank$top.part_{i}", "connections": {"a_i": [9], "b_o": [10 + i]}} for i in range(count)
    }
    cells["flop"] = {"type": "DFF", "connections": {"D": [8], "CLK": [7], "QN": [9]}}
    netnames = {"state": {"bits": [9]}, "ends": {"bits": [10 + i for i in range(count)]}, "d_i": {"bits": [8]}}
    top = {"ports": {"d_i": {"direction": "input", "bits": [8]}}, "cells": cells, "netnames": netnames}
    return {"top": top, **{f"bank$top.part_{i}": part() for i in range(count)}}


def test_one_part_stands_for_all() -> None:
    modules = design(3)
    parts.share(modules, "bank")
    assert sorted(modules) == ["bank", "top"]
    assert parts.instances(modules["top"], "bank") == ["part_0", "part_1", "part_2"]
    assert parts.all_cells(modules, "top", "bank") == {"DFF": 1, "AND2": 3}


def test_parts_that_differ_are_not_shared() -> None:
    modules = design(2)
    modules["bank$top.part_1"] = part(width=2)
    with pytest.raises(tools.ToolError, match="not all of bank are the same"):
        parts.share(modules, "bank")
    with pytest.raises(tools.ToolError, match="has no shelf"):
        parts.share(modules, "shelf")


@pytest.mark.parametrize(("count", "buffers"), [(1, 0), (2, 1), (8, 1), (9, 3), (64, 9), (65, 9 + 2 + 1)])
def test_every_part_is_reached_by_as_many_buffers_as_a_tree_has(count: int, buffers: int) -> None:
    modules = design(count)
    parts.share(modules, "bank")
    top = modules["top"]
    parts.spread(top, modules["bank"], parts.instances(top, "bank"), 8, "BUF")
    driver = {cell["connections"]["Y"][0]: cell["connections"]["A"][0] for cell in top["cells"].values() if cell["type"] == "BUF"}
    assert len(driver) == buffers
    readers: dict[int, int] = {}
    for bit in driver.values():
        readers[bit] = readers.get(bit, 0) + 1
    depths = set()
    for name in parts.instances(top, "bank"):
        bit = top["cells"][name]["connections"]["a_i"][0]
        readers[bit] = readers.get(bit, 0) + 1
        depth = 0
        while bit != 9:
            bit, depth = driver[bit], depth + 1
        depths.add(depth)
    assert len(depths) == 1 and max(readers.values()) <= 8


def test_pins_of_parts_are_written_bit_by_bit() -> None:
    module = {
        "ports": {},
        "cells": {"here": {"type": "bank", "connections": {"a_i": [2, "0", 3]}}},
        "netnames": {"some": {"bits": [2, 3]}},
    }
    assert "  bank here (.\\a_i.0 (\\some[0] ), .\\a_i.2 (\\some[1] ));" in netlist.verilog("top", module, ("bank",))
