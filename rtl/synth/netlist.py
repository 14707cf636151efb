"""A mapped netlist of yosys in the few words of Verilog that OpenSTA reads, one net for each bit."""

import re
from typing import Any

Names = dict[int | str, str]


def escaped(name: str) -> str:
    """A name as Verilog takes it."""
    return name if re.fullmatch(r"[A-Za-z_]\w*", name) else f"\\{name} "


def names(module: dict[str, Any]) -> Names:
    """A name for each bit: of a port, or else of a wire of the source, or else made up."""
    found: Names = {}
    wires = module["netnames"].items()
    for hidden in (0, 1):
        for wire, net in wires:
            if net.get("hide_name", 0) != hidden:
                continue
            for index, bit in enumerate(net["bits"]):
                name = wire if len(net["bits"]) == 1 else f"{wire}[{index}]"
                if isinstance(bit, int):
                    found.setdefault(bit, name)
    for wire, port in module["ports"].items():
        for index, bit in enumerate(port["bits"]):
            if isinstance(bit, int) and port["direction"] == "input":
                found[bit] = port_bit(wire, index, len(port["bits"]))
    return found


def port_bit(name: str, index: int, width: int) -> str:
    """The port for one bit."""
    return name if width == 1 else f"{name}.{index}"


def verilog(top: str, module: dict[str, Any], parts: tuple[str, ...] = ()) -> str:
    """The netlist; constants that reach a port stay away, as no path ends there. `parts`: modules of the same design."""
    nets = names(module)
    ports, wires, assigns = [], [], []
    inputs = set()
    for name, port in module["ports"].items():
        for index, bit in enumerate(port["bits"]):
            if not isinstance(bit, int):
                continue
            pin = port_bit(name, index, len(port["bits"]))
            ports.append((port["direction"], pin))
            if port["direction"] == "input":
                inputs.add(bit)
            else:
                assigns.append((pin, nets[bit]))
    lines = [f"module {escaped(top)} ({', '.join(escaped(pin) for _, pin in ports)});"]
    lines += [f"  {direction} {escaped(pin)};" for direction, pin in ports]
    pins = {pin for _, pin in ports}
    wires = sorted({name for bit, name in nets.items() if bit not in inputs} - pins)
    lines += [f"  wire {escaped(name)};" for name in wires]
    for name, cell in module["cells"].items():
        connections = [
            f".{escaped(port_bit(pin, index, len(bits)))}({escaped(nets[bit])})"
            for pin, bits in cell["connections"].items()
            for index, bit in enumerate(bits if cell["type"] in parts else bits[:1])
            if bit in nets
        ]
        lines.append(f"  {cell['type']} {escaped(name)} ({', '.join(connections)});")
    lines += [f"  assign {escaped(pin)} = {escaped(net)};" for pin, net in assigns if pin != net]
    return "\n".join([*lines, "endmodule"]) + "\n"
