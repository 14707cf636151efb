"""The right answers of a queue: a sorted list for each partition, written as simply as possible.

Operations and statuses have the numbers of `common/forebay_queue_pkg.sv`.
"""

from __future__ import annotations

from bisect import insort
from dataclasses import dataclass
from enum import IntEnum


class Op(IntEnum):
    ENQUEUE = 0
    DEQUEUE_MIN = 1
    DEQUEUE_MAX = 2
    PEEK_MIN = 3
    PEEK_MAX = 4


class Status(IntEnum):
    DONE = 0
    FULL = 1
    EMPTY = 2
    OUT_OF_RANGE = 3
    UNSUPPORTED = 4


ALL_OPS = frozenset(Op)


@dataclass(frozen=True)
class Shape:
    """The capacity and the operations of a queue."""

    entries: int
    partitions: int
    ranks: int
    """Ranks of a partition are below this."""
    ops: frozenset[Op] = ALL_OPS
    timed: bool = False
    """Elements may not leave before their time."""


class Reference:
    """A queue that finishes one operation before the next."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.clear()

    def clear(self) -> None:
        """Forgets everything, as a reset does."""
        # Elements are (rank, order of arrival, data, time from which they may leave), lowest first.
        self.queued: list[list[tuple[int, int, int, int]]] = [[] for _ in range(self.shape.partitions)]
        self.occupancy = 0
        self.arrivals = 0

    def apply(self, op: int, partition: int, rank: int, data: int, time: int = 0) -> tuple[int, int, int]:
        """Does an operation; returns its status and, if done, the element's rank and data.

        `time` is for queues that hold elements back. For an enqueue, it is the time from which the element
        may leave; otherwise, the present.
        """
        shape = self.shape
        if op not in shape.ops:
            return Status.UNSUPPORTED, 0, 0
        if partition >= shape.partitions or (op == Op.ENQUEUE and rank >= shape.ranks):
            return Status.OUT_OF_RANGE, 0, 0
        queued = self.queued[partition]
        if op == Op.ENQUEUE:
            if self.occupancy == shape.entries:
                return Status.FULL, 0, 0
            insort(queued, (rank, self.arrivals, data, time))
            self.arrivals += 1
            self.occupancy += 1
            return Status.DONE, rank, data
        place = self.place(queued, op, time)
        if place is None:
            return Status.EMPTY, 0, 0
        rank, _, data, _ = queued[place]
        if op in (Op.DEQUEUE_MIN, Op.DEQUEUE_MAX):
            del queued[place]
            self.occupancy -= 1
        return Status.DONE, rank, data

    def place(self, queued: list[tuple[int, int, int, int]], op: int, time: int) -> int | None:
        """The index of the element that is dequeued or peeked."""
        if self.shape.timed:
            return next((place for place, element in enumerate(queued) if element[3] <= time), None)
        if not queued:
            return None
        # The first is the lowest rank, the earliest arrival among equals;
        # the last is the highest rank, the latest arrival among equals.
        return 0 if op in (Op.DEQUEUE_MIN, Op.PEEK_MIN) else -1
