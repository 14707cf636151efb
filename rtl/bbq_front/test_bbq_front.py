"""bbq_front against the ideal queue: every departure, every refusal, every status line."""

from __future__ import annotations

import heapq
import os
import random

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, Timer

from cosim.build import job, report, simulate

DONE, FULL, EMPTY = 0, 1, 2
# Operations of each run: bbq_front promises departures identical to the ideal queue's for a
# million, which FOREBAY_RTL_HEAVY=1 runs.
# How often there is an enqueue and a dequeue: bursts of dequeues after rest are the hard case.
RATES = [(1, 1), (1, 1), (1, 0), (1, 0), (0, 1), (0, 1), (0, 1), (1, 0.5), (0.5, 1), (0.6, 0.6), (0, 0)]
HEAVY = os.environ.get("FOREBAY_RTL_HEAVY") == "1"


class Ideal:
    """A queue that serves the lowest rank, and equal ranks in order of arrival."""

    def __init__(self, entries: int, stamps: int) -> None:
        self.entries, self.stamps = entries, stamps
        self.passed = 0
        self.reset()

    def reset(self) -> None:
        self.order: list[tuple[int, int, int]] = []
        self.waiting: dict[int, set[int]] = {}
        self.arrivals = self.since_empty = 0

    @property
    def fifo(self) -> bool:
        """Whether all elements in the queue have stamps of their own."""
        return self.stamps > 1 and (not self.order or self.since_empty <= self.stamps)

    def enqueue(self, rank: int, data: int) -> int:
        if len(self.order) == self.entries:
            return FULL
        if not self.order:
            self.since_empty = 0
        self.since_empty += 1
        self.arrivals += 1
        heapq.heappush(self.order, (rank, self.arrivals, data))
        self.waiting.setdefault(rank, set()).add(data)
        return DONE

    def dequeue(self, rank: int, data: int) -> None:
        """Checks a departure. Among equals, the order may differ unless `fifo`."""
        exact = self.fifo
        first_rank, _, first_data = self.order[0]
        assert rank == first_rank, f"rank {rank} left before {first_rank}"
        assert data in self.waiting[rank], f"{data} is not in the queue at rank {rank}"
        if data == first_data:
            heapq.heappop(self.order)
        else:
            assert not exact, f"{data} left before {first_data}, which came earlier with the same rank"
            self.passed += 1
            place = next(i for i, entry in enumerate(self.order) if entry[2] == data)
            self.order[place] = self.order[-1]
            self.order.pop()
            heapq.heapify(self.order)
        self.waiting[rank].remove(data)


class Traffic:
    """When to enqueue and dequeue and at which rank; changes its habits now and then."""

    def __init__(self, rng: random.Random, ranks: int, entries: int, full_rate: bool) -> None:
        self.rng, self.ranks, self.entries, self.full_rate = rng, ranks, entries, full_rate
        self.last = 0
        self.started = False
        self.change()

    def change(self) -> None:
        rng = self.rng
        self.habit = rng.choice(["any", "few", "one", "near", "fall", "rise", "two"])
        if self.full_rate:
            self.enqueue, self.dequeue = (1, 1) if self.started else (1, 0)
            self.left = rng.randrange(1, 500 if self.started else self.entries)
            self.started = True
        else:
            self.enqueue, self.dequeue = rng.choice(RATES)
            self.left = rng.choice([8, 8, 16, 30, 100, 2 * self.entries])
        self.low = rng.randrange(self.ranks)
        self.at = self.ranks - 1 if self.habit == "fall" else 0

    def next(self) -> tuple[bool, bool, int]:
        self.left -= 1
        if self.left < 0:
            self.change()
        rng, habit, ranks = self.rng, self.habit, self.ranks
        if habit == "any":
            rank = rng.randrange(ranks)
        elif habit == "few":
            rank = min(self.low + rng.randrange(4), ranks - 1)
        elif habit == "one":
            rank = self.low
        elif habit == "two":
            rank = rng.choice([self.low, 0])
        elif habit == "near":
            rank = min(self.last + rng.randrange(8), ranks - 1)
        else:
            self.at += rng.choice([0, 0, 1]) * (-1 if habit == "fall" else 1)
            rank = self.at % ranks
        return rng.random() < self.enqueue, rng.random() < self.dequeue, rank


@cocotb.test()
async def drive(dut: cocotb.handle.HierarchyObject) -> None:
    """Random traffic with resets; checks each answer in the cycle in which it is due."""
    given = job()
    rng = random.Random(given["seed"])
    stamps = given.get("StampWidth", 0)
    ranks = given["Width"] ** given["Levels"] >> stamps
    ideal = Ideal(given["Entries"], 1 << stamps)
    traffic = Traffic(rng, ranks, given["Entries"], bool(given["full_rate"]))
    serial = operations = fullest = refused = found_empty = resets = cycles = 0
    put: int | None = None      # what the enqueue's answer has to be
    took = False                # a dequeue is to be answered
    reset_left = 3
    enqueues = False            # this cycle takes enqueues
    dut.enq_valid_i.value = dut.deq_valid_i.value = 0
    dut.rst_i.value = 1
    await Timer(1, "step")
    Clock(dut.clk_i, 2, "step").start(start_high=False)
    while operations < given["operations"]:
        await FallingEdge(dut.clk_i)
        cycles += 1
        # What the last rising edge has done.
        if reset_left < 3:
            assert bool(dut.enq_rsp_valid_o.value) == (put is not None)
            if put is not None:
                assert int(dut.enq_rsp_status_o.value) == put
            assert bool(dut.deq_rsp_valid_o.value) == took
            if took:
                status = int(dut.deq_rsp_status_o.value)
                rank, data = int(dut.deq_rsp_rank_o.value), int(dut.deq_rsp_data_o.value)
                assert status == (DONE if ideal.order_before else EMPTY), "a wrong status"
                if status == DONE:
                    traffic.last = rank
                    ideal.dequeue(rank, data)
                else:
                    assert rank == 0 and data == 0
                    found_empty += 1
            count = len(ideal.order)
            assert int(dut.occupancy_o.value) == count
            assert bool(dut.full_o.value) == (count == ideal.entries)
            assert bool(dut.empty_o.value) == (count == 0)
            assert bool(dut.fifo_o.value) == ideal.fifo
            assert int(dut.error_o.value) == 0
            fullest = max(fullest, count)
        put, took = None, False
        if reset_left == 0 and rng.random() < given["resets"] / 100_000:
            reset_left = rng.randrange(1, 4)
        if reset_left:
            dut.rst_i.value = 1
            reset_left -= 1
            ideal.reset()
            enqueues = False
            resets += 1
            continue
        dut.rst_i.value = 0
        want_enqueue, want_dequeue, rank = traffic.next() if not enqueues else (want_enqueue, False, rank)
        serial = (serial + 1) % (1 << given["DataWidth"])
        dut.enq_valid_i.value = want_enqueue
        dut.enq_rank_i.value = rank
        dut.enq_data_i.value = serial
        dut.deq_valid_i.value = want_dequeue
        if enqueues and want_enqueue:
            put = ideal.enqueue(rank, serial)
            refused += put == FULL
            operations += 1
        if not enqueues and want_dequeue:
            took = True
            ideal.order_before = len(ideal.order)
            operations += 1
        enqueues = not enqueues
    report({"operations": operations, "cycles": cycles, "passed": ideal.passed, "fullest": fullest,
            "refused": refused, "found_empty": found_empty, "resets": resets})


def run(
    operations: int, full_rate: bool = False, resets: int = 30, small: bool = False, **parameters: int
) -> dict[str, object]:
    return simulate(
        "bbq_front", "bbq_front.test_bbq_front", "drive", {"DataWidth": 24, **parameters},
        {"operations": operations, "seed": 1, "resets": resets, "full_rate": int(full_rate)},
        ("FOREBAY_FRONT_ANY_SIZE",) if small else (),
    )


SHAPES = [
    {"Levels": 1, "Width": 8, "Entries": 12},
    {"Levels": 2, "Width": 4, "Entries": 31},
    {"Levels": 3, "Width": 16, "Entries": 63, "StampWidth": 9},
]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_departures_are_the_ideal_queues(shape: dict[str, int]) -> None:
    found = run(200_000 if HEAVY else 10_000, **shape)
    assert found["refused"] and found["found_empty"] and found["fullest"] == shape["Entries"], found


@pytest.mark.parametrize("levels", [1, 2, 3])
def test_one_element_fewer_in_front_is_too_few(levels: int) -> None:
    with pytest.raises(AssertionError, match="late|left before"):
        run(10_000, small=True, Levels=levels, Width=4, Entries=31, FrontEntries=levels + 2)


@pytest.mark.parametrize("stamps", [0, 12])
def test_full_rate(stamps: int) -> None:
    """An enqueue and a dequeue in every system cycle, no reset: two operations in two cycles."""
    found = run(1_000_000 if HEAVY else 10_000, True, 0, Levels=4, Width=16, Entries=511, StampWidth=stamps)
    print(found)
    assert found["cycles"] < found["operations"] + 600
