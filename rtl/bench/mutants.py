"""Puts faults into copies of the sources on purpose; the bench must find each of them.

A fault is an exact piece of text that occurs once, and its replacement. The bench looks for it
at the ports alone, with the assertions in the hardware off, and with assertions only if
that does not find it. A fault fails if it survives, if its text is not found, or if it does not
compile. Then the tests or this list must be corrected.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from bbq_front.test_bbq_front import run as run_front
from bench.build import TARGET, BuildError, Flavour
from bench.plan import Job, random_segments
from bench.queues import QUEUES, RTL, Parameters, configure
from bench.runner import Outcome, Task, run
from cosim.build import build, sources_of
from policy.test_policy_core import policy_sources, shape_of
from policy.test_policy_core import run as run_policy
from seer.test_ordered_list import run as run_list
from seer.test_seer_cache import run as run_target
from seer.test_seer_egress import run as run_egress
from seer_nodes.test_nodes import run_mutant as run_nodes
from seer_phy.test_seer_phy import run as run_phy

OPERATIONS = 40_000
# Packets in tests of policies: few find most faults, some two thousand packets the rest.
POLICY_ROUNDS = (4, 40)

# Blocks with ports of their own: the test beside each, on one shape.
BLOCKS: dict[str, Callable[[Parameters, tuple[Path, ...], bool], object]] = {
    "bbq_front": lambda shape, sources, assertions: run_front(
        OPERATIONS // 4, sources=sources, assertions=assertions, **shape),
    "ordered_list": lambda shape, sources, assertions: run_list(shape, OPERATIONS // 8, sources, assertions),
    "seer_cache": lambda shape, sources, assertions: run_target(shape, OPERATIONS // 8, sources, assertions),
    "seer_egress": lambda shape, sources, assertions: run_egress(shape, OPERATIONS // 8, sources, assertions),
    "seer_nodes": lambda shape, sources, assertions: run_nodes(shape, OPERATIONS // 20, sources, assertions),
    "seer_phy_link": lambda shape, sources, assertions: run_phy(shape, OPERATIONS // 8, sources, assertions),
}
# Blocks whose tests build a program of their own, which reports if it does not compile.
BUILT_BY_TEST = {"seer_nodes"}
# Built for them besides the shape, to distinguish a fault that does not compile from one that is caught.
BUILT_WITH: dict[str, Parameters] = {"bbq_front": {"DataWidth": 24}}
# Functions that look for a block's faults by other means; the lists of such faults extend this.
JUDGES: dict[str, Callable[[Mutant, tuple[Parameters, ...], bool], str]] = {}


@dataclass(frozen=True)
class Mutant:
    """One fault."""

    queue: str
    file: str
    """From rtl/."""
    text: str
    replacement: str
    breaks: str
    """The purpose of the text."""
    on: tuple[Parameters, ...] = ()
    """Configurations, one of which must find the fault; those of MUTANT_SHAPES if empty."""


def mutants_of(queue: str, file: str, *faults: tuple[str, str, str]) -> list[Mutant]:
    """Each fault: what it breaks, the text, the replacement."""
    return [Mutant(queue, file, text, replacement, breaks) for breaks, text, replacement in faults]


class NotApplicable(Exception):
    """The text of a mutant is not in its file, or more than once."""


def is_there(mutant: Mutant) -> bool:
    """Whether its text occurs once in its file; reports if it does not."""
    found = (RTL / mutant.file).read_text().count(mutant.text)
    if found != 1:
        print(f"FAILED  {mutant.breaks}: its text is {found} times in {mutant.file}, not once", flush=True)
    return found == 1


def mutated_sources(mutant: Mutant, sources: list[Path]) -> tuple[Path, ...]:
    """The sources with a mutated copy in place of one of them."""
    original = RTL / mutant.file
    content = original.read_text()
    found = content.count(mutant.text)
    if found != 1:
        raise NotApplicable(f"its text is {found} times in {mutant.file}, not once")
    if original not in sources:
        raise NotApplicable(f"{mutant.file} is not a source of {mutant.queue}")
    name = hashlib.sha256(f"{mutant.text}\0{mutant.replacement}".encode()).hexdigest()[:16]
    path = TARGET / "mutants" / name / original.name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content.replace(mutant.text, mutant.replacement))
    return tuple(path if source == original else source for source in sources)


@dataclass(frozen=True)
class Verdict:
    """The result of one fault."""

    name: str
    caught: bool
    why: str
    by_ports: bool = True
    """The fault was caught without assertions in the hardware."""


def why_caught(outcome: Outcome) -> str:
    """The evidence of the fault, in one line."""
    if outcome.error:
        told = [line.strip() for line in outcome.error.splitlines() if "Assertion" in line or "rror" in line]
        return f"{outcome.task.job.configuration.name}: {(told or ['the simulator stopped'])[0]}"
    failure = outcome.result["failure"]
    return f"{failure['segment']}, operation {failure['operation']}: " + " ".join(failure["message"].split())


def judge_queue(mutant: Mutant, shapes: tuple[Parameters, ...], assertions: bool) -> str:
    """Runs a mutant on one configuration after the other; says why one found it, or returns nothing."""
    for parameters in mutant.on or shapes:
        configuration = configure(QUEUES[mutant.queue], parameters)
        sources = mutated_sources(mutant, configuration.sources())
        segments = random_segments(configuration.shape.entries, OPERATIONS)
        outcome = run(Task(Job(configuration, segments, 1), Flavour(assertions=assertions), sources))
        if not outcome.built:
            raise BuildError(outcome.error)
        if not outcome.passed:
            return why_caught(outcome)
    return ""


def judge_block(mutant: Mutant, shapes: tuple[Parameters, ...], assertions: bool) -> str:
    """As for a queue, by the test beside the block."""
    sources = mutated_sources(mutant, sources_of(mutant.queue))
    for parameters in mutant.on or shapes:
        if mutant.queue not in BUILT_BY_TEST:
            build(mutant.queue, {**BUILT_WITH.get(mutant.queue, {}), **parameters}, (), sources, assertions)
        try:
            BLOCKS[mutant.queue](parameters, sources, assertions)
        except AssertionError as error:
            return first_error(error)
    return ""


def judge_policy(mutant: Mutant, shapes: tuple[Parameters, ...], assertions: bool) -> str:
    """As for a block, with one policy of the tests after the other."""
    for parameters in mutant.on or shapes:
        policy = parameters["policy"]
        sources = mutated_sources(mutant, list(policy_sources(policy)))
        build("policy_bench", shape_of(policy), (), sources, assertions)
        try:
            for rounds in POLICY_ROUNDS:
                run_policy(policy, rounds, sources=sources, assertions=assertions)
        except AssertionError as error:
            return first_error(error)
    return ""


def first_error(error: AssertionError) -> str:
    """The message of a test, in one line."""
    told = [line.strip() for line in str(error).splitlines() if "Error" in line or "Assertion" in line]
    return (told or ["the simulator stopped"])[0]


def judge(mutant: Mutant, shapes: tuple[Parameters, ...]) -> Verdict:
    """Looks for a mutant at the ports, then with assertions."""
    usual = judge_block if mutant.queue in BLOCKS else judge_policy if mutant.queue == "policy_core" else judge_queue
    look = JUDGES.get(mutant.queue, usual)
    try:
        for assertions in (False, True):
            if why := look(mutant, shapes, assertions):
                return Verdict(mutant.breaks, True, why, not assertions)
    except (NotApplicable, BuildError) as error:
        return Verdict(mutant.breaks, False, str(error), False)
    return Verdict(mutant.breaks, False, "SURVIVED", False)


def report(verdicts: Iterable[Verdict]) -> bool:
    """Prints a table while results arrive; returns whether all were caught."""
    total = caught = by_ports = 0
    for verdict in verdicts:
        word = "FAILED" if not verdict.caught else "caught" if verdict.by_ports else "by assertion"
        print(f"{word}  {verdict.name}\n        {verdict.why[:300]}", flush=True)
        total += 1
        caught += verdict.caught
        by_ports += verdict.caught and verdict.by_ports
    print(f"{caught} of {total} faults caught; {by_ports} at the ports alone, without assertions in the hardware")
    return caught == total


def run_mutants(mutants: list[Mutant], shapes: dict[str, tuple[Parameters, ...]], jobs: int) -> bool:
    """Judges all mutants in parallel."""
    with ThreadPoolExecutor(jobs) as pool:
        return report(pool.map(lambda mutant: judge(mutant, shapes[mutant.queue]), mutants))
