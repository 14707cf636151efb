"""The queues that the bench knows: one entry each, and the configurations that are tested.

Adding a queue is one entry in QUEUES. Its module has the ports of ../README.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bench.checker import Promise
from bench.reference import ALL_OPS, Op, Shape

RTL = Path(__file__).resolve().parent.parent

Parameters = Mapping[str, int]


def rank_width_of(parameters: Parameters) -> int:
    return parameters["RankWidth"]


@dataclass(frozen=True)
class Queue:
    """A queue and its promises; the functions are of its parameters."""

    name: str
    files: str
    """Its file list, from rtl/."""
    promise: Callable[[Parameters], Promise]
    rank_width: Callable[[Parameters], int] = rank_width_of
    """Width of its rank ports."""
    ranks: Callable[[Parameters], int] | None = None
    """Number of ranks of a partition; all that fit the port if not given."""
    ops: frozenset[Op] = ALL_OPS
    timed: bool = False
    """It holds elements back until their time."""
    partitioned: bool = True
    min_entries: int = 1
    ports: str = ""
    """Ports besides those of every queue, as SystemVerilog."""
    defaults: Parameters = field(default_factory=dict)
    """For parameters that configurations do not name."""
    sweep: tuple[Parameters, ...] = ()
    """The configurations of `make rtl-test`."""
    for_ops: Callable[[int, int], Parameters] | None = None
    """Parameters for so many entries and at least so many ranks."""
    most_ranks: int | None = None
    """The most ranks that it can have; op streams with more are left out."""

    @property
    def module(self) -> str:
        """Its top module, which has the name of the file list."""
        return Path(self.files).stem


@dataclass(frozen=True)
class Configuration:
    """A queue with all its parameters."""

    queue: Queue
    parameters: Parameters

    @property
    def name(self) -> str:
        shown = " ".join(f"{name}={value}" for name, value in self.parameters.items())
        return f"{self.queue.name} {shown}"

    @property
    def shape(self) -> Shape:
        ranks = self.queue.ranks(self.parameters) if self.queue.ranks else 1 << self.rank_width
        entries, partitions = self.parameters["Entries"], self.parameters["Partitions"]
        return Shape(entries, partitions, ranks, self.queue.ops, self.queue.timed)

    @property
    def rank_width(self) -> int:
        return self.queue.rank_width(self.parameters)

    @property
    def data_width(self) -> int:
        return self.parameters["DataWidth"]

    @property
    def promise(self) -> Promise:
        return self.queue.promise(self.parameters)

    def sources(self) -> list[Path]:
        lines = (RTL / self.queue.files).read_text().splitlines()
        return [RTL / line.strip() for line in lines if line.strip()]


LOWEST_END = frozenset({Op.ENQUEUE, Op.DEQUEUE_MIN, Op.PEEK_MIN})
COMMON = {"DataWidth": 17, "Partitions": 1}


def configure(queue: Queue, parameters: Parameters) -> Configuration:
    """Fills in the parameters that `parameters` does not have."""
    return Configuration(queue, {**COMMON, **queue.defaults, **parameters})


def log2(n: int) -> int:
    return (n - 1).bit_length()


def bbq_shape(levels: int, width: int, entries: int, partitions: int = 1, **others: int) -> Parameters:
    return {"Levels": levels, "Width": width, "Entries": entries, "Partitions": partitions, **others}


def bbq_ranks(p: Parameters) -> int:
    return p.get("Ranks", p["Width"] ** p["Levels"] >> log2(p["Partitions"]))


def bbq_latency(p: Parameters) -> int:
    """As in bbq_pkg::latency; levels that the partition alone decides are not searched."""
    skipped = min(p["Levels"] - 1, log2(p["Partitions"]) // log2(p["Width"]))
    return 2 * (p["Levels"] - skipped) + 5 + (2 if skipped else 0)


def bbq_for_ops(entries: int, ranks: int) -> Parameters:
    levels = 1
    # Twice as many, since there may be two partitions.
    while 16**levels < 2 * ranks:
        levels += 1
    return bbq_shape(levels, 16, entries, Ranks=ranks)


def front_shape(levels: int, width: int, entries: int, **others: int) -> Parameters:
    return {"Levels": levels, "Width": width, "Entries": entries, **others}


def front_ranks(p: Parameters) -> int:
    return p.get("RankWidth", p["Levels"] * log2(p["Width"]))


def ranked(entries: int, ranks: int) -> Parameters:
    return {"Entries": entries, "RankWidth": max(1, log2(ranks))}


QUEUES = {
    queue.name: queue
    for queue in (
        Queue(
            name="bbq",
            files="bbq/bbq.f",
            promise=lambda p: Promise(latency=bbq_latency(p)),
            rank_width=lambda p: max(1, log2(bbq_ranks(p))),
            ranks=bbq_ranks,
            for_ops=bbq_for_ops,
            sweep=(
                bbq_shape(1, 2, 15),
                bbq_shape(1, 4, 16, Parity=1),
                bbq_shape(1, 8, 100, partitions=2),
                bbq_shape(1, 16, 127, partitions=8),
                bbq_shape(1, 32, 1000, partitions=32),
                bbq_shape(2, 2, 100, partitions=3, Ranks=1),
                bbq_shape(2, 2, 100),
                bbq_shape(2, 4, 127),
                bbq_shape(2, 8, 16, partitions=8),
                bbq_shape(2, 16, 15, partitions=2, Parity=1),
                bbq_shape(2, 32, 8191),
                bbq_shape(3, 2, 16, partitions=2),
                bbq_shape(3, 4, 1000, partitions=32),
                bbq_shape(3, 8, 511),
                bbq_shape(3, 8, 100, partitions=32, Parity=1),
                bbq_shape(3, 16, 8191),
                bbq_shape(3, 32, 32767, partitions=8),
                bbq_shape(4, 2, 127, partitions=8),
                bbq_shape(4, 4, 511, partitions=2),
                bbq_shape(4, 8, 1000, partitions=5, Ranks=500),
                bbq_shape(4, 16, 32767, partitions=32),
                bbq_shape(4, 32, 8191, Parity=1),
                bbq_shape(5, 4, 511, partitions=8),
                bbq_shape(6, 2, 63),
                bbq_shape(2, 4, 1, partitions=2),
            ),
        ),
        Queue(
            name="bbq_front_queue",
            files="bbq_front/bbq_front_queue.f",
            promise=lambda p: Promise(latency=2, interval=2),
            rank_width=front_ranks,
            ops=LOWEST_END,
            partitioned=False,
            min_entries=2,
            for_ops=lambda entries, ranks: front_shape(-(-log2(ranks) // 3), 8, entries),
            most_ranks=4096,
            sweep=(
                front_shape(1, 4, 9),
                front_shape(2, 4, 31, Parity=1),
                front_shape(2, 16, 127),
                front_shape(3, 8, 1000, RankWidth=7),
            ),
        ),
        Queue(
            name="pifo",
            files="pifo/pifo.f",
            promise=lambda p: Promise(latency=4),
            for_ops=ranked,
            sweep=(
                {"Entries": 1, "RankWidth": 3},
                {"Entries": 2, "RankWidth": 3},
                {"Entries": 16, "RankWidth": 9, "Partitions": 8},
                {"Entries": 127, "RankWidth": 9},
            ),
        ),
        Queue(
            name="pieo",
            files="pieo/pieo.f",
            promise=lambda p: Promise(latency=6, interval=6),
            ops=LOWEST_END,
            timed=True,
            partitioned=False,
            min_entries=4,
            ports=", .req_time_i(request.req_time)",
            defaults={"TimeWidth": 32, "Parity": 0},
            for_ops=ranked,
            sweep=(
                {"Entries": 16, "RankWidth": 4, "Parity": 1},
                {"Entries": 100, "RankWidth": 9},
            ),
        ),
        Queue(
            name="bmw_tree",
            files="bmw_tree/bmw_tree.f",
            promise=lambda p: Promise(latency=2, interval=2),
            ops=LOWEST_END,
            partitioned=False,
            defaults={"StampWidth": 32, "Parity": 0},
            for_ops=ranked,
            sweep=(
                {"Entries": 20, "RankWidth": 3, "Parity": 1},
                {"Entries": 127, "RankWidth": 9, "Order": 2},
                {"Entries": 1364, "RankWidth": 15},
            ),
        ),
        Queue(
            name="bmw_tree_reg",
            files="bmw_tree/bmw_tree_reg.f",
            promise=lambda p: Promise(latency=3, interval=2),
            ops=LOWEST_END,
            partitioned=False,
            defaults={"StampWidth": 32},
            for_ops=ranked,
            sweep=(
                {"Entries": 20, "RankWidth": 3},
                {"Entries": 84, "RankWidth": 9},
            ),
        ),
        Queue(
            name="pheap",
            files="pheap/pheap.f",
            promise=lambda p: Promise(latency=2, interval=2),
            ops=LOWEST_END,
            partitioned=False,
            defaults={"StampWidth": 32, "Parity": 0},
            for_ops=ranked,
            sweep=(
                {"Entries": 15, "RankWidth": 3, "Parity": 1},
                {"Entries": 1000, "RankWidth": 15},
            ),
        ),
        Queue(
            name="model_queue",
            files="bench/fixtures/model_queue.f",
            promise=lambda p: Promise(latency=p["Latency"], interval=p["Interval"]),
            ranks=lambda p: p["Ranks"],
            defaults={"Latency": 5, "Interval": 1, "Ranks": 200, "RankWidth": 8},
            for_ops=lambda entries, ranks: {**ranked(entries, ranks), "Ranks": ranks},
            sweep=(
                {"Entries": 16},
                {"Entries": 5, "Partitions": 3, "Interval": 3},
            ),
        ),
    )
}
