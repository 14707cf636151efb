"""Compares the ports of a queue, cycle by cycle, with the right values.

The reference answers in the cycle in which the queue accepts an operation. Its answer
must be on the ports exactly `latency` cycles later and nowhere else. `full`, `empty` and
`occupancy` must be those of the reference in every cycle.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from bench.reference import Reference
from bench.words import (
    ANSWER, EMPTY, FULL, LOW, OCCUPANCY, OP, PARTITION, READY, RESET, STATE, STATUS, TIME, VALID, Request,
    describe_answer, describe_request, describe_state,
)


class Mismatch(Exception):
    """The queue made a mistake; says where, what was expected and what was seen."""

    def __init__(self, message: str, operation: int) -> None:
        super().__init__(message)
        self.operation = operation
        """Number of the operation with the wrong answer, or of the last one before."""


@dataclass(frozen=True)
class Promise:
    """The promises of a queue about time."""

    latency: int
    """Cycles from the acceptance of an operation to its answer."""
    interval: int = 1
    """Cycles that an operation takes; with 1, the queue is ready in every cycle."""
    start: int = 0
    """Cycles after a reset in which it need not be ready."""


@dataclass
class Counts:
    """Counts of a run."""

    cycles: int = 0
    operations: int = 0
    offered: int = 0
    """Cycles in which an operation was offered, outside of resets."""
    resets: int = 0
    """Cycles of reset."""
    answers: int = 0


class Checker:
    """Follows one queue through all cycles of a run."""

    def __init__(self, reference: Reference, promise: Promise) -> None:
        self.reference = reference
        self.promise = promise
        self.counts = Counts()
        # Answers that are due: (cycle, first word, second word, number of the operation).
        self.due: deque[tuple[int, int, int, int]] = deque()
        self.was_reset = False
        self.waited = 0
        self.ready_by = 0

    def check(self, requests: Sequence[int], answers: Sequence[int]) -> int:
        """Checks one batch of cycles; returns how many requests were consumed."""
        counts, due, reference = self.counts, self.due, self.reference
        latency, entries = self.promise.latency, reference.shape.entries
        position = 0
        first_cycle = counts.cycles
        for at in range(0, len(answers), 2):
            now = first_cycle + at // 2
            low, high = answers[at], answers[at + 1]
            request = requests[position]
            occupancy = reference.occupancy
            expected_low = EMPTY if occupancy == 0 else FULL if occupancy == entries else 0
            expected_high = occupancy << OCCUPANCY
            number = -1
            # Answers that are due in a reset are dropped.
            if due and due[0][0] == now and not request & RESET:
                _, answer_low, answer_high, number = due.popleft()
                expected_low |= answer_low
                expected_high |= answer_high
            ready = low & READY
            if (low ^ ready) != expected_low or high != expected_high:
                if self.was_reset:
                    counts.cycles = now
                    self.fail((low, high), (expected_low, expected_high), number, answers[at:])
            elif number >= 0:
                counts.answers += 1
            if request & RESET:
                counts.cycles = now
                self.reset(ready)
                position += 2
            elif not request & VALID:
                position += 2
            elif ready:
                counts.offered += 1
                data = requests[position + 1]
                rank = request & LOW
                partition = request >> PARTITION & 0xFFFF
                op = request >> OP & 7
                status, rank, data = reference.apply(op, partition, rank, data & LOW, data >> TIME)
                due.append((
                    now + latency,
                    ANSWER | status << STATUS | op << OP | partition << PARTITION | rank,
                    data,
                    counts.operations,
                ))
                counts.operations += 1
                position += 2
                self.waited = 0
            else:
                counts.offered += 1
                counts.cycles = now
                self.wait(request, requests[position + 1])
        counts.cycles = first_cycle + len(answers) // 2
        return position // 2

    def reset(self, ready: int) -> None:
        if ready:
            raise self.mismatch("req_ready_o must be 0 while rst_i is 1")
        self.was_reset = True
        self.counts.resets += 1
        self.reference.clear()
        self.due.clear()
        self.waited = 0
        self.ready_by = self.counts.cycles + self.promise.start

    def wait(self, low: int, high: int) -> None:
        """The queue was offered an operation and was not ready."""
        self.waited += 1
        if self.waited >= self.promise.interval and self.counts.cycles > self.ready_by:
            offered = describe_request(low, high)
            raise self.mismatch(
                f"not ready for {offered} in {self.waited} cycles; it promises one operation "
                f"every {self.promise.interval}"
            )

    def fail(self, got: Request, expected: Request, number: int, rest: Sequence[int]) -> None:
        """Describes the difference in this cycle."""
        lines = []
        state = (got[0] ^ expected[0]) & STATE & ~READY or (got[1] ^ expected[1]) >> OCCUPANCY
        if state:
            lines += [f"expected {describe_state(*expected)}", f"got      {describe_state(*got)}"]
        if (got[0] ^ expected[0]) & ~STATE or (got[1] ^ expected[1]) & LOW:
            operation = f" to operation {number}" if number >= 0 else ""
            lines += [
                f"expected{operation} {describe_answer(*expected)}",
                f"got {describe_answer(*got)}",
            ]
            if not got[0] & ANSWER:
                later = next((at // 2 for at in range(0, len(rest), 2) if rest[at] & ANSWER), None)
                if later is not None:
                    lines.append(f"the next answer came {later} cycles later: "
                                 f"{describe_answer(rest[2 * later], rest[2 * later + 1])}")
        raise self.mismatch("\n  ".join(lines), number)

    def mismatch(self, what: str, number: int = -1) -> Mismatch:
        """In this cycle, about operation `number` or else after the last accepted one."""
        counts = self.counts
        operation = number if number >= 0 else max(0, counts.operations - 1)
        return Mismatch(f"cycle {counts.cycles}, {counts.operations} operations accepted: {what}", operation)

    def finish(self) -> None:
        """At the end of a run, which ends with cycles without requests."""
        if self.due:
            raise self.mismatch(f"{len(self.due)} operations have no answer")
