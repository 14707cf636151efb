"""The reference, by hand."""

from bench.reference import Op, Reference, Shape, Status

SHAPE = Shape(entries=3, partitions=2, ranks=10)


def test_the_lowest_end_is_in_order_of_arrival_and_the_highest_in_reverse() -> None:
    queue = Reference(SHAPE)
    for data in (1, 2, 3):
        assert queue.apply(Op.ENQUEUE, 0, 5, data) == (Status.DONE, 5, data)
    assert queue.apply(Op.PEEK_MIN, 0, 0, 0) == (Status.DONE, 5, 1)
    assert queue.apply(Op.DEQUEUE_MAX, 0, 0, 0) == (Status.DONE, 5, 3)
    assert queue.apply(Op.PEEK_MAX, 0, 0, 0) == (Status.DONE, 5, 2)
    assert queue.apply(Op.DEQUEUE_MIN, 0, 0, 0) == (Status.DONE, 5, 1)
    assert queue.apply(Op.DEQUEUE_MIN, 0, 0, 0) == (Status.DONE, 5, 2)
    assert queue.apply(Op.DEQUEUE_MIN, 0, 0, 0) == (Status.EMPTY, 0, 0)


def test_the_lowest_rank_is_first() -> None:
    queue = Reference(SHAPE)
    for rank in (7, 9, 8):
        queue.apply(Op.ENQUEUE, 0, rank, rank)
    assert queue.apply(Op.DEQUEUE_MIN, 0, 0, 0) == (Status.DONE, 7, 7)
    assert queue.apply(Op.DEQUEUE_MAX, 0, 0, 0) == (Status.DONE, 9, 9)


def test_partitions_share_the_entries_and_nothing_else() -> None:
    queue = Reference(SHAPE)
    queue.apply(Op.ENQUEUE, 0, 5, 1)
    assert queue.apply(Op.DEQUEUE_MIN, 1, 0, 0) == (Status.EMPTY, 0, 0)
    queue.apply(Op.ENQUEUE, 1, 3, 2)
    queue.apply(Op.ENQUEUE, 1, 4, 3)
    assert queue.occupancy == 3
    assert queue.apply(Op.ENQUEUE, 0, 5, 4) == (Status.FULL, 0, 0)
    assert queue.apply(Op.DEQUEUE_MIN, 0, 0, 0) == (Status.DONE, 5, 1)


def test_refusals_have_an_order() -> None:
    queue = Reference(Shape(1, 1, 10, frozenset({Op.ENQUEUE, Op.DEQUEUE_MIN})))
    queue.apply(Op.ENQUEUE, 0, 5, 1)
    assert queue.apply(Op.ENQUEUE, 0, 9, 2)[0] == Status.FULL
    assert queue.apply(Op.ENQUEUE, 0, 10, 2)[0] == Status.OUT_OF_RANGE
    assert queue.apply(Op.DEQUEUE_MIN, 1, 0, 0)[0] == Status.OUT_OF_RANGE
    assert queue.apply(Op.DEQUEUE_MAX, 1, 0, 0)[0] == Status.UNSUPPORTED
    assert queue.apply(7, 1, 0, 0)[0] == Status.UNSUPPORTED
    assert queue.apply(Op.DEQUEUE_MIN, 0, 0, 0) == (Status.DONE, 5, 1)


def test_an_element_does_not_leave_before_its_time() -> None:
    queue = Reference(Shape(4, 1, 10, timed=True))
    queue.apply(Op.ENQUEUE, 0, 5, 1, 300)
    queue.apply(Op.ENQUEUE, 0, 9, 2, 100)
    queue.apply(Op.ENQUEUE, 0, 9, 3, 50)
    assert queue.apply(Op.DEQUEUE_MIN, 0, 0, 0, 49)[0] == Status.EMPTY
    assert queue.apply(Op.DEQUEUE_MIN, 0, 0, 0, 100) == (Status.DONE, 9, 2)
    assert queue.apply(Op.PEEK_MIN, 0, 0, 0, 300) == (Status.DONE, 5, 1)
    assert queue.apply(Op.DEQUEUE_MIN, 0, 0, 0, 299) == (Status.DONE, 9, 3)
