"""Requests to the queues: streams of requests, random with fixed seeds.

A pattern is an endless generator. It does not see the answers, so full and empty queues are
part of the test. `gaps` and `resets` are put around patterns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from bench.reference import Op, Shape
from bench.words import OP, PARTITION, RESET, TIME, VALID, Request

Pattern = Callable[["Source"], Iterator[Request]]


class Source:
    """Makes requests that fit a queue, or nearly."""

    def __init__(self, shape: Shape, rank_width: int, data_width: int, seed: int) -> None:
        self.shape = shape
        self.random = Random(seed)
        self.rank_mask = (1 << rank_width) - 1
        self.data_mask = (1 << data_width) - 1
        # The port is to be 0 where there is one partition, although it has a bit.
        self.partition_mask = (1 << (shape.partitions - 1).bit_length()) - 1
        self.sent = 0
        self.takes = [op for op in (Op.DEQUEUE_MIN, Op.DEQUEUE_MAX) if op in shape.ops]
        self.peeks = [op for op in (Op.PEEK_MIN, Op.PEEK_MAX) if op in shape.ops]

    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1; much faster than randrange."""
        return int(self.random.random() * n)

    def chance(self, p: float) -> bool:
        return self.random.random() < p

    def rank(self) -> int:
        return self.below(self.shape.ranks)

    def partition(self) -> int:
        return self.below(self.shape.partitions)

    def take(self) -> int:
        return self.takes[self.below(len(self.takes))]

    def ask(self, op: int, rank: int = 0, partition: int | None = None) -> Request:
        """A request; data differ from enqueue to enqueue as far as their width allows."""
        if partition is None:
            partition = self.partition()
        self.sent += 1
        data = self.sent * 0x9E3779B1 & self.data_mask
        if self.shape.timed:
            # Time goes on by 1 per request; elements may leave at once or a little later.
            data |= (self.sent + (self.below(48) if op == Op.ENQUEUE else 8)) << TIME
        return rank | partition << PARTITION | op << OP | VALID, data

    def put(self, rank: int | None = None, partition: int | None = None) -> Request:
        return self.ask(Op.ENQUEUE, self.rank() if rank is None else rank, partition)

    def noise(self) -> Request:
        """Values on the ports of a cycle without a request."""
        low = self.below(1 << 19) << PARTITION | self.below(self.rank_mask + 1)
        return low, self.below(self.data_mask + 1)


def mix(put: float, peek: float = 0.1) -> Pattern:
    """Each operation drawn independently, with that share of enqueues and peeks."""

    def pattern(source: Source) -> Iterator[Request]:
        while True:
            draw = source.random.random()
            if draw < put:
                yield source.put()
            elif draw < put + peek and source.peeks:
                yield source.ask(source.peeks[source.below(len(source.peeks))])
            else:
                yield source.ask(source.take())

    return pattern


def anything(source: Source) -> Iterator[Request]:
    """All numbers of operations, ranks and partitions that fit the ports, existing or not."""
    while True:
        rank = source.below(source.rank_mask + 1)
        partition = source.below(source.partition_mask + 1)
        yield source.ask(source.below(8), rank, partition)


def one_bucket(source: Source) -> Iterator[Request]:
    """Everything at one rank, another one from time to time."""
    while True:
        rank, partition = source.rank(), source.partition()
        for _ in range(200):
            if source.chance(0.5):
                yield source.put(rank, partition)
            else:
                yield source.ask(source.take(), 0, partition)


def two_buckets(source: Source) -> Iterator[Request]:
    """Two ranks by turns, then dequeues from both ends by turns."""
    while True:
        ranks = source.rank(), source.rank()
        partition = source.partition()
        count = 2 + source.below(12)
        for at in range(count):
            yield source.put(ranks[at % 2], partition)
        for at in range(count):
            yield source.ask(source.takes[at % len(source.takes)], 0, partition)


def few_buckets(source: Source) -> Iterator[Request]:
    """A handful of ranks, so that buckets fill and become empty all the time."""
    while True:
        ranks = [source.rank() for _ in range(2 + source.below(5))]
        partition = source.partition()
        for _ in range(300):
            if source.chance(0.5):
                yield source.put(ranks[source.below(len(ranks))], partition)
            else:
                yield source.ask(source.take(), 0, partition)


def neighbours(source: Source) -> Iterator[Request]:
    """Ranks side by side, so that paths through a tree meet and part at every level."""
    while True:
        base, partition = source.rank(), source.partition()
        for _ in range(100):
            if source.chance(0.52):
                yield source.put((base + source.below(4)) % source.shape.ranks, partition)
            else:
                yield source.ask(source.take(), 0, partition)


def one_entry(source: Source) -> Iterator[Request]:
    """One element enqueued, peeked at or not, and dequeued; also two rejections in a row."""
    while True:
        partition = source.partition()
        yield source.put(None, partition)
        if source.peeks and source.chance(0.5):
            yield source.ask(source.peeks[source.below(len(source.peeks))], 0, partition)
        for _ in range(1 + source.below(3)):
            yield source.ask(source.take(), 0, partition)


def put_then_take_max(source: Source) -> Iterator[Request]:
    """Enqueue and dequeue by turns, mostly of the highest rank, over a few elements."""
    while True:
        for _ in range(source.below(6)):
            yield source.put()
        for _ in range(60):
            yield source.put()
            yield source.ask(source.takes[-1] if source.chance(0.9) else source.takes[0])


def same_bucket_runs(source: Source) -> Iterator[Request]:
    """Runs of enqueues at one rank, then back-to-back dequeues of it."""
    while True:
        rank, partition = source.rank(), source.partition()
        count = 1 + source.below(9)
        for _ in range(count):
            yield source.put(rank, partition)
        op = source.take()
        for _ in range(count + source.below(2)):
            yield source.ask(op, 0, partition)


def bursts(source: Source) -> Iterator[Request]:
    """Runs of one operation, of any length, in one partition or over all of them."""
    ops = [Op.ENQUEUE, Op.ENQUEUE, Op.ENQUEUE, *source.takes, *source.peeks]
    while True:
        op = ops[source.below(len(ops))]
        partition = source.partition() if source.chance(0.5) else None
        rank = source.rank() if source.chance(0.5) else None
        for _ in range(1 + source.below(24)):
            yield source.put(rank, partition) if op == Op.ENQUEUE else source.ask(op, 0, partition)


def rising(source: Source) -> Iterator[Request]:
    """Ranks that rise slowly and start again, as those of a scheduler's clock."""
    clock = 0.0
    while True:
        clock += source.random.random()
        if source.chance(0.51):
            yield source.put(int(clock + source.below(8)) % source.shape.ranks)
        else:
            yield source.ask(source.takes[0])


def fill_and_drain(source: Source) -> Iterator[Request]:
    """Until full and beyond, then until empty and beyond, from either end or both."""
    while True:
        for _ in range(source.shape.entries + 3):
            yield source.put()
        ends = [source.takes[:1], source.takes[-1:], source.takes][source.below(3)]
        for at in range(source.shape.entries + 3):
            # Each partition by turns, so that all of them become empty.
            yield source.ask(ends[source.below(len(ends))], 0, at % source.shape.partitions)


def nearly_full(source: Source) -> Iterator[Request]:
    """Filled once, then kept between full and a few elements less, with requests that are rejected."""
    for _ in range(source.shape.entries):
        yield source.put()
    others = anything(source)
    while True:
        if source.chance(0.1):
            yield next(others)
        yield source.put() if source.chance(0.55) else source.ask(source.take())


PATTERNS: dict[str, Pattern] = {
    "mix": mix(0.5),
    "mostly-enqueue": mix(0.7),
    "mostly-dequeue": mix(0.35),
    "peeks": mix(0.3, 0.45),
    "anything": anything,
    "one-bucket": one_bucket,
    "two-buckets": two_buckets,
    "few-buckets": few_buckets,
    "neighbours": neighbours,
    "one-entry": one_entry,
    "put-then-take-max": put_then_take_max,
    "same-bucket-runs": same_bucket_runs,
    "bursts": bursts,
    "rising": rising,
    "fill-and-drain": fill_and_drain,
    "nearly-full": nearly_full,
}
# These patterns must fill the queue of any size.
FILLING = ("fill-and-drain", "nearly-full")


def reset_of(source: Source, cycles: int) -> Iterator[Request]:
    """A reset, with or without operations offered meanwhile, which must be ignored."""
    for _ in range(cycles):
        low, high = source.put() if source.chance(0.5) else source.noise()
        yield low | RESET, high


def gaps(source: Source, requests: Iterator[Request]) -> Iterator[Request]:
    """Waits between operations: seldom, often or always, changing all the time."""
    while True:
        waiting = (0.1, 0.4, 0.75)[source.below(3)]
        for _ in range(64):
            while source.chance(waiting):
                yield source.noise()
            yield next(requests)


def resets(source: Source, requests: Iterator[Request]) -> Iterator[Request]:
    """Resets of 1 to 8 cycles in the middle, at times two of them close together."""
    while True:
        for _ in range(1 + source.below((20, 300, 1500)[source.below(3)])):
            yield next(requests)
        yield from reset_of(source, 1 + source.below(8))


# How a pattern is presented: back to back, with gaps, back to back with resets, with both.
SPACINGS: dict[str, tuple[Callable[[Source, Iterator[Request]], Iterator[Request]], ...]] = {
    "dense": (),
    "gaps": (gaps,),
    "resets": (resets,),
    "gaps-resets": (gaps, resets),
}
