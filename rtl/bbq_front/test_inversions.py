"""How often a BBQ without the front serves a rank that is not the lowest, since its answers are late.

As in appendix C.1 and figure 18 of the paper, flows circulate: each is enqueued again in the
cycle in which it departs. A dequeue is issued in every second cycle. A departure is an
inversion if a lower rank is in the queue then, enqueued before and not departed. An
ideal queue without latency has none.
"""

from __future__ import annotations

import heapq
import random
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.handle import HierarchyObject
from cocotb.triggers import FallingEdge, Timer

from cosim.build import job, report, simulate
from cosim.driver import DEQUEUE_MIN, DONE, ENQUEUE

DEPARTURES = 2_000
FLOWS = (16, 1_000)
WIDTH = 8


class Plain:
    """The ports of bbq, used by turns."""

    def __init__(self, dut: HierarchyObject) -> None:
        self.dut = dut
        dut.req_partition_i.value = 0
        dut.req_data_i.value = 0

    def departed(self) -> int | None:
        """The rank that leaves in this cycle."""
        dut = self.dut
        if not int(dut.rsp_valid_o.value) or int(dut.rsp_op_o.value) != DEQUEUE_MIN:
            return None
        assert int(dut.rsp_status_o.value) == DONE
        return int(dut.rsp_rank_o.value)

    def ask(self, dequeue: bool, rank: int | None) -> None:
        """The operation that is presented in this cycle."""
        self.dut.req_valid_i.value = dequeue or rank is not None
        self.dut.req_op_i.value = DEQUEUE_MIN if dequeue else ENQUEUE
        self.dut.req_rank_i.value = rank or 0


class Front:
    """The ports of bbq_front."""

    def __init__(self, dut: HierarchyObject) -> None:
        self.dut = dut
        dut.enq_data_i.value = dut.deq_peek_i.value = 0

    def departed(self) -> int | None:
        dut = self.dut
        if not int(dut.deq_rsp_valid_o.value):
            return None
        assert int(dut.deq_rsp_status_o.value) == DONE
        return int(dut.deq_rsp_rank_o.value)

    def ask(self, dequeue: bool, rank: int | None) -> None:
        self.dut.deq_valid_i.value = dequeue
        self.dut.enq_valid_i.value = rank is not None
        self.dut.enq_rank_i.value = rank or 0


async def circulate(dut: HierarchyObject, ports: Plain | Front, flows: int, again: bool, ranks: int) -> int:
    """Counts the inversions; `again` says whether a flow keeps its rank or draws a new one."""
    rng = random.Random(flows)
    queued: list[int] = []
    to_come = [rng.randrange(ranks) for _ in range(flows)]
    departures = inversions = cycle = full_at = 0
    dut.rst_i.value = 1
    ports.ask(False, None)
    for _ in range(3):
        await FallingEdge(dut.clk_i)
    dut.rst_i.value = 0
    while departures < DEPARTURES:
        # Even cycles are for dequeues, odd ones for enqueues.
        if not to_come and not full_at:
            full_at = cycle
        ports.ask(full_at > 0 and cycle > full_at + 40 and cycle % 2 == 0, None)
        rank = ports.departed()
        if rank is not None:
            departures += 1
            inversions += queued[0] < rank
            # A departure is an inversion if it is not the first in the heap.
            queued.remove(rank)
            heapq.heapify(queued)
            to_come.append(rank if again else rng.randrange(ranks))
        if cycle % 2 == 1 and to_come:
            ports.ask(False, to_come[0])
            heapq.heappush(queued, to_come.pop(0))
        await FallingEdge(dut.clk_i)
        cycle += 1
    return inversions


@cocotb.test()
async def drive(dut: HierarchyObject) -> None:
    given = job()
    ports = Front(dut) if given["front"] else Plain(dut)
    dut.rst_i.value = 1
    await Timer(1, "step")
    Clock(dut.clk_i, 2, "step").start(start_high=False)
    ranks = given["Width"] ** given["Levels"]
    report({
        f"{flows}-{again}": await circulate(dut, ports, flows, bool(again), ranks) for flows in FLOWS for again in (1, 0)
    })


def inversions(levels: int, front: bool) -> dict[str, object]:
    return simulate(
        "bbq_front" if front else "bbq", "bbq_front.test_inversions", "drive",
        {"Levels": levels, "Width": WIDTH, "Entries": 1023, "DataWidth": 17}, {"front": int(front), "seed": 1},
    )


@pytest.mark.parametrize("levels", (3, 1, 2, 4))
def test_only_the_front_has_no_inversions(levels: int) -> None:
    with ThreadPoolExecutor(2) as pool:
        found = dict(zip(("bbq", "bbq_front"), pool.map(partial(inversions, levels), (False, True)), strict=True))
    print(f"inversions in {DEPARTURES:,} departures, {levels} levels; flows keep their rank or draw a new one")
    print(f"{'queue':9}" + "".join(
        f" {f'{flows:,} flows, {rank}':>18}" for flows in FLOWS for rank in ("kept", "drawn")))
    for name, counts in found.items():
        print(f"{name:9}" + "".join(f" {count:>18,}" for count in counts.values()))
    # Many flows that keep their rank may have none: some of the lowest rank are always there.
    assert any(found["bbq"].values()) and not any(found["bbq_front"].values()), found
