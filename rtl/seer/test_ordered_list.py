"""ordered_list against a Python list, every output in every cycle."""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.handle import HierarchyObject
from cocotb.triggers import FallingEdge, Timer

from cosim.build import job, report, simulate
from seer.list_model import DELETE, DELETE_FIRST, INSERT, PUSH, Entry, ListModel, Operation

HEAVY = os.environ.get("FOREBAY_RTL_HEAVY") == "1"


class Traffic:
    """Operations in changing proportions, of many or few tags, with keys near those in the list."""

    def __init__(self, rng: random.Random, model: ListModel, widths: Mapping[str, int]) -> None:
        self.rng, self.model, self.widths = rng, model, widths
        self.left = 0
        self.now = rng.getrandbits(widths["key"]) if model.wrap else 0

    def change(self) -> None:
        rng = self.rng
        self.left = rng.choice([5, 40, 10 * self.model.capacity])
        self.busy = rng.choice([0.3, 1, 1])
        self.weights = rng.choice([(8, 2, 1, 1), (2, 8, 1, 1), (1, 1, 0, 0), (4, 2, 2, 0), (1, 0, 0, 0), (0, 1, 1, 0)])
        self.tags = rng.choice([1, 2, 2 * self.model.capacity])
        self.push = rng.choice([0, 1, 1 << (self.widths["push"] - 1)])

    def operation(self) -> Operation | None:
        rng, model = self.rng, self.model
        self.left -= 1
        if self.left < 0:
            self.change()
        if rng.random() >= self.busy or not model.ready:
            return None
        op = rng.choices((INSERT, DELETE, DELETE_FIRST, PUSH), self.weights)[0]
        push = rng.randrange(self.push + 1)
        # Keys may not pass the end of the range, or half of it where they wrap.
        top, bottom = model.last(), model.first()
        limit = 1 << (self.widths["key"] - model.wrap)
        span = (top.key - (bottom.key if model.wrap else 0)) % (1 << self.widths["key"]) if top and bottom else 0
        if span + push >= limit:
            op, push = rng.choice([DELETE, DELETE_FIRST]), 0
        return Operation(op, self.key(limit, push, span), self.tag(), rng.getrandbits(self.widths["value"]), push)

    def key(self, limit: int, push: int, span: int) -> int:
        """Beside an entry, or anywhere that leaves room to rise."""
        rng, model = self.rng, self.model
        first = model.first()
        base = first.key if model.wrap and first else self.now if model.wrap else 0
        if model.entries and rng.random() < 0.6:
            return max(0, rng.choice(model.entries).key + rng.choice([0, 0, 1])) % (1 << self.widths["key"])
        if model.wrap and not model.entries:
            self.now = (self.now + rng.randrange(limit)) % (1 << self.widths["key"])
            return self.now
        return (base + rng.randrange(max(1, min(limit - push, 2 * span + 4)))) % (1 << self.widths["key"])

    def tag(self) -> int:
        return self.rng.randrange(min(self.tags, 1 << self.widths["tag"]))


def fields(dut: HierarchyObject, name: str) -> tuple[int, int, int] | None:
    """An entry on the outputs."""
    if not int(getattr(dut, f"{name}_valid_o").value):
        return None
    return tuple(int(getattr(dut, f"{name}_{part}_o").value) for part in ("key", "tag", "value"))


def shown(entry: Entry | None) -> tuple[int, int, int] | None:
    return None if entry is None else (entry.key, entry.tag, entry.value)


@cocotb.test()
async def drive(dut: HierarchyObject) -> None:
    given = job()
    rng = random.Random(given["seed"])
    model = ListModel(given["Entries"], given["KeyWidth"], bool(given["Wrap"]))
    widths = {name: given[f"{name.capitalize()}Width"] for name in ("key", "tag", "value", "push")}
    traffic = Traffic(rng, model, widths)
    counts: Counter[str] = Counter()
    asked: list[tuple[int, int, int] | None] = [None, None]
    dut.rst_i.value = 1
    dut.req_valid_i.value = dut.ask_i.value = dut.mark_i.value = 0
    await Timer(1, "step")
    Clock(dut.clk_i, 4, "step").start(start_high=False)
    for _ in range(2):
        await FallingEdge(dut.clk_i)
    for _ in range(given["cycles"]):
        if rng.random() < given["resets"] / 100_000:
            dut.rst_i.value = 1
            dut.req_valid_i.value = rng.randrange(2)
            await FallingEdge(dut.clk_i)
            assert not int(dut.req_ready_o.value) and not int(dut.rsp_valid_o.value)
            model.reset()
            asked = [None, None]
            counts["resets"] += 1
        dut.rst_i.value = 0
        operation = traffic.operation()
        tag, mark, ask = traffic.tag(), rng.random() < 0.2, rng.random() < 0.5
        dut.req_valid_i.value = operation is not None
        if operation is not None:
            for name in ("op", "key", "tag", "value", "push"):
                getattr(dut, f"req_{name}_i").value = getattr(operation, name)
        dut.find_tag_i.value, dut.mark_i.value, dut.ask_i.value = tag, mark, ask
        await Timer(1, "step")  # before the clock's edge: outputs of this cycle
        check(dut, model, asked, tag)
        counts["full"] += model.full
        counts[f"op{operation.op}" if operation else "pause"] += 1
        counts["marked"] += any(entry.marked for entry in model.entries)
        if mark:
            model.mark()
        if ask:
            asked = [shown(model.last()), shown(model.ask())]
        model.act(operation)
        counts["refused"] += model.answer is False
        await FallingEdge(dut.clk_i)
    report(counts)


def check(
    dut: HierarchyObject, model: ListModel, asked: Sequence[tuple[int, int, int] | None], tag: int
) -> None:
    """Compares the outputs with the model before this cycle's operation."""
    assert bool(dut.req_ready_o.value) == model.ready
    assert (int(dut.occupancy_o.value), bool(dut.full_o.value), bool(dut.empty_o.value)) == (
        len(model.entries), model.full, not model.entries), f"{len(model.entries)} entries"
    assert bool(dut.rsp_valid_o.value) == (model.answer is not None)
    if model.answer is not None:
        assert bool(dut.rsp_done_o.value) == model.answer
    found = [fields(dut, name) for name in ("min", "max", "unmarked")]
    expected = [shown(model.first()), *asked]
    assert found == expected, f"min, max, unmarked are {found} instead of {expected}"
    hit = model.find(tag)
    assert bool(dut.find_hit_o.value) == (hit is not None), f"tag {tag}"
    if hit is not None:
        assert (int(dut.find_key_o.value), int(dut.find_value_o.value)) == (hit.key, hit.value), f"tag {tag}"


SHAPES = [
    {"Entries": 29, "KeyWidth": 8, "TagWidth": 5, "ValueWidth": 4, "PushWidth": 4, "Wrap": 0, "BankEntries": 8},
    {"Entries": 13, "KeyWidth": 7, "TagWidth": 3, "ValueWidth": 8, "PushWidth": 3, "Wrap": 1, "BankEntries": 64},
    {"Entries": 9, "KeyWidth": 7, "TagWidth": 3, "ValueWidth": 8, "PushWidth": 3, "Wrap": 1, "BankEntries": 4},
    {"Entries": 1, "KeyWidth": 6, "TagWidth": 2, "ValueWidth": 4, "PushWidth": 2, "Wrap": 0, "BankEntries": 1},
]


def run(
    shape: Mapping[str, int], cycles: int, sources: Sequence[Path] = (), assertions: bool = True
) -> dict[str, object]:
    """Random traffic on one shape."""
    return simulate(
        "ordered_list", "seer.test_ordered_list", "drive", shape, {"cycles": cycles, "seed": 1, "resets": 100},
        sources=sources, assertions=assertions,
    )


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_random_traffic(shape: dict[str, int]) -> None:
    found = run(shape, 1_000_000 if HEAVY else 12_000)
    assert all(found[f"op{op}"] > 50 for op in range(4)), found
    assert found["full"] > 100 and found["marked"] > 100 and found["refused"] > 20 and found["resets"], found
