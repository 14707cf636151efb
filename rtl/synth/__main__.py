"""The commands: `python -m rtl.synth COMMAND`, from the project's root."""

import argparse
import sys
from pathlib import Path

from rtl.synth import critical_path, ecp5, tools
from rtl.synth.source import Source, source


def parameter(text: str) -> tuple[str, int]:
    """`Entries=127`."""
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{text} is not NAME=VALUE")
    return name, int(value, 0)


def add_source(parser: argparse.ArgumentParser) -> None:
    """The arguments that say what is synthesised."""
    parser.add_argument("--top", required=True, help="module")
    parser.add_argument("--files", required=True, nargs="+", type=Path, help="sources, or a .f list")
    parser.add_argument("parameters", nargs="*", type=parameter, help="NAME=VALUE of the module")


def source_of(arguments: argparse.Namespace) -> Source:
    """What the arguments name."""
    return source(arguments.top, arguments.files, dict(arguments.parameters))


def run_ecp5(arguments: argparse.Namespace) -> None:
    """Counts, clocks and critical path of one module."""
    found = source_of(arguments)
    options = [*ecp5.OPTIONS, *arguments.option]
    netlist = ecp5.synthesise(found, options, arguments.block_words)
    cells = ", ".join(f"{count} {cell}" for cell, count in netlist.cells.items() if count)
    print(f"{found.name}\n  LUT {netlist.luts}, FF {netlist.flops}, block RAM {netlist.block_rams} ({cells})")
    if arguments.seeds:
        clock = ecp5.clocks(netlist, range(1, arguments.seeds + 1), arguments.jobs)
        each = " ".join(f"{mhz:.1f}" for mhz in clock.mhz.values())
        print(f"  clock {clock.best:.1f} MHz best, {clock.median:.1f} median of {len(clock.mhz)} seeds ({each})")
        print(critical_path.text(clock.reports[clock.best_seed]))


def main() -> int:
    """Runs a command; what went wrong is one message."""
    parser = argparse.ArgumentParser(prog="python -m rtl.synth", description=__doc__)
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("ecp5", help="counts, clock and critical path of one module")
    add_source(command)
    command.add_argument("--seeds", type=int, default=5, help="how many seeds; 0 for counts alone")
    command.add_argument("--jobs", type=int, default=2, help="seeds at a time")
    command.add_argument("--block-words", type=int, default=ecp5.BLOCK_WORDS, help="least depth put into block RAM")
    command.add_argument("--option", action="append", default=[], help="of synth_ecp5, as --option=-noccu2")
    command.set_defaults(run=run_ecp5)
    arguments = parser.parse_args()
    try:
        arguments.run(arguments)
    except tools.ToolError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


sys.exit(main())
