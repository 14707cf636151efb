"""A small picture for each queue and each cache policy, from one run that all of their kind share."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from .explain import Entry
from .program import Program

# The same packets for every queue: ranks 0 to 100, bursts of eight packets at three times the rate of the port, 4 % more than it can send.
PORT = """[port]
rate = "10 Gbps"
buffer = "80 packets"
[traffic]
load = 1.1
arrivals = "flows"
flow_packets = 8
access = 3
packets = 20000
rank = { distribution = "uniform", min = 0, max = 100 }
"""
REQUESTS = "zipf:objects=1e3,requests=2e4,skew=0.9"


@dataclass
class Picture:
    """A picture beside the page that shows it, and how it was made."""

    file: str
    caption: str
    made_by: str
    scenario: str = ""


def of(entry: Entry, program: Program, folder: Path) -> Picture | None:
    """Draws the picture of an algorithm into a folder, for kinds that have one."""
    if entry.kind == "queue":
        return queue(entry, program, folder)
    if entry.kind == "cache policy":
        return cache(entry, program, folder)
    return None


def queue(entry: Entry, program: Program, folder: Path) -> Picture:
    """Mean delay by rank, beside FIFO and PIFO."""
    policies = [("FIFO", "fifo", "tail"), (entry.name, entry.name, "tail"), ("PIFO", "pifo", "worst-first")]
    scenario = PORT + "".join(
        f'[[policy]]\nname = "{name}"\nrank = "packet-rank"\nqueue = "{queue}"\ndrop = "{drop}"\n'
        for name, queue, drop in policies
        if name in ("FIFO", "PIFO") or name not in ("fifo", "pifo")
    )
    runs = folder / "runs" / entry.name
    runs.mkdir(parents=True, exist_ok=True)
    (runs / "queue.toml").write_text(scenario)
    program.run(["run", "queue.toml", "--out", "out"], runs)
    file = f"{entry.name}.svg"
    shutil.copy(runs / "out" / "delay.svg", folder / file)
    caption = f"Mean delay by rank under `{entry.name}`, FIFO and PIFO: low ranks should wait least. The port drops what does not fit."
    return Picture(file, caption, "forebay run queue.toml --out out", scenario)


def cache(entry: Entry, program: Program, folder: Path) -> Picture:
    """Mean latency over the capacity, beside LRU and Belady's algorithm."""
    names = list(dict.fromkeys(["lru", entry.name, "belady"]))
    runs = folder / "runs" / entry.name
    runs.mkdir(parents=True, exist_ok=True)
    command = ["curve", REQUESTS, "--policy", ",".join(names), "--latency", "100", "--points", "8", "--out", "out"]
    program.run(command, runs)
    file = f"{entry.name}.svg"
    shutil.copy(runs / "out" / "latency.svg", folder / file)
    caption = f"Mean latency of `{entry.name}` over the capacity, beside LRU and Belady's algorithm, which knows the future. A fetch takes 100 slots."
    return Picture(file, caption, "forebay " + " ".join(command))
