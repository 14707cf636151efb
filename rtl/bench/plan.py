"""The contents of a run: segments of traffic, as data that pass into the simulator."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any
from zlib import crc32

from bench.queues import QUEUES, Configuration, configure
from bench.replay import Replay
from bench.traffic import FILLING, PATTERNS, SPACINGS, Source, reset_of
from bench.words import Request


@dataclass(frozen=True)
class Segment:
    """One pattern at one spacing, after a reset."""

    pattern: str
    spacing: str
    operations: int

    @property
    def name(self) -> str:
        return f"{self.pattern}/{self.spacing}"

    def written(self) -> dict[str, Any]:
        return vars(self)

    def line(self, operation: int) -> int | None:
        """The line of a file that an operation is from."""
        return None

    def note(self) -> str:
        """The operations that were left out, for people."""
        return ""

    def requests(self, configuration: Configuration, seed: int) -> Iterator[Request]:
        """Endless; the same for the same configuration and seed."""
        own_seed = crc32(f"{configuration.name} {self.name} {seed}".encode())
        source = Source(configuration.shape, configuration.rank_width, configuration.data_width, own_seed)
        stream = PATTERNS[self.pattern](source)
        for wrap in SPACINGS[self.spacing]:
            stream = wrap(source, stream)
        return chain(reset_of(source, 1 + source.below(8)), stream)


def read_segment(data: dict[str, Any]) -> Segment | Replay:
    return Replay(data["path"]) if "path" in data else Segment(**data)


@dataclass(frozen=True)
class Job:
    """The work of one simulator."""

    configuration: Configuration
    segments: tuple[Segment | Replay, ...]
    seed: int

    def write(self) -> dict[str, Any]:
        return {
            "queue": self.configuration.queue.name,
            "parameters": dict(self.configuration.parameters),
            "segments": [segment.written() for segment in self.segments],
            "seed": self.seed,
        }

    @staticmethod
    def read(data: dict[str, Any]) -> Job:
        configuration = configure(QUEUES[data["queue"]], data["parameters"])
        return Job(configuration, tuple(map(read_segment, data["segments"])), data["seed"])


def random_segments(entries: int, operations: int) -> tuple[Segment, ...]:
    """All patterns at all spacings, together at least so many operations."""
    pairs = [
        (pattern, spacing)
        for pattern in PATTERNS
        for spacing in SPACINGS
        # Resets would keep them from ever filling the queue.
        if not (pattern in FILLING and "resets" in spacing)
    ]
    share = -(-operations // len(pairs))
    return tuple(
        Segment(pattern, spacing, max(share, 3 * entries if pattern in FILLING else 0))
        for pattern, spacing in pairs
    )
