"""The checker, on ports written by hand."""

import pytest

from bench.checker import Checker, Mismatch, Promise
from bench.reference import Op, Reference, Shape
from bench.words import ANSWER, EMPTY, FULL, OCCUPANCY, OP, READY, RESET, request

SHAPE = Shape(entries=1, partitions=1, ranks=10)
PUT, TAKE = request(Op.ENQUEUE, 0, 5, 7), request(Op.DEQUEUE_MIN, 0, 0, 0)
PUT_DONE = ANSWER | Op.ENQUEUE << OP | 5
TAKE_DONE = ANSWER | Op.DEQUEUE_MIN << OP | 5
QUIET = READY | EMPTY, 0

# A reset, an enqueue and a dequeue on a queue with a latency of two cycles.
REQUESTS = [RESET, 0, *PUT, *TAKE, 0, 0, 0, 0, 0, 0]
ANSWERS = [
    (EMPTY, 0), QUIET, (READY | FULL, 1 << OCCUPANCY),
    (READY | EMPTY | PUT_DONE, 7), (READY | EMPTY | TAKE_DONE, 7), QUIET,
]


def check(answers: list[tuple[int, int]], promise: Promise = Promise(2)) -> Checker:
    checker = Checker(Reference(SHAPE), promise)
    checker.check(REQUESTS, [word for answer in answers for word in answer])
    checker.finish()
    return checker


def test_a_right_queue_passes() -> None:
    counts = check(ANSWERS).counts
    assert (counts.cycles, counts.operations, counts.offered, counts.answers, counts.resets) == (6, 2, 2, 2, 1)


@pytest.mark.parametrize(
    ("cycle", "answer", "told"),
    [
        (0, (READY | EMPTY, 0), "req_ready_o must be 0"),
        (1, (EMPTY, 0), "not ready for enqueue"),
        (2, (READY, 1 << OCCUPANCY), "expected full=1"),
        (2, (READY | FULL, 0), "occupancy=1"),
        (3, QUIET, "the next answer came 1 cycles later"),
        (3, (READY | EMPTY | PUT_DONE, 6), "data 0x7"),
        (4, (READY | EMPTY | TAKE_DONE + 1, 7), "rank 5"),
        (5, (READY | EMPTY | TAKE_DONE, 7), "expected no answer"),
    ],
)
def test_a_wrong_cycle_is_found(cycle: int, answer: tuple[int, int], told: str) -> None:
    with pytest.raises(Mismatch, match=told) as caught:
        check([*ANSWERS[:cycle], answer, *ANSWERS[cycle + 1:]])
    assert str(caught.value).startswith(f"cycle {cycle},")


def test_missing_answers_are_found_at_the_end() -> None:
    with pytest.raises(Mismatch, match="2 operations have no answer"):
        check(ANSWERS[:3])


def test_nothing_is_answered_in_a_reset() -> None:
    requests = [RESET, 0, *PUT, 0, 0, RESET, 0, 0, 0]
    before = [(EMPTY, 0), QUIET, (READY | FULL, 1 << OCCUPANCY)]
    silent, answered = (FULL, 1 << OCCUPANCY), (FULL | PUT_DONE, 1 << OCCUPANCY | 7)
    checker = Checker(Reference(SHAPE), Promise(2))
    checker.check(requests, [word for answer in (*before, silent, QUIET) for word in answer])
    assert checker.counts.resets == 2
    checker = Checker(Reference(SHAPE), Promise(2))
    with pytest.raises(Mismatch):
        checker.check(requests, [word for answer in (*before, answered, QUIET) for word in answer])
