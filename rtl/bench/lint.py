"""Verilator's lint, all warnings on, over every block: the top module of NAME.f is NAME."""

from __future__ import annotations

from pathlib import Path

from bench.build import VERILATOR, BuildError, run_tool
from bench.queues import RTL


def lint(file_list: Path) -> str:
    """What Verilator objects to; empty if nothing."""
    command = [str(VERILATOR), "--lint-only", "-Wall", "--top-module", file_list.stem]
    sources = [line.strip() for line in file_list.read_text().splitlines() if line.strip()]
    try:
        output = run_tool([*command, *sources], RTL)
    except BuildError as error:
        return str(error)
    return "\n".join(line for line in output.splitlines() if line.startswith("%"))


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
