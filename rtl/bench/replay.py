"""Op streams as segments of a run: the file has the right answers of the queue.

A hardware queue has a fixed number of entries. For a smaller capacity, elements of another partition
fill the rest, which changes nothing for the first partition.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any

from bench.ops import OpsError, read_header, read_steps
from bench.queues import Configuration
from bench.reference import Op, Reference, Status
from bench.traffic import Source, reset_of
from bench.words import Request, request

OPS = {
    "push": Op.ENQUEUE, "pop": Op.DEQUEUE_MIN, "pop-max": Op.DEQUEUE_MAX, "peek": Op.PEEK_MIN,
    "pop-eligible": Op.DEQUEUE_MIN,
}
# Operations without effect may be left out on a queue that lacks them.
HARMLESS = ("peek", "next-eligible")
LAST_TIME = (1 << 32) - 1
PUSHED = {Status.DONE: "ok", Status.FULL: "full", Status.OUT_OF_RANGE: "range"}


@dataclass
class Replay:
    """A file that is replayed, and the part of it that could be."""

    path: str
    operations: int | None = None
    """None: until the file ends."""
    lines: array[int] = field(default_factory=lambda: array("I"))
    """Line of each operation that was sent."""
    skipped: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    """Lines that were left out, by reason."""
    stopped: str = ""
    """Where and why the replay ended early."""

    @property
    def name(self) -> str:
        return self.path

    def written(self) -> dict[str, Any]:
        return {"path": self.path}

    def line(self, operation: int) -> int | None:
        """The line of the file that an operation is from; None for elements that were enqueued before."""
        return self.lines[operation] or None

    def requests(self, configuration: Configuration, seed: int) -> Iterator[Request]:
        shape = configuration.shape
        header = read_header(Path(self.path))
        if shape.entries < header.capacity or shape.ranks < header.ranks:
            raise OpsError(f"{self.path}: needs {header.capacity} entries and {header.ranks} ranks")
        source = Source(shape, configuration.rank_width, configuration.data_width, seed)
        others = []
        if shape.partitions > 1:
            others = [source.put(None, 1) for _ in range(shape.entries - header.capacity)]
        self.lines.extend([0] * len(others))
        small = replace(shape, entries=header.capacity, ranks=header.ranks, partitions=1)
        return chain(reset_of(source, 2), others, self.steps(configuration, Reference(small)))

    def steps(self, configuration: Configuration, reference: Reference) -> Iterator[Request]:
        """The lines as requests, as far as the queue has these operations."""
        shape, small = configuration.shape, reference.shape
        exact_capacity = shape.partitions > 1 or shape.entries == small.entries
        mask = (1 << configuration.data_width) - 1
        for step in read_steps(Path(self.path)):
            op = OPS.get(step.op)
            if op not in shape.ops or (step.time is not None and not shape.timed):
                if step.op in HARMLESS:
                    self.skipped[f"`{step.op}`, which the queue lacks"] += 1
                    continue
                self.stopped = f"up to line {step.line}, which needs `{step.op}{' at' if step.op == 'push' else ''}`"
                return
            # Without a time, everything may leave at once.
            time = step.time if step.time is not None else 0 if op == Op.ENQUEUE else LAST_TIME
            expected = answer_text(op, *reference.apply(op, 0, step.rank, step.item, time))
            if expected != step.answer:
                why = f" (ranks are 0 to {small.ranks - 1})" if expected == "range" else ""
                raise OpsError(f"{self.path}:{step.line}: the file is wrong, the hardware was not asked: it says "
                               f"`{step.answer}`, the reference `{expected}`{why}")
            if expected == "range" and (step.rank >> configuration.rank_width or shape.ranks != small.ranks):
                self.skipped["ranks that can't be asked for or that exist in this queue"] += 1
                continue
            if expected == "full" and not exact_capacity:
                self.stopped = f"up to line {step.line}, which needs exactly {small.entries} entries"
                return
            self.lines.append(step.line)
            yield request(op, 0, step.rank, step.item & mask, time)

    def note(self) -> str:
        """The lines that were not replayed, for people."""
        left_out = [f"without {count} {why}" for why, count in self.skipped.items()]
        return "; ".join([self.stopped, *left_out] if self.stopped else left_out)


def answer_text(op: Op, status: int, rank: int, item: int) -> str:
    """An answer as a file writes it."""
    if op == Op.ENQUEUE:
        return PUSHED[Status(status)]
    return f"{rank} {item}" if status == Status.DONE else "empty"
