"""Memories as black boxes: their connections become ports of the module, so that only logic is left.

The input is a netlist of yosys in JSON. Each memory that ram_1r1w inferred is removed: its read data
become inputs, its addresses, enables and write data outputs. So its pins stand for a clocked macro of
any make. The array's own output register belongs to the macro; the register behind it
is logic. Other memories stay and become flip-flops.
"""

from dataclasses import dataclass
from typing import Any

from . import tools

INFERRED_IN = "ram_1r1w.sv"
# Paper section 6.3: the numbers of TSMC for its 7 nm process.
MM2_PER_MEGABIT = 0.027


@dataclass(frozen=True)
class Memory:
    """One array."""

    name: str
    depth: int
    width: int

    @property
    def bits(self) -> int:
        """Capacity."""
        return self.depth * self.width


def area_mm2(bits: int) -> float:
    """Area of that many bits in one macro or in several."""
    return bits / 1e6 * MM2_PER_MEGABIT


def take_out(module: dict[str, Any]) -> list[Memory]:
    """Takes the memories out of a module, which it changes."""
    memories = []
    for name, cell in list(module["cells"].items()):
        if cell["type"] != "$mem_v2" or INFERRED_IN not in cell["attributes"].get("src", ""):
            continue
        value = {key: int(text, 2) for key, text in cell["parameters"].items() if set(text) <= {"0", "1"}}
        if value["RD_PORTS"] != 1 or value["WR_PORTS"] != 1 or value["RD_CLK_ENABLE"] != 1:
            raise tools.ToolError(f"memory {name} is not one clocked read and one write port")
        index = len(memories)
        memories.append(Memory(name, value["SIZE"], value["WIDTH"]))
        for pin, bits in cell["connections"].items():
            if pin in ("RD_CLK", "WR_CLK") or not bits:
                continue
            direction = "input" if pin == "RD_DATA" else "output"
            port = f"sram{index}_{pin.lower()}"
            # All bits of the write enable are one signal: ram_1r1w writes whole words.
            kept = bits[:1] if pin == "WR_EN" else bits
            module["ports"][port] = {"direction": direction, "bits": kept}
        del module["cells"][name]
    return memories
