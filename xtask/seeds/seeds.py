"""Measures the published figures with several seeds, and says which rows stand otherwise with some of them.

Usage: seeds.py [--forebay PROGRAM] [--kept FOLDER] [--seeds N] [NAME...]. Without names, all experiments, those that were cheapest first.
What is measured is kept, one file for each experiment and seed, so that a second call goes on where the first was stopped. Remove the folder
after a change of an experiment or of the program.

A row of `experiment.toml` that is not as stated with each seed says so: `seeds = "4 of 5"`. It is an error if it does not.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    arguments.add_argument("--forebay", type=Path, default=ROOT / "target/release/forebay")
    arguments.add_argument("--kept", type=Path, default=ROOT / "target/seeds", help="the folder of what was measured")
    arguments.add_argument("--seeds", type=int, default=5, help="the number of seeds, from 1")
    arguments.add_argument("names", nargs="*", metavar="NAME", help="an experiment like sp-pifo/figure-4")
    given = arguments.parse_args()
    if not given.forebay.is_file():
        print(f"{given.forebay} is not there; run: cargo build --release --package forebay-cli", file=sys.stderr)
        return 2
    folders = [path.parent for path in (ROOT / "experiments").glob("*/*/experiment.toml")]
    known = sorted(str(folder.relative_to(ROOT / "experiments")) for folder in folders)
    for name in given.names:
        if name not in known:
            print(f"there is no experiment {name}; `forebay repro` lists them", file=sys.stderr)
            return 2
    names = given.names or known
    seeds = range(1, given.seeds + 1)
    for seed in seeds:
        # After the first seed it is known what an experiment costs.
        for name in sorted(names, key=lambda name: seconds(given.kept, name)):
            if not cell(given.kept, name, seed).exists():
                measure(given.forebay, given.kept, name, seed)
    return report(given.kept, names, seeds)


def cell(kept: Path, name: str, seed: int) -> Path:
    """The file of an experiment with a seed."""
    return kept / name / f"{seed}.json"


def seconds(kept: Path, name: str) -> float:
    """What the first seed took, in seconds of the processor."""
    first = cell(kept, name, 1)
    return json.loads(first.read_text())["seconds"] if first.exists() else 0.0


def measure(forebay: Path, kept: Path, name: str, seed: int) -> None:
    """Runs one experiment; its file is there at once and whole, or not at all."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [forebay, "repro", name, "--seed", str(seed), "--format", "json"]
    run = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if run.stdout:
        outcome = json.loads(run.stdout)
        rows = (outcome[0] if isinstance(outcome, list) else outcome)["rows"]
    else:
        lines = run.stderr.strip().splitlines()
        if run.returncode != 0:
            print(f"not measured: {name}: {lines[-1] if lines else 'status ' + str(run.returncode)}", flush=True)
        rows = []
    target = cell(kept, name, seed)
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=target.parent, delete=False) as file:
        json.dump({"seconds": took, "rows": rows}, file)
    Path(file.name).rename(target)
    print(f"seed {seed}: {name}: {took:.0f} s", flush=True)


def is_as_stated(row: dict) -> bool | None:
    """As `forebay repro` judges; None for a row that was not measured."""
    if row["holds"] is None:
        return None
    match row["standing"]:
        case "holds" | "certain":
            return row["holds"]
        case "tested":
            return not row["holds"] and row["tested"]["holds"]
        case _:
            return not row["holds"]


def report(kept: Path, names: list[str], seeds: range) -> int:
    """Prints the rows that stand otherwise with a seed, and what all took; an error if a row does not say so."""
    measured, errors, total = 0, 0, 0.0
    for name in names:
        cells = [json.loads(cell(kept, name, seed).read_text()) for seed in seeds]
        total += cells[0]["seconds"]
        for rows in zip(*(each["rows"] for each in cells), strict=True):
            stands = [is_as_stated(row) for row in rows]
            if None in stands:
                continue
            measured += 1
            found = None if all(stands) else f"{sum(stands)} of {len(stands)}"
            said = rows[0].get("seeds")
            if found:
                values = ", ".join("-" if row["measured"] is None else f"{row['measured']:.4g}" for row in rows)
                print(f"{name}: {rows[0]['quantity']}: as stated with {found} seeds: {values} ({rows[0]['tolerance']})")
            if found != said:
                errors += 1
                print(f"  `seeds` of the row is {said!r}, and {found!r} was measured")
    print(f"{measured} rows measured with {len(seeds)} seeds, {total / 60:.0f} CPU minutes for one; {errors} rows say otherwise")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
