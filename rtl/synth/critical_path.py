"""nextpnr's critical path in the names of the sources: the limit of the clock, cell by cell."""

import re
from pathlib import Path
from typing import Any

from . import store, tools

KINDS = {"clk-to-q": "starts at", "logic": "through", "setup": "ends at"}

# Inside a carry chain, whose first and last cell are enough.
CARRY = ("FCI", "FCO")


def critical(report: Path) -> dict[str, Any]:
    """The path of nextpnr's report that limits the clock: from a clock edge to the next."""
    found = store.load(report)
    for path in found["critical_paths"] if found else []:
        if path["from"] == path["to"] and path["from"].startswith("posedge"):
            return path
    raise tools.ToolError(f"{report} holds no path from clock to clock")


def shorten(name: str) -> str:
    """A name without what the tools add: `u_bbq.tree_q_LUT4_Z_3_C_LUT4_B` is about `u_bbq.tree_q`."""
    plain = re.sub(r"^design_under_test\.", "", name)
    plain = re.sub(r"\$[A-Za-z_0-9]+$", "", plain)
    return re.split(r"_(?:LUT4|PFUMX|L6MUX21|CCU2C|TRELLIS_FF|TRELLIS_DPR16X4|DP16KD)(?:_|$)", plain)[0] or name


def text(report: Path) -> str:
    """The path, one line for each net, with its times in the cell and on the wire."""
    steps = critical(report)["path"]
    total = sum(step["delay"] for step in steps)
    wires = sum(step["delay"] for step in steps if step["type"] == "routing")
    levels = sum(step["type"] == "logic" for step in steps)
    lines = [
        f"  critical path: {total:.2f} ns = {total - wires:.2f} in cells + {wires:.2f} on wires, "
        f"{levels} cells between start and end"
    ]
    at = 0.0
    for step in steps:
        at += step["delay"]
        if step["to"]["port"] in CARRY and step["from"].get("port") in CARRY:
            continue
        if step["type"] == "routing":
            places = [place for place in step.get("sources", []) if not place.startswith("/")]  # not those of yosys
            sources = " ".join(sorted({re.sub(r"(\.\d+)?-.*$", "", place) for place in places}))
            lines.append(f"    {at:6.2f} +{step['delay']:.2f}  wire {shorten(step['net'])}  {sources}".rstrip())
        else:
            cell = f"{shorten(step['to']['cell'])} ({step['to']['port']})"
            lines.append(f"    {at:6.2f} +{step['delay']:.2f}  {KINDS.get(step['type'], step['type'])} {cell}")
    return "\n".join(lines)
