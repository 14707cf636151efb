"""Op streams as segments of a run: what a file says is what the queue must answer.

A hardware queue has a fixed number of entries; a smaller capacity is had by filling the
rest with elements of another partition, which changes nothing for the first.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

from bench.ops import OpsError, read_header, read_steps
from bench.queues import Configuration
from bench.reference import Op, Reference, Shape, Status
from bench.traffic import Source, reset_of
from bench.words import Request, request

OPS = {"push": Op.ENQUEUE, "pop": Op.DEQUEUE_MIN, "pop-max": Op.DEQUEUE_MAX, "peek": Op.PEEK_MIN}
PUSHED = {Status.DONE: "ok", Status.FULL: "full", Status.OUT_OF_RANGE: "range"}


@dataclass
class Replay:
    """A file that is replayed, and what of it could be."""

    path: str
    operations: int | None = None
    """None: until the file ends."""
    lines: array[int] = field(default_factory=lambda: array("I"))
    """Line of each operation that was sent."""
    skipped: int = 0
    """Lines with a rank that the file says does not exist, but this queue has."""
    stopped: str = ""
    """Where and why the replay ended early."""

    @property
    def name(self) -> str:
        return self.path

    def written(self) -> dict[str, Any]:
        return {"path": self.path}

    def line(self, operation: int) -> int | None:
        """Which line of the file an operation is from; None for what was put in before."""
        return self.lines[operation] or None

    def requests(self, configuration: Configuration, seed: int) -> Iterator[Request]:
        shape = configuration.shape
        header = read_header(Path(self.path))
        if shape.entries < header.capacity or shape.ranks < header.ranks:
            raise OpsError(f"{self.path}: needs {header.capacity} entries and {header.ranks} ranks")
        if shape.entries > header.capacity and shape.partitions < 2:
            raise OpsError(f"{self.path}: needs exactly {header.capacity} entries, or two partitions")
        source = Source(shape, configuration.rank_width, configuration.data_width, seed)
        others = [source.put(None, 1) for _ in range(shape.entries - header.capacity)]
        self.lines.extend([0] * len(others))
        return chain(reset_of(source, 2), others, self.steps(configuration, Shape(header.capacity, 1, header.ranks)))

    def steps(self, configuration: Configuration, small: Shape) -> Iterator[Request]:
        reference = Reference(small)
        mask = (1 << configuration.data_width) - 1
        for step in read_steps(Path(self.path)):
            if step.op not in OPS or OPS[step.op] not in configuration.shape.ops or step.time is not None:
                self.stopped = f"line {step.line} needs `{step.op}`, which the queue lacks"
                return
            op = OPS[step.op]
            expected = answer_text(op, *reference.apply(op, 0, step.rank, step.item))
            if expected != step.answer:
                raise OpsError(f"{self.path}:{step.line}: the file says `{step.answer}`, the reference `{expected}`")
            if expected == "range" and small.ranks != configuration.shape.ranks:
                self.skipped += 1
                continue
            self.lines.append(step.line)
            yield request(op, 0, step.rank, step.item & mask)

    def note(self) -> str:
        """What was not replayed, for people."""
        notes = [self.stopped] if self.stopped else []
        if self.skipped:
            notes.append(f"{self.skipped} ranks that exist in this queue skipped")
        return "; ".join(notes)


def answer_text(op: Op, status: int, rank: int, item: int) -> str:
    """An answer as a file writes it."""
    if op == Op.ENQUEUE:
        return PUSHED[Status(status)]
    return f"{rank} {item}" if status == Status.DONE else "empty"
