"""bbq_front against the ideal queue: every departure, every rejection, every status line."""

from __future__ import annotations

import heapq
import os
import random
from collections.abc import Sequence
from pathlib import Path

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, Timer

from cosim.build import job, report, simulate

DONE, FULL, EMPTY = 0, 1, 2
# How often there is an enqueue and a dequeue: bursts of dequeues after rest are the hard case.
RATES = [(1, 1), (1, 1), (1, 0), (1, 0), (0, 1), (0, 1), (0, 1), (1, 0.5), (0.5, 1), (0.6, 0.6), (0, 0)]
HEAVY = os.environ.get("FOREBAY_RTL_HEAVY") == "1"


class Ideal:
    """A queue that serves the lowest rank, and equal ranks in order of arrival."""

    def __init__(self, entries: int) -> None:
        self.entries = entries
        self.reset()

    def reset(self) -> None:
        self.order: list[tuple[int, int, int]] = []
        self.arrivals = 0

    def enqueue(self, rank: int, data: int) -> int:
        if len(self.order) == self.entries:
            return FULL
        self.arrivals += 1
        heapq.heappush(self.order, (rank, self.arrivals, data))
        return DONE

    def dequeue(self) -> tuple[int, int, int]:
        if not self.order:
            return EMPTY, 0, 0
        rank, _, data = heapq.heappop(self.order)
        return DONE, rank, data

    def peek(self) -> tuple[int, int, int]:
        return (DONE, self.order[0][0], self.order[0][2]) if self.order else (EMPTY, 0, 0)


class Traffic:
    """Chooses when to enqueue and dequeue and at which rank; its pattern changes now and then."""

    def __init__(self, rng: random.Random, ideal: Ideal, ranks: int, full_rate: bool) -> None:
        self.rng, self.ideal, self.ranks, self.full_rate = rng, ideal, ranks, full_rate
        self.entries = ideal.entries
        self.last = 0
        self.started = False
        self.change()

    def change(self) -> None:
        rng = self.rng
        self.habit = rng.choice(["any", "few", "one", "near", "fall", "rise", "two", "edge", "edge"])
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
        elif habit == "edge":
            # The border between the ranks in the PIFO and those in the BBQ.
            waiting = sorted({rank for rank, _, _ in self.ideal.order}) or [0]
            rank = waiting[min(rng.randrange(4, 16), len(waiting) - 1)]
        elif habit == "near":
            rank = min(self.last + rng.randrange(8), ranks - 1)
        else:
            self.at += rng.choice([0, 1, 1, 1]) * (-1 if habit == "fall" else 1)
            rank = self.at % ranks
        return rng.random() < self.enqueue, rng.random() < self.dequeue, rank


@cocotb.test()
async def drive(dut: cocotb.handle.HierarchyObject) -> None:
    """Random traffic with resets; checks each answer in the cycle in which it is due."""
    given = job()
    rng = random.Random(given["seed"])
    ideal = Ideal(given["Entries"])
    traffic = Traffic(rng, ideal, given["Width"] ** given["Levels"], False)
    serial = operations = fullest = refused = found_empty = resets = cycles = 0
    put: int | None = None                      # the right answers
    taken: tuple[int, int, int] | None = None
    reset_left, settled = 3, False
    enqueues = False                            # this cycle takes enqueues
    dut.enq_valid_i.value = dut.deq_valid_i.value = dut.deq_peek_i.value = 0
    dut.rst_i.value = 1
    await Timer(1, "step")
    Clock(dut.clk_i, 2, "step").start(start_high=False)
    while operations < given["operations"]:
        await FallingEdge(dut.clk_i)
        cycles += 1
        # The effect of the last rising edge.
        if settled:
            assert bool(dut.enq_rsp_valid_o.value) == (put is not None)
            if put is not None:
                assert int(dut.enq_rsp_status_o.value) == put
            assert bool(dut.deq_rsp_valid_o.value) == (taken is not None)
            if taken is not None:
                ports = (dut.deq_rsp_status_o, dut.deq_rsp_rank_o, dut.deq_rsp_data_o)
                found = tuple(int(port.value) for port in ports)
                assert found == taken, f"{found} left before {taken}"
                traffic.last = taken[1]
                found_empty += taken[0] == EMPTY
            count = len(ideal.order)
            assert int(dut.occupancy_o.value) == count
            assert bool(dut.full_o.value) == (count == ideal.entries)
            assert bool(dut.empty_o.value) == (count == 0)
            assert int(dut.error_o.value) == 0
            fullest = max(fullest, count)
        put = taken = None
        if reset_left == 0 and rng.random() < given["resets"] / 100_000:
            reset_left = rng.randrange(1, 4)
        if reset_left:
            dut.rst_i.value = 1
            reset_left -= 1
            ideal.reset()
            enqueues, settled = False, True
            resets += 1
            continue
        dut.rst_i.value = 0
        if not enqueues:
            want_enqueue, want_dequeue, rank = traffic.next()
            # Only now and then: special cases occur after many dequeues.
            peek = cycles // 1_000 % 4 == 3 and rng.random() < 0.5
        serial = (serial + 1) % (1 << given["DataWidth"])
        # An offer in the other half of the system cycle is not accepted.
        dut.enq_valid_i.value = want_enqueue
        dut.deq_valid_i.value = want_dequeue
        dut.deq_peek_i.value = peek
        dut.enq_rank_i.value = rank
        dut.enq_data_i.value = serial
        if enqueues and want_enqueue:
            put = ideal.enqueue(rank, serial)
            refused += put == FULL
            operations += 1
        if not enqueues and want_dequeue:
            taken = ideal.peek() if peek else ideal.dequeue()
            operations += 1
        enqueues = not enqueues
    report({"operations": operations, "cycles": cycles, "fullest": fullest, "refused": refused,
            "found_empty": found_empty, "resets": resets})


def run(
    operations: int, small: bool = False, sources: Sequence[Path] = (), assertions: bool = True, **parameters: int
) -> dict[str, object]:
    return simulate(
        "bbq_front", "bbq_front.test_bbq_front", "drive", {"DataWidth": 24, **parameters},
        {"operations": operations, "seed": 1, "resets": 30},
        ("FOREBAY_FRONT_ANY_SIZE",) if small else (), sources, assertions,
    )


SHAPES = [
    {"Levels": 1, "Width": 4, "Entries": 9},
    {"Levels": 2, "Width": 4, "Entries": 31, "Parity": 1},
    {"Levels": 2, "Width": 16, "Entries": 31},
    {"Levels": 3, "Width": 8, "Entries": 63},
]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_departures_are_the_ideal_queues(shape: dict[str, int]) -> None:
    found = run(200_000 if HEAVY else 10_000, **shape)
    assert found["refused"] and found["found_empty"] and found["fullest"] == shape["Entries"], found


@pytest.mark.parametrize("levels", [2, 3])
def test_one_token_fewer_in_front_is_too_few(levels: int) -> None:
    with pytest.raises(AssertionError, match="late|left before"):
        run(10_000, small=True, Levels=levels, Width=16, Entries=31, FrontEntries=levels + 4)
