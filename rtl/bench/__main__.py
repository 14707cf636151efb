"""The commands of the bench: `python -m bench COMMAND`, started by the Makefile."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from bench.build import BuildError, Flavour
from bench.lint import lint_all
from bench.plan import Job, Segment, random_segments
from bench.queues import QUEUES, Configuration, configure
from bench.replay import Replay
from bench.ops import OpsError, read_header
from bench.runner import Task, run_all

OPS = Path(__file__).resolve().parents[2] / "testdata" / "ops"
# Enough for all files of testdata/ops.
OPS_ENTRIES, OPS_RANKS = 64, 5000


def tested(names: list[str]) -> list[str]:
    for name in names:
        if name not in QUEUES:
            raise SystemExit(f"there is no queue `{name}`; there are {', '.join(QUEUES)}")
    return names or list(QUEUES)


def random_tasks(names: list[str], operations: int, seed: int) -> list[Task]:
    tasks = []
    for name in names:
        for parameters in QUEUES[name].sweep:
            configuration = configure(QUEUES[name], parameters)
            segments = random_segments(configuration.shape.entries, operations)
            tasks.append(Task(Job(configuration, segments, seed)))
    return tasks


def ops_configuration(name: str, entries: int, ranks: int, partitions: int) -> Configuration:
    queue = QUEUES[name]
    if queue.for_ops is None:
        raise SystemExit(f"{name} replays no op streams")
    return configure(queue, {**queue.for_ops(entries, ranks), "Partitions": partitions})


def ops_tasks(names: list[str], seed: int) -> list[Task]:
    files = tuple(Replay(str(path)) for path in sorted(OPS.glob("*.ops")))
    return [
        Task(Job(ops_configuration(name, OPS_ENTRIES, OPS_RANKS, 2), files, seed))
        for name in names
        if QUEUES[name].for_ops
    ]


def command_test(arguments: argparse.Namespace) -> bool:
    names = tested(arguments.queues)
    tasks = random_tasks(names, arguments.operations, arguments.seed) + ops_tasks(names, arguments.seed)
    return run_all(tasks, arguments.jobs)


def command_replay(arguments: argparse.Namespace) -> bool:
    path = Path(arguments.file).resolve()
    header = read_header(path)
    [name] = tested([arguments.queue])
    configuration = ops_configuration(name, header.capacity, header.ranks, 1)
    return run_all([Task(Job(configuration, (Replay(str(path)),), 1), Flavour(waves=arguments.waves))], 1)


def command_run(arguments: argparse.Namespace) -> bool:
    [name] = tested([arguments.queue])
    parameters = {key: int(value) for key, value in (pair.split("=") for pair in arguments.parameters)}
    configuration = configure(QUEUES[name], parameters)
    segments = random_segments(configuration.shape.entries, arguments.operations)
    if arguments.segment:
        segments = (Segment(*arguments.segment.split("/"), arguments.operations),)
    return run_all([Task(Job(configuration, segments, arguments.seed), Flavour(waves=arguments.waves))], 1)


def main() -> int:
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    commands = parser.add_subparsers(required=True)

    lint = commands.add_parser("lint", help="Verilator's lint over every block")
    lint.set_defaults(run=lambda _: lint_all())

    test = commands.add_parser("test", help="random traffic and op streams on all configurations")
    test.add_argument("queues", nargs="*", help="all if none is named")
    test.add_argument("--operations", type=int, default=200_000, help="for each configuration")
    test.add_argument("--seed", type=int, default=1)
    test.add_argument("--jobs", type=int, default=2)
    test.set_defaults(run=command_test)

    replay = commands.add_parser("replay", help="one op stream on one queue")
    replay.add_argument("file")
    replay.add_argument("--queue", default="bbq")
    replay.add_argument("--waves", action="store_true")
    replay.set_defaults(run=command_replay)

    run = commands.add_parser("run", help="random traffic on one configuration")
    run.add_argument("queue")
    run.add_argument("parameters", nargs="*", help="Name=number")
    run.add_argument("--operations", type=int, default=200_000)
    run.add_argument("--segment", help="only this one, as PATTERN/SPACING")
    run.add_argument("--seed", type=int, default=1)
    run.add_argument("--waves", action="store_true", help="write dump.vcd")
    run.set_defaults(run=command_run)

    arguments = parser.parse_args()
    try:
        return 0 if arguments.run(arguments) else 1
    except (BuildError, OpsError) as error:
        print(error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    raise SystemExit(main())
