"""bbq_front at full rate: a million operations, all answers identical to the ideal queue's.

An enqueue and a dequeue in every system cycle. Requests and answers pass in batches
(flat_front.sv). The right answers are known before, from the ideal queue.
"""

from __future__ import annotations

import random
import sys
from array import array
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import Timer

from bbq_front.test_bbq_front import EMPTY, FULL, Ideal, Traffic
from cosim.build import job, report, simulate, sources_of

SYSTEM_CYCLES = 512
DATA, ENQUEUE, DEQUEUE = 16, 40, 41
STATUS, VALID, SECOND = 40, 42, 44
FIRST_VALID, FIRST_FULL, FIRST_EMPTY, FIRST_OCCUPANCY = SECOND + 2, SECOND + 3, SECOND + 4, SECOND + 6


class Batches:
    """Words of requests, and the words of their right answers."""

    def __init__(self, given: dict[str, int]) -> None:
        rng = random.Random(given["seed"])
        self.ideal = Ideal(given["Entries"])
        self.traffic = Traffic(rng, self.ideal, given["Width"] ** given["Levels"], True)
        self.entries, self.data_mask = given["Entries"], (1 << given["DataWidth"]) - 1
        self.serial = self.operations = self.refused = self.found_empty = self.fullest = 0
        self.enqueued = 0   # the answer to the last enqueue, as in the word

    def next(self) -> tuple[array[int], array[int]]:
        requests, answers = array("Q"), array("Q")
        ideal, traffic = self.ideal, self.traffic
        for _ in range(SYSTEM_CYCLES):
            count = len(ideal.order)
            self.fullest = max(self.fullest, count)
            answer = self.enqueued | count << FIRST_OCCUPANCY
            answer |= (count == self.entries) << FIRST_FULL | (count == 0) << FIRST_EMPTY
            enqueue, dequeue, rank = traffic.next()
            self.serial = (self.serial + 1) & self.data_mask
            requests.append(rank | self.serial << DATA | enqueue << ENQUEUE | dequeue << DEQUEUE)
            if dequeue:
                status, taken, data = ideal.dequeue()
                traffic.last = taken
                self.found_empty += status == EMPTY
                answer |= taken | data << DATA | status << STATUS | 1 << VALID
            answers.append(answer)
            self.enqueued = 0
            if enqueue:
                status = ideal.enqueue(rank, self.serial)
                self.refused += status == FULL
                self.enqueued = status << SECOND | 1 << FIRST_VALID
            self.operations += enqueue + dequeue
        return requests, answers


@cocotb.test()
async def drive(dut: cocotb.handle.HierarchyObject) -> None:
    given = job()
    batches = Batches(given)
    dut.rst_i.value = 1
    dut.requests_i.value = 0
    await Timer(1, "step")
    Clock(dut.clk_i, 2, "step").start(start_high=False)
    await Timer(8, "step")
    requests, expected = batches.next()
    dut.requests_i.value = int.from_bytes(requests.tobytes(), sys.byteorder)
    dut.rst_i.value = 0
    system_cycles = 0
    while True:
        await dut.done_o.value_change
        found = array("Q", dut.answers_o.value.to_unsigned().to_bytes(8 * SYSTEM_CYCLES, sys.byteorder))
        if found != expected:
            at = next(i for i in range(SYSTEM_CYCLES) if found[i] != expected[i])
            raise AssertionError(f"system cycle {system_cycles + at}: {found[at]:#x} instead of {expected[at]:#x}")
        system_cycles += SYSTEM_CYCLES
        if batches.operations >= given["operations"]:
            break
        requests, expected = batches.next()
        dut.requests_i.value = int.from_bytes(requests.tobytes(), sys.byteorder)
    report({"operations": batches.operations, "system_cycles": system_cycles, "refused": batches.refused,
            "found_empty": batches.found_empty, "fullest": batches.fullest})


def test_a_million_operations_at_full_rate() -> None:
    found = simulate(
        "flat_front", "bbq_front.test_full_rate", "drive",
        {"Levels": 3, "Width": 8, "Entries": 511, "DataWidth": 24}, {"operations": 1_000_000, "seed": 1},
        sources=[*sources_of("bbq_front"), Path(__file__).with_name("flat_front.sv")],
    )
    print(found)
    # All but those of the first filling are in pairs.
    assert found["operations"] >= 1_000_000 and 2 * found["system_cycles"] < found["operations"] + 1_000
