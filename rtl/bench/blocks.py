"""Runs the tests of blocks with ports of their own: the pytest files beside their sources."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from bench.queues import RTL


def test_files() -> list[Path]:
    """Tests that are slow to build first, so that the workers finish together."""
    files = [path for path in RTL.glob("*/test_*.py")]
    return sorted(files, key=lambda path: (path.parent.name != "mesh", path.parent.name != "bbq_front", path))


def run_file(path: Path, heavy: bool, quick: bool) -> tuple[bool, str]:
    """Whether the tests of a file passed, and what they printed."""
    choice = ("-p", "bench.first_cases") if quick else ()
    start = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-rP", "--tb=short", "-p", "no:cacheprovider", *choice,
         str(path.relative_to(RTL))],
        cwd=RTL, env={**os.environ, "FOREBAY_RTL_HEAVY": str(int(heavy))}, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
    )
    passed = done.returncode == 0
    lines = done.stdout.rstrip().splitlines()
    # For tests that passed, only their own output.
    shown = [line for line in lines if line and not line.startswith(("=", "_", "-"))] if passed else lines
    title = f"{'passed' if passed else 'FAILED'}  {path.relative_to(RTL)} in {time.monotonic() - start:.0f} s"
    return passed, "\n".join([title, *(f"    {line}" for line in shown)])


def run_blocks(jobs: int, heavy: bool = False, quick: bool = False) -> bool:
    """Runs all files in parallel; returns whether all passed. `heavy` is for the night; `quick` runs the first case of each test."""
    passed = True
    with ThreadPoolExecutor(jobs) as pool:
        for good, text in pool.map(lambda path: run_file(path, heavy, quick), test_files()):
            print(text, flush=True)
            passed &= good
    return passed
