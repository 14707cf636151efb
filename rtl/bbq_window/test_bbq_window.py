"""bbq_window against a rolling window written out with lists."""

from __future__ import annotations

import os
import random
from bisect import insort
from collections.abc import Mapping

import cocotb
import pytest

from cosim.build import job, report, simulate
from cosim.driver import (
    DEQUEUE_MAX, DEQUEUE_MIN, DONE, EMPTY, ENQUEUE, FULL, OUT_OF_RANGE, PEEK_MAX, PEEK_MIN, UNSUPPORTED, follow,
)

HEAVY = os.environ.get("FOREBAY_RTL_HEAVY") == "1"


class Window:
    """One logical queue. Elements are (rank at which it is stored, arrival, true rank, data)."""

    def __init__(self, span: int) -> None:
        self.span = span
        self.base = 0
        self.order: list[tuple[int, int, int, int]] = []

    def place(self, rank: int) -> tuple[int, bool, bool]:
        """The position of a rank, and whether it is before or beyond the window."""
        if not self.order:
            if rank < self.base:
                self.base = rank - rank % self.span
            elif rank >= self.base + 2 * self.span:
                self.base = rank - rank % self.span - self.span
        last = self.base + 2 * self.span - 1
        return min(max(rank, self.base), last), rank < self.base, rank > last


class Model:
    """All logical queues."""

    def __init__(self, given: Mapping[str, int]) -> None:
        self.entries = given["Entries"]
        self.partitions = given.get("Partitions", 1)
        self.clamp = given.get("Clamp", 1)
        ranks = given["Width"] ** given["Levels"]
        self.span = ranks >> (2 * self.partitions - 1).bit_length()
        self.moved = self.clamped = 0
        self.reset()

    def reset(self) -> None:
        self.windows = [Window(self.span) for _ in range(self.partitions)]
        self.arrivals = 0
        self.pause()

    def pause(self) -> None:
        self.strobes = {"before_o": 0, "beyond_o": 0}

    def __len__(self) -> int:
        return sum(len(window.order) for window in self.windows)

    def apply(self, operation: Mapping[str, int]) -> dict[str, int]:
        self.pause()
        status, rank, data = self.answer(**operation)
        return {"status": status, "partition": operation["partition"], "rank": rank, "data": data}

    def answer(self, op: int, partition: int, rank: int, data: int) -> tuple[int, int, int]:
        if op > PEEK_MAX:
            return UNSUPPORTED, 0, 0
        if partition >= self.partitions:
            return OUT_OF_RANGE, 0, 0
        window = self.windows[partition]
        if op == ENQUEUE:
            full = len(self) == self.entries
            base = window.base
            place, before, beyond = window.place(rank)
            if full or (not self.clamp and (before or beyond)):
                window.base = base
            outside = {"before_o": int(before), "beyond_o": int(beyond)}
            if not self.clamp and (before or beyond):
                self.strobes = outside
                return OUT_OF_RANGE, 0, 0
            if full:
                return FULL, 0, 0
            self.strobes = outside
            self.clamped += before or beyond
            self.arrivals += 1
            insort(window.order, (place, self.arrivals, rank, data))
            return DONE, rank, data
        if not window.order:
            return EMPTY, 0, 0
        index = 0 if op in (DEQUEUE_MIN, PEEK_MIN) else -1
        place, _, rank, data = window.order[index]
        if op in (DEQUEUE_MIN, DEQUEUE_MAX):
            window.order.pop(index)
        if op == DEQUEUE_MIN and place >= window.base + window.span:
            window.base += window.span
            self.moved += 1
        return DONE, rank, data


class Traffic:
    """Ranks that rise with service, and sometimes fall back, run ahead or jump."""

    def __init__(self, rng: random.Random, model: Model, rank_width: int, data_width: int) -> None:
        self.rng, self.model, self.data_width = rng, model, data_width
        self.highest = (1 << rank_width) - 1
        self.serial = self.left = 0
        self.partition_bits = max(1, (model.partitions - 1).bit_length())

    def change(self) -> None:
        rng = self.rng
        self.left = rng.choice([10, 40, 2 * self.model.entries])
        self.busy = rng.choice([1, 1, 0.7])
        self.enqueues = rng.choice([0.1, 0.45, 0.5, 0.55, 0.9])
        self.others = rng.choice([0, 0, 0.3])
        self.reach = rng.choice([1, self.model.span, self.model.span, 2 * self.model.span + 3])
        self.stray = rng.choice([0, 0, 0.1])

    def __call__(self) -> dict[str, int] | None:
        rng, model = self.rng, self.model
        self.left -= 1
        if self.left < 0:
            self.change()
        if rng.random() >= self.busy:
            return None
        partition = rng.randrange(model.partitions)
        base = model.windows[partition].base
        rank = base + rng.randrange(self.reach + 1)
        if rng.random() < self.stray:
            rank = rng.choice([base - 1 - rng.randrange(model.span), rng.randrange(self.highest + 1), self.highest])
        op = ENQUEUE if rng.random() < self.enqueues else DEQUEUE_MIN
        if rng.random() < self.others:
            op = rng.choice([DEQUEUE_MAX, PEEK_MIN, PEEK_MAX])
        if rng.random() < 0.01:
            op, partition = rng.randrange(8), rng.randrange(1 << self.partition_bits)
        self.serial += 1
        return {"op": op, "partition": partition, "rank": min(max(rank, 0), self.highest),
                "data": self.serial & ((1 << self.data_width) - 1)}


@cocotb.test()
async def drive(dut: cocotb.handle.HierarchyObject) -> None:
    given = job()
    rng = random.Random(given["seed"])
    model = Model(given)
    traffic = Traffic(rng, model, given["RankWidth"], given["DataWidth"])
    counts = await follow(
        dut, model, traffic, operations=given["operations"], latency=given["latency"], resets=given["resets"],
        rng=rng, strobes=lambda: model.strobes,
    )
    report({**counts, "moved": model.moved, "clamped": model.clamped})


def latency(levels: int, width: int, partitions: int) -> int:
    """The latency of a BBQ with so many partitions, and a cycle more."""
    steered = min((partitions - 1).bit_length() // (width - 1).bit_length(), levels - 1)
    return 2 * (levels - steered) + 5 + (2 if steered else 0) + 1


SHAPES = [
    {"Levels": 1, "Width": 8, "Entries": 15, "RankWidth": 8},
    {"Levels": 2, "Width": 4, "Entries": 31, "RankWidth": 12, "Clamp": 0},
    {"Levels": 3, "Width": 4, "Entries": 31, "RankWidth": 32, "Partitions": 3},
    {"Levels": 2, "Width": 16, "Entries": 63, "RankWidth": 16, "Partitions": 4, "Clamp": 0, "Parity": 1},
]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_rolling_window(shape: dict[str, int]) -> None:
    cycles = latency(shape["Levels"], shape["Width"], 2 * shape.get("Partitions", 1))
    found = simulate(
        "bbq_window", "bbq_window.test_bbq_window", "drive", {"DataWidth": 16, **shape},
        {"operations": 1_000_000 if HEAVY else 10_000, "seed": 1, "resets": 50, "latency": cycles},
    )
    assert found["moved"] > 50 and all(found[f"status{status}"] for status in range(5)), found
    assert found["fullest"] == shape["Entries"], found
    assert bool(found["clamped"]) == bool(shape.get("Clamp", 1))
