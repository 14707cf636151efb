"""What a queue must answer: a sorted list for each partition, and nothing clever.

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
    """What a queue can hold and do."""

    entries: int
    partitions: int
    ranks: int
    """Ranks of a partition are below this."""
    ops: frozenset[Op] = ALL_OPS


class Reference:
    """A queue that finishes one operation before the next."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.clear()

    def clear(self) -> None:
        """Forgets everything, as a reset does."""
        # Elements are (rank, order of arrival, data), lowest first.
        self.queued: list[list[tuple[int, int, int]]] = [[] for _ in range(self.shape.partitions)]
        self.occupancy = 0
        self.arrivals = 0

    def apply(self, op: int, partition: int, rank: int, data: int, time: int = 0) -> tuple[int, int, int]:
        """Does an operation; returns its status and, if done, the element's rank and data.

        `time` is for queues that hold elements back; this one does not.
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
            insort(queued, (rank, self.arrivals, data))
            self.arrivals += 1
            self.occupancy += 1
            return Status.DONE, rank, data
        if not queued:
            return Status.EMPTY, 0, 0
        # The first is the lowest rank, the earliest arrival among equals;
        # the last is the highest rank, the latest arrival among equals.
        place = 0 if op in (Op.DEQUEUE_MIN, Op.PEEK_MIN) else -1
        if op in (Op.DEQUEUE_MIN, Op.DEQUEUE_MAX):
            self.occupancy -= 1
            rank, _, data = queued.pop(place)
        else:
            rank, _, data = queued[place]
        return Status.DONE, rank, data
