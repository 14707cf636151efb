"""Policies that `forebay compile --target sv` made into hardware: area and clock of each.

They are compiled anew each time, into `target/rtl/synth/policies`, and stored by their contents, as
all results are. The whole hardware is synthesised: front, decisions, registers, queue block.
"""

import re
import shutil
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from . import asap7, critical_path, ecp5, tools
from .report import markdown_table, number
from .source import Source, source

FOREBAY = tools.ROOT / "target" / "debug" / "forebay"
FOLDER = tools.OUT / "policies"
# For each policy, at most.
SEEDS = 3


@dataclass(frozen=True)
class Policy:
    """One of the library's policies, and how it is compiled."""

    name: str
    title: str
    options: tuple[str, ...] = ()


# Those of `make rtl-policies`, with the default sizes and widths of the policies and the target.
POLICIES = (
    Policy("fifo", "FIFO, tail drop"),
    Policy("strict-priority", "four strict classes"),
    Policy("lqd", "LQD over 8 queues", ("--param", "ports=8")),
    Policy("srpt", "SRPT, push-out"),
    Policy("wsjf", "WSJF, push-out"),
)


@dataclass
class Row:
    """One policy; None was not measured."""

    policy: str
    options: str
    queue_block: str
    packets: int
    rank_bits: int
    luts: int | None = None
    flops: int | None = None
    block_rams: int | None = None
    multipliers: int | None = None
    seeds: int | None = None
    mhz_best: float | None = None
    mhz_median: float | None = None
    asap7_logic_um2: float | None = None
    asap7_memory_bits: int | None = None
    asap7_ghz: float | None = None
    note: str = ""
    # For people: the limit of the clock.
    ecp5_path: str = ""
    asap7_path: str = ""


def skipped() -> bool:
    """Whether `forebay` is missing for compilation; says so."""
    if FOREBAY.is_file():
        return False
    tools.say(f"skipped: policies: {FOREBAY.relative_to(tools.ROOT)} is missing; cargo build --package forebay-cli")
    return True


def compiled(policy: Policy) -> Source:
    """Compiles a policy; returns what is to be synthesised."""
    folder = FOLDER / policy.name
    shutil.rmtree(folder, ignore_errors=True)
    only_stored, tools.only_stored = tools.only_stored, False
    try:
        arguments = [str(FOREBAY), "compile", str(tools.ROOT / "policies" / f"{policy.name}.oq"), *policy.options]
        tools.run([*arguments, "--target", "sv", "-o", str(folder)], FOLDER / f"{policy.name}.log", 60)
    finally:
        tools.only_stored = only_stored
    files = [folder / name for name in (folder / "policy.f").read_text().split()]
    return source("policy", files, {})


def sizes(readme: str) -> tuple[str, int, int]:
    """Queue block, packets and bits of a rank, from the hardware's README that the compiler writes."""
    found = dict(re.findall(r"^\| (queue block|packets|bits of a rank)[^|]*\| ([^|]+?) \|$", readme, re.MULTILINE))
    if len(found) != 3:
        raise tools.ToolError("the hardware's README.md does not tell queue block, packets and bits of a rank")
    return found["queue block"], int(found["packets"]), int(found["bits of a rank"])


def measure(with_asap7: bool, seeds: int, jobs: int) -> list[Row]:
    """Rows of all policies; a failure does not stop the others, and gives its reason."""
    prepared = [(policy, compiled(policy)) for policy in POLICIES]

    def row_of(policy: Policy, made: Source) -> Row:
        row = Row(policy.name, " ".join(policy.options), *sizes((FOLDER / policy.name / "README.md").read_text()))
        for wanted, add in ((True, lambda: add_ecp5(row, made, min(seeds, SEEDS))), (with_asap7, lambda: add_asap7(row, made))):
            try:
                if wanted:
                    add()
            except tools.ToolError as error:
                row.note = f"{row.note}; {error}".removeprefix("; ").splitlines()[0]
                tools.say(f"  failed: {error}")
        return row

    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(lambda each: row_of(*each), prepared))


def add_ecp5(row: Row, made: Source, seeds: int) -> None:
    """Counts, and with `seeds` the clocks."""
    netlist = ecp5.synthesise(made, large=True)
    row.luts, row.flops, row.block_rams, row.multipliers = netlist.luts, netlist.flops, netlist.block_rams, netlist.multipliers
    if seeds:
        clock = ecp5.clocks(netlist, range(1, seeds + 1), 1)
        row.seeds, row.mhz_best, row.mhz_median = seeds, clock.best, clock.median
        row.ecp5_path = critical_path.text(clock.reports[clock.best_seed])


def add_asap7(row: Row, made: Source) -> None:
    """Area and clock."""
    result = asap7.synthesise(made, large=True)
    row.asap7_logic_um2, row.asap7_memory_bits, row.asap7_ghz = result.logic_um2, result.memory_bits, result.ghz
    row.asap7_path = result.path_text()


def title(row: Row) -> str:
    """Its name for people."""
    return next(policy.title for policy in POLICIES if policy.name == row.policy)


def table(rows: Sequence[Row]) -> str:
    """A line for each policy."""
    heads = ["policy", "queue block", "packets", "rank bits", "LUT", "FF", "block RAM", "DSP", "MHz best", "median", "ASAP7 logic um2",
             "memory bits", "GHz"]  # fmt: skip
    lines = [
        [
            title(row), row.queue_block, number(row.packets), number(row.rank_bits), number(row.luts), number(row.flops),
            number(row.block_rams), number(row.multipliers), number(row.mhz_best), number(row.mhz_median) if row.seeds and row.seeds > 1 else "",
            number(row.asap7_logic_um2), number(row.asap7_memory_bits), number(row.asap7_ghz, 2),
        ]
        for row in rows
    ]  # fmt: skip
    return markdown_table(heads, lines)


def markdown(rows: Sequence[Row]) -> str:
    """The text between the markers of docs/targets/sv.md."""
    parts = [table(rows)]
    notes = [f"- {title(row)}: {row.note}" for row in rows if row.note]
    if notes:
        parts += ["Not measured, or not wholly:", "\n".join(notes)]
    return "\n\n".join(parts) + "\n"


def paths(rows: Sequence[Row]) -> str:
    """The limit of each clock, for the report under `target`."""
    found = [(row, flow, path) for row in rows for flow, path in (("ECP5", row.ecp5_path), ("ASAP7", row.asap7_path)) if path]
    return "\n\n".join(f"{title(row)}, {flow}:\n\n```text\n{path}\n```" for row, flow, path in found)
