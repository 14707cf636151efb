"""OpenSTA: the longest path of a mapped netlist. Debian's package is enough, with or without root."""

import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from . import tools

PACKAGE = "opensta"
PERIOD_PS = 1000.0
CLOCK_SLOPE_PS = 20.0
# Ports and pins of memories: when their data arrive after the clock's edge, and are due before the next.
# As for a flip-flop: 60 ps after the edge and 15 ps before the next.
LAUNCH_PS = 60.0
CAPTURE_PS = 15.0
SCRIPT = """
{libraries}
read_verilog {netlist}
link_design {top}
create_clock -name clk -period {period} [get_ports clk_i]
set_clock_transition {slope} [get_clocks clk]
set inputs [list]
foreach port [all_inputs] {{ if {{[get_name $port] ne "clk_i"}} {{ lappend inputs $port }} }}
set_driving_cell -lib_cell {driver} $inputs
set_input_delay {launch} -clock clk $inputs
set_output_delay {capture} -clock clk [all_outputs]
set_load {load} [all_outputs]
report_checks -path_delay max -format full_clock -fields {{slew capacitance}} -digits 2 -no_line_splits
puts "worst slack [worst_slack -max]"
"""


@dataclass(frozen=True)
class Timing:
    """The shortest period, and the path that needs it."""

    period_ps: float
    path: list[dict[str, Any]]


@cache
def tool() -> str:
    """OpenSTA of the system, or unpacked from Debian's package into target/tools."""
    installed = shutil.which("sta") or shutil.which("opensta")
    unpacked = tools.DEBIAN_TOOLS / "usr/bin/sta"
    if installed:
        return installed
    if not unpacked.exists():
        tools.say("fetching OpenSTA from Debian")
        tools.DEBIAN_TOOLS.mkdir(parents=True, exist_ok=True)
        try:
            subprocess.run(["apt-get", "download", PACKAGE], cwd=tools.DEBIAN_TOOLS, check=True, capture_output=True)
            (package,) = tools.DEBIAN_TOOLS.glob(f"{PACKAGE}_*.deb")
            subprocess.run(["dpkg", "-x", str(package), str(tools.DEBIAN_TOOLS)], check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError, ValueError) as error:
            raise tools.ToolError(f"OpenSTA is missing; install Debian's package {PACKAGE} ({error})") from None
    try:
        subprocess.run([unpacked, "-version"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        # Most often a library of its dependencies.
        raise tools.ToolError(f"OpenSTA does not start; install Debian's package {PACKAGE}") from None
    return str(unpacked)


def version() -> str:
    """The version that OpenSTA reports."""
    result = subprocess.run([tool(), "-version"], capture_output=True, text=True, check=False)
    return (result.stdout + result.stderr).strip()


def script(top: str, netlist: Path, libraries: Sequence[Path], driver: str, load_ff: float) -> str:
    """The commands for one netlist."""
    return SCRIPT.format(
        libraries="\n".join(f"read_liberty {path}" for path in libraries),
        netlist=netlist,
        top=top,
        period=PERIOD_PS,
        slope=CLOCK_SLOPE_PS,
        driver=driver,
        launch=LAUNCH_PS,
        capture=CAPTURE_PS,
        load=load_ff,
    )


def longest_path(top: str, work: Path, libraries: Sequence[Path], driver: str, load_ff: float) -> Timing:
    """Runs OpenSTA on `netlist.v` of a folder."""
    (work / "sta.tcl").write_text(script(top, work / "netlist.v", libraries, driver, load_ff))
    log = work / "sta.log"
    tools.run([tool(), "-no_splash", "-exit", str(work / "sta.tcl")], log, 3600)
    text = log.read_text()
    slack = re.search(r"^worst slack (-?[0-9.]+)", text, re.MULTILINE)
    if slack is None:
        raise tools.ToolError(f"OpenSTA left no slack in {log}")
    return Timing(PERIOD_PS - float(slack[1]), steps(text))


def steps(text: str) -> list[dict[str, Any]]:
    """The pins of the reported path: cell, pin, time in the cell or from it, and time so far."""
    found = []
    for line in text.splitlines():
        match = re.match(r".*?(-?[0-9.]+)\s+(-?[0-9.]+) [v^] (\S+)/(\w+) \((\w+)\)", line)
        if match:
            found.append({"delay": float(match[1]), "at": float(match[2]), "cell": match[3], "pin": match[4], "kind": match[5]})
    return found
