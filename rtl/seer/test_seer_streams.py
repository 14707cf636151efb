"""seer_cache does what `crates/cache/src/seer` does: the streams of testdata/seer, event by event."""

from __future__ import annotations

import os
from pathlib import Path

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.handle import HierarchyObject
from cocotb.triggers import FallingEdge, Timer

from cosim.build import job, report, simulate
from seer.manager_model import Fpm, Inputs
from seer.target_ports import TargetPorts

HEAVY = os.environ.get("FOREBAY_RTL_HEAVY") == "1"
STREAMS = Path(__file__).resolve().parents[2] / "testdata" / "seer"
WHERE = ("here", "coming", "away")


def lines_of(name: str) -> list[list[str]]:
    """The words of each line that is not a comment."""
    text = (STREAMS / f"{name}.txt").read_text()
    return [line.split() for line in text.splitlines() if not line.startswith("#")]


class Node:
    """The block, with a store that serves one fetch at a time."""

    def __init__(self, dut: HierarchyObject, given: dict[str, int]) -> None:
        self.dut, self.ports = dut, TargetPorts(dut, given)
        self.inputs = Inputs()
        self.iteration = (given["Ports"] - 1).bit_length() + 2 * given["Ways"] + 1
        self.ways: dict[int, int] = {}      # the way of each prefetch in flight
        self.under_way = 0                  # fetches of all kinds
        self.found: list[str] = []

    async def start(self, sets: int) -> None:
        self.dut.rst_i.value = 1
        self.ports.offer(self.inputs)
        await Timer(1, "step")
        Clock(self.dut.clk_i, 4, "step").start(start_high=False)
        for _ in range(2):
            await FallingEdge(self.dut.clk_i)
        self.dut.rst_i.value = 0
        for _ in range(sets + 1):
            await FallingEdge(self.dut.clk_i)

    async def cycle(self) -> dict[str, object]:
        """A cycle; keeps the actions of the block in it."""
        self.ports.offer(self.inputs)
        await Timer(1, "step")
        found = self.ports.read(self.inputs)
        if found["fetch"] is not None and self.inputs.fetch_ready:
            id, way, evicted, port = found["fetch"]
            self.ways[id] = way
            self.under_way += 1
            self.inputs.fetch_ready = False
            self.found.append(f"fetch {port} {id} {name(evicted)}")
        if found["placed"] is not None:
            id, entered = found["placed"]
            evicted = name(entered[2]) if entered is not None else "-"
            self.found.append(f"place {id} {'enters' if entered is not None else 'refused'} {evicted}")
        if found["answer"] is not None:
            self.where = WHERE[found["answer"][0]]
            self.under_way += self.where == "away"
        await FallingEdge(self.dut.clk_i)
        return found

    async def offer(self, kind: str, of: str) -> None:
        """Cycles until the offer is accepted, and one more for the answer."""
        while not (await self.cycle())[of]:
            pass
        value = getattr(self.inputs, kind)
        value.clear() if isinstance(value, dict) else setattr(self.inputs, kind, None)
        await self.cycle()

    async def happens(self, words: list[str]) -> None:
        """Offers the event of a line to the block, and keeps the answers."""
        now, kind, numbers = int(words[0]), words[1], [int(word) for word in words[2:] if word.isdigit()]
        inputs = self.inputs
        inputs.now = now
        if kind == "fpm":
            port, id, size, delay = numbers
            inputs.fpm[port] = Fpm(now, id, size, delay)
            await self.offer("fpm", f"fpm{port}")
            self.found.append(" ".join(words[1:]))
        elif kind == "push":
            port, size = numbers
            inputs.push[port] = size
            await self.offer("push", f"push{port}")
            self.found.append(" ".join(words[1:]))
        elif kind in ("come", "drop"):
            port, id = numbers
            inputs.come = (port, id, kind == "drop")
            self.where = ""
            await self.offer("come", "come")
            self.found.append(f"{kind} {port} {id} {self.where}".rstrip())
        elif kind == "fill":
            (id,) = numbers
            inputs.fill = (id, self.ways.pop(id))
            self.under_way -= 1
            await self.offer("fill", "fill")
            self.found.append(f"fill {id}")
        else:
            inputs.place = numbers[0]
            self.under_way -= 1
            await self.offer("place", "place")

    async def settle(self) -> None:
        """Until iterations that began after the last event have no effect any more."""
        self.inputs.fetch_ready = False
        for _ in range(2 * self.iteration):
            await self.cycle()
        quiet = 0
        while quiet < 2 * self.iteration:
            self.inputs.fetch_ready = self.under_way == 0
            quiet = 0 if (await self.cycle())["changed"] else quiet + 1
        self.inputs.fetch_ready = False


def name(evicted: int) -> str:
    return "-" if evicted < 0 else str(evicted)


@cocotb.test()
async def drive(dut: HierarchyObject) -> None:
    given = job()
    stream = sorted(path.stem for path in STREAMS.glob("*.txt"))[given["stream"]]
    node = Node(dut, given)
    await node.start(given["Sets"])
    lines = lines_of(stream)[1:]
    at = 0
    while at < min(len(lines), given["events"]):
        # All lines of one time: events, then decisions of the manager.
        end = next((i for i in range(at, len(lines)) if lines[i][0] != lines[at][0]), len(lines))
        group, node.found = lines[at:end], []
        for words in group:
            if words[1] != "fetch":
                await node.happens(words)
        await node.settle()
        expected = [" ".join(words[1:]) for words in group]
        assert node.found == expected, f"at {group[0][0]}: {node.found} instead of {expected}"
        at = end
    report({"events": at})


@pytest.mark.parametrize("stream", sorted(path.stem for path in STREAMS.glob("*.txt")))
def test_stream(stream: str) -> None:
    words = lines_of(stream)[0]
    shape = dict(zip(words[::2], map(int, words[1::2]), strict=True))
    parameters = {name.capitalize(): value for name, value in shape.items()}
    index = sorted(path.stem for path in STREAMS.glob("*.txt")).index(stream)
    found = simulate(
        "seer_cache", "seer.test_seer_streams", "drive",
        {**parameters, "IdWidth": 7, "SizeWidth": 5, "DelayWidth": 16, "TimeWidth": 16, "Fetches": 8},
        {"stream": index, "events": 1_000_000 if HEAVY else 700},
    )
    assert found["events"] >= 700, found
