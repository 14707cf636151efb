"""The cocotb test: runs inside the simulator and drives one queue through a job.

A job is a configuration with a plan of segments; each begins with a reset and
ends when everything is answered. The clock runs all the time; requests and answers pass in
batches of flat.sv.
"""

from __future__ import annotations

import json
import os
import sys
from array import array
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import Timer

from bench.build import BATCH
from bench.checker import Checker, Mismatch
from bench.ops import OpsError
from bench.plan import Job
from bench.reference import Reference
from bench.words import Request

class Ports:
    """flat.sv as a function from requests to answers."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut

    async def exchange(self, requests: list[int]) -> array[int]:
        """Presents requests, two words each, for a batch of cycles; returns the answer words."""
        packed = int.from_bytes(array("Q", requests).tobytes(), sys.byteorder)
        self.dut.requests_i.value = packed
        await self.dut.done_o.value_change
        answers = array("Q")
        number = self.dut.answers_o.value.to_unsigned()
        answers.frombytes(number.to_bytes(16 * BATCH, sys.byteorder))
        return answers


async def run_segment(ports: Ports, checker: Checker, requests: Iterator[Request], operations: int | None) -> None:
    """Sends requests until so many operations are accepted or all, then waits for the answers."""
    waiting: list[int] = []
    last = sys.maxsize if operations is None else checker.counts.operations + operations
    while checker.counts.operations < last:
        waiting += chain.from_iterable(islice(requests, BATCH - len(waiting) // 2))
        if not waiting:
            break
        sent = waiting + [0] * (2 * BATCH - len(waiting))
        used = checker.check(sent, await ports.exchange(sent))
        del waiting[:2 * used]
    idle = [0] * (2 * BATCH)
    for _ in range(1 + checker.promise.latency // BATCH):
        checker.check(idle, await ports.exchange(idle))
    checker.finish()


@cocotb.test()
async def follow_plan(dut: Any) -> None:
    """Runs the job named by the environment and writes the result."""
    job = Job.read(json.loads(Path(os.environ["BENCH_JOB"]).read_text()))
    configuration = job.configuration
    checker = Checker(Reference(configuration.shape), configuration.promise)
    ports = Ports(dut)
    # Until values that were random at power-up have settled.
    await Timer(1, "step")
    Clock(dut.clk_i, 2, "step").start(start_high=False)
    failure, notes = None, []
    for segment in job.segments:
        first = checker.counts.operations
        try:
            await run_segment(ports, checker, segment.requests(configuration, job.seed), segment.operations)
        except Mismatch as error:
            operation = max(0, error.operation - first)
            line = segment.line(operation)
            failure = {"segment": segment.name, "operation": operation, "line": line, "message": str(error)}
            break
        except OpsError as error:
            # The error names the line itself.
            failure = {"segment": segment.name, "operation": None, "line": None, "message": str(error)}
            break
        if segment.note():
            notes.append(f"{segment.name}: {segment.note()}")
    result = {"failure": failure, "notes": notes, "counts": vars(checker.counts)}
    Path(os.environ["BENCH_RESULT"]).write_text(json.dumps(result))
