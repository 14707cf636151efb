"""Admission and service of a policy: docs/openqueue-semantics.md, sections 6 and 7, rule by rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from policy.policies import (
    BUFFER, BY_BUFFER, BY_QUEUE, DROP, MARK, MODIFY, NOTIFY, OVERFLOW, PORT, QUEUE, SLOTS, SURE, UNCLASSIFIED, Case,
    Policy,
)

MASK = (1 << 64) - 1


class Random:
    """xoshiro256++ (Blackman and Vigna, 2021)."""

    def __init__(self, state: tuple[int, int, int, int]) -> None:
        self.state = list(state)

    def next(self) -> int:
        rotated = lambda word, by: (word << by | word >> 64 - by) & MASK
        s = self.state
        drawn = (rotated((s[0] + s[3]) & MASK, 23) + s[0]) & MASK
        shifted = s[1] << 17 & MASK
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= shifted
        s[3] = rotated(s[3], 45)
        return drawn


@dataclass(eq=False)
class Packet:
    """A packet that waits; `number` is its position in the order of arrivals."""

    id: int
    queue: int
    rank: int
    size: int
    value: int
    number: int = 0
    marks: int = 0


class Engine:
    """The actions of a policy, operation by operation. `drops` and `departures` are the reports to the host."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.queues: list[list[Packet]] = [[] for _ in policy.queues]
        self.notify_next = [False for _ in policy.queues]
        self.states = list(policy.states)
        self.parameters = list(policy.parameters)
        self.random = Random(policy.random)
        self.arrivals = 0
        self.drops: list[tuple[int, int, int, int]] = []
        """Pushed out, rule, queue, id."""
        self.departures: list[tuple[int, int, int, int, int]] = []
        """None, marks, port, queue, id."""
        self.counts: list[Counter[str]] = [Counter() for _ in policy.queues]
        self.unclassified = 0
        self.serving: Packet | None = None
        """The packet that is served, which has no processing left."""

    # Values that expressions read.

    def held(self, queue: int) -> int:
        return self.amount(self.queues[queue], self.policy.queues[queue].in_bytes)

    def held_in_buffer(self, buffer: int) -> int:
        packets = [packet for queue in self.queues_of(buffer) for packet in self.queues[queue]]
        return self.amount(packets, self.policy.buffers[buffer].in_bytes)

    def queues_of(self, buffer: int) -> list[int]:
        return [at for at, queue in enumerate(self.policy.queues) if queue.buffer == buffer]

    @staticmethod
    def amount(packets: list[Packet], in_bytes: bool) -> int:
        return sum(packet.size for packet in packets) if in_bytes else len(packets)

    def value(self, text: str, packet: Packet, now: int) -> int:
        buffer = self.policy.queues[packet.queue].buffer
        names = {
            "here": self.held(packet.queue), "all": 0 if buffer is None else self.held_in_buffer(buffer),
            "work": sum(one.value for one in self.queues[packet.queue] if one is not self.serving),
            "size": packet.size, "value": packet.value, "now": now, "SURE": SURE,
            "pick": lambda condition, then, otherwise: then if condition else otherwise,
            **{f"state{at}": value for at, value in enumerate(self.states)},
            **{f"param{at}": value for at, value in enumerate(self.parameters)},
        }
        return int(eval(text, {}, names))

    # Section 6.

    def arrive(self, queue: int | None, packet: Packet, now: int) -> None:
        if queue is None:
            self.drops.append((0, UNCLASSIFIED, 0, packet.id))
            self.unclassified += 1
            return
        self.counts[queue]["arrived"] += 1
        about = self.policy.queues[queue]
        if len(self.queues[queue]) >= about.places:
            self.drop(queue, packet, packet, SLOTS)
            return
        packet.number = self.arrivals
        self.arrivals += 1
        self.queues[queue].append(packet)
        if about.buffer is not None:
            self.treat(BUFFER, self.policy.buffers[about.buffer].cases, packet, now)
        if packet in self.queues[queue]:
            self.treat(QUEUE, about.cases, packet, now)
        if packet not in self.queues[queue]:
            return
        over = about.buffer is not None and self.held_in_buffer(about.buffer) > self.policy.buffers[about.buffer].size
        if self.held(queue) > about.size or over:
            self.drop(queue, packet, packet, OVERFLOW)

    def treat(self, owner: int, cases: tuple[Case, ...], packet: Packet, now: int) -> int:
        """Marks for the packet that is served, of a port."""
        case = next((case for case in cases if self.value(case.when, packet, now)), None)
        if case is None:
            return 0
        sure = False
        given = 0
        for action in case.actions:
            if action.kind == DROP:
                chance = self.value(action.amount, packet, now)
                sure |= chance >= SURE
                if chance >= SURE or (chance > 0 and self.random.next() < chance):
                    self.drop_victim(owner, packet)
            elif action.kind == MODIFY:
                self.states[action.state] = self.value(action.amount, packet, now) & 0xffff
            elif owner == PORT:
                given |= 1 if action.kind == MARK else 2
            elif packet in self.queues[packet.queue]:
                self.mark(packet, 1 if action.kind == MARK else 2)
            elif action.kind == NOTIFY:
                self.notify_next[packet.queue] = True
        while sure and case.lifted and self.value(case.when, packet, now):
            if case.arriving and packet not in self.queues[packet.queue]:
                break
            if not self.drop_victim(owner, packet):
                break
        return given

    def mark(self, packet: Packet, marks: int) -> None:
        new = marks & ~packet.marks
        packet.marks |= marks
        self.counts[packet.queue]["marked"] += new & 1
        self.counts[packet.queue]["notified"] += new >> 1

    def drop_victim(self, owner: int, arriving: Packet) -> bool:
        queue = arriving.queue
        if owner == BUFFER:
            buffer = self.policy.queues[queue].buffer
            if self.policy.buffers[buffer].longest:
                queue = max(self.queues_of(buffer), key=lambda at: (len(self.queues[at]) > 0, self.held(at), -at))
            # If the order of a buffer is that of arrivals, only the queue of the arriving packet counts.
        if not self.queues[queue]:
            return False
        order = (lambda packet: (packet.rank, packet.number)) if self.policy.queues[queue].reverse else (
            lambda packet: packet.number)
        self.drop(queue, max(self.queues[queue], key=order), arriving, BY_BUFFER if owner == BUFFER else BY_QUEUE)
        return True

    def drop(self, queue: int, victim: Packet, arriving: Packet, rule: int) -> None:
        if victim in self.queues[queue]:
            self.queues[queue].remove(victim)
        self.counts[queue][f"rule{rule}"] += 1
        self.drops.append((int(victim is not arriving), rule, queue, victim.id))

    # Section 7.

    def pull(self, port: int, now: int) -> None:
        queues = [at for at, queue in enumerate(self.policy.queues) if queue.port == port and self.queues[at]]
        if not queues:
            self.departures.append((1, 0, port, 0, 0))
            return
        about = self.policy.ports[port]
        queue = max(queues, key=lambda at: (self.held(at), -at)) if about.longest else queues[0]
        packet = min(self.queues[queue], key=lambda packet: (packet.rank, packet.number))
        self.serving = packet
        given = self.treat(PORT, about.cases, packet, now)
        self.serving = None
        self.mark(packet, given | 2 * self.notify_next[queue])
        self.notify_next[queue] = False
        self.queues[queue].remove(packet)
        self.counts[queue]["sent"] += 1
        self.departures.append((0, packet.marks, port, queue, packet.id))

    def registers(self, queue: int) -> Mapping[int, int]:
        """The words of a queue in the register map."""
        count = self.counts[queue]
        words = [count["arrived"], count["sent"], count[f"rule{BY_QUEUE}"], count[f"rule{BY_BUFFER}"],
                 count[f"rule{OVERFLOW}"], count[f"rule{SLOTS}"], count["marked"], count["notified"],
                 len(self.queues[queue]), self.held(queue)]
        return {0x1000 + 64 * queue + 4 * at: word for at, word in enumerate(words)}
