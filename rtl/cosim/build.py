"""Builds a block with ports of its own and runs one cocotb test of a module on it.

Tools and Verilator's own objects are those of the bench; simulators are kept under
target/rtl/cosim and built again when a source, a parameter or a tool changes. Registers
and memories start at random.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping, Sequence
from pathlib import Path

import cocotb_tools.config
import find_libpython

from bench.build import COCOTB_MAIN, TARGET, VERILATOR, link_runtime, make_command, run_tool, tool_environment
from bench.queues import RTL

LIBRARIES = cocotb_tools.config.libs_dir


def sources_of(top: str) -> list[Path]:
    """The files of a block, in order of compilation; one folder has its list."""
    (file_list,) = RTL.glob(f"*/{top}.f")
    return [RTL / line for line in file_list.read_text().split()]


def build(
    top: str, parameters: Mapping[str, int], defines: tuple[str, ...] = (), sources: Sequence[Path] = (),
    assertions: bool = True,
) -> Path:
    """The folder of the block's simulator, Vtop."""
    sources = sources or sources_of(top)
    command = [
        str(VERILATOR), "--cc", "--exe", "--vpi", "--prefix", "Vtop", "--top-module", top, "--output-split", "0",
        "--public-depth", "1", "--assert" if assertions else "--no-assert",
        "--x-initial", "unique", "--x-assign", "unique", "-DFOREBAY_RAM_COLLIDE", *(f"-D{name}" for name in defines),
        *(f"-G{name}={value}" for name, value in parameters.items()),
        "-LDFLAGS", f"-Wl,-rpath,{LIBRARIES} -L{LIBRARIES} -lcocotbvpi_verilator",
        "-Mdir", ".", *map(str, sources), str(COCOTB_MAIN),
    ]
    make = make_command("Vtop")
    contents = b"".join(path.read_bytes() for path in sources)
    name = hashlib.sha256(json.dumps([command, make]).encode() + contents).hexdigest()[:16]
    folder = TARGET / "cosim" / f"{top}-{name}"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "done").exists():
            run_tool(command, folder)
            # As in the bench: the makefile would compile them again, which takes most of the time.
            run_tool([*make, *(f"--assume-old={file}" for file in link_runtime(folder))], folder)
            (folder / "done").touch()
    return folder


def simulate(
    top: str, module: str, test: str, parameters: Mapping[str, int],
    arguments: Mapping[str, int] | None = None, defines: tuple[str, ...] = (), sources: Sequence[Path] = (),
    assertions: bool = True,
) -> dict[str, object]:
    """Runs the cocotb test `test` of `module`; returns what it reports with `report`.

    `parameters` are the block's; the test finds them and `arguments` with `job`.
    `sources` replace those of the block. Raises AssertionError with the end of the log if the
    test fails.
    """
    folder = build(top, parameters, defines, sources, assertions)
    given = {**parameters, **(arguments or {})}
    run = folder / "-".join([test, *(f"{key}{value}" for key, value in (arguments or {}).items())])
    run.mkdir(exist_ok=True)
    results, report_file = run / "results.xml", run / "report.json"
    for file in (results, report_file):
        file.unlink(missing_ok=True)
    environment = {
        **tool_environment(),
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
    done = subprocess.run(
        [str(folder / "Vtop"), "+verilator+rand+reset+2", f"+verilator+seed+{seed}"],
        cwd=run, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
    )
    cases = list(ElementTree.parse(results).iter("testcase")) if results.exists() else []
    failed = any(case.find("failure") is not None or case.find("error") is not None for case in cases)
    assert done.returncode == 0 and len(cases) == 1 and not failed, f"{top} {given}\n{done.stdout[-4000:]}"
    return json.loads(report_file.read_text())


def job() -> dict[str, int]:
    """The parameters and arguments of the running test."""
    return json.loads(os.environ["COSIM_JOB"])


def report(values: Mapping[str, object]) -> None:
    """The results of the running test, for the program that started it."""
    Path(os.environ["COSIM_REPORT"]).write_text(json.dumps(values))
