"""The commands: `python -m synth COMMAND` with PYTHONPATH=rtl, from the project's root."""

import argparse
import sys
from pathlib import Path

from . import asap7, compiled_policies, critical_path, ecp5, limits, measure, plots, report, seer_table, sweep, tools
from .designs import DESIGNS
from .source import Source, source

PAGE = tools.ROOT / "docs" / "rtl-synthesis.md"
GUIDE = tools.ROOT / "docs" / "rtl.md"
SEER = tools.ROOT / "docs" / "seer-hardware.md"
POLICIES = tools.ROOT / "docs" / "targets" / "sv.md"
FIGURES = tools.ROOT / "docs" / "rtl"


def parameter(text: str) -> tuple[str, int]:
    """`Entries=127`."""
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{text} is not NAME=VALUE")
    return name, int(value, 0)


def add_source(parser: argparse.ArgumentParser) -> None:
    """The arguments that select what is synthesised."""
    parser.add_argument("--top", required=True, help="module")
    parser.add_argument("--files", action="extend", nargs=1, type=Path, help="a source, or a .f list; may be repeated; known for the queues")
    parser.add_argument("--large", action="store_true", help="by the native yosys, and in ASAP7 with less effort")
    parser.add_argument("parameters", nargs="*", type=parameter, help="NAME=VALUE of the module")


def source_of(arguments: argparse.Namespace) -> Source:
    """The design that the arguments name."""
    files = arguments.files
    if not files:
        if arguments.top not in DESIGNS:
            raise tools.ToolError(f"--files is needed; known without are {', '.join(DESIGNS)}")
        files = [tools.ROOT / DESIGNS[arguments.top].files]
    return source(arguments.top, files, dict(arguments.parameters))


def run_ecp5(arguments: argparse.Namespace) -> int:
    """Counts, clocks and critical path of one module."""
    found = source_of(arguments)
    netlist = ecp5.synthesise(found, [*(ecp5.FOR_SPEED if arguments.speed else ecp5.FOR_AREA), *arguments.option], arguments.large)
    cells = ", ".join(f"{count} {cell}" for cell, count in netlist.cells.items() if count)
    print(f"{found.name}\n  LUT {netlist.luts}, FF {netlist.flops}, block RAM {netlist.block_rams} ({cells})")
    if arguments.seeds:
        clock = ecp5.clocks(netlist, range(1, arguments.seeds + 1), arguments.jobs)
        each = " ".join(f"{mhz:.1f}" for mhz in clock.mhz.values())
        print(f"  clock {clock.best:.1f} MHz best, {clock.median:.1f} median of {len(clock.mhz)} seeds ({each})")
        print(critical_path.text(clock.reports[clock.best_seed]))
    return 0


def run_asap7(arguments: argparse.Namespace) -> int:
    """Areas, clock and longest path of one module."""
    result = asap7.synthesise(source_of(arguments), arguments.delay, arguments.fanout, arguments.large)
    print(
        f"{result.name}\n  logic {result.logic_um2:.1f} um2, {sum(result.cells.values())} cells, {result.flops} flip-flops; "
        f"memory {result.memory_bits} bits, {result.memory_mm2:.5f} mm2\n"
        f"  clock {result.ghz:.2f} GHz ({result.period_ps:.1f} ps; no wires, no clock tree; TT, 0.7 V, 25 C)"
    )
    print(result.path_text())
    return 0


def run_report(arguments: argparse.Namespace) -> int:
    """All configurations, tables and plots; `--parts` leaves some out."""
    tools.only_stored = arguments.stored
    with_asap7 = not (arguments.no_asap7 or asap7.skipped())
    noted = [PARTS[name](arguments, with_asap7) for name in arguments.parts]
    tools.say(f"also in {tools.OUT.relative_to(tools.ROOT)}: tables as .md, .json and .csv, plots/")
    return 1 if any(noted) and not arguments.stored else 0


def report_queues(arguments: argparse.Namespace, with_asap7: bool) -> bool:
    """The queues; returns whether a measurement failed, as for the others."""
    points = [point for point in sweep.ecp5() if point.entries <= arguments.most_entries]
    on_asap7 = [point for point in sweep.asap7() if with_asap7 and point.entries <= arguments.most_entries]
    rows = measure.measure(points, on_asap7, arguments.seeds, arguments.jobs)
    report.write_data(rows, tools.OUT)
    tell("report", report.markdown(rows, linked(plots.write(rows, tools.OUT / "plots"), "plots")))
    if arguments.docs:
        put(PAGE, "synthesis", report.markdown(rows, linked(plots.write(rows, FIGURES), "rtl")))
        put(GUIDE, "resources", report.resources(rows))
    return any(row.note for row in rows)


def report_policies(arguments: argparse.Namespace, with_asap7: bool) -> bool:
    """Compiled policies."""
    if compiled_policies.skipped():
        return False
    rows = compiled_policies.measure(with_asap7, arguments.seeds, arguments.jobs)
    report.write_rows(tools.OUT, "policies", rows)
    tell("policies", f"{compiled_policies.markdown(rows)}\n{compiled_policies.paths(rows)}\n")
    if arguments.docs:
        put(POLICIES, "synthesis", compiled_policies.markdown(rows))
    return any(row.note for row in rows)


def report_lists(arguments: argparse.Namespace, with_asap7: bool) -> bool:
    """Seer's ordered list."""
    rows = seer_table.measure(with_asap7, arguments.jobs, arguments.most_entries)
    report.write_rows(tools.OUT, "ordered_list", rows)
    tell("ordered_list", seer_table.markdown(rows, linked(seer_table.figures(rows, tools.OUT / "plots"), "plots")))
    if arguments.docs:
        put(SEER, "table 1", seer_table.markdown(rows, linked(seer_table.figures(rows, FIGURES), "rtl")))
    return any(row.note for row in rows)


PARTS = {"queues": report_queues, "policies": report_policies, "lists": report_lists}


def tell(name: str, text: str) -> None:
    """Writes a report and shows it."""
    (tools.OUT / f"{name}.md").write_text(text)
    print(text)


def put(page: Path, name: str, text: str) -> None:
    """Puts a table into its page."""
    if not report.put_between(page, name, text):
        raise tools.ToolError(f"{page} has no lines <!-- {name} begin --> and <!-- {name} end -->")


def linked(drawn: list[tuple[str, Path]], folder: str) -> list[tuple[str, str]]:
    """Titles and paths of figures, from the page that shows them."""
    return [(title, f"{folder}/{path.name}") for title, path in drawn]


def run_quick(arguments: argparse.Namespace) -> int:
    """Areas against the limits, and a clock."""
    wrong = limits.check(arguments.seeds, arguments.jobs)
    for line in wrong:
        print(f"error: {line}", file=sys.stderr)
    return 1 if wrong else 0


def main() -> int:
    """Runs a command; a failure is one message."""
    parser = argparse.ArgumentParser(prog="python -m synth", description=__doc__)
    parser.add_argument("--jobs", type=int, default=2, help="runs at a time")
    commands = parser.add_subparsers(required=True)

    command = commands.add_parser("ecp5", help="counts, clock and critical path of one module")
    add_source(command)
    command.add_argument("--seeds", type=int, default=5, help="how many seeds; 0 for counts alone")
    command.add_argument("--speed", action="store_true", help="options for speed instead of area")
    command.add_argument("--option", action="append", default=[], help="of synth_ecp5, as --option=-noccu2")
    command.set_defaults(run=run_ecp5)

    command = commands.add_parser("asap7", help="areas, clock and longest path of one module")
    add_source(command)
    command.add_argument("--delay", type=int, default=asap7.DELAY_PS, help="what abc aims at, in ps")
    command.add_argument("--fanout", type=int, default=asap7.FANOUT, help="most readers before abc puts in buffers")
    command.set_defaults(run=run_asap7)

    command = commands.add_parser("report", help="everything; goes on where it was interrupted")
    command.add_argument("--seeds", type=int, default=5, help="for the promised; others have one")
    command.add_argument("--most-entries", type=int, default=1 << 30, help="leave out what is larger")
    command.add_argument("--no-asap7", action="store_true", help="the ECP5 alone")
    command.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS), help="these alone")
    command.add_argument("--stored", action="store_true", help="of what was measured before, running nothing")
    command.add_argument("--docs", action="store_true", help="also into the pages of docs/ that have markers for it, and docs/rtl/")
    command.set_defaults(run=run_report)

    command = commands.add_parser("quick", help="areas against the limits")
    command.add_argument("--seeds", type=int, default=1, help="how many seeds for the small ones")
    command.set_defaults(run=run_quick)

    arguments = parser.parse_args()
    try:
        return arguments.run(arguments)
    except tools.ToolError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1


sys.exit(main())
