"""Policies for the tests: their rules, as data that the model reads and from which SystemVerilog is made.

Conditions and amounts are texts that both languages understand. All numbers are whole, not negative and below 2 ** 64.
The texts have these parts:

- `here` and `all`, the occupancy of the queue and of its buffer
- `size` and `value` of the packet, `state0`..., `param0`..., `now`, `SURE`, and numbers
- `+ * << >>`, relations, `and`, `or`, and `pick(condition, then, otherwise)`
"""

from __future__ import annotations

from dataclasses import dataclass

SURE = 1 << 64
BUFFER, QUEUE, PORT = range(3)
DROP, MARK, NOTIFY, MODIFY = range(4)
UNCLASSIFIED, BY_QUEUE, BY_BUFFER, OVERFLOW, SLOTS = range(5)


@dataclass(frozen=True)
class Action:
    """An action: a drop with a chance in 2 ** -64, a mark, a notification, or a state's new value."""

    kind: int
    amount: str = "0"
    state: int = 0


@dataclass(frozen=True)
class Case:
    """A condition and its actions. `lifted`: its condition reads an occupancy; `arriving`: it reads the packet."""

    when: str
    actions: tuple[Action, ...]
    lifted: bool = False
    arriving: bool = False


@dataclass(frozen=True)
class Queue:
    """`places`: packets beyond this number are dropped. `ranks`: number of ranks; 1: packets leave in order of arrival."""

    size: int
    cases: tuple[Case, ...] = ()
    port: int = 0
    buffer: int | None = None
    in_bytes: bool = False
    reverse: bool = False
    places: int = 15
    ranks: int = 1


@dataclass(frozen=True)
class Buffer:
    """`longest`: victims are those of the longest queue; otherwise of the arriving packet's."""

    size: int
    cases: tuple[Case, ...] = ()
    in_bytes: bool = False
    longest: bool = False


@dataclass(frozen=True)
class Port:
    """`longest`: its longest queue is served; otherwise the first that has packets."""

    cases: tuple[Case, ...] = ()
    longest: bool = False


@dataclass(frozen=True)
class Policy:
    """A policy of the tests."""

    queues: tuple[Queue, ...]
    ports: tuple[Port, ...] = (Port(),)
    buffers: tuple[Buffer, ...] = ()
    states: tuple[int, ...] = ()
    parameters: tuple[int, ...] = ()
    waits: bool = False
    random: tuple[int, int, int, int] = (1, 2, 3, 4)

    @property
    def ranks(self) -> int:
        return max(queue.ranks for queue in self.queues)

    @property
    def capacity(self) -> int:
        return sum(queue.places for queue in self.queues) + 1

    def conditions(self) -> list[tuple[int, int, tuple[Case, ...]]]:
        """Owner, its number, its cases."""
        objects = ((BUFFER, self.buffers), (QUEUE, self.queues), (PORT, self.ports))
        return [(owner, at, one.cases) for owner, all in objects for at, one in enumerate(all)]

    def widths(self) -> dict[str, int]:
        """The widths of policy_pkg."""
        index = lambda count: max(1, (count - 1).bit_length())
        cases = [case for _, _, cases in self.conditions() for case in cases]
        in_bytes = any(one.in_bytes for one in (*self.queues, *self.buffers))
        return {
            "QueueWidth": index(len(self.queues)), "PortWidth": index(len(self.ports)),
            "BufferWidth": index(len(self.buffers)), "CountWidth": 16 if in_bytes else self.capacity.bit_length(),
            "PacketsWidth": self.capacity.bit_length(), "RankWidth": index(self.ranks), "IdWidth": 8,
            "SizeWidth": 8 if in_bytes else 1, "TimeWidth": 16, "WorkWidth": 8, "SumWidth": 16,
            "CaseWidth": index(max([len(cases) for _, _, cases in self.conditions()])),
            "StepWidth": index(max([0, *(len(case.actions) for case in cases)]) + 1),
        }


def drop(chance: str = "SURE") -> Action:
    return Action(DROP, chance)


def modify(state: int, value: str) -> Action:
    return Action(MODIFY, value, state)


MARKS, NOTIFIES = Action(MARK), Action(NOTIFY)
FULL = Case("here > 6", (drop(),), lifted=True)
UNSURE = Case("here > 2", (drop("1 << 62"), MARKS), lifted=True)
ARRIVAL = Case("value < 40 and here > 3", (drop(), drop("SURE"), MARKS), lifted=True, arriving=True)

POLICIES: dict[str, Policy] = {
    # No condition holds: an operation in each cycle.
    "plain": Policy((Queue(12, places=12), Queue(5, port=1)), ports=(Port(), Port())),
    "tail_drop": Policy((Queue(6, (FULL,)), Queue(30, (Case("here > 30", (drop(),), lifted=True),), places=31, port=1)),
                        ports=(Port(), Port())),
    # The packet with the most left to send is pushed out.
    "srpt": Policy((Queue(6, (FULL,), reverse=True, ranks=64),)),
    # The same for packets in bytes, marked after the drop, which needs to know which packet was dropped.
    "srpt_bytes": Policy(
        (Queue(600, (Case("here > 500", (drop(), MARKS, NOTIFIES), lifted=True), Case("value < 99", (NOTIFIES,))),
               in_bytes=True, reverse=True, ranks=8),),
        waits=True),
    # The longest queue of a shared buffer loses its last packet.
    "lqd": Policy(
        tuple(Queue(10, places=11, buffer=0, port=port) for port in (0, 0, 1)),
        ports=(Port(longest=True), Port()),
        buffers=(Buffer(12, (Case("all > 12", (drop(),), lifted=True),), longest=True),)),
    "lqd_bytes": Policy(
        (*(Queue(900, (case,), places=11, buffer=at, in_bytes=at == 1)
           for at, case in ((0, ARRIVAL), (1, ARRIVAL), (0, UNSURE))), Queue(9, port=1)),
        ports=(Port(longest=True), Port()),
        buffers=(Buffer(1200, (Case("all > 1000", (drop(), NOTIFIES), lifted=True), Case("all > 800", (MARKS,))),
                        in_bytes=True, longest=True),
                 Buffer(6, (Case("value < 30", (drop("value << 59"), MARKS)),))),
        waits=True),
    # Early drops whose chance depends on the backlog and a parameter, marks, notifications that are too late.
    "early": Policy(
        (Queue(14, (
            Case("here > 12", (drop(), NOTIFIES), lifted=True),
            Case("here > 3 and value < param0", (drop("pick(here >= 16, SURE, here << 60)"), NOTIFIES)),
            Case("here > 2", (MARKS, drop("0"), drop("param1"), MARKS)),
        ), places=14),),
        parameters=(90, 1 << 61)),
    # States that conditions read and change, also after service, and trials that are certain at times.
    "states": Policy(
        (Queue(8, (
            Case("state0 > 5", (modify(0, "0"), modify(1, "state1 + here"), MARKS)),
            Case("here > 4", (modify(0, "state0 + 1"), drop("pick(state1 > 40, SURE, 1 << 63)")), lifted=True),
        )), Queue(8, (Case("here >= state0", (modify(0, "state0 + 1"), drop())),)),),
        ports=(Port((Case("state1 > 60", (modify(1, "0"), NOTIFIES)), Case("here > 2", (MARKS,))), longest=True),),
        states=(0, 7)),
    # The served packet is peeked at first: its fields, and marks that it already has.
    "served": Policy(
        (Queue(700, (Case("value < 20", (MARKS, NOTIFIES)),), in_bytes=True, ranks=16),
         Queue(9, (Case("here > 7", (drop(), NOTIFIES), lifted=True),), ranks=16)),
        ports=(Port((
            Case("value < 60 and size > 30", (NOTIFIES, MARKS)), Case("here > 3", (modify(0, "state0 + value"),)),
            Case("state0 > 500", (modify(0, "0"), MARKS)),
        )),),
        states=(0,), waits=True),
    # The buffer always pushes out the other queue's packets; then the queue drops by chance.
    "two_judges": Policy(
        (Queue(9, (Case("here > 1", (drop("1 << 62"), MARKS), lifted=True),), buffer=0), Queue(9, buffer=0)),
        buffers=(Buffer(6, (Case("all > 6", (drop(),), lifted=True),), longest=True),)),
    # The work that waits in a queue, with the arriving packet, without the served one and after push-out.
    "work": Policy(
        (Queue(12, (Case("work > 300", (drop(),), lifted=True), Case("work > 200", (MARKS,))), buffer=0),
         Queue(12, (Case("work > 250", (drop("1 << 62"),)),), buffer=0, reverse=True, ranks=16)),
        ports=(Port((Case("work < 90", (NOTIFIES,)), Case("work > 180", (MARKS,))), longest=True),),
        buffers=(Buffer(11, (Case("all > 11", (drop(),), lifted=True),), longest=True),), waits=True),
}
