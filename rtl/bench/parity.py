"""Flips bits in the memories of BBQ, one memory after the other: the queue must report each flip that matters.

With parity, no answer may be wrong without an error on the port (parity_sim.py says when),
and the queue must report errors of every memory. Without faults there must be none. Without parity,
the same faults must corrupt answers: otherwise the trials would prove nothing.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.build import TARGET, Flavour, build, simulate
from bench.plan import Job, Segment
from bench.queues import QUEUES, Configuration, bbq_shape, configure

# Banks of counts and a root in a register; a level that the partition decides.
SHAPES = (bbq_shape(2, 16, 31), bbq_shape(3, 2, 15, partitions=2))
TRIALS = tuple(
    Segment(pattern, spacing, 0)
    for spacing in ("dense", "gaps")
    for pattern in (
        "mix", "mostly-enqueue", "fill-and-drain", "one-bucket", "few-buckets", "neighbours", "same-bucket-runs",
        "bursts", "nearly-full",
    )
)


@dataclass(frozen=True)
class Run:
    """All trials of one memory."""

    configuration: Configuration
    memory: str
    """Empty for none."""

    @property
    def folder(self) -> Path:
        name = "".join(character if character.isalnum() else "-" for character in f"{self.configuration.name} {self.memory}")
        return TARGET / "run" / f"parity-{name}"

    def run(self) -> dict[str, Any]:
        """Counts of trials with a reported error, and of flipped bits."""
        binary = build(self.configuration, Flavour(assertions=False, faults=True))
        fault = (f"+ram_fault={self.memory}",) if self.memory else ()
        job = Job(self.configuration, TRIALS * 2, 1).write()
        result = simulate(binary, job, self.folder, fault, "bench.parity_sim")
        return {**result, "flipped": self.log().count("flipped")}

    def log(self) -> list[str]:
        return (self.folder / "log").read_text().splitlines()

    def memories(self) -> list[str]:
        """Of the design, as they name themselves."""
        return [line.removeprefix("memory ") for line in self.log() if line.startswith("memory ")]


def judge(plain: Configuration, checked: Configuration, memory: str) -> tuple[bool, str]:
    """A line about one memory, and whether its result is as required."""
    with_parity, without = Run(checked, memory).run(), Run(plain, memory).run()
    problems = []
    if with_parity["failure"]:
        problems.append(f"wrong without an error: {with_parity['failure']}")
    if not with_parity["told"]:
        problems.append("no error was ever told")
    if not without["failure"]:
        problems.append("without parity, nothing was ever wrong")
    name = memory.removeprefix("flat.i_queue.").removesuffix(".i_fault")
    line = (
        f"{with_parity['flipped']:>8} {with_parity['told']:>7} of {2 * len(TRIALS)} {without['operations']:>13}  "
        f"{'passed' if not problems else 'FAILED'}  {name}"
    )
    return not problems, "\n  ".join([line, *problems])


def run_parity(jobs: int, quick: bool = False) -> bool:
    """Tries all memories of all shapes, or of the first; returns whether all results are as required."""
    passed = True
    for shape in SHAPES[:1] if quick else SHAPES:
        plain, checked = (configure(QUEUES["bbq"], {**shape, "Parity": parity}) for parity in (0, 1))
        quiet = Run(checked, "")
        found = quiet.run()
        good = not found["told"] and not found["failure"]
        print(f"{checked.name}: without faults {'no error' if good else f'FAILED {found}'}")
        passed &= good
        print(f"{'flipped':>8} {'told in trials':>14} {'plain: wrong':>13}  result  memory")
        with ThreadPoolExecutor(jobs) as pool:
            for good, text in pool.map(lambda memory: judge(plain, checked, memory), quiet.memories()):
                print(text, flush=True)
                passed &= good
    return passed
