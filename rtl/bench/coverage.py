"""Coverage of random traffic: lines, toggles and cover points, over all configurations.

Verilator writes a count for each point of each instance. Points of the same position
in the source are added up over instances and configurations.
"""

from __future__ import annotations

import re
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from bench.build import FLAT, Flavour
from bench.plan import Job
from bench.queues import RTL
from bench.runner import Task, run

# A line is C, the point as pairs of key and value between \\1 and \\2, and the count.
POINT = re.compile(r"C '(.*)' (\d+)$")
KINDS = {"v_line": "line", "v_branch": "line", "v_toggle": "toggle", "v_user": "cover"}


@dataclass(frozen=True)
class Point:
    """A position in the source."""

    file: str
    line: int
    kind: str
    comment: str
    """Which signal, branch or label."""


def read_points(path: Path) -> dict[Point, int]:
    """The counts of one run."""
    counts: dict[Point, int] = defaultdict(int)
    for line in path.read_text().splitlines():
        if not (match := POINT.match(line)):
            continue
        values = dict(pair.split("\2", 1) for pair in match[1].split("\1") if "\2" in pair)
        kind = KINDS.get(values["page"].split("/")[0])
        if kind and Path(values["f"]) != FLAT:
            file = str(Path(values["f"]).relative_to(RTL))
            counts[Point(file, int(values["l"]), kind, values.get("o", ""))] += int(match[2])
    return counts


def run_coverage(jobs: list[Job], workers: int) -> bool:
    """Runs all jobs with coverage and prints it; false if a run fails or a cover point is missed."""
    tasks = [Task(job, Flavour(coverage=True)) for job in jobs]
    counts: dict[Point, int] = defaultdict(int)
    passed = True
    with ThreadPoolExecutor(workers) as pool:
        for outcome in pool.map(run, tasks):
            print(outcome.report(), flush=True)
            if outcome.passed:
                for point, count in read_points(outcome.task.folder / "coverage.dat").items():
                    counts[point] += count
            else:
                passed = False
    return print_counts(counts) and passed


def what(point: Point) -> str:
    """The line of a cover point, since all cover points of a file have the same name."""
    if point.kind != "cover":
        return f"{point.kind} {point.comment}"
    return (RTL / point.file).read_text().splitlines()[point.line - 1].strip()


def print_counts(counts: dict[Point, int]) -> bool:
    """A line for each file, then each cover point that was never hit."""
    print(f"{'lines':>14} {'toggles':>16} {'cover points':>14}  file")
    for file in sorted({point.file for point in counts}):
        cells = []
        for kind in ("line", "toggle", "cover"):
            hits = [count > 0 for point, count in counts.items() if (point.file, point.kind) == (file, kind)]
            share = f"{100 * sum(hits) / len(hits):.1f}%" if hits else "-"
            cells.append(f"{sum(hits)}/{len(hits)} {share}")
        print(f"{cells[0]:>14} {cells[1]:>16} {cells[2]:>14}  {file}")
    missed = sorted(
        f"{point.file}:{point.line}: {what(point)} is never reached"
        for point, count in counts.items()
        if count == 0 and point.kind != "toggle"
    )
    print("\n".join(missed))
    return not any(": cover " in line for line in missed)
