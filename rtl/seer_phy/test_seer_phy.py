"""seer_phy_tx and seer_phy_rx on a link, against the models, every output in every cycle."""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.handle import HierarchyObject
from cocotb.triggers import FallingEdge, Timer

from cosim.build import job, report, simulate
from seer_phy.block_traffic import flips, sequence
from seer_phy.pcs import CODES, ERROR
from seer_phy.side_channel import RECEIVER_LATENCY, SENDER_LATENCY, Received, Sent, check, receive, send

HEAVY = os.environ.get("FOREBAY_RTL_HEAVY") == "1"


@dataclass
class Session:
    """The events between two resets, known in advance: the inputs of each block, and the right outputs."""

    blocks: list[int]
    offers: list[int | None]
    tx_enabled: list[bool]
    flips: list[int]
    rx_enabled: list[bool]
    sent: Sent
    received: Received


def phases(rng: random.Random, count: int, choices: Sequence[float]) -> list[bool]:
    """Changing shares of true."""
    flags: list[bool] = []
    while len(flags) < count:
        share = rng.choice(choices)
        flags += [rng.random() < share for _ in range(rng.choice([5, 40, 200]))]
    return flags[:count]


def session(rng: random.Random, width: int) -> Session:
    blocks = sequence(rng, rng.choice([1, 20, 300, 600]))
    count = len(blocks)
    offered = phases(rng, count, [0, 0.1, 0.5, 1, 1])
    # Words whose first or last octet is an error character: of some words, only this octet is in a block.
    begins = rng.getrandbits(width) & ~0xFF | CODES[ERROR] << 1
    ends = next(fpm for fpm in iter(lambda: rng.getrandbits(width), None) if check(fpm) == CODES[ERROR])
    offers = [rng.choice([0, (1 << width) - 1, rng.getrandbits(width), begins, ends]) if offer else None
              for offer in offered]
    tx_enabled, rx_enabled = phases(rng, count, [0, 1, 1, 1, 0.9]), phases(rng, count, [0, 1, 1, 1, 1, 0.9])
    sent = send(blocks, offers, tx_enabled, width)
    errors = flips(rng, count)
    # The receiver gets no more than the sender has sent when the last block arrives.
    line = [block ^ error for block, error in zip(sent.blocks[:-SENDER_LATENCY + 1], errors)]
    return Session(blocks, offers, tx_enabled, errors, rx_enabled, sent, receive(line, rx_enabled, width))


class Queue:
    """FPMs that wait at the receiver, with their times of arrival."""

    def __init__(self, entries: int) -> None:
        self.entries = entries
        self.waiting: list[tuple[int, int]] = []

    def cycle(self, come: Sequence[int], taken: bool, now: int) -> int:
        """Returns how many are lost."""
        kept = come[:self.entries - len(self.waiting)]
        if taken and self.waiting:
            self.waiting.pop(0)
        self.waiting += [(fpm, now) for fpm in kept]
        return len(come) - len(kept)


async def play(dut: HierarchyObject, rng: random.Random, given: Mapping[str, int], counts: Counter[str]) -> None:
    """Runs a session to its last block, which ends it at any position of its words."""
    now = session(rng, given["Width"])
    queue = Queue(given["Entries"])
    pauses, taking = rng.choice([0, 0, 0.03, 0.5]), rng.choice([1, 1, 0.7, 0.3])
    coming = line = left = -1
    """The last block at the input, on the line, at the output."""
    line_valid = out_valid = False
    damaged = lost = 0
    while coming + 1 < len(now.blocks):
        time = counts["cycles"] % (1 << given["TimeWidth"])
        comes, taken = rng.random() >= pauses, rng.random() < taking
        coming += comes
        dut.block_valid_i.value, dut.block_i.value = comes, now.blocks[coming] if comes else rng.getrandbits(66)
        offer = now.offers[coming] if comes else rng.getrandbits(given["Width"])
        dut.tx_fpm_valid_i.value, dut.tx_fpm_i.value = offer is not None, offer or 0
        dut.tx_enable_i.value = now.tx_enabled[coming] if comes else 1
        dut.rx_enable_i.value = now.rx_enabled[line] if line_valid else 1
        dut.flip_i.value = now.flips[line] if line_valid else rng.getrandbits(66)
        dut.now_i.value, dut.rx_fpm_ready_i.value = time, taken
        await Timer(1, "step")  # before the clock's edge: outputs of this cycle
        out = {
            "line_valid_o": line_valid, "block_valid_o": out_valid, "damaged_o": damaged, "lost_o": lost,
            "tx_fpm_ready_o": comes and now.sent.ready[coming], "rx_fpm_valid_o": bool(queue.waiting),
        }
        if line_valid:
            out["line_o"] = now.sent.blocks[line]
        if out_valid:
            out["block_o"] = now.received.blocks[left]
        if queue.waiting:
            out["rx_fpm_o"], out["rx_fpm_time_o"] = queue.waiting[0]
        found = {name: int(getattr(dut, name).value) for name in out}
        assert found == {name: int(value) for name, value in out.items()}, f"block {coming}: {found} instead of {out}"
        counts["cycles"] += 1
        counts["taken"] += offer is not None and out["tx_fpm_ready_o"]
        counts["came"] += taken and bool(queue.waiting)
        counts["damaged"] += damaged
        counts["lost"] += lost
        counts["cleared"] += out_valid and now.received.blocks[left] != now.sent.blocks[left] ^ now.flips[left]
        # The outputs of the next cycle.
        damaged = now.received.damaged[line] if line_valid else 0
        lost = queue.cycle(now.received.fpms[line] if line_valid else [], taken, time)
        out_valid = line_valid and line >= RECEIVER_LATENCY - 1
        left += out_valid
        line_valid = comes and coming >= SENDER_LATENCY - 1
        line += line_valid
        await FallingEdge(dut.clk_i)


@cocotb.test()
async def drive(dut: HierarchyObject) -> None:
    given = job()
    rng = random.Random(given["seed"])
    counts: Counter[str] = Counter()
    await Timer(1, "step")
    Clock(dut.clk_i, 4, "step").start(start_high=False)
    await FallingEdge(dut.clk_i)
    while counts["cycles"] < given["cycles"]:
        dut.rst_i.value = 1
        for _ in range(rng.choice([1, 1, 3])):
            dut.block_valid_i.value, dut.tx_fpm_valid_i.value, dut.tx_enable_i.value = rng.randrange(2), 1, 1
            await FallingEdge(dut.clk_i)
            assert not int(dut.tx_fpm_ready_o.value) and not int(dut.rx_fpm_valid_o.value)
        dut.rst_i.value = 0
        await play(dut, rng, given, counts)
        counts["sessions"] += 1
    report(counts)


SHAPES = [
    {"Width": 44, "TimeWidth": 16, "Entries": 2},
    {"Width": 32, "TimeWidth": 16, "Entries": 3},
    {"Width": 25, "TimeWidth": 16, "Entries": 5},
    {"Width": 40, "TimeWidth": 16, "Entries": 4},
]


def run(
    shape: Mapping[str, int], cycles: int, sources: Sequence[Path] = (), assertions: bool = True
) -> dict[str, object]:
    """Random blocks and FPMs on one shape."""
    return simulate(
        "seer_phy_link", "seer_phy.test_seer_phy", "drive", shape, {"cycles": cycles, "seed": 1},
        sources=sources, assertions=assertions,
    )


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_random_blocks(shape: dict[str, int]) -> None:
    found = run(shape, 1_000_000 if HEAVY else 20_000)
    assert all(found[name] > 20 for name in ("taken", "came", "damaged", "lost", "cleared", "sessions")), found
