"""The commands of the bench: `python -m bench COMMAND`, started by the Makefile."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Collection
from pathlib import Path

from bench.blocks import run_blocks
from bench.build import BuildError, Flavour
from bench.coverage import run_coverage
from bench.lint import lint_all
from bench.mutant_table import MUTANTS, SHAPES
from bench.mutants import is_there, run_mutants
from bench.ops import OpsError
from bench.ops_jobs import ops_jobs, replay_job
from bench.parity import run_parity
from bench.plan import Job, Segment, random_segments
from bench.policy_mutants import POLICY_SHAPES
from bench.queues import QUEUES, configure
from bench.runner import Task, run_all
from bench.seer_mutants import SEER_SHAPES
from bench.seer_nodes_mutants import SEER_NODES_SHAPES
from bench.seer_phy_mutants import SEER_PHY_SHAPES
from bench.selftest import self_test
from bench.swap_mutants import SWAP_SHAPES

OPS = Path(__file__).resolve().parents[2] / "testdata" / "ops"
COVERAGE_ENTRIES = 127


# `--quick` leaves these out of long lists: all but each eighth configuration and each fourth fault, the first included.
QUICK_CONFIGURATIONS = 8
QUICK_MUTANTS = 4
QUICK_OPERATIONS = 20_000


def tested(names: list[str], known: Collection[str] = QUEUES) -> list[str]:
    for name in names:
        if name not in known:
            raise SystemExit(f"there is no queue `{name}`; there are {', '.join(known)}")
    return names or list(known)


def random_tasks(names: list[str], operations: int, seed: int) -> list[Task]:
    tasks = []
    for name in names:
        for parameters in QUEUES[name].sweep:
            configuration = configure(QUEUES[name], parameters)
            segments = random_segments(configuration.shape.entries, operations)
            tasks.append(Task(Job(configuration, segments, seed)))
    return tasks


def command_test(arguments: argparse.Namespace) -> bool:
    names = tested(arguments.queues)
    operations = arguments.operations or (QUICK_OPERATIONS if arguments.quick else 200_000)
    every = QUICK_CONFIGURATIONS if arguments.quick else 1
    tasks = [task for name in names for task in random_tasks([name], operations, arguments.seed)[::every]]
    replays = [Task(job) for name in names for job in ops_jobs(QUEUES[name], sorted(OPS.glob("*.ops")))]
    return run_all(tasks + replays[::every], arguments.jobs)


def command_replay(arguments: argparse.Namespace) -> bool:
    [name] = tested([arguments.queue])
    job = replay_job(QUEUES[name], Path(arguments.file).resolve())
    return run_all([Task(job, Flavour(waves=arguments.waves))], 1)


def command_run(arguments: argparse.Namespace) -> bool:
    [name] = tested([arguments.queue])
    try:
        parameters = {key: int(value) for key, value in (pair.split("=") for pair in arguments.parameters)}
    except ValueError as error:
        raise SystemExit(f"parameters are given as Name=number: {error}") from error
    if missing := [key for key in QUEUES[name].sweep[0] if key not in parameters]:
        raise SystemExit(f"{name} needs {', '.join(missing)}, too")
    configuration = configure(QUEUES[name], parameters)
    segments = random_segments(configuration.shape.entries, arguments.operations)
    if arguments.segment:
        segments = (Segment(*arguments.segment.split("/"), arguments.operations),)
    return run_all([Task(Job(configuration, segments, arguments.seed), Flavour(waves=arguments.waves))], 1)


def command_mutants(arguments: argparse.Namespace) -> bool:
    # Faults of Seer and of policies take ten minutes each: for the night, or by name.
    nightly = {"bbq_front_queue", *SEER_SHAPES, *SEER_NODES_SHAPES, *SEER_PHY_SHAPES, *POLICY_SHAPES, *SWAP_SHAPES}
    quick = [name for name in SHAPES if name not in nightly]
    names = tested(arguments.queues, SHAPES) if arguments.queues else quick
    are_there = all([is_there(mutant) for mutant in MUTANTS])
    chosen = [mutant for mutant in MUTANTS if mutant.queue in names][:: QUICK_MUTANTS if arguments.quick else 1]
    return run_mutants(chosen, SHAPES, arguments.jobs) and are_there


def command_coverage(arguments: argparse.Namespace) -> bool:
    jobs = [task.job for task in random_tasks(tested(arguments.queues), arguments.operations, 1)]
    # Large shapes reach nothing that small ones don't, and take long to build with all toggles counted.
    small = [job for job in jobs if job.configuration.shape.entries <= COVERAGE_ENTRIES]
    return run_coverage(small, arguments.jobs)


def main() -> int:
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    commands = parser.add_subparsers(required=True)

    lint = commands.add_parser("lint", help="Verilator's lint over every block")
    lint.set_defaults(run=lambda _: lint_all())

    test = commands.add_parser("test", help="random traffic and op streams on all configurations")
    test.add_argument("queues", nargs="*", help="all if none is named")
    test.add_argument("--operations", type=int, help="for each configuration; 200,000, or 20,000 with --quick")
    test.add_argument("--quick", action="store_true", help="each eighth configuration and op stream of a queue")
    test.add_argument("--seed", type=int, default=1)
    test.add_argument("--jobs", type=int, default=2)
    test.set_defaults(run=command_test)

    own = commands.add_parser("self-test", help="faults of the bench's own queue must be found")
    own.add_argument("--jobs", type=int, default=2)
    own.set_defaults(run=lambda arguments: self_test(arguments.jobs))

    blocks = commands.add_parser("blocks", help="tests of blocks with ports of their own")
    amount = blocks.add_mutually_exclusive_group()
    amount.add_argument("--heavy", action="store_true", help="a million operations each")
    amount.add_argument("--quick", action="store_true", help="of each test its first case")
    blocks.add_argument("--jobs", type=int, default=2)
    blocks.set_defaults(run=lambda arguments: run_blocks(arguments.jobs, arguments.heavy, arguments.quick))

    parity = commands.add_parser("parity", help="bits flipped in memories must be told")
    parity.add_argument("--quick", action="store_true", help="the first of the shapes")
    parity.add_argument("--jobs", type=int, default=2)
    parity.set_defaults(run=lambda arguments: run_parity(arguments.jobs, arguments.quick))

    mutants = commands.add_parser("mutants", help="faults put into the sources must be found")
    mutants.add_argument("queues", nargs="*", help="all but the blocks of Seer and of policies if none is named")
    mutants.add_argument("--quick", action="store_true", help="each fourth fault")
    mutants.add_argument("--jobs", type=int, default=2)
    mutants.set_defaults(run=command_mutants)

    coverage = commands.add_parser("coverage", help="what random traffic reaches")
    coverage.add_argument("queues", nargs="*", help="all if none is named")
    coverage.add_argument("--operations", type=int, default=50_000, help="for each configuration")
    coverage.add_argument("--jobs", type=int, default=2)
    coverage.set_defaults(run=command_coverage)

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
