"""A frame of flip-flops around a synthesised module, so that every path starts and ends at one.

Inputs come from one shift register; outputs go into flip-flops and through a pipelined tree of
4-input XORs to one pin. Without it the clock would not see what happens at the ports, and wide
designs would need more pins than there are. The frame is written in cells of the ECP5 and put
around the finished netlist: it changes nothing in the module and is not in its counts.
"""

FLIP_FLOP = (
    'TRELLIS_FF #(.GSR("DISABLED"), .CEMUX("1"), .CLKMUX("CLK"), .LSRMUX("LSR"), .SRMODE("LSR_OVER_CE"), '
    '.REGSET("RESET")) {name} (.CLK(clk), .LSR(1\'b0), .CE(1\'b1), .DI({d}), .Q({q}));'
)
XOR = "LUT4 #(.INIT(16'h6996)) {name} (.A({a}), .B({b}), .C({c}), .D({d}), .Z({z}));"


def ecp5(top: str, clock: str, ports: dict[str, tuple[str, int]]) -> str:
    """Verilog of the module `harness`; `ports` has direction and width."""
    lines = ["module harness (input clk, input scan, output probe);"]
    connections = [f".{clock}(clk)"]
    flops = 0

    def register(d: str, q: str) -> None:
        nonlocal flops
        lines.append("  " + FLIP_FLOP.format(name=f"harness_ff_{flops}", d=d, q=q))
        flops += 1

    last = "scan"
    layer: list[str] = []
    for name, (direction, width) in ports.items():
        if name == clock:
            continue
        lines.append(f"  wire [{width - 1}:0] {name};")
        connections.append(f".{name}({name})")
        for bit in range(width):
            wire = f"{name}[{bit}]"
            if direction == "input":
                register(last, wire)
                last = wire
            else:
                lines.append(f"  wire caught_{name}_{bit};")
                register(wire, f"caught_{name}_{bit}")
                layer.append(f"caught_{name}_{bit}")
    level = 0
    while len(layer) > 1:
        following = []
        for group in range(0, len(layer), 4):
            inputs = [*layer[group : group + 4], *["1'b0"] * 3][:4]
            z, q = f"xor_{level}_{group}", f"xor_q_{level}_{group}"
            lines.append(f"  wire {z}, {q};")
            lines.append("  " + XOR.format(name=f"harness_{z}", a=inputs[0], b=inputs[1], c=inputs[2], d=inputs[3], z=z))
            register(z, q)
            following.append(q)
        layer = following
        level += 1
    lines.append(f"  {top} design_under_test ({', '.join(connections)});")
    lines.append(f"  assign probe = {layer[0] if layer else last};")
    lines.append("endmodule")
    return "\n".join(lines) + "\n"
