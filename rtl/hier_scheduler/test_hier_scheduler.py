"""hier_scheduler against two levels of sorted lists."""

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


class Model:
    """Turns as (tenant rank, arrival, tenant); each tenant's elements as (rank, arrival, data)."""

    def __init__(self, given: Mapping[str, int]) -> None:
        self.entries, self.tenants = given["Entries"], given["Tenants"]
        self.reset()

    def reset(self) -> None:
        self.turns: list[tuple[int, int, int]] = []
        self.elements: list[list[tuple[int, int, int]]] = [[] for _ in range(self.tenants)]
        self.arrivals = 0

    def __len__(self) -> int:
        return len(self.turns)

    def apply(self, operation: Mapping[str, int]) -> dict[str, int]:
        status, *values = self.answer(**operation)
        names = ("tenant", "tenant_rank", "rank", "data")
        return {"status": status, **dict(zip(names, values or (0, 0, 0, 0), strict=True))}

    def answer(self, op: int, tenant: int, tenant_rank: int, rank: int, data: int) -> tuple[int, ...]:
        if op > PEEK_MAX:
            return (UNSUPPORTED,)
        if op == ENQUEUE:
            if tenant >= self.tenants:
                return (OUT_OF_RANGE,)
            if len(self) == self.entries:
                return (FULL,)
            self.arrivals += 1
            insort(self.turns, (tenant_rank, self.arrivals, tenant))
            insort(self.elements[tenant], (rank, self.arrivals, data))
            return DONE, tenant, tenant_rank, rank, data
        if not self.turns:
            return (EMPTY,)
        index = 0 if op in (DEQUEUE_MIN, PEEK_MIN) else -1
        tenant_rank, _, tenant = self.turns[index]
        rank, _, data = self.elements[tenant][index]
        if op in (DEQUEUE_MIN, DEQUEUE_MAX):
            self.turns.pop(index)
            self.elements[tenant].pop(index)
        return DONE, tenant, tenant_rank, rank, data


class Traffic:
    """Back-to-back operations in changing proportions; sometimes of few tenants or ranks."""

    def __init__(self, rng: random.Random, model: Model, widths: Mapping[str, int]) -> None:
        self.rng, self.model, self.widths = rng, model, widths
        self.left = self.serial = 0

    def change(self) -> None:
        rng = self.rng
        self.left = rng.choice([5, 20, 60, 2 * self.model.entries])
        self.busy = rng.choice([1, 1, 0.7])
        self.enqueues = rng.choice([0, 0.1, 0.45, 0.5, 0.55, 0.9, 1])
        self.others = rng.choice([0, 0, 0.4])
        self.tenants = rng.sample(range(self.model.tenants), rng.choice([1, 2, self.model.tenants]))
        self.bits = {name: rng.choice([0, 1, width]) for name, width in self.widths.items()}

    def __call__(self) -> dict[str, int] | None:
        rng = self.rng
        self.left -= 1
        if self.left < 0:
            self.change()
        if rng.random() >= self.busy:
            return None
        op = ENQUEUE if rng.random() < self.enqueues else DEQUEUE_MIN
        if rng.random() < self.others:
            op = rng.choice([DEQUEUE_MIN, DEQUEUE_MAX, PEEK_MIN, PEEK_MAX])
        tenant = rng.choice(self.tenants)
        if rng.random() < 0.01:
            op, tenant = rng.randrange(8), rng.randrange(1 << self.widths["tenant"])
        self.serial += 1
        return {"op": op, "tenant": tenant, "tenant_rank": rng.getrandbits(self.bits["tenant_rank"]),
                "rank": rng.getrandbits(self.bits["rank"]), "data": self.serial % (1 << self.widths["data"])}


@cocotb.test()
async def drive(dut: cocotb.handle.HierarchyObject) -> None:
    given = job()
    rng = random.Random(given["seed"])
    model = Model(given)
    widths = {name: len(getattr(dut, f"req_{name}_i")) for name in ("tenant", "tenant_rank", "rank", "data")}
    report(await follow(
        dut, model, Traffic(rng, model, widths), operations=given["operations"], latency=given["latency"],
        resets=given["resets"], rng=rng,
    ))


def bbq_latency(levels: int, width: int, partitions: int) -> int:
    steered = min((partitions - 1).bit_length() // (width - 1).bit_length(), levels - 1)
    return 2 * (levels - steered) + 5 + (2 if steered else 0)


SHAPES = [
    {"Tenants": 8, "Entries": 31, "UpperLevels": 2, "UpperWidth": 4, "LowerLevels": 3, "LowerWidth": 4},
    {"Tenants": 5, "Entries": 15, "UpperLevels": 1, "UpperWidth": 16, "LowerLevels": 2, "LowerWidth": 8, "Parity": 1},
]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_two_levels(shape: dict[str, int]) -> None:
    cycles = 1 + bbq_latency(shape["UpperLevels"], shape["UpperWidth"], 1) + bbq_latency(
        shape["LowerLevels"], shape["LowerWidth"], shape["Tenants"])
    found = simulate(
        "hier_scheduler", "hier_scheduler.test_hier_scheduler", "drive", {"DataWidth": 16, **shape},
        {"operations": 1_000_000 if HEAVY else 10_000, "seed": 1, "resets": 50, "latency": cycles},
    )
    refusals = [FULL, EMPTY, UNSUPPORTED] + ([OUT_OF_RANGE] if shape["Tenants"] == 5 else [])
    assert found["fullest"] == shape["Entries"] and all(found[f"status{status}"] for status in refusals), found
