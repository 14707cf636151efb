"""seer_cache against Algorithms 1 and 2 in Python, every output in every cycle."""

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
from seer.manager_model import AWAY, Enters, Fpm, Inputs, Outputs, Target
from seer.target_ports import TargetPorts

HEAVY = os.environ.get("FOREBAY_RTL_HEAVY") == "1"


class World:
    """Neighbours that notify of packets, packets most of which arrive, and a store."""

    def __init__(self, rng: random.Random, model: Target, given: Mapping[str, int]) -> None:
        self.rng, self.model, self.given = rng, model, given
        self.now = rng.getrandbits(given["TimeWidth"])
        # All expected times stay within this of now, so that times compare.
        self.reach = (1 << given["TimeWidth"]) // 5
        self.left = 0
        self.forget()

    def forget(self) -> None:
        """A reset: all fetches in flight are lost."""
        self.inputs = Inputs()
        self.flights: list[tuple[int, int, int]] = []  # arrival, id, way
        self.demands: list[tuple[int, int]] = []       # arrival, id
        self.cycle = 0

    def change(self) -> None:
        rng = self.rng
        self.left = rng.choice([20, 100, 400])
        self.told = rng.choice([0, 0.1, 0.3, 1])
        self.coming = rng.choice([0, 0.05, 0.3, 1])
        self.control = rng.choice([0, 0, 0.05])
        self.guesses = rng.choice([0, 0.1, 1])
        self.ids = rng.choice([3, 12, 1 << self.given["IdWidth"]])
        self.latency = rng.choice([1, 10, 60])
        self.store = rng.choice([0, 0.3, 1, 1])
        self.pace = rng.choice([0, 1, 1, 8])

    def id(self) -> int:
        return self.rng.randrange(min(self.ids, 1 << self.given["IdWidth"]))

    def late(self, time: int) -> int:
        """By how much `time` is after now; negative if it is before."""
        half = 1 << (self.given["TimeWidth"] - 1)
        return (time - self.now + half) % (2 * half) - half

    def offer(self) -> Inputs:
        """The inputs of the next cycle: an offer that was not accepted stays."""
        rng, inputs = self.rng, self.inputs
        self.left -= 1
        if self.left < 0:
            self.change()
        self.cycle += 1
        lists = self.model.lists
        if all(not one.entries or self.late(one.entries[0].key) > -self.reach for one in lists):
            self.now = (self.now + rng.randrange(self.pace + 1)) % (1 << self.given["TimeWidth"])
        inputs.now = self.now
        for port, one in enumerate(lists):
            self.tell(port, one.entries[-1].key if one.entries else self.now)
        if inputs.come is None and rng.random() < self.coming:
            inputs.come = self.packet()
        inputs.fetch_ready = rng.random() < self.store
        if inputs.fill is None and self.flights and self.flights[0][0] <= self.cycle:
            inputs.fill = self.flights.pop(0)[1:]
        if inputs.place is None and self.demands and self.demands[0][0] <= self.cycle:
            inputs.place = self.demands.pop(0)[1]
        return inputs

    def tell(self, port: int, last: int) -> None:
        rng, inputs = self.rng, self.inputs
        room = self.late(last) < self.reach
        if port not in inputs.push and rng.random() < self.control and room:
            inputs.push[port] = rng.randrange(1 << self.given["SizeWidth"])
        if port not in inputs.fpm and rng.random() < self.told and room:
            size = rng.randrange(1, 1 << self.given["SizeWidth"])
            own = size * self.given["TicksPerByte"]
            # Behind all others, or somewhere.
            behind = max(0, self.late(last)) + own + rng.randrange(20)
            delay = behind if rng.random() < 0.5 else own + rng.randrange(self.reach // 2)
            inputs.fpm[port] = Fpm(self.now, self.id(), size, min(delay, (1 << self.given["DelayWidth"]) - 1))

    def packet(self) -> tuple[int, int, bool]:
        """Mostly the first packet that is expected on a port; some arrive early, or without a notification."""
        port = self.rng.randrange(self.given["Ports"])
        entries = self.model.lists[port].entries
        expected = entries and self.rng.random() >= self.guesses
        return port, entries[0].tag if expected else self.id(), self.rng.random() < 0.1

    def took(self, out: Outputs) -> None:
        """Offers that were accepted are withdrawn; fetches begin."""
        inputs = self.inputs
        for port in range(self.given["Ports"]):
            if out.ready[f"fpm{port}"]:
                del inputs.fpm[port]
            if out.ready[f"push{port}"]:
                del inputs.push[port]
        if out.ready["come"]:
            inputs.come = None
        if out.ready["fill"]:
            inputs.fill = None
        if out.ready["place"]:
            inputs.place = None
        if out.fetch is not None and inputs.fetch_ready:
            self.flights.append((self.cycle + self.latency, out.fetch.id, out.fetch.way))
        if out.answer is not None and out.answer[0] == AWAY:
            self.demands.append((self.cycle + self.latency, out.answer[1]))


def count(counts: Counter[str], out: Outputs, inputs: Inputs) -> None:
    """Counts of events, so that a test without them fails."""
    if out.fetch is not None and inputs.fetch_ready:
        counts["evicting" if out.fetch.evicted is not None else "free"] += 1
    if out.placed is not None:
        enters: Enters | None = out.placed[1]
        counts["refused" if enters is None else "placed" if enters.evicted is None else "placed_evicting"] += 1
    if out.answer is not None:
        counts[f"where{out.answer[0]}"] += 1
    counts["iterations"] += out.iterated
    counts["no_room"] += len(out.refused)
    counts["expired"] += len(out.expired)


@cocotb.test()
async def drive(dut: HierarchyObject) -> None:
    given = job()
    rng = random.Random(given["seed"])
    model = Target(given, fifo=bool(given.get("fifo")))
    world = World(rng, model, given)
    ports = TargetPorts(dut, given)
    counts: Counter[str] = Counter()
    between, last = set(), None
    dut.rst_i.value = 1
    ports.offer(Inputs())
    await Timer(1, "step")
    Clock(dut.clk_i, 4, "step").start(start_high=False)
    for _ in range(2):
        await FallingEdge(dut.clk_i)
    for cycle in range(given["cycles"]):
        if rng.random() < given["resets"] / 100_000:
            dut.rst_i.value = 1
            await FallingEdge(dut.clk_i)
            model.reset()
            world.forget()
            last = None
            counts["resets"] += 1
        dut.rst_i.value = 0
        inputs = world.offer()
        ports.offer(inputs)
        await Timer(1, "step")  # before the clock's edge: outputs of this cycle
        found = ports.read(inputs)
        out = model.cycle(inputs)
        ports.compare(found, out, inputs, cycle)
        count(counts, out, inputs)
        if out.iterated:
            if last is not None and out.placed is None:
                between.add(cycle - last)
            last = cycle
        world.took(out)
        await FallingEdge(dut.clk_i)
    report({**counts, "cycles_of_an_iteration": sorted(between)})


SMALL = {"IdWidth": 6, "SizeWidth": 5, "DelayWidth": 9, "TimeWidth": 12, "TicksPerByte": 1, "Fetches": 3}
SHAPES = [
    {**SMALL, "Ports": 3, "Sets": 4, "Ways": 2, "Entries": 9, "Patience": 300},
    {**SMALL, "Ports": 1, "Sets": 1, "Ways": 4, "Entries": 16, "Patience": 0, "TicksPerByte": 3},
    {**SMALL, "Ports": 4, "Sets": 2, "Ways": 1, "Entries": 5, "Patience": 40},
]


def run(
    shape: Mapping[str, int], cycles: int, sources: Sequence[Path] = (), assertions: bool = True, fifo: bool = False
) -> dict[str, object]:
    """Random traffic on one shape."""
    return simulate(
        "seer_cache", "seer.test_seer_cache", "drive", shape,
        {"cycles": cycles, "seed": 1, "resets": 300, "fifo": int(fifo)},
        ("FOREBAY_SEER_HEURISTIC=seer_fifo",) if fifo else (), sources, assertions,
    )


# Another heuristic is tried on one shape.
@pytest.mark.parametrize(("shape", "fifo"), [*((shape, False) for shape in SHAPES), (SHAPES[0], True)], ids=str)
def test_random_traffic(shape: dict[str, int], fifo: bool) -> None:
    found = run(shape, 1_000_000 if HEAVY else 12_000, fifo=fifo)
    cycles = (shape["Ports"] - 1).bit_length() + 2 * shape["Ways"] + 1
    assert found["cycles_of_an_iteration"] == [cycles], found
    happened = ["evicting", "free", "refused", "placed", "placed_evicting", "where0", "where1", "where2", "no_room"]
    happened += ["expired"] if shape["Patience"] else []
    assert all(found[name] > 5 for name in happened), found
