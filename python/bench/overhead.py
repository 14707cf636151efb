"""Measures what Python costs: the library beside the command, and algorithms in Python.

Usage: overhead.py [COMMAND]. It runs with the `forebay` that the Python of this process imports (a wheel), and the command of the same build, by default
the one beside that Python. CPU times are the least of several runs in turns. Numba and Dask are measured where they are installed.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import forebay

KEYS = 10_000_000
RUNS = 5
NETWORK = """
[network]
topology = { name = "leaf-spine", leaves = 4, spines = 2, hosts_per_leaf = 4 }
duration = "500 ms"
[[workload]]
sizes = "web-search"
load = 0.6
[[policy]]
transport = "dctcp"
port = { rank = "arrival", queue = "fifo", buffer = "100 packets", mark = { name = "threshold", packets = 20 } }
"""
# Each prints the CPU seconds of the call itself.
OF_ARRAY = """
import sys, time, numpy, forebay
keys = numpy.load(sys.argv[1])
begin = time.process_time()
print(forebay.cache(keys, policies="lru", capacity=100000, latency=100, progress=False, threads=1))
print(time.process_time() - begin)
"""
OF_SCENARIO = """
import sys, time, forebay
begin = time.process_time()
print(forebay.run(sys.argv[1], progress=False, threads=1))
print(time.process_time() - begin)
"""


def main() -> None:
    command = sys.argv[1] if len(sys.argv) > 1 else str(Path(sys.executable).with_name("forebay"))
    with tempfile.TemporaryDirectory() as folder:
        rows = [of_cache(command, Path(folder)), of_network(command, Path(folder)), cache_policy(), rank_function()]
    rows += [row for row in (native_rank(), native_cache(), dask()) if row is not None]
    for row in rows:
        print(json.dumps(row))


def cpu(arguments: list[str]) -> float:
    """CPU seconds of a process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def cpu_of_call(arguments: list[str]) -> float:
    """CPU seconds that the last line of a script says."""
    done = subprocess.run(arguments, check=True, capture_output=True, text=True)
    return float(done.stdout.split()[-1])


def beside(name: str, of_command: list[str], of_python: list[str], goal: float) -> dict[str, Any]:
    """The least CPU times of the command and of the call in Python, in turns; and what a process of Python takes before it."""
    pairs = [(cpu(of_command), cpu_of_call(of_python)) for _ in range(RUNS)]
    command, python = (min(times) for times in zip(*pairs))
    start = min(cpu([sys.executable, "-c", "import forebay"]) for _ in range(RUNS))
    return {
        "case": name,
        "command_cpu_s": round(command, 3),
        "call_cpu_s": round(python, 3),
        "start_of_python_cpu_s": round(start, 3),
        "overhead_percent": round(100 * (python / command - 1), 1),
        "goal_percent": goal,
    }


def of_cache(command: str, folder: Path) -> dict[str, Any]:
    keys = (np.random.default_rng(1).zipf(1.2, KEYS) % 1_000_000).astype("<u8")
    keys.tofile(folder / "keys.u64le")
    np.save(folder / "keys.npy", keys)
    asked = [command, "cache", str(folder / "keys.u64le"), "--policy", "lru", "--capacity", "100000", "--latency", "100", "--threads", "1"]
    return beside(f"cache of {KEYS} keys", asked, [sys.executable, "-c", OF_ARRAY, str(folder / "keys.npy")], 5)


def of_network(command: str, folder: Path) -> dict[str, Any]:
    scenario = folder / "network.toml"
    scenario.write_text(NETWORK, encoding="utf-8")
    asked = [command, "run", str(scenario), "--threads", "1"]
    return beside("run of a network", asked, [sys.executable, "-c", OF_SCENARIO, str(scenario)], 2)


class Lru(forebay.CachePolicy):
    """Least recently used."""

    def __init__(self, capacity: int) -> None:
        self.order: OrderedDict[int, None] = OrderedDict()
        self.hit = self.order.move_to_end  # type: ignore[method-assign,assignment]

    def insert(self, key: int, size: int) -> None:
        self.order[key] = None

    def victim(self, new: int) -> int | None:
        return next(iter(self.order))

    def remove(self, key: int) -> None:
        del self.order[key]


class Carried(forebay.RankFunction):
    """The rank that packets carry."""

    def rank(self, now: int, packet: forebay.Packet) -> int:
        return packet.rank


def rate(name: str, unit: str, count: int, work: Callable[[], Any], without: Callable[[], Any] | None, goal: int) -> dict[str, Any]:
    """How many there are in a second; and how long each takes more than without Python."""

    def seconds(work: Callable[[], Any]) -> float:
        begin = time.perf_counter()
        work()
        return time.perf_counter() - begin

    taken = min(seconds(work) for _ in range(RUNS))
    row = {"case": name, f"{unit}_per_second": round(count / taken), "goal": goal}
    if without is not None:
        row["more_ns_each"] = round(1e9 * (taken - min(seconds(without) for _ in range(RUNS))) / count)
    return row


def cache_policy() -> dict[str, Any]:
    count = 1_000_000
    keys = np.random.default_rng(2).zipf(1.2, count) % 10_000

    def play(policy: Any) -> forebay.Result:
        return forebay.cache(keys, policies=policy, capacity=1000, latency=30, model="delayed", progress=False)

    return rate("cache policy in Python", "requests", count, lambda: play(Lru), lambda: play("lru"), 300_000)


def port(packets: int, rank: Any) -> forebay.Result:
    return forebay.run(
        {
            "port": {"rate": "10 Gbps", "buffer": "80 packets"},
            "traffic": {"arrivals": "poisson", "load": 0.9, "packets": packets, "size_bytes": 1500, "rank": {"distribution": "uniform", "min": 0, "max": 100}},
            "policy": [{"rank": rank, "queue": "pifo"}],
        },
        progress=False,
    )


def rank_function() -> dict[str, Any]:
    count = 1_000_000
    return rate("rank function in Python", "packets", count, lambda: port(count, Carried), lambda: port(count, "packet-rank"), 500_000)


def native_rank() -> dict[str, Any] | None:
    try:
        import numba
    except ImportError:
        return None

    @numba.cfunc(forebay.native.RANK)  # type: ignore[untyped-decorator]
    def carried(now, size, flow, class_, rank, value, processing, remaining, state):  # type: ignore[no-untyped-def]
        return rank

    count = 3_000_000
    native = forebay.native.rank_function(carried)
    row = rate("native rank function", "packets", count, lambda: port(count, native), lambda: port(count, "packet-rank"), 10_000_000)
    return calls_per_second(row)


def calls_per_second(row: dict[str, Any]) -> dict[str, Any]:
    """What a call itself costs beside the built-in one; noise may make it less than nothing."""
    more = max(int(row["more_ns_each"]), 1)
    return {**row, "calls_per_second": round(1e9 / more)}


def native_cache() -> dict[str, Any] | None:
    try:
        import numba
    except ImportError:
        return None

    # First in, first out: the first places of the state are the begin and the end of a ring of slots.
    @numba.cfunc(forebay.native.HIT)  # type: ignore[untyped-decorator]
    def hit(slot, key, state):  # type: ignore[no-untyped-def]
        pass

    @numba.cfunc(forebay.native.INSERT)  # type: ignore[untyped-decorator]
    def insert(slot, key, size, state):  # type: ignore[no-untyped-def]
        ring = numba.carray(state, 1002, dtype=np.uint64)
        ring[2 + ring[1] % 1000] = slot
        ring[1] += 1

    @numba.cfunc(forebay.native.VICTIM)  # type: ignore[untyped-decorator]
    def fifo_native(new, state):  # type: ignore[no-untyped-def]
        ring = numba.carray(state, 1002, dtype=np.uint64)
        return ring[2 + ring[0] % 1000]

    @numba.cfunc(forebay.native.REMOVE)  # type: ignore[untyped-decorator]
    def remove(slot, key, state):  # type: ignore[no-untyped-def]
        ring = numba.carray(state, 1002, dtype=np.uint64)
        ring[0] += 1

    native = forebay.native.cache_policy(
        hit=hit, insert=insert, victim=fifo_native, remove=remove, state=lambda capacity, slots: np.zeros(slots + 2, np.uint64)
    )
    count = 10_000_000
    keys = np.random.default_rng(2).zipf(1.2, count) % 10_000

    def play(policy: Any) -> forebay.Result:
        return forebay.cache(keys, policies=policy, capacity=1000, latency=30, model="delayed", progress=False)

    return calls_per_second(rate("native cache policy", "requests", count, lambda: play(native), lambda: play("fifo"), 10_000_000))


def dask() -> dict[str, Any] | None:
    try:
        from dask.distributed import Client, LocalCluster
    except ImportError:
        return None
    cells = 200
    scenario = {
        "port": {"rate": "10 Gbps", "buffer": "80 packets"},
        "traffic": {"arrivals": "poisson", "load": 0.9, "packets": 100, "size_bytes": 1500},
        "policy": [{"rank": "arrival", "queue": "fifo"}],
        "repetitions": cells,
    }
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client, tempfile.TemporaryDirectory() as out:
        forebay.sweep({**scenario, "repetitions": 2}, executor=client, out=Path(out) / "warm", progress=False)
        begin = time.perf_counter()
        forebay.sweep(scenario, executor=client, out=Path(out) / "cells", progress=False)
        taken = time.perf_counter() - begin
    return {"case": "Dask, local cluster of 2 workers", "cells": cells, "ms_per_cell": round(1e3 * taken / cells, 2), "goal_ms": 5}


if __name__ == "__main__":
    main()
