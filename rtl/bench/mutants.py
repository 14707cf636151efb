"""Puts faults into copies of the sources on purpose; the bench must find each of them.

A fault is an exact piece of text, found once, and what stands there instead. One that survives,
whose text is not found, or that does not compile fails: then the tests or this list are
not what they should be.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from bench.build import TARGET
from bench.plan import Job, random_segments
from bench.queues import QUEUES, RTL, Configuration, Parameters, configure
from bench.runner import Outcome, Task, run

OPERATIONS = 40_000


@dataclass(frozen=True)
class Mutant:
    """One fault."""

    queue: str
    file: str
    """From rtl/."""
    text: str
    replacement: str
    breaks: str
    """What the text is there for."""
    on: tuple[Parameters, ...] = ()
    """Configurations of which one must find it; those of MUTANT_SHAPES if empty."""


class NotApplicable(Exception):
    """The text of a mutant is not in its file, or more than once."""


def mutated_sources(mutant: Mutant, configuration: Configuration) -> tuple[Path, ...]:
    """The queue's sources with a mutated copy in place of one of them."""
    original = RTL / mutant.file
    content = original.read_text()
    found = content.count(mutant.text)
    if found != 1:
        raise NotApplicable(f"its text is {found} times in {mutant.file}, not once")
    sources = configuration.sources()
    if original not in sources:
        raise NotApplicable(f"{mutant.file} is not a source of {mutant.queue}")
    name = hashlib.sha256(f"{mutant.text}\0{mutant.replacement}".encode()).hexdigest()[:16]
    path = TARGET / "mutants" / name / original.name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content.replace(mutant.text, mutant.replacement))
    return tuple(path if source == original else source for source in sources)


@dataclass(frozen=True)
class Verdict:
    """What came of one fault."""

    name: str
    caught: bool
    why: str


def why_caught(outcome: Outcome) -> str:
    """What gave the fault away, in one line."""
    if outcome.error:
        told = [line.strip() for line in outcome.error.splitlines() if "Assertion" in line or "rror" in line]
        return f"{outcome.task.job.configuration.name}: {(told or ['the simulator stopped'])[0]}"
    failure = outcome.result["failure"]
    return f"{failure['segment']}, operation {failure['operation']}: " + " ".join(failure["message"].split())


def judge(mutant: Mutant, shapes: tuple[Parameters, ...]) -> Verdict:
    """Runs a mutant on one configuration after the other until one finds it."""
    operations = 0
    for parameters in mutant.on or shapes:
        configuration = configure(QUEUES[mutant.queue], parameters)
        try:
            sources = mutated_sources(mutant, configuration)
        except NotApplicable as error:
            return Verdict(mutant.breaks, False, str(error))
        segments = random_segments(configuration.shape.entries, OPERATIONS)
        outcome = run(Task(Job(configuration, segments, 1), sources=sources))
        if not outcome.built:
            return Verdict(mutant.breaks, False, f"does not compile: {outcome.error}")
        if not outcome.passed:
            return Verdict(mutant.breaks, True, why_caught(outcome))
        operations += outcome.result["counts"]["operations"]
    return Verdict(mutant.breaks, False, f"SURVIVED {operations:,} operations")


def report(verdicts: Iterable[Verdict]) -> bool:
    """Prints a table as they come; tells whether all were caught."""
    caught = missed = 0
    for verdict in verdicts:
        word = "caught" if verdict.caught else "FAILED"
        print(f"{word}  {verdict.name}\n        {verdict.why[:300]}", flush=True)
        caught += verdict.caught
        missed += not verdict.caught
    print(f"{caught} of {caught + missed} faults caught")
    return missed == 0


def run_mutants(mutants: list[Mutant], shapes: dict[str, tuple[Parameters, ...]], jobs: int) -> bool:
    """Judges all mutants side by side."""
    with ThreadPoolExecutor(jobs) as pool:
        return report(pool.map(lambda mutant: judge(mutant, shapes[mutant.queue]), mutants))
