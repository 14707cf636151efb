"""Measures the published figures with several seeds, and keeps each number beside its experiment, in `seeds.csv`.

Usage: seeds.py [--forebay PROGRAM] [--experiments FOLDER] [--seeds N] [NAME...]. Without names, all experiments, the cheapest first.
Each measurement is kept at once, so a second call continues where the first was stopped. Remove the `seeds.csv` of an experiment
after a change of its measurements. docs/limits.md says with how many seeds each row was as stated;
UPDATE_LIMITS=1 cargo test -p forebay-repro writes that page.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FILE = "seeds.csv"


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    arguments.add_argument("--forebay", type=Path, default=ROOT / "target/release/forebay")
    arguments.add_argument("--experiments", type=Path, default=ROOT / "experiments", help="where seeds.csv are written")
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
    kept = {name: Kept(given.experiments / name / FILE) for name in given.names or known}
    failed = 0
    # The cost of an experiment is known after its first seed.
    for name in sorted(kept, key=lambda name: kept[name].seconds()):
        for seed in range(1, given.seeds + 1):
            if not kept[name].has(seed) and not measure(given.forebay, kept[name], name, seed):
                failed += 1
                break
    return 1 if failed else 0


class Kept:
    """The file of an experiment: a column for each seed, a line for each number."""

    def __init__(self, path: Path) -> None:
        self.path = path
        # Lines by their subject: the quantity, and whether the cause of its difference was changed; then by seed.
        self.lines: dict[tuple[str, str], dict[int, str]] = {}
        if path.exists():
            with path.open(newline="") as file:
                for line in csv.DictReader(file):
                    place = (line.pop("of"), line.pop("quantity"))
                    self.lines[place] = {int(seed): number for seed, number in line.items()}

    def has(self, seed: int) -> bool:
        """Whether the experiment was measured with a seed."""
        return bool(self.lines.get(("seconds", ""), {}).get(seed))

    def seconds(self) -> float:
        """The processor time of the first seed, in seconds; infinite if unknown."""
        return float(self.lines.get(("seconds", ""), {}).get(1) or math.inf)

    def add(self, seed: int, seconds: float, rows: list[dict]) -> None:
        """Keeps the numbers of a seed. The file is whole at any time."""
        self.lines.setdefault(("seconds", ""), {})[seed] = f"{seconds:.1f}"
        for row in rows:
            if row["holds"] is None:
                continue
            self.lines.setdefault(("measured", row["quantity"]), {})[seed] = number(row["measured"])
            if row.get("tested"):
                self.lines.setdefault(("changed", row["quantity"]), {})[seed] = number(row["tested"]["measured"])
        seeds = sorted({seed for numbers in self.lines.values() for seed in numbers})
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=self.path.parent, delete=False, newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["of", "quantity", *seeds])
            writer.writerows([*place, *(numbers.get(seed, "") for seed in seeds)] for place, numbers in self.lines.items())
        Path(file.name).chmod(0o644)
        Path(file.name).rename(self.path)


def number(value: float | None) -> str:
    """With nine digits; `-` for a number that cannot be computed."""
    return "-" if value is None or not math.isfinite(value) else f"{value:.9g}"


def measure(forebay: Path, kept: Kept, name: str, seed: int) -> bool:
    """Measures one experiment with a seed; False if that cannot be done here."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [forebay, "repro", name, "--seed", str(seed), "--format", "json"]
    run = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if not run.stdout:
        lines = run.stderr.strip().splitlines()
        print(f"seed {seed}: {name}: not measured: {lines[-1] if lines else f'status {run.returncode}'}", flush=True)
        return False
    outcome = json.loads(run.stdout)
    rows = (outcome[0] if isinstance(outcome, list) else outcome)["rows"]
    skipped = sum(row["holds"] is None for row in rows)
    kept.add(seed, took, rows)
    print(f"seed {seed}: {name}: {took:.0f} s" + (f", {skipped} rows skipped" if skipped else ""), flush=True)
    return True


if __name__ == "__main__":
    sys.exit(main())
