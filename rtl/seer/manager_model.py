"""Algorithms 1 and 2 of Seer (NSDI 2024), section 3.2, as in `seer_cache`: cycle by cycle.

`Target.manager` and the functions that it calls are the algorithms. Their line numbers are in the comments, and
each `yield` is the end of a clock cycle. `Target.cycle` is everything that happens in one cycle.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from functools import partial, reduce

from seer.list_model import DELETE, DELETE_FIRST, INSERT, PUSH, Entry, ListModel, Operation

HERE, ON_ITS_WAY, AWAY = range(3)

Steps = Generator[None, None, "Callable[[], None]"]


@dataclass(frozen=True)
class Fpm:
    """A notification, and when it arrived."""

    time: int
    id: int
    size: int
    delay: int


@dataclass
class Inputs:
    """The inputs of the block in a cycle."""

    now: int = 0
    fpm: dict[int, Fpm] = field(default_factory=dict)
    """By port, as the next."""
    push: dict[int, int] = field(default_factory=dict)
    come: tuple[int, int, bool] | None = None
    """Port, id, and whether the packet was dropped."""
    fetch_ready: bool = False
    fill: tuple[int, int] | None = None
    """Id and way."""
    place: int | None = None


@dataclass(frozen=True)
class Enters:
    """A state that gets a slot, and the state that is evicted for it."""

    id: int
    way: int
    evicted: int | None
    port: int = 0


@dataclass
class Outputs:
    """The outputs of the block in a cycle."""

    ready: dict[str, bool] = field(default_factory=dict)
    fetch: Enters | None = None
    placed: tuple[int, Enters | None] | None = None
    """The id that requested a slot, and the slot if it got one."""
    iterated: bool = False
    changed: bool = False
    answer: tuple[int, int, int] | None = None
    """Where the state is, its id, its way."""
    refused: list[int] = field(default_factory=list)
    expired: list[int] = field(default_factory=list)


@dataclass
class Line:
    """A way of a set that is used."""

    id: int
    here: bool


@dataclass(frozen=True)
class Head:
    """The first of F of a port."""

    port: int
    id: int
    arrival: int


@dataclass
class Room:
    """The findings of Algorithm 2 in a set: a free way, B, and A with the time when each is needed."""

    free: int | None = None
    b: list[int] = field(default_factory=list)
    a: list[tuple[int, int, int]] = field(default_factory=list)
    """When, id, way."""


class Target:
    """The block."""

    def __init__(self, given: Mapping[str, int], fifo: bool = False) -> None:
        self.given, self.fifo = given, fifo
        self.ports, self.ways = given["Ports"], given["Ways"]
        self.levels = (self.ports - 1).bit_length()
        self.reset()

    def reset(self) -> None:
        given = self.given
        self.lists = [ListModel(given["Entries"], given["TimeWidth"], True) for _ in range(self.ports)]
        self.sets: list[list[Line | None]] = [[None] * self.ways for _ in range(given["Sets"])]
        self.touched: dict[tuple[int, int], int] = {}
        self.touches = 0
        self.asked: set[int] = set()  # states that packets fetch
        self.sweeping = given["Sets"]
        self.answer: tuple[int, int, int] | None = None
        self.steps = self.manager()

    # ---- times, sets, arrivals ------------------------------------------------------------------

    def earlier(self, a: int, b: int) -> bool:
        return self.lists[0].earlier(a, b)

    def arrival(self, entry: Entry) -> int:
        return (entry.key + entry.value) % (1 << self.given["TimeWidth"])

    def set_of(self, id: int) -> list[Line | None]:
        return self.sets[id % self.given["Sets"]]

    def next(self, id: int) -> int | None:
        """When the state is needed: by the first packet of F and X of each port, the earliest of all ports."""
        found = [self.arrival(entry) for one in self.lists if (entry := one.find(id))]
        return reduce(lambda a, b: b if self.earlier(b, a) else a, found) if found else None

    # ---- Algorithm 1 ------------------------------------------------------------------------------

    def manager(self) -> Generator[None, None, None]:
        outcome: Callable[[], None] | None = None
        while True:
            # A cycle for the outcome of the last iteration, and for the next heads.
            if outcome is not None:
                outcome()
                self.out.iterated = True
            heads = [self.head(port) for port in range(self.ports)]  # line 10
            self.out.ready["place"] = True
            place = self.inputs.place
            yield
            outcome = yield from (self.prefetch(heads) if place is None else self.demand(place))

    def head(self, port: int) -> Head | None:
        entry = self.lists[port].ask()
        return entry and Head(port, entry.tag, self.arrival(entry))

    def prefetch(self, heads: list[Head | None]) -> Steps:
        cached: set[int] = set()
        for way in range(self.ways):
            for head in heads:
                if head is not None and self.has(head.id, way):  # line 11
                    cached.add(head.port)
            yield
        y = [head for head in heads if head is not None and head.port not in cached]  # line 14
        e = reduce(lambda a, b: b if self.earlier(b.arrival, a.arrival) else a, y) if y else None  # lines 17, 18
        for _ in range(self.levels):
            yield
        room = yield from self.look(e.id if e else None)  # line 19, Algorithm 2
        return partial(self.fetch, cached, e, room)

    def has(self, id: int, way: int) -> bool:
        line = self.set_of(id)[way]
        return (line is not None and line.id == id) or id in self.asked

    def fetch(self, cached: set[int], e: Head | None, room: Room) -> None:
        for port in cached:
            self.lists[port].mark()  # line 12
        self.out.changed = bool(cached)
        # A packet may have requested it meanwhile.
        enters = self.leaver(e.id, e.arrival, room, e.port) if e and e.id not in self.asked else None
        self.out.fetch = enters
        if e is not None and enters is not None and self.inputs.fetch_ready:
            self.out.changed = True
            if enters.evicted is not None:
                self.lists[e.port].mark()  # line 22
            self.set_of(e.id)[enters.way] = Line(e.id, here=False)  # lines 23, 26

    # ---- Algorithm 2 ------------------------------------------------------------------------------

    def look(self, id: int | None) -> Generator[None, None, Room]:
        """Lines 3 and 4: a way in each cycle."""
        room = Room()
        for way in range(self.ways):
            if id is not None:
                line = self.set_of(id)[way]
                if line is None:
                    room.free = way if room.free is None else room.free
                elif line.here:
                    when = self.next(line.id)
                    if when is None:
                        room.b.append(way)
                    else:
                        room.a.append((when, line.id, way))
            yield
        return room

    def leaver(self, id: int, wanted: int | None, room: Room, port: int = 0) -> Enters | None:
        lines = self.set_of(id)
        if room.free is not None:
            return Enters(id, room.free, None, port)
        if room.b:  # line 5
            set_index = id % self.given["Sets"]
            way = min(room.b, key=lambda way: self.touched[set_index, way])  # line 6
        elif room.a:
            when, _, way = reduce(lambda a, b: b if self.is_later(b, a) else a, room.a)  # line 9
            if wanted is None or not self.earlier(wanted, when):  # line 10
                return None  # line 15
        else:
            return None
        line = lines[way]
        assert line is not None
        return Enters(id, way, line.id, port)

    def is_later(self, one: tuple[int, int, int], other: tuple[int, int, int]) -> bool:
        """Of two that are needed at the same time, the higher id."""
        return self.earlier(other[0], one[0]) or (one[0] == other[0] and one[1] > other[1])

    # ---- states that packets had to fetch -----------------------------------------------------------

    def demand(self, id: int) -> Steps:
        """Algorithm 2 compares with the state's own next packet."""
        wanted = self.next(id)
        yield
        room = yield from self.look(id)
        return partial(self.enter, id, wanted, room)

    def enter(self, id: int, wanted: int | None, room: Room) -> None:
        enters = self.leaver(id, wanted, room)
        self.out.placed, self.out.changed = (id, enters), True
        self.asked.remove(id)
        if enters is not None:
            self.set_of(id)[enters.way] = Line(id, here=True)
            self.touch(id, enters.way, enters=True)

    def touch(self, id: int, way: int, enters: bool) -> None:
        self.touches += 1
        if enters or not self.fifo:
            self.touched[id % self.given["Sets"], way] = self.touches

    # ---- a cycle ----------------------------------------------------------------------------------

    def cycle(self, inputs: Inputs) -> Outputs:
        """A cycle passes; returns the outputs in it."""
        self.inputs, self.out = inputs, Outputs(answer=self.answer)
        for port, one in enumerate(self.lists):
            if one.answer is False and one.ended == INSERT:
                self.out.refused.append(port)
            if one.answer is not None and one.ended == DELETE_FIRST:
                self.out.expired.append(port)
        self.out.ready["place"] = False
        swept = self.sweeping == 0
        if swept:
            next(self.steps)
        self.sweeping -= not swept
        ready = swept and not self.out.iterated
        self.answer = None
        self.out.ready["fill"] = ready
        come = inputs.come
        comes = (come is not None and ready and inputs.fill is None and len(self.asked) < self.given["Fetches"]
                 and self.lists[come[0]].ready)
        self.out.ready["come"] = comes
        if comes and come is not None and not come[2]:
            self.answer = self.look_up(come[1])
        if ready and inputs.fill is not None:
            id, way = inputs.fill
            self.set_of(id)[way] = Line(id, here=True)
            self.touch(id, way, enters=True)
        for port, one in enumerate(self.lists):
            self.act(port, one, come[1] if comes and come is not None and come[0] == port else None)
        return self.out

    def look_up(self, id: int) -> tuple[int, int, int]:
        for way, line in enumerate(self.set_of(id)):
            if line is not None and line.id == id:
                if line.here:
                    self.touch(id, way, enters=False)
                return (HERE if line.here else ON_ITS_WAY), id, way
        if id in self.asked:
            return ON_ITS_WAY, id, 0
        self.asked.add(id)
        return AWAY, id, 0

    def act(self, port: int, one: ListModel, come: int | None) -> None:
        """The request to a list: packets first, then a packet that is too late, control packets, notifications."""
        inputs, ticks = self.inputs, self.given["TicksPerByte"]
        free, operation, taken = one.ready, None, ""
        if come is not None:
            operation = Operation(DELETE, tag=come)
        elif self.overdue(one):
            operation = Operation(DELETE_FIRST)
        elif port in inputs.push:
            operation, taken = Operation(PUSH, push=inputs.push[port] * ticks), "push"
        elif port in inputs.fpm:
            fpm = inputs.fpm[port]
            own = fpm.size * ticks
            start = (fpm.time + fpm.delay - own) % (1 << self.given["TimeWidth"])
            operation, taken = Operation(INSERT, start, fpm.id, own, own), "fpm"
        self.out.ready[f"push{port}"] = free and taken == "push"
        self.out.ready[f"fpm{port}"] = free and taken == "fpm"
        one.act(operation if free else None)

    def overdue(self, one: ListModel) -> bool:
        first, patience = one.first(), self.given["Patience"]
        if first is None or not patience:
            return False
        lateness = (self.inputs.now - self.arrival(first)) % (1 << self.given["TimeWidth"])
        return patience < lateness < 1 << (self.given["TimeWidth"] - 1)
