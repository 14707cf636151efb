"""The cocotb test of parity: many trials, each from a reset to the first error that the queue reports.

Until then every answer must be right: the queue reports an error in the cycle of the first answer
that the error has corrupted, or before.
"""

from __future__ import annotations

import json
import os
from array import array
from itertools import chain, islice
from pathlib import Path
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import Timer

from bench.build import BATCH
from bench.checker import Checker, Mismatch
from bench.plan import Job
from bench.reference import Reference
from bench.sim import Ports
from bench.words import ERROR

BATCHES = 4
"""The number of batches of each trial."""


@cocotb.test()
async def tell_errors(dut: Any) -> None:
    """Each segment of the job's is a trial."""
    job = Job.read(json.loads(Path(os.environ["BENCH_JOB"]).read_text()))
    configuration, ports = job.configuration, Ports(dut)
    await Timer(1, "step")
    Clock(dut.clk_i, 2, "step").start(start_high=False)
    told, operations, failure = 0, 0, None
    for number, segment in enumerate(job.segments):
        requests = segment.requests(configuration, job.seed + number)
        checker = Checker(Reference(configuration.shape), configuration.promise)
        sent, answers = [], array("Q")
        for _ in range(BATCHES):
            batch = list(chain.from_iterable(islice(requests, BATCH)))
            answers += await ports.exchange(batch)
            sent += batch
        # In the first cycle of the reset there may still be an error of the trial before.
        cycles = range(1, BATCHES * BATCH)
        error = next((cycle for cycle in cycles if answers[2 * cycle] & ERROR), None)
        right = BATCHES * BATCH if error is None else error
        try:
            checker.check(sent, answers[:2 * right])
        except Mismatch as mismatch:
            failure = f"{segment.name}, seed {job.seed + number}: {mismatch}"
        told += error is not None
        operations += checker.counts.operations
        if failure:
            break
    result = {"told": told, "operations": operations, "failure": failure}
    Path(os.environ["BENCH_RESULT"]).write_text(json.dumps(result))
