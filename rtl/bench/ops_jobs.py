"""Which configurations of a queue replay which op streams: few, since each is built."""

from __future__ import annotations

from pathlib import Path

from bench.ops import Header, has_full, read_header
from bench.plan import Job
from bench.queues import Configuration, Queue, configure
from bench.replay import Replay


def ops_configuration(queue: Queue, entries: int, ranks: int, partitions: int) -> Configuration:
    """A queue for streams of so many entries and ranks."""
    if queue.for_ops is None:
        raise SystemExit(f"{queue.name} replays no op streams")
    return configure(queue, {**queue.for_ops(entries, ranks), "Partitions": partitions})


def ops_jobs(queue: Queue, files: list[Path]) -> list[Job]:
    """All files, on one configuration if the queue has partitions (see replay.py).

    Otherwise those that fill the queue need one of exactly their capacity.
    """
    headers = {path: read_header(path) for path in files}
    largest = Header(*(max(getattr(header, name) for header in headers.values()) for name in ("capacity", "ranks")))
    if queue.partitioned:
        groups = {(largest.capacity, 2): files}
    else:
        groups = {}
        for path, header in headers.items():
            capacity = max(header.capacity, queue.min_entries) if has_full(path) else largest.capacity
            groups.setdefault((capacity, 1), []).append(path)
    return [
        Job(ops_configuration(queue, entries, largest.ranks, partitions), tuple(Replay(str(path)) for path in group), 1)
        for (entries, partitions), group in groups.items()
    ]
