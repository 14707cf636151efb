"""seer_egress against its queues in Python, every output in every cycle."""

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
from seer.egress_model import Egress

HEAVY = os.environ.get("FOREBAY_RTL_HEAVY") == "1"


class Traffic:
    """Packets in bursts, a link that is busy or not, and time that advances in steps."""

    def __init__(self, rng: random.Random, model: Egress, given: Mapping[str, int]) -> None:
        self.rng, self.model, self.given = rng, model, given
        self.left = 0
        self.now = 0
        self.t = rng.choice([1, 50, 400])

    def change(self) -> None:
        rng = self.rng
        self.left = rng.choice([10, 60, 300])
        self.arrivals = rng.choice([0, 0.1, 0.5, 1])
        self.departures = rng.choice([0, 0.1, 0.5, 1])
        self.gaps = rng.choice([0, 0.1, 0.5])
        self.idle = rng.choice([0, 0, 0.2])
        self.ready = rng.choice([0.5, 1])
        self.pace = rng.choice([0, 1, 30])
        self.m = rng.randrange(self.given["Entries"] + 1)

    def cycle(self) -> dict[str, int]:
        """Values of all inputs but the clock and reset."""
        rng, given = self.rng, self.given
        self.left -= 1
        if self.left < 0:
            self.change()
        self.now += rng.randrange(self.pace + 1)
        full = [of for of, queue in enumerate(self.model.queues) if queue]
        # Packets that wait are bounded, so that sums stay within their range.
        packets = sum(map(len, self.model.queues))
        left = full and rng.random() < self.departures
        left_class = rng.choice(full) if left else 0
        return {
            "now_i": self.now % (1 << given["TimeWidth"]),
            "queued_valid_i": rng.random() < self.arrivals and packets < 3 * given["Entries"],
            "queued_class_i": rng.randrange(given["Classes"]), "queued_asks_i": rng.random() < 0.9,
            "queued_id_i": rng.getrandbits(given["IdWidth"]),
            "queued_size_i": rng.randrange(1, 1 << rng.randrange(1, given["SizeWidth"] + 1)),
            "left_valid_i": bool(left), "left_class_i": left_class,
            "left_size_i": self.model.queues[left_class][0].size if left else 0,
            "threshold_i": self.m, "interval_i": self.t,
            "control_ready_i": rng.random() < 0.3, "gap_i": rng.random() < self.gaps,
            "idle_i": rng.random() < self.idle, "fpm_ready_i": rng.random() < self.ready,
        }


def expected(model: Egress, values: Mapping[str, int], now: int) -> dict[str, int]:
    """Outputs in a cycle, before its events."""
    first = model.first()
    offered = first is not None and model.carries > 0 and not values["left_valid_i"]
    out = {
        "waiting_o": model.waiting(), "fpm_valid_o": offered,
        "control_valid_o": model.control_due(now, values["threshold_i"], values["interval_i"]),
    }
    if offered:
        packet, delay = first
        out |= {"fpm_id_o": packet.id, "fpm_size_o": packet.size, "fpm_delay_o": delay,
                "fpm_control_o": model.in_control}
    return out


def happens(model: Egress, given: Mapping[str, int], values: Mapping[str, int], out: dict[str, int], now: int) -> bool:
    """The effect of a cycle on the model; returns whether an FPM found no room. Completes `out`."""
    if out["fpm_valid_o"] and values["fpm_ready_i"]:
        model.first()[0].id = None
        model.carries -= 1
    control = out["control_valid_o"] and values["control_ready_i"]
    if control:
        model.last_control = now
    if control or values["gap_i"] or values["idle_i"]:
        model.in_control = control
        model.carries = given["PerControl"] if control else given["PerGap"] if values["gap_i"] else float("inf")
    id = values["queued_id_i"] if values["queued_asks_i"] else None
    # Room counts as of the beginning of the cycle.
    full = out["waiting_o"] == given["Entries"]
    out["stale_o"] = values["left_valid_i"] and model.left(values["left_class_i"])
    if not values["queued_valid_i"]:
        return False
    refused = full and id is not None
    model.queued(values["queued_class_i"], None if refused else id, values["queued_size_i"])
    return refused


@cocotb.test()
async def drive(dut: HierarchyObject) -> None:
    given = job()
    rng = random.Random(given["seed"])
    model = Egress(given)
    traffic = Traffic(rng, model, given)
    counts: Counter[str] = Counter()
    refused = False
    dut.rst_i.value = 1
    await Timer(1, "step")
    Clock(dut.clk_i, 4, "step").start(start_high=False)
    for _ in range(2):
        await FallingEdge(dut.clk_i)
    for cycle in range(given["cycles"]):
        if rng.random() < given["resets"] / 100_000:
            dut.rst_i.value = 1
            await FallingEdge(dut.clk_i)
            model.reset()
            refused = False
            counts["resets"] += 1
        dut.rst_i.value = 0
        values = traffic.cycle()
        for name, value in values.items():
            getattr(dut, name).value = value
        await Timer(1, "step")  # before the clock's edge: outputs of this cycle
        out = expected(model, values, traffic.now)
        out["refused_o"] = refused
        counts["in_control"] += bool(out.get("fpm_control_o"))
        counts["longest"] += out.get("fpm_delay_o") == (1 << given["DelayWidth"]) - 1
        refused = happens(model, given, values, out, traffic.now)
        found = {name: int(getattr(dut, name).value) for name in out}
        assert found == {name: int(value) for name, value in out.items()}, f"cycle {cycle}: {found} instead of {out}"
        for name in ("fpm_valid_o", "control_valid_o", "stale_o", "refused_o"):
            counts[name] += bool(out[name])
        await FallingEdge(dut.clk_i)
    report(counts)


SMALL = {"IdWidth": 6, "SizeWidth": 5, "DelayWidth": 6, "TimeWidth": 12, "PerGap": 2}
SHAPES = [
    {**SMALL, "Classes": 2, "Entries": 8, "PerControl": 3, "TicksPerByte": 1},
    {**SMALL, "Classes": 1, "Entries": 5, "PerControl": 1, "TicksPerByte": 3},
    {**SMALL, "Classes": 5, "Entries": 16, "PerControl": 8, "TicksPerByte": 1},
]


def run(
    shape: Mapping[str, int], cycles: int, sources: Sequence[Path] = (), assertions: bool = True
) -> dict[str, object]:
    """Random traffic on one shape."""
    return simulate(
        "seer_egress", "seer.test_seer_egress", "drive", shape, {"cycles": cycles, "seed": 1, "resets": 100},
        sources=sources, assertions=assertions,
    )


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_random_traffic(shape: dict[str, int]) -> None:
    found = run(shape, 1_000_000 if HEAVY else 12_000)
    assert all(found[name] > 20 for name in (
        "fpm_valid_o", "control_valid_o", "in_control", "stale_o", "refused_o", "longest")), found
