"""mesh against a model of its two layers, clock cycle by clock cycle, and its throughput."""

from __future__ import annotations

import os
import random
from bisect import insort
from collections import deque
from collections.abc import Mapping

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, Timer

from cosim.build import job, report, simulate

DONE, FULL, EMPTY, OUT_OF_RANGE = range(4)
HEAVY = os.environ.get("FOREBAY_RTL_HEAVY") == "1"
Element = tuple[int, int, int]
"""Rank, a number that rises with every arrival at a queue, data."""


class Model:
    """Both layers. `tick` is one clock cycle; the ports are served in every other one."""

    def __init__(self, given: Mapping[str, int]) -> None:
        self.ports, self.in_entries, self.out_entries = given["Ports"], given["InEntries"], given["OutEntries"]
        self.in_latency = given["in_latency"]
        self.reset()

    def reset(self) -> None:
        ports = range(self.ports)
        self.first_layer: list[list[list[Element]]] = [[[] for _ in ports] for _ in ports]
        self.second_layer: list[list[Element]] = [[] for _ in ports]
        self.room = [self.out_entries for _ in ports]
        self.grants: list[tuple[int, int]] = []
        self.moving: deque[tuple[int, int, Element]] = deque()
        self.cycle = self.first = self.arrivals = self.inside = 0
        self.ports_turn = False

    def held(self, ingress: int) -> int:
        return sum(map(len, self.first_layer[ingress]))

    def match(self) -> list[tuple[int, int]]:
        """Diagonal by diagonal, the requests that still find both ports free."""
        grants: list[tuple[int, int]] = []
        for diagonal in range(self.ports):
            for ingress in range(self.ports):
                egress = (self.first + diagonal + ingress) % self.ports
                free = all(ingress != i and egress != e for i, e in grants)
                if free and self.first_layer[ingress][egress] and self.room[egress]:
                    grants.append((ingress, egress))
        self.first = (self.first + 1) % self.ports
        return grants

    def enqueue(self, ingress: int, egress: int, rank: int, data: int) -> int:
        if egress >= self.ports:
            return OUT_OF_RANGE
        if self.held(ingress) == self.in_entries:
            return FULL
        self.arrivals += 1
        insort(self.first_layer[ingress][egress], (rank, self.arrivals, data))
        self.inside += 1
        return DONE

    def dequeue(self, egress: int) -> tuple[int, int, int]:
        if not self.second_layer[egress]:
            return EMPTY, 0, 0
        rank, _, data = self.second_layer[egress].pop(0)
        self.room[egress] += 1
        self.inside -= 1
        return DONE, rank, data

    def tick(
        self, enqueues: Mapping[int, tuple[int, int, int]], dequeues: list[int]
    ) -> tuple[dict[int, int], dict[int, tuple[int, int, int]]]:
        """Answers of the ports, if they are served in this cycle."""
        put, took = {}, {}
        if self.ports_turn:
            grants = self.match()
            put = {ingress: self.enqueue(ingress, *what) for ingress, what in enqueues.items()}
            took = {egress: self.dequeue(egress) for egress in dequeues}
            self.grants = grants
            for _, egress in grants:
                self.room[egress] -= 1
        else:
            while self.moving and self.moving[0][0] == self.cycle:
                _, egress, (rank, _, data) = self.moving.popleft()
                self.arrivals += 1
                insort(self.second_layer[egress], (rank, self.arrivals, data))
            for ingress, egress in self.grants:
                element = self.first_layer[ingress][egress].pop(0)
                self.moving.append((self.cycle + self.in_latency + 1, egress, element))
        self.ports_turn = not self.ports_turn
        self.cycle += 1
        return put, took


class Traffic:
    """Which egress each ingress sends to, and how often ports have work."""

    def __init__(self, rng: random.Random, ports: int, pattern: str, rank_bits: int) -> None:
        self.rng, self.ports, self.pattern, self.rank_bits = rng, ports, pattern, rank_bits
        self.left = self.serial = 0

    def change(self) -> None:
        rng = self.rng
        self.kind = rng.choice(["incast", "permutation", "uniform"]) if self.pattern == "any" else self.pattern
        self.left = rng.choice([20, 100, 300])
        self.sends, self.takes = rng.choice([(1, 1), (1, 1), (1, 0.3), (0.3, 1), (1, 0), (0, 1)])
        if self.pattern != "any":
            self.left, self.sends, self.takes = 1 << 40, 1, 1
        self.target = rng.randrange(self.ports)
        self.bits = rng.choice([0, 1, self.rank_bits])

    def next(self) -> tuple[dict[int, tuple[int, int, int]], list[int]]:
        rng, ports = self.rng, range(self.ports)
        self.left -= 1
        if self.left < 0:
            self.change()
        enqueues = {}
        for ingress in ports:
            if rng.random() < self.sends:
                egress = {"incast": self.target, "permutation": (ingress + self.target) % self.ports,
                          "uniform": rng.randrange(self.ports)}[self.kind]
                if self.pattern == "any" and rng.random() < 0.01:
                    egress = rng.randrange(1 << (self.ports - 1).bit_length())
                self.serial += 1
                enqueues[ingress] = egress, rng.getrandbits(self.bits), self.serial << 2 | ingress
        return enqueues, [egress for egress in ports if rng.random() < self.takes]


def pack(values: Mapping[int, int], width: int) -> int:
    return sum(value << (index * width) for index, value in values.items())


def unpack(value: int, index: int, width: int) -> int:
    return value >> (index * width) & ((1 << width) - 1)


@cocotb.test()
async def drive(dut: cocotb.handle.HierarchyObject) -> None:
    given = job()
    rng = random.Random(given["seed"])
    ports, model = given["Ports"], Model(given)
    port_width, data_width = max(1, (ports - 1).bit_length()), given["DataWidth"]
    rank_width = len(dut.in_rank_i) // ports
    pattern = ["any", "incast", "permutation", "uniform"][given["pattern"]]
    traffic = Traffic(rng, ports, pattern, rank_width)
    due_in: deque[tuple[int, dict[int, int]]] = deque()
    due_out: deque[tuple[int, dict[int, tuple[int, int, int]]]] = deque()
    counts = {"enqueues": 0, "dequeues": 0, "resets": 0, "full": 0, "empty": 0, "out_of_range": 0, "fullest": 0}
    from_ingress = [0] * ports
    reset_left, cycle, turns = 2, 0, 0
    dut.in_valid_i.value = dut.out_valid_i.value = 0
    dut.rst_i.value = 1
    await Timer(1, "step")
    Clock(dut.clk_i, 2, "step").start(start_high=False)
    settled = False
    while turns < given["system_cycles"]:
        await FallingEdge(dut.clk_i)
        cycle += 1
        if settled:
            assert int(dut.occupancy_o.value) == model.inside
            assert bool(dut.empty_o.value) == (model.inside == 0)
            assert int(dut.error_o.value) == 0
            assert int(dut.in_full_o.value) == pack({i: model.held(i) == model.in_entries for i in range(ports)}, 1)
            assert int(dut.out_empty_o.value) == pack({e: not model.second_layer[e] for e in range(ports)}, 1)
            put = due_in.popleft()[1] if due_in and due_in[0][0] == cycle else {}
            assert int(dut.in_rsp_valid_o.value) == pack({i: 1 for i in put}, 1)
            statuses = int(dut.in_rsp_status_o.value) if put else 0
            for ingress, status in put.items():
                assert unpack(statuses, ingress, 3) == status, f"ingress {ingress}: not {status}"
            took = due_out.popleft()[1] if due_out and due_out[0][0] == cycle else {}
            assert int(dut.out_rsp_valid_o.value) == pack({e: 1 for e in took}, 1)
            if took:
                words = [int(port.value) for port in (dut.out_rsp_status_o, dut.out_rsp_rank_o, dut.out_rsp_data_o)]
                for egress, answer in took.items():
                    widths = (3, rank_width, data_width)
                    found = tuple(unpack(w, egress, width) for w, width in zip(words, widths, strict=True))
                    assert found == answer, f"egress {egress}: {found} instead of {answer}"
        if reset_left == 0 and rng.random() < given["resets"] / 100_000:
            reset_left = rng.randrange(1, 9)
        if reset_left:
            dut.rst_i.value = 1
            reset_left -= 1
            counts["resets"] += reset_left == 0
            model.reset()
            due_in.clear()
            due_out.clear()
            settled = True
            continue
        dut.rst_i.value = 0
        assert settled
        if model.ports_turn:
            turns += 1
        enqueues, dequeues = traffic.next() if model.ports_turn else ({}, [])
        dut.in_valid_i.value = pack({i: 1 for i in enqueues}, 1)
        dut.in_egress_i.value = pack({i: what[0] for i, what in enqueues.items()}, port_width)
        dut.in_rank_i.value = pack({i: what[1] for i, what in enqueues.items()}, rank_width)
        dut.in_data_i.value = pack({i: what[2] & ((1 << data_width) - 1) for i, what in enqueues.items()}, data_width)
        dut.out_valid_i.value = pack({e: 1 for e in dequeues}, 1)
        put, took = model.tick(enqueues, dequeues)
        if put:
            due_in.append((cycle + given["in_latency"], put))
        if took:
            due_out.append((cycle + given["out_latency"], took))
        for status, name in ((DONE, "enqueues"), (FULL, "full"), (OUT_OF_RANGE, "out_of_range")):
            counts[name] += list(put.values()).count(status)
        for status, _, data in took.values():
            counts["dequeues" if status == DONE else "empty"] += 1
            if status == DONE:
                from_ingress[data & 3] += 1
        counts["fullest"] = max(counts["fullest"], model.inside)
    report({**counts, "system_cycles": turns, "from_ingress": from_ingress})


def bbq_latency(levels: int, width: int, partitions: int) -> int:
    steered = min((partitions - 1).bit_length() // (width - 1).bit_length(), levels - 1)
    return 2 * (levels - steered) + 5 + (2 if steered else 0)


def run(shape: Mapping[str, int], pattern: int, system_cycles: int, resets: int) -> dict[str, object]:
    in_latency = bbq_latency(shape["InLevels"], shape["InWidth"], shape["Ports"])
    out_latency = bbq_latency(shape["OutLevels"], shape["OutWidth"], 1)
    return simulate(
        "mesh", "mesh.test_mesh", "drive", {"DataWidth": 24, **shape},
        {"seed": 1, "pattern": pattern, "system_cycles": system_cycles, "resets": resets,
         "in_latency": in_latency, "out_latency": out_latency},
    )


FOUR = {"Ports": 4, "InEntries": 31, "OutEntries": 31, "InLevels": 2, "InWidth": 8, "OutLevels": 2, "OutWidth": 4}
THREE = {"Ports": 3, "InEntries": 7, "OutEntries": 3, "InLevels": 3, "InWidth": 2, "OutLevels": 1, "OutWidth": 4}


@pytest.mark.parametrize("shape", [FOUR, THREE], ids=str)
def test_every_port_in_every_cycle(shape: dict[str, int]) -> None:
    found = run(shape, 0, 200_000 if HEAVY else 5_000, 50)
    assert found["full"] and found["empty"] and found["resets"] > 1, found
    assert bool(found["out_of_range"]) == (shape["Ports"] == 3)


@pytest.mark.parametrize(("pattern", "expected"), [(1, 1.0), (2, 4.0), (3, 3.0)])
def test_throughput(pattern: int, expected: float) -> None:
    """Departures in a system cycle: incast one, permutation one at each egress port."""
    cycles = 20_000 if HEAVY else 2_000
    found = run(FOUR, pattern, cycles, 0)
    print(found)
    assert found["dequeues"] > expected * (cycles - 50)
    if pattern == 1:
        assert max(found["from_ingress"]) - min(found["from_ingress"]) <= 40, "shares of the ingress ports"
