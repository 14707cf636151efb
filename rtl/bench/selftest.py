"""Tests the bench itself: its own queue, broken in each of its ways, must be found broken."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from bench.mutants import OPERATIONS, Verdict, report, why_caught
from bench.plan import Job, random_segments
from bench.queues import QUEUES, configure
from bench.runner import Task, run

MODEL = QUEUES["model_queue"]
HERE = Path(__file__).resolve().parent


def faults() -> dict[int, str]:
    """Number and meaning of each fault of the model, from its source."""
    text = (HERE / "fixtures" / "model_queue.sv").read_text()
    lines = re.findall(r"localparam int unsigned Fault\w+ *= (\d+); *// (.*)", text)
    return {int(number): meaning for number, meaning in lines}


def judge(fault: int, meaning: str) -> Verdict:
    configuration = configure(MODEL, {"Entries": 16, "Partitions": 2})
    job = Job(configuration, random_segments(16, OPERATIONS), 1)
    outcome = run(Task(job, arguments=(f"+fault={fault}",)))
    if not outcome.built:
        return Verdict(meaning, False, f"does not compile: {outcome.error}")
    return Verdict(meaning, not outcome.passed, "not found" if outcome.passed else why_caught(outcome))


def self_test(jobs: int) -> bool:
    """Unit tests, then all faults of the model."""
    if pytest.main(["-q", "-p", "no:cacheprovider", str(HERE / "tests")]) != 0:
        return False
    with ThreadPoolExecutor(jobs) as pool:
        return report(pool.map(judge, *zip(*faults().items())))
