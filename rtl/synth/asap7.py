"""ASAP7: yosys and OpenSTA. Area of the logic, area of the memories, and the clock.

The clock includes cells with the slopes and loads of the library's tables, flip-flops
with set-up, and the pins of memories and ports as starts and ends. It does not include wires, the clock
tree, hold, or corners other than typical (0.7 V, 25 C). No placed design reaches it.
"""

import json
import re
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from . import liberty, netlist, opensta, parts, sram, store, tools, yosys
from .source import Source

SUFFIX = "_ASAP7_75t_R"
DRIVER = f"BUFx3{SUFFIX}"
# Between parts of a design.
SPREADER = f"BUFx4{SUFFIX}"
LOAD_FF = 1.0
# For a net from one part to another.
PART_LOAD_FF = 4.0
# The target of abc: shorter than reachable, so that it does its best.
DELAY_PS = 100
# A net with more readers gets buffers.
FANOUT = 8
# Of the cells in use.
OUTPUT_PINS = ("Y", "QN", "H", "L")
# The drive of a flip-flop with up to so many readers.
FLOP_DRIVES = ((1, 1), (3, 2), (10**9, 3))
# Logic rebuilt for depth, matched, buffered, and sized twice: the fastest of a dozen tried on BBQ.
ABC = (
    "strash; &get -n; &fraig -x; &put; scorr; dc2; strash; &get -n; &st; &syn3; &syn3; &b -d; &put; "
    "dch; map -B 0.9; topo; buffer -c -N {fanout}; topo; "
    "upsize {{D}}; dnsize {{D}}; upsize {{D}}; dnsize {{D}}"
)
# For large designs: rebuilt less, so that adders keep their parallel carries. With this, an ordered list of 32 entries is 1 %
# faster and 5 % larger than with the above.
ABC_LARGE = (
    "strash; &get -n; &fraig -x; &put; dch; map -B 0.9; topo; buffer -c -N {fanout}; topo; "
    "upsize {{D}}; dnsize {{D}}; upsize {{D}}; dnsize {{D}}"
)


@dataclass(frozen=True)
class Asap7:
    """The result of one module."""

    name: str
    cells: dict[str, int]
    logic_um2: float
    flops: int
    memory_bits: int
    period_ps: float
    path: list[dict[str, Any]]

    @property
    def memory_mm2(self) -> float:
        """By the paper's cost of a bit."""
        return sram.area_mm2(self.memory_bits)

    @property
    def ghz(self) -> float:
        """The clock."""
        return 1000 / self.period_ps

    def path_text(self) -> str:
        """The longest path, a line for each pin: time so far, time in the cell or from it, net, cell, pin."""
        lines = [f"  longest path: {self.period_ps:.0f} ps, {len(self.path)} pins"]
        for step in self.path:
            kind = step["kind"].removesuffix(SUFFIX)
            lines.append(f"    {step['at']:6.1f} +{step['delay']:4.1f}  {kind:<12} {step['pin']:<3} {step['net']}")
        return "\n".join(lines)


def skipped() -> bool:
    """Whether cells or OpenSTA are missing; says so."""
    try:
        liberty.areas()
        opensta.tool()
    except tools.ToolError as error:
        tools.say(f"skipped: ASAP7: {error}")
        return True
    return False


def synthesise(
    source: Source, delay_ps: int = DELAY_PS, fanout: int = FANOUT, large: bool = False, part: str | None = None
) -> Asap7:
    """Runs the flow unless its result is there; `large`: the native yosys, and less of abc.

    `part`: a module of which the design has many, all the same; it is synthesised once.
    """
    combinational, sequential = liberty.libraries()
    abc = (ABC_LARGE if large else ABC).format(fanout=fanout)
    constraint = f"set_driving_cell {DRIVER}\nset_load {LOAD_FF if part is None else PART_LOAD_FF}\n"
    read, front = f"{source.read_command(flat=part is None)}\n", f"synth -flatten -top {source.top} -run begin:fine\n"
    if part is not None:
        front = f"setattr -mod -set keep_hierarchy 1 {part}\n{front}"
    back = (
        "opt -fast -full\nmemory_map\nopt -undriven -fine\ntechmap\nopt -fast\nclean\nrename -wire\n"
        f"dfflibmap -liberty {sequential.relative_to(tools.ROOT)}\nopt -fast\nclean\n"
        f"abc -liberty {combinational.relative_to(tools.ROOT)} -D {delay_ps} -script abc.script -constr abc.constr\n"
        f"hilomap -hicell TIEHIx1{SUFFIX} H -locell TIELOx1{SUFFIX} L\nclean -purge\n"
    )
    timing_script = opensta.script(source.top, Path("netlist.v"), [combinational, sequential], DRIVER, LOAD_FF)
    name = store.key(
        [read + front, back, abc, constraint, repr((FLOP_DRIVES, SPREADER)), yosys.version(large), timing_script, opensta.version()], source.files
    )
    work = store.folder("asap7", name)
    result = store.load(work / "result.json")
    if result is None:
        tools.say(f"asap7: yosys: {source.name}")
        here = str(work.relative_to(tools.ROOT))
        if part is not None:
            yosys.run(work, "read", f"{read}write_json {here}/read.json\n", 7200)
            design = json.loads((work / "read.json").read_text())
            parts.share(design["modules"], part)
            (work / "shared.json").write_text(json.dumps(design))
            read = f"read_json {here}/shared.json\n"
        elif large:
            yosys.run(work, "read", f"{read}write_rtlil {here}/read.il\n", 7200)
            read = f"read_rtlil {here}/read.il\n"
        yosys.run(work, "front", f"{read}{front}write_json {here}/front.json\n", 7200, large)
        design = json.loads((work / "front.json").read_text())
        memories = sram.take_out(design["modules"][source.top])
        (work / "cut.json").write_text(json.dumps(design))
        (work / "abc.script").write_text(abc + "\n")
        (work / "abc.constr").write_text(constraint)
        back = back.replace("abc.script", f"{here}/abc.script").replace("abc.constr", f"{here}/abc.constr")
        yosys.run(
            work,
            "back",
            f"read_json {here}/cut.json\n{back}tee -q -o {here}/stat.json stat -json\n"
            f"write_json {here}/mapped.json\n",
            7200,
            large,
        )
        modules = json.loads((work / "mapped.json").read_text())["modules"]
        counts(work / "stat.json", source.top, part)
        finish(modules, source.top, part, fanout)
        cells = dict(sorted(parts.all_cells(modules, source.top, part).items()))
        texts = [netlist.verilog(part, modules[part]), netlist.verilog(source.top, modules[source.top], (part,))] if part else [
            netlist.verilog(source.top, modules[source.top])]
        (work / "netlist.v").write_text("".join(texts))
        timing = opensta.longest_path(source.top, work, [combinational, sequential], DRIVER, LOAD_FF)
        result = asdict(
            Asap7(
                source.name,
                cells,
                sum(liberty.areas()[cell] * count for cell, count in cells.items()),
                sum(count for cell, count in cells.items() if cell.startswith("DFF")),
                sum(memory.bits for memory in memories),
                timing.period_ps,
                with_nets(timing.path, modules, source.top),
            )
        )
        store.save(work / "result.json", result)
    return Asap7(**result)


def finish(modules: dict[str, Any], top: str, part: str | None, fanout: int) -> None:
    """The leftovers of abc: nets that go to many parts, and drives of flip-flops."""
    if part is not None:
        parts.spread(modules[top], modules[part], parts.instances(modules[top], part), fanout, SPREADER)
        size_flops(modules[part])
    size_flops(modules[top])


def size_flops(module: dict[str, Any]) -> None:
    """Gives flip-flops the drive for their fan-out, since abc sizes only the cells between them."""
    readers = Counter(
        bits[0]
        for cell in module["cells"].values()
        for pin, bits in cell["connections"].items()
        if pin not in OUTPUT_PINS
    )
    for cell in module["cells"].values():
        if cell["type"].startswith("DFFHQNx"):
            fanout = readers[cell["connections"]["QN"][0]]
            drive = next(drive for most, drive in FLOP_DRIVES if fanout <= most)
            cell["type"] = f"DFFHQNx{drive}{SUFFIX}"


def with_nets(path: list[dict[str, Any]], modules: dict[str, Any], top: str) -> list[dict[str, Any]]:
    """The path with names of the source: of the flip-flops, and of the nets at the other pins; in a part, its instance before them."""
    nets: dict[str, netlist.Names] = {}
    for step in path:
        kind, name, where = top, step["cell"], ""
        if name not in modules[top]["cells"]:
            # `/` is in names of cells as well.
            where = next(inst for inst in modules[top]["cells"] if name.startswith(f"{inst}/"))
            kind, name = modules[top]["cells"][where]["type"], name.removeprefix(f"{where}/")
            where += "."
        if kind not in nets:
            nets[kind] = netlist.names(modules[kind])
        net = nets[kind][modules[kind]["cells"][name]["connections"][step["pin"]][0]]
        flop = step["kind"].startswith("DFF")
        step["net"] = where + (re.sub(r"_?\$_S?DFF.*$", "", name) if flop else net)
    return path


def counts(path: Path, top: str, part: str | None = None) -> None:
    """A run without final statistics, or with a cell that is not in the library, has failed."""
    report = store.load(path)
    for module in (top, part) if part is not None else (top,):
        if report is None or f"\\{module}" not in report["modules"]:
            raise tools.ToolError(f"yosys left no statistics of {module} in {path}")
        found = set(report["modules"][f"\\{module}"]["num_cells_by_type"])
        unknown = sorted(found - set(liberty.areas()) - {part})
        if unknown:
            raise tools.ToolError(f"{path}: not mapped to the library: {', '.join(unknown)}")
