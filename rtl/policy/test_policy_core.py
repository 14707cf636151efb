"""policy_core with a queue block against its model: every drop, departure, counter and parameter."""

from __future__ import annotations

import os
import random
from collections import Counter, deque
from collections.abc import Mapping, Sequence
from pathlib import Path

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.handle import HierarchyObject
from cocotb.triggers import FallingEdge, Timer

from bench.build import TARGET
from bench.queues import RTL
from cosim.build import job, report, simulate, sources_of
from policy.axil import Axil
from policy.policies import POLICIES, Policy
from policy.policy_model import Engine, Packet
from policy.policy_sources import package, rules
from policy.random_policies import random_policy

HEAVY = os.environ.get("FOREBAY_RTL_HEAVY") == "1"
NAMES = list(POLICIES)
RANDOM = 1000
"""From here on, numbers of policies are seeds of random ones."""
OUTSTANDING = 16
PARAMETERS = 0x400


def policy_of(number: int) -> Policy:
    return POLICIES[NAMES[number]] if number < RANDOM else random_policy(number - RANDOM)


class Words:
    """Packed structs of policy_pkg as numbers."""

    def __init__(self, policy: Policy) -> None:
        self.widths = policy.widths()

    def operation(self, pull: bool, classified: bool, queue: int, port: int, packet: Packet, now: int) -> int:
        of = self.widths
        word = 0
        for width, value in (
            (1, pull), (1, classified), (of["QueueWidth"], queue), (of["PortWidth"], port),
            (of["RankWidth"], packet.rank), (of["TimeWidth"], now), (of["SizeWidth"], packet.size), (8, packet.value),
            (of["IdWidth"], packet.id), (2, packet.marks), (of["SizeWidth"], packet.size), (8, packet.value),
        ):
            assert 0 <= value < 1 << width
            word = word << width | value
        return word

    def split(self, word: int, *widths: int) -> tuple[int, ...]:
        """The members, the highest first."""
        values = []
        for width in reversed(widths):
            values.append(word & (1 << width) - 1)
            word >>= width
        return tuple(reversed(values))

    def departure(self, word: int) -> tuple[int, ...]:
        of = self.widths
        return self.split(word, 1, 2, of["PortWidth"], of["QueueWidth"], of["IdWidth"])

    def drop(self, word: int) -> tuple[int, ...]:
        return self.split(word, 1, 3, self.widths["QueueWidth"], self.widths["IdWidth"])


class Traffic:
    """Packets and pulls in phases: more of the one or the other, gaps, readers that are slow."""

    def __init__(self, rng: random.Random, policy: Policy) -> None:
        self.rng, self.policy = rng, policy
        self.widths = policy.widths()
        self.now = 0
        self.free = list(range(1 << self.widths["IdWidth"]))
        rng.shuffle(self.free)
        self.phase()

    def phase(self) -> None:
        rng = self.rng
        self.left = rng.choice([5, 40, 150])
        self.pulls = rng.choice([0, 0.3, 0.5, 0.7, 1])
        self.offered = rng.choice([0.2, 1, 1])
        self.departs = rng.choice([0.02, 0.5, 1, 1])
        self.drops = rng.choice([0.02, 0.5, 1, 1])
        self.queues = rng.choices(range(len(self.policy.queues)), k=rng.choice([1, 4]))
        self.marked = rng.choice([0, 0.5])

    def step(self) -> None:
        self.left -= 1
        if self.left < 0:
            self.phase()

    def operation(self) -> tuple[bool, int | None, int, Packet]:
        """A pull or not, queue, port, packet."""
        rng, of = self.rng, self.widths
        self.now = (self.now + rng.randrange(5)) % (1 << of["TimeWidth"])
        pull = rng.random() < self.pulls or not self.free
        queue = None if rng.random() < 0.08 else rng.choice(self.queues)
        size = rng.randrange(1, 1 << of["SizeWidth"]) if of["SizeWidth"] > 1 else 0
        rank = rng.randrange(self.policy.queues[queue or 0].ranks)
        marks = rng.randrange(4) if rng.random() < self.marked else 0
        packet = Packet(0 if pull else self.free.pop(0), queue or 0, rank, size, rng.randrange(100), marks=marks)
        return pull, queue, rng.randrange(len(self.policy.ports)), packet


class Bench:
    """The hardware, the model, and events that have not been reported to the host yet."""

    def __init__(self, dut: HierarchyObject, policy: Policy, rng: random.Random) -> None:
        self.dut, self.policy, self.rng = dut, policy, rng
        self.words = Words(policy)
        self.counts: Counter[str] = Counter()
        self.restart()

    def restart(self) -> None:
        self.engine = Engine(self.policy)
        self.traffic = Traffic(self.rng, self.policy)
        self.departures: deque[tuple[int, ...]] = deque()
        self.drops: deque[tuple[int, ...]] = deque()
        self.offer: tuple[bool, int | None, int, Packet] | None = None
        self.shown: dict[str, int] = {}
        self.low = [value & 0xffff_ffff for value in self.policy.parameters]
        self.axil = Axil(self.dut)

    async def reset(self) -> None:
        dut = self.dut
        dut.rst_i.value = 1
        Axil(dut).drive()
        for name in ("op_valid_i", "m_axis_depart_tready_i", "m_axis_drop_tready_i"):
            getattr(dut, name).value = 0
        dut.front_empty_i.value = 1
        for _ in range(2):
            await FallingEdge(dut.clk_i)
        dut.rst_i.value = 0
        self.restart()

    async def cycle(self, feed: bool, fast: bool = False) -> None:
        """One cycle; `feed`: operations are offered; `fast`: without gaps."""
        dut, rng, traffic = self.dut, self.rng, self.traffic
        traffic.step()
        if self.offer is None and feed and not int(dut.hold_o.value) and (fast or rng.random() < traffic.offered):
            self.offer = traffic.operation()
            pull, queue, port, packet = self.offer
            dut.op_i.value = self.words.operation(pull, queue is not None, queue or 0, port, packet, traffic.now)
        dut.op_valid_i.value = self.offer is not None
        dut.front_empty_i.value = self.offer is None
        ready = {"depart": fast or rng.random() < traffic.departs, "drop": fast or rng.random() < traffic.drops}
        for name, value in ready.items():
            getattr(dut, f"m_axis_{name}_tready_i").value = value
        self.axil.drive()
        await Timer(1, "step")  # before the clock's edge: outputs of this cycle
        self.counts["cycles"] += 1
        for write in self.axil.sample():
            self.written(write.address, write.word)
        if self.offer is not None and int(dut.op_ready_o.value):
            self.accepted()
        for name, waiting, read in (
            ("depart", self.departures, self.words.departure), ("drop", self.drops, self.words.drop)
        ):
            self.told(name, waiting, read, ready[name])
        await FallingEdge(dut.clk_i)

    def accepted(self) -> None:
        """The model does the operation too."""
        pull, queue, port, packet = self.offer
        engine = self.engine
        self.offer = None
        self.counts["pulls" if pull else "arrivals"] += 1
        if pull:
            engine.pull(port, self.traffic.now)
        else:
            engine.arrive(queue, packet, self.traffic.now)
        self.departures.extend(engine.departures)
        self.drops.extend(engine.drops)
        for departure in engine.departures:
            self.counts["none" if departure[0] else f"marks{departure[1]}"] += 1
        for pushed, rule, _, _ in engine.drops:
            self.counts[f"rule{rule}"] += 1
            self.counts["pushed"] += pushed
        engine.departures.clear()
        engine.drops.clear()

    def told(self, name: str, waiting: deque[tuple[int, ...]], read: object, ready: bool) -> None:
        """The output is that of the model; it stays until it is taken."""
        valid = int(getattr(self.dut, f"m_axis_{name}_tvalid_o").value)
        assert valid or name not in self.shown, f"{name}: tvalid went away"
        if not valid:
            return
        word = int(getattr(self.dut, f"m_axis_{name}_tdata_o").value)
        assert self.shown.pop(name, word) == word, f"{name}: tdata changed"
        assert waiting, f"{name}: {read(word)} instead of nothing"
        assert read(word) == waiting[0], f"{name}: {read(word)} instead of {waiting[0]}"
        if not ready:
            self.shown[name] = word
            return
        found = waiting.popleft()
        if name == "drop" or not found[0]:
            self.traffic.free.append(found[-1])

    async def settle(self) -> None:
        """Until all events have been reported."""
        for _ in range(3000):
            if self.offer is None and not self.departures and not self.drops:
                break
            await self.cycle(feed=False, fast=True)
        assert not self.departures, f"a departure is missing: {self.departures[0]}"
        assert not self.drops, f"a drop is missing: {self.drops[0]}"
        # An operation without an event takes a few cycles too.
        for _ in range(60):
            await self.cycle(feed=False)

    # Registers, while operations go on.

    async def read(self, address: int, feed: bool = False) -> int:
        read = self.axil.read(address, self.rng.randrange(4))
        for _ in range(100):
            if read.word is not None:
                assert read.response == 0
                return read.word
            await self.cycle(feed)
        raise AssertionError("a read is not answered")

    async def write(self, address: int, word: int, strobes: int = 15) -> int:
        """The response."""
        write = self.axil.write(address, word, strobes, self.rng.randrange(4), self.rng.randrange(-2, 3))
        for _ in range(10_000):
            if write.response is not None:
                return write.response
            await self.cycle(feed=True)
        raise AssertionError("a write is not answered")

    def written(self, address: int, word: int) -> None:
        """A write has been answered well: the model has the parameter from here on."""
        at, upper = divmod(address - PARAMETERS, 8)
        if upper:
            self.engine.parameters[at] = word << 32 | self.low[at]
        else:
            self.low[at] = word


async def start(dut: HierarchyObject) -> Bench:
    given = job()
    bench = Bench(dut, policy_of(given["policy"]), random.Random(given["seed"]))
    await Timer(1, "step")
    Clock(dut.clk_i, 4, "step").start(start_high=False)
    await FallingEdge(dut.clk_i)
    await bench.reset()
    return bench


async def compare_registers(bench: Bench) -> None:
    """At rest: counters, occupancies and parameters are those of the model."""
    engine, policy = bench.engine, bench.policy
    expected = {
        0x000: 0x4642_5053, 0x004: 1, 0x008: 0x89ab_cdef, 0x00c: 0x0123_4567, 0x010: len(policy.queues),
        0x014: len(policy.ports), 0x018: len(policy.parameters), 0x01c: 1, 0x020: engine.unclassified, 0x024: 0,
        PARAMETERS + 8 * len(policy.parameters): 0, 0x1000 + 64 * len(policy.queues): 0, 0x1028: 0,
    }
    for at, value in enumerate(engine.parameters):
        expected |= {PARAMETERS + 8 * at: value & 0xffff_ffff, PARAMETERS + 8 * at + 4: value >> 32}
    for queue in range(len(policy.queues)):
        expected |= engine.registers(queue)
    for address, word in expected.items():
        found = await bench.read(address)
        assert found == word, f"register {address:#x} is {found}, not {word}"


@cocotb.test()
async def drive(dut: HierarchyObject) -> None:
    """Random operations, readers that stall, parameters that change, resets."""
    bench = await start(dut)
    rng, given = bench.rng, job()
    for _ in range(given["rounds"]):
        if rng.random() < 0.2:
            # In the middle of any operation.
            for _ in range(rng.randrange(100)):
                await bench.cycle(feed=True)
            await bench.reset()
            bench.counts["resets"] += 1
        for _ in range(rng.choice([50, 400, 1000])):
            await bench.cycle(feed=True)
        for at in range(len(bench.policy.parameters)):
            low, high = rng.choice([(50, 0), (95, 0), (0, 1 << 30), (0, 1 << 31)])
            assert await bench.write(PARAMETERS + 8 * at, low) == 0
            assert await bench.write(PARAMETERS + 8 * at + 4, high) == 0
        for address, strobes in ((0x000, 15), (0x1004, 15), (PARAMETERS + 8 * len(bench.policy.parameters) + 4, 15),
                                 (PARAMETERS + 4, 7)):
            assert await bench.write(address, 77, strobes) == 2
        await bench.read(0x1000, feed=True)
        await bench.settle()
        await compare_registers(bench)
    report(bench.counts)


@cocotb.test()
async def hurry(dut: HierarchyObject) -> None:
    """Operations without gaps for which no condition holds, and readers that are always ready."""
    bench = await start(dut)
    traffic = bench.traffic
    for turn in range(job()["turns"]):
        for pulls in (0, 1):
            traffic.left, traffic.queues, traffic.pulls = 1 << 30, [0, 1], pulls if turn else 0.5
            for _ in range(6):
                await bench.cycle(feed=True, fast=True)
    cycles = bench.counts["cycles"]
    operations = bench.counts["arrivals"] + bench.counts["pulls"]
    await bench.settle()
    report({**bench.counts, "operations": operations, "offered": cycles})


def policy_sources(number: int) -> tuple[Path, ...]:
    """The sources of policy_bench with the package and the rules of a policy of the tests."""
    folder = TARGET / "policies" / str(number)
    folder.mkdir(parents=True, exist_ok=True)
    made = {"policy_pkg.sv": package(policy_of(number)), "policy_rules.sv": rules(policy_of(number))}
    for file, text in made.items():
        if not (folder / file).exists() or (folder / file).read_text() != text:
            (folder / file).write_text(text)
    return tuple(folder / path.name if path.name in made else path for path in sources_of("policy_bench"))


def shape_of(number: int) -> dict[str, int]:
    """Parameters of policy_bench; with more ranks than a small BBQ has, a PIFO."""
    return {"Sorted": int(policy_of(number).ranks > 16), "Outstanding": OUTSTANDING}


def run(
    number: int, rounds: int, test: str = "drive", sources: Sequence[Path] = (), assertions: bool = True
) -> Mapping[str, int]:
    """A test of one policy."""
    return simulate(
        "policy_bench", "policy.test_policy_core", test, shape_of(number),
        {"policy": number, "seed": 1, "rounds": rounds, "turns": rounds},
        sources=sources or policy_sources(number), assertions=assertions,
    )


# Events that must occur so that a test means anything; besides, all pulls, arrivals and drops of packets without a queue.
SEEN = {
    "plain": ("none", "rule3", "rule4"), "tail_drop": ("rule1",), "srpt": ("rule1", "pushed"),
    "srpt_bytes": ("rule1", "pushed", "marks2", "marks3"), "lqd": ("rule2", "pushed"),
    "lqd_bytes": ("rule1", "rule2", "rule3", "pushed", "marks1", "marks2"),
    "early": ("rule1", "marks1", "marks2"), "states": ("rule1", "marks1", "marks2"),
    "served": ("rule1", "rule3", "marks1", "marks2", "marks3"), "two_judges": ("rule1", "rule2", "pushed", "marks1"),
    "work": ("rule1", "rule2", "pushed", "marks1", "marks2"),
}


@pytest.mark.parametrize("name", NAMES)
def test_policy(name: str) -> None:
    found = run(NAMES.index(name), 2000 if HEAVY else 30)
    few = [count for count in ("arrivals", "pulls", "none", "rule0", *SEEN[name]) if found.get(count, 0) < 20]
    assert not few, f"{few}: {found}"
    print(f"{name}: {found['arrivals'] + found['pulls']} operations in {found['cycles']} cycles")


@pytest.mark.parametrize("seed", range(100 if HEAVY else 6))
def test_random_policy(seed: int) -> None:
    found = run(RANDOM + seed, 100 if HEAVY else 15)
    assert found["arrivals"] > 100 and found["pulls"] > 100, found


def test_one_operation_a_cycle() -> None:
    found = run(NAMES.index("plain"), 100, "hurry")
    assert found["operations"] == found["offered"], found
    print(f"{found['operations']} operations in {found['offered']} cycles")


def test_the_example_is_a_policy_of_the_tests() -> None:
    for file, text in (("policy_pkg.sv", package(POLICIES["lqd"])), ("policy_rules.sv", rules(POLICIES["lqd"]))):
        assert (RTL / "policy" / "example" / file).read_text() == text, f"{file}: policy_sources.py makes another one"
