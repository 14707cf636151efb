"""Two nodes in hardware do the same in each cycle as forebay's simulation of them: every notification, fetch, hit and miss.

The simulation is an example of crates/cache/src/seer, `two_nodes`; cargo builds it.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import zip_longest
from pathlib import Path

import pytest

from bench.build import TARGET, VERILATOR, link_runtime, make_command, run_tool, tool_environment
from bench.queues import RTL
from cosim.build import sources_of

HEAVY = os.environ.get("FOREBAY_RTL_HEAVY") == "1"
CARGO = os.environ.get("CARGO", "cargo")
MAIN = Path(__file__).with_name("nodes.cpp")


@dataclass(frozen=True)
class Size:
    """The shape of the hardware."""

    sets: int
    list: int

    def options(self, assertions: bool) -> list[str]:
        parameters = {"Sets": self.sets, "Entries": self.list, "Packets": 1024}
        # A million packets are 53 million cycles, in which assertions and short compilation would cost more than they save.
        checks = ["--assert"] if assertions and self != SECTION_5_2 else ["--no-assert"]
        random = [] if self == SECTION_5_2 else ["--x-initial", "unique", "--x-assign", "unique"]
        return [*checks, *random, *(f"-G{name}={value}" for name, value in parameters.items())]

    def compiler(self) -> tuple[str, ...]:
        return ("OPT_FAST=-O3 -march=native",) if self == SECTION_5_2 else ()


@dataclass(frozen=True)
class Run:
    """A setting to simulate; values that are not named here are those of section 5.2 of the paper."""

    packets: int
    flows: int
    idle: str
    gigabits: int = 6
    threshold: int = 8
    interval: int = 5_000
    """Nanoseconds."""
    fetch: int = 16

    def words(self, size: Size) -> list[str]:
        return [f"{name}={value}" for name, value in {**vars(self), **vars(size)}.items()]

    def numbers(self) -> list[str]:
        octets = self.interval * 5 // 4
        return list(map(str, (self.packets, self.threshold, octets, int(self.idle == "before"), self.fetch)))


SECTION_5_2 = Size(sets=16_384, list=256)
SMALL, SHORT = Size(sets=64, list=16), Size(sets=16, list=4)
PACKETS = 1_000_000 if HEAVY else 20_000
RUNS = {
    SMALL: [
        Run(PACKETS, 400, "before"),
        Run(PACKETS, 400, "after", threshold=0, interval=0),
        Run(PACKETS, 400, "before", gigabits=8, threshold=2, fetch=160),
    ],
    # Lists that are too short, at both ends.
    SHORT: [Run(PACKETS, 100, "after", gigabits=9, threshold=2, fetch=160)],
    **({SECTION_5_2: [Run(PACKETS, 100_000, "before"), Run(PACKETS, 100_000, "after")]} if HEAVY else {}),
}


def build(size: Size, sources: Sequence[Path], assertions: bool) -> Path:
    """The program that simulates hardware of a size; kept until a source changes."""
    command = [
        str(VERILATOR), "--cc", "--exe", "--prefix", "Vtop", "--top-module", "seer_nodes", "--output-split", "0",
        *size.options(assertions), "-CFLAGS", "-std=c++17", "-Mdir", ".", *map(str, sources), str(MAIN),
    ]
    contents = b"".join(path.read_bytes() for path in [*sources, MAIN])
    name = hashlib.sha256(repr([command, size.compiler()]).encode() + contents).hexdigest()[:16]
    folder = TARGET / "cosim" / f"nodes-{name}"
    if not (folder / "done").exists():
        folder.mkdir(parents=True, exist_ok=True)
        run_tool(command, folder)
        runtime = link_runtime(folder)
        run_tool([*make_command("Vtop", *size.compiler()), *(f"--assume-old={file}" for file in runtime)], folder)
        (folder / "done").touch()
    return folder


@cache
def example() -> Path:
    """The simulation. The command names the whole workspace, so that libraries have the same features as in `make test`."""
    subprocess.run(
        [CARGO, "xtask", "workspace", "build", "--quiet", "--example", "two_nodes"],
        cwd=RTL.parent, check=True,
    )
    target = Path(os.environ.get("CARGO_TARGET_DIR", RTL.parent / "target"))
    return target / "debug" / "examples" / "two_nodes"


def output_of(command: list[str | Path]) -> str:
    done = subprocess.run(
        command, env=tool_environment(), text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
    )
    assert done.returncode == 0, f"Error: {command[0]}: {done.stdout}"
    return done.stdout


def differences(one: Path, other: Path) -> tuple[int, int, str]:
    """The number of lines, how many of them differ, and the first that does."""
    lines, count, first = 0, 0, ""
    with one.open() as ones, other.open() as others:
        for lines, (a, b) in enumerate(zip_longest(ones, others), start=1):
            if a != b:
                count += 1
                first = first or f"Error: line {lines}: simulation {a!r}, hardware {b!r}"
    return lines, count, first


def compare(size: Size, run: Run, sources: Sequence[Path] = (), assertions: bool = True) -> str:
    """Simulates both, and returns their events. Raises AssertionError if they differ."""
    start = time.monotonic()
    folder = build(size, sources or sources_of("seer_nodes"), assertions) / "-".join(run.words(size))
    folder.mkdir(exist_ok=True)
    simulated = output_of([example(), folder, *run.words(size)])
    packets, events, out = folder / "packets.txt", folder / "events.txt", folder / "hardware.txt"
    counted = output_of([folder.parent / "Vtop", packets, out, *run.numbers()])
    lines, differing, first = differences(events, out)
    seconds = time.monotonic() - start
    said = f"{' '.join(run.words(size))}: {lines:,} events, {differing} differ, {seconds:.0f} s\nhardware: {counted}{simulated}"
    assert differing == 0, f"{first}\n{said}"
    for file in (packets, events, out):
        file.unlink()
    return said


def run_mutant(parameters: Mapping[str, int], packets: int, sources: Sequence[Path], assertions: bool) -> None:
    """A case that finds faults: a busy link and an idle one, and control packets, the next of which may be due on half a block."""
    size = Size(parameters["Sets"], parameters["Entries"])
    compare(size, Run(packets, 400, "after", gigabits=8, threshold=2, interval=0), sources, assertions)
    compare(size, Run(packets, 400, "before", gigabits=8, threshold=0, interval=508, fetch=160), sources, assertions)


@pytest.mark.parametrize(("size", "run"), [(size, run) for size, runs in RUNS.items() for run in runs])
def test_hardware_does_what_the_simulation_does(size: Size, run: Run) -> None:
    print(compare(size, run))
