"""Reads the CSV and the Parquet of a network sweep with pandas, in processes that know nothing else, and compares both with result.json: the long
table and the flows.

Usage: check.py FOREBAY FOLDER. The folder gets a virtual environment from requirements.txt, results and pictures. Without PyPI the test is
skipped, and says so.
"""

from __future__ import annotations

import io
import csv
import json
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from environment import environment  # noqa: E402

REQUIREMENTS = HERE / "requirements.txt"
SCENARIO = """
name = "by load"
repetitions = 2
network = { topology = { name = "star", hosts = 4 }, duration = "3 ms", size_classes = ["10 KB"] }
[[workload]]
sizes = { name = "fixed", bytes = 20000 }
load = [0.3, 0.6, 0.9]
[[policy]]
name = "drop-tail, TCP"
transport = "newreno"
port = { rank = "arrival", queue = "fifo", buffer = "100 packets" }
[[policy]]
name = "DCTCP"
transport = "dctcp"
port = { rank = "arrival", queue = "fifo", buffer = "100 packets", mark = { name = "threshold", packets = 20 } }
"""


def main() -> None:
    forebay, folder = sys.argv[1], Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    python = environment(folder, REQUIREMENTS, "reading results with pandas")
    if python is None:
        return
    scenario, results = folder / "by-load.toml", folder / "results"
    scenario.write_text(SCENARIO)
    subprocess.run([forebay, "run", str(scenario), "--out", str(results)], check=True, stdout=subprocess.DEVNULL)
    result = json.loads((results / "result.json").read_text())
    def of_all(cell: dict) -> dict:
        return next(group["quantities"] for group in cell["groups"] if group["workload"] is None and group["sizes"] is None)

    def plotted(script: str, table: str) -> list[dict[str, str]]:
        """The rows that a script prints for a table."""
        picture = folder / f"{table}.png"
        command = [str(python), "-I", str(HERE / script), str(results / table), str(picture)]
        printed = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
        if not picture.read_bytes().startswith(b"\x89PNG"):
            raise SystemExit(f"{picture} is no picture")
        return list(csv.DictReader(io.StringIO(printed)))

    cells = {}
    for cell in result["results"]:
        load = next(float(axis["text"]) for axis in cell["axes"] if axis["name"] == "load")
        cells[load, cell["policy"]] = of_all(cell)
    expected = {key: quantities["fct_ns_p99"]["mean"] / 1e9 for key, quantities in cells.items()}
    for table in ("result.csv", "result.parquet"):
        rows = plotted("plot_by_load.py", table)
        found = {(float(row["load"]), policy): float(value) for row in rows for policy, value in row.items() if policy != "load"}
        if found.keys() != expected.keys() or any(abs(found[key] / expected[key] - 1) > 1e-12 for key in expected):
            raise SystemExit(f"{table} differs from result.json: {found} and {expected}")
    from_csv, from_parquet = (plotted("plot_flows.py", table) for table in ("flows.csv", "flows.parquet"))
    if from_csv != from_parquet:
        raise SystemExit(f"flows.csv differs from flows.parquet: {from_csv} and {from_parquet}")
    found = {(float(row["load"]), row["policy"]): row for row in from_csv}
    if found.keys() != cells.keys():
        raise SystemExit(f"flows.csv has other cells than result.json: {found.keys()} and {cells.keys()}")
    for key, quantities in cells.items():
        count, longest = sum(quantities["completed"]["values"]), max(quantities["fct_ns_max"]["values"]) / 1e9
        total = sum(n * mean for n, mean in zip(quantities["completed"]["values"], quantities["fct_ns_mean"]["values"])) / 1e9
        row = found[key]
        if int(row["count"]) != count or abs(float(row["max"]) / longest - 1) > 1e-12 or abs(float(row["sum"]) / total - 1) > 1e-9:
            raise SystemExit(f"flows.csv differs from result.json at {key}: {row} and {count}, {total}, {longest}")
    flows = sum(int(row["count"]) for row in from_csv)
    print(f"pandas reads {len(expected)} completion times and {flows} flows alike from CSV, Parquet and JSON")


if __name__ == "__main__":
    main()
