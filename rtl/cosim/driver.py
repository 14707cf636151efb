"""Drives a block that has the ports of every queue, and checks it against a model.

The model answers each operation when it is accepted; the block must give the same answer
exactly `latency` cycles later, and nothing else.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Mapping
from typing import Protocol

from cocotb.clock import Clock
from cocotb.handle import HierarchyObject
from cocotb.triggers import FallingEdge, Timer

ENQUEUE, DEQUEUE_MIN, DEQUEUE_MAX, PEEK_MIN, PEEK_MAX = range(5)
DONE, FULL, EMPTY, OUT_OF_RANGE, UNSUPPORTED = range(5)

Operation = Mapping[str, int]
"""Values of the request's ports by name, without req_ and _i; `op` among them."""
Answer = Mapping[str, int]
"""Values of the answer's ports by name, without rsp_ and _o; `status` among them."""


class Model(Protocol):
    """A queue that finishes one operation before the next."""

    entries: int

    def reset(self) -> None:
        """Forgets everything."""

    def apply(self, operation: Operation) -> Answer:
        """Does an operation."""

    def __len__(self) -> int:
        """Elements in the queue."""


async def follow(
    dut: HierarchyObject, model: Model, choose: Callable[[], Operation | None], *,
    operations: int, latency: int, resets: int, rng: random.Random,
    strobes: Callable[[], Mapping[str, int]] = dict,
) -> dict[str, int]:
    """Sends the choices of `choose`, an operation or a pause for each cycle, and checks every cycle.

    `resets` is how many there are in 100,000 cycles. `strobes` are further outputs after the
    last operation. Returns counts of statuses, resets and cycles.
    """
    due: deque[tuple[int, Answer]] = deque()
    counts = {"operations": 0, "cycles": 0, "resets": 0, "fullest": 0,
              **{f"status{status}": 0 for status in range(5)}}
    reset_left, settled, cycle = 2, False, 0
    dut.req_valid_i.value = 0
    dut.rst_i.value = 1
    await Timer(1, "step")
    Clock(dut.clk_i, 2, "step").start(start_high=False)
    while counts["operations"] < operations or due:
        await FallingEdge(dut.clk_i)
        cycle += 1
        if settled:
            check(dut, model, due, cycle, strobes())
        if counts["operations"] and reset_left == 0 and rng.random() < resets / 100_000:
            reset_left = rng.randrange(1, 9)
        if reset_left:
            # An operation that is offered in reset is not accepted.
            dut.rst_i.value = 1
            dut.req_valid_i.value = rng.randrange(2)
            reset_left -= 1
            counts["resets"] += reset_left == 0
            model.reset()
            due.clear()
            settled = True
            continue
        dut.rst_i.value = 0
        operation = choose() if counts["operations"] < operations else None
        dut.req_valid_i.value = operation is not None
        if operation is None:
            strobe_none(model)
            continue
        for name, value in operation.items():
            getattr(dut, f"req_{name}_i").value = value
        answer = model.apply(operation)
        counts["operations"] += 1
        counts[f"status{answer['status']}"] += 1
        counts["fullest"] = max(counts["fullest"], len(model))
        due.append((cycle + latency, {"op": operation["op"], **answer}))
    counts["cycles"] = cycle
    return counts


def strobe_none(model: Model) -> None:
    """Informs a model with strobes that this cycle has no operation."""
    pause = getattr(model, "pause", None)
    if pause is not None:
        pause()


def check(
    dut: HierarchyObject, model: Model, due: deque[tuple[int, Answer]], cycle: int, strobes: Mapping[str, int]
) -> None:
    """Compares the outputs in one cycle with the right ones."""
    assert int(dut.occupancy_o.value) == len(model), f"occupancy is not {len(model)}"
    assert bool(dut.full_o.value) == (len(model) == model.entries)
    assert bool(dut.empty_o.value) == (len(model) == 0)
    assert int(dut.error_o.value) == 0
    for name, value in strobes.items():
        assert int(getattr(dut, name).value) == value, f"{name} is not {value}"
    expected = due.popleft()[1] if due and due[0][0] == cycle else None
    assert bool(dut.rsp_valid_o.value) == (expected is not None), f"an answer is {expected}"
    if expected is not None:
        found = {name: int(getattr(dut, f"rsp_{name}_o").value) for name in expected}
        assert found == expected, f"{found} instead of {expected}"
