"""Reads the CSV and the Parquet of a network sweep with pandas, in a process that knows nothing else, and compares both with result.json.

Usage: check.py FOREBAY FOLDER. The folder gets a virtual environment from requirements.txt, results and pictures. Without PyPI the test is
skipped, and says so.
"""

from __future__ import annotations

import hashlib
import io
import csv
import json
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
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


def environment(folder: Path) -> Path | None:
    """The Python of an environment with pandas; None if PyPI cannot be reached."""
    venv = folder / "venv"
    python, stamp = venv / "bin" / "python", venv / "made-from"
    wanted = hashlib.sha256(REQUIREMENTS.read_bytes() + sys.version.encode()).hexdigest()
    if stamp.exists() and stamp.read_text() == wanted:
        return python
    subprocess.run([sys.executable, "-m", "venv", "--clear", venv], check=True)
    install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:", "--require-hashes", "--no-deps"]
    done = subprocess.run([*map(str, install), "-r", str(REQUIREMENTS)], check=False, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["pip has failed"])[-1]
        print(f"skipped: reading results with pandas ({last})")
        return None
    stamp.write_text(wanted)
    return python


def main() -> None:
    forebay, folder = sys.argv[1], Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    python = environment(folder)
    if python is None:
        return
    scenario, results = folder / "by-load.toml", folder / "results"
    scenario.write_text(SCENARIO)
    subprocess.run([forebay, "run", str(scenario), "--out", str(results)], check=True, stdout=subprocess.DEVNULL)
    result = json.loads((results / "result.json").read_text())
    expected = {}
    for cell in result["results"]:
        load = next(float(axis["text"]) for axis in cell["axes"] if axis["name"] == "load")
        whole = next(group for group in cell["groups"] if group["workload"] is None and group["sizes"] is None)
        expected[load, cell["policy"]] = whole["quantities"]["fct_ns_p99"]["mean"] / 1e9
    for table in ("result.csv", "result.parquet"):
        picture = folder / f"{table}.png"
        command = [str(python), "-I", str(HERE / "plot_by_load.py"), str(results / table), str(picture)]
        printed = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
        found = {(float(row["load"]), policy): float(value) for row in csv.DictReader(io.StringIO(printed)) for policy, value in row.items() if policy != "load"}
        if found.keys() != expected.keys() or any(abs(found[key] / expected[key] - 1) > 1e-12 for key in expected):
            raise SystemExit(f"{table} differs from result.json: {found} and {expected}")
        if not picture.read_bytes().startswith(b"\x89PNG"):
            raise SystemExit(f"{picture} is no picture")
    print(f"pandas reads {len(expected)} completion times alike from CSV, Parquet and JSON")


if __name__ == "__main__":
    main()
