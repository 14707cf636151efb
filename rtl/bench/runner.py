"""Builds and runs many jobs in parallel and prints one line for each."""

from __future__ import annotations

import hashlib
import json
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.build import TARGET, BuildError, Flavour, Stopped, build, simulate
from bench.plan import Job

COLUMNS = f"{'operations':>11} {'cycles':>11} {'op/cycle':>8} {'latency':>7} {'seconds':>7}  result"


@dataclass(frozen=True)
class Task:
    """A job, and how its simulator is built."""

    job: Job
    flavour: Flavour = Flavour()
    sources: tuple[Path, ...] = ()
    """In place of the queue's own, if given."""
    arguments: tuple[str, ...] = ()
    """Arguments of the simulator, as `+name=value`."""

    @property
    def folder(self) -> Path:
        text = json.dumps([self.job.write(), vars(self.flavour), [*map(str, self.sources)], self.arguments])
        name = hashlib.sha256(text.encode()).hexdigest()[:16]
        return TARGET / "run" / f"{self.job.configuration.queue.name}-{name}"


@dataclass(frozen=True)
class Outcome:
    """The result of a task."""

    task: Task
    seconds: float
    result: dict[str, Any]
    error: str = ""
    """Why there is no result."""
    built: bool = True

    @property
    def passed(self) -> bool:
        return not self.error and self.result["failure"] is None

    def report(self) -> str:
        """One line, and more of them for a failure."""
        configuration = self.task.job.configuration
        if self.error:
            return f"FAILED {configuration.name}\n  {self.error}"
        counts = self.result["counts"]
        rate = counts["operations"] / max(1, counts["offered"])
        line = (
            f"{counts['operations']:>11,} {counts['cycles']:>11,} {rate:>8.3f} "
            f"{configuration.promise.latency:>7} {self.seconds:>7.1f}  "
            f"{'passed' if self.passed else 'FAILED'}  {configuration.name}"
        )
        notes = [f"{'':>12}{Path(note).name}" for note in self.result["notes"]]
        return "\n".join([line, *notes, *self.failure()])

    def failure(self) -> list[str]:
        failure = self.result["failure"]
        if failure is None:
            return []
        if failure["operation"] is None:
            return [f"  {failure['message']}"]
        job = self.task.job
        if failure["line"] is not None:
            lines = [f"  {failure['segment']}:{failure['line']}", f"  {failure['message']}"]
        else:
            parameters = " ".join(f"{name}={value}" for name, value in job.configuration.parameters.items())
            lines = [
                f"  {failure['segment']}, operation {failure['operation']}, seed {job.seed}",
                f"  {failure['message']}",
                f"  again, with waves: PYTHONPATH=rtl target/rtl/venv/bin/python -m bench run "
                f"{job.configuration.queue.name} {parameters} --segment {failure['segment']} --seed {job.seed} "
                f"--operations {failure['operation'] + 100} --waves",
            ]
        if self.task.flavour.waves:
            lines.append(f"  waves: {self.task.folder / 'dump.vcd'}")
        return lines


def run(task: Task) -> Outcome:
    """Builds and runs one task."""
    start = time.monotonic()
    try:
        binary = build(task.job.configuration, task.flavour, list(task.sources) or None)
        arguments = (*task.arguments, *(["--trace"] if task.flavour.waves else []))
        result = simulate(binary, task.job.write(), task.folder, arguments)
        return Outcome(task, time.monotonic() - start, result)
    except (BuildError, Stopped) as error:
        return Outcome(task, time.monotonic() - start, {}, str(error), isinstance(error, Stopped))


def run_all(tasks: list[Task], jobs: int) -> bool:
    """Runs all tasks, prints them in order, and returns whether all passed."""
    start = time.monotonic()
    print(COLUMNS, flush=True)
    failed = 0
    with ThreadPoolExecutor(jobs) as pool:
        for outcome in pool.map(run, tasks):
            print(outcome.report(), flush=True)
            failed += not outcome.passed
    print(f"{len(tasks) - failed} of {len(tasks)} runs passed in {time.monotonic() - start:.0f} s")
    return failed == 0
