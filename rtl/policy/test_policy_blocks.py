"""The small blocks of a policy's hardware against models in Python: a list, division, a generator."""

from __future__ import annotations

import os
import random
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.handle import HierarchyObject
from cocotb.triggers import FallingEdge, Timer

from cosim.build import job, report, simulate
from policy.policy_model import Random

HEAVY = os.environ.get("FOREBAY_RTL_HEAVY") == "1"
CYCLES = 200_000 if HEAVY else 4_000
SURE = 1 << 64


async def start(dut: HierarchyObject) -> random.Random:
    await Timer(1, "step")
    Clock(dut.clk_i, 4, "step").start(start_high=False)
    await FallingEdge(dut.clk_i)
    return random.Random(job()["seed"])


@cocotb.test()
async def fifo(dut: HierarchyObject) -> None:
    """Words leave in order; the word on the port stays there until it is taken."""
    given = job()
    dut.rst_i.value = 1
    dut.put_i.value = 0
    dut.ready_i.value = 0
    rng = await start(dut)
    await FallingEdge(dut.clk_i)
    words: deque[int] = deque()
    full, both, put_chance, ready_chance = 0, 0, 0.5, 0.5
    for cycle in range(given["cycles"]):
        if cycle % 40 == 0:
            put_chance, ready_chance = rng.choice([0, 0.5, 1]), rng.choice([0, 0.5, 1])
        reset = rng.random() < 0.005
        put = len(words) < given["Depth"] and rng.random() < put_chance
        ready = rng.random() < ready_chance
        word = rng.getrandbits(given["Width"])
        dut.rst_i.value = reset
        dut.put_i.value = put
        dut.data_i.value = word
        dut.ready_i.value = ready
        await Timer(1, "step")
        assert int(dut.count_o.value) == len(words)
        assert bool(dut.valid_o.value) == bool(words)
        if words:
            assert int(dut.data_o.value) == words[0], f"cycle {cycle}"
        full += len(words) == given["Depth"]
        both += bool(put and ready and words)
        if ready and words:
            words.popleft()
        if put:
            words.append(word)
        if reset:
            words.clear()
        await FallingEdge(dut.clk_i)
    report({"full": full, "both": both})


@cocotb.test()
async def delay(dut: HierarchyObject) -> None:
    given = job()
    rng = await start(dut)
    words: deque[int] = deque(maxlen=max(1, given["Cycles"]))
    for cycle in range(given["cycles"]):
        enabled, word = rng.random() < 0.7, rng.getrandbits(given["Width"])
        dut.en_i.value = enabled
        dut.d_i.value = word
        await Timer(1, "step")
        if given["Cycles"] == 0:
            assert int(dut.q_o.value) == word
        elif len(words) == given["Cycles"]:
            assert int(dut.q_o.value) == words[0], f"cycle {cycle}"
        if enabled:
            words.append(word)
        await FallingEdge(dut.clk_i)
    report({})


@cocotb.test()
async def divider(dut: HierarchyObject) -> None:
    given = job()
    rng = await start(dut)
    stages: deque[tuple[int, int]] = deque(maxlen=given["NumeratorWidth"])
    for cycle in range(given["cycles"]):
        enabled = rng.random() < 0.8
        numerator = rng.getrandbits(given["NumeratorWidth"])
        denominator = max(1, rng.getrandbits(rng.randrange(1, given["DenominatorWidth"] + 1)))
        dut.en_i.value = enabled
        dut.numerator_i.value = numerator
        dut.denominator_i.value = denominator
        await Timer(1, "step")
        if len(stages) == given["NumeratorWidth"]:
            assert (int(dut.quotient_o.value), int(dut.remainder_o.value)) == stages[0], f"cycle {cycle}"
        if enabled:
            stages.append(divmod(numerator, denominator))
        await FallingEdge(dut.clk_i)
    report({})


@cocotb.test()
async def trials(dut: HierarchyObject) -> None:
    """A number is drawn for a chance that is neither 0 nor 1, and for no other."""
    dut.rst_i.value = 1
    rng = await start(dut)
    await FallingEdge(dut.clk_i)
    model, drawn, dropped = Random((1, 2, 3, 4)), model_next(Random((1, 2, 3, 4))), 0
    for cycle in range(job()["cycles"]):
        reset, ask = rng.random() < 0.002, rng.random() < 0.8
        chance = rng.choice([0, SURE, SURE + 5, rng.getrandbits(64), drawn, min(drawn + 1, SURE - 1)])
        dut.rst_i.value = reset
        dut.ask_i.value = ask
        dut.chance_i.value = chance
        await Timer(1, "step")
        expected = chance >= SURE or drawn < chance
        assert (bool(dut.drops_o.value), bool(dut.sure_o.value)) == (expected, chance >= SURE), f"cycle {cycle}"
        dropped += expected and chance < SURE
        if ask and 0 < chance < SURE:
            model.next()
        if reset:
            model = Random((1, 2, 3, 4))
        drawn = model_next(model)
        await FallingEdge(dut.clk_i)
    report({"dropped": dropped})


def model_next(model: Random) -> int:
    """The generator's next number, without drawing it."""
    return Random(tuple(model.state)).next()


def run(
    top: str, test: str, shape: Mapping[str, int], sources: Sequence[Path] = (), assertions: bool = True
) -> Mapping[str, int]:
    return simulate(top, "policy.test_policy_blocks", test, shape, {"cycles": CYCLES, "seed": 1},
                    sources=sources, assertions=assertions)


@pytest.mark.parametrize(("width", "depth"), [(5, 1), (9, 3), (4, 8)])
def test_fifo(width: int, depth: int) -> None:
    found = run("policy_fifo", "fifo", {"Width": width, "Depth": depth})
    assert found["full"] > 20 and (found["both"] > 20 or depth == 1), found


@pytest.mark.parametrize(("width", "cycles"), [(5, 0), (1, 1), (7, 5)])
def test_delay(width: int, cycles: int) -> None:
    run("policy_delay", "delay", {"Width": width, "Cycles": cycles})


@pytest.mark.parametrize("widths", [(1, 1), (8, 8), (20, 3), (3, 17)], ids=str)
def test_divider(widths: tuple[int, int]) -> None:
    run("policy_divider", "divider", dict(zip(("NumeratorWidth", "DenominatorWidth"), widths, strict=True)))


def test_trials() -> None:
    assert run("policy_random", "trials", {})["dropped"] > 100
