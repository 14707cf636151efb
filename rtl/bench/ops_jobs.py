"""Which configurations of a queue replay which op streams: few, since each must be built."""

from __future__ import annotations

from pathlib import Path

from bench.ops import Header, OpsError, has_full, read_header, read_steps
from bench.plan import Job
from bench.queues import Configuration, Queue, configure
from bench.replay import Replay


def ops_configuration(queue: Queue, entries: int, ranks: int, partitions: int) -> Configuration:
    """A queue for streams of so many entries and ranks."""
    if queue.for_ops is None:
        raise SystemExit(f"{queue.name} replays no op streams")
    return configure(queue, {**queue.for_ops(entries, ranks), "Partitions": partitions})


# The most that a simulation has room for: each rank has a bucket, and each element a slot.
MOST_RANKS = MOST_ENTRIES = 1 << 20
LEAST_DATA_WIDTH, MOST_DATA_WIDTH = 17, 32


def replay_job(queue: Queue, path: Path) -> Job:
    """One file of the user's on a queue of its size. Reports mistakes in the file."""
    header = read_header(path)
    if header.ranks > MOST_RANKS and queue.name == "bbq":
        raise OpsError(f"{path}: {header.ranks} ranks; a simulation takes up to {MOST_RANKS}: record it with a "
                       "`rank_unit` (docs/scenario.md)")
    if header.capacity > MOST_ENTRIES:
        raise OpsError(f"{path}: capacity {header.capacity}; a simulation holds up to {MOST_ENTRIES} elements")
    data_width = max([LEAST_DATA_WIDTH, *(step.item.bit_length() for step in read_steps(path))])
    if data_width > MOST_DATA_WIDTH:
        raise OpsError(f"{path}: items of {data_width} bits; the bench takes up to {MOST_DATA_WIDTH}")
    if queue.most_ranks is not None and header.ranks > queue.most_ranks:
        raise OpsError(f"{path}: {header.ranks} ranks; {queue.name} has up to {queue.most_ranks}: take another queue")
    configuration = ops_configuration(queue, max(header.capacity, queue.min_entries), header.ranks, 1)
    configuration = configure(queue, {**configuration.parameters, "DataWidth": data_width})
    # Once without hardware, so that mistakes are reported before anything is built.
    for _ in Replay(str(path)).requests(configuration, 1):
        pass
    return Job(configuration, (Replay(str(path)),), 1)


def ops_jobs(queue: Queue, files: list[Path]) -> list[Job]:
    """All files whose ranks the queue can have, on one configuration if it has partitions (see replay.py).

    Otherwise those that fill the queue need one of exactly their capacity.
    """
    headers = {path: read_header(path) for path in files}
    headers = {path: header for path, header in headers.items() if header.ranks <= (queue.most_ranks or header.ranks)}
    largest = Header(*(max(getattr(header, name) for header in headers.values()) for name in ("capacity", "ranks")))
    if queue.partitioned:
        groups = {(largest.capacity, 2): list(headers)}
    else:
        groups = {}
        for path, header in headers.items():
            capacity = max(header.capacity, queue.min_entries) if has_full(path) else largest.capacity
            groups.setdefault((capacity, 1), []).append(path)
    return [
        Job(ops_configuration(queue, entries, largest.ranks, partitions), tuple(Replay(str(path)) for path in group), 1)
        for (entries, partitions), group in groups.items()
    ]
