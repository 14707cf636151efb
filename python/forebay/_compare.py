"""The same requests in forebay and in another simulator of caches."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterable, Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ._columns import Requests
from ._errors import ForebayWarning, argument_error
from ._questions import cache
from ._run import _integer
from .trace import read

if TYPE_CHECKING:
    import pandas

# libCacheSim's classes by the names of the same policies in forebay.
LIBCACHESIM = {
    "arc": "ARC",
    "belady": "Belady",
    "belady-size": "BeladySize",
    "cacheus": "Cacheus",
    "clock": "Clock",
    "fifo": "FIFO",
    "gdsf": "GDSF",
    "hyperbolic": "Hyperbolic",
    "lecar": "LeCaR",
    "lfu": "LFU",
    "lfuda": "LFUDA",
    "lhd": "LHD",
    "lirs": "LIRS",
    "lru": "LRU",
    "lru-k": "LRUK",
    "random": "Random",
    "s3-fifo": "S3FIFO",
    "sieve": "Sieve",
    "slru": "SLRU",
    "2q": "TwoQ",
    "w-tinylfu": "WTinyLFU",
}

# Plays a file of requests; in a process of its own, since some policies of libCacheSim do not end, or fail, with small caches.
_PLAY = """
import sys, libcachesim
path, name, capacity, places = sys.argv[1:]
reader = libcachesim.TraceReader(path, trace_type=libcachesim.TraceType.ORACLE_GENERAL_TRACE)
print(*getattr(libcachesim, name)(int(capacity), hashpower=int(places)).process_trace(reader))
"""

# Of a request: seconds, object, bytes, number of the next request for the object.
_RECORD = np.dtype([("time", "<u4"), ("key", "<u8"), ("size", "<u4"), ("next", "<i8")])


class Comparison:
    """Miss ratios of policies in forebay and in another simulator.

    Attributes
    ----------
    rows : list of dict
        For each policy and capacity: `policy`, `capacity`, `forebay` and `other`, the shares of requests that miss, `difference` in
        points (hundredths), both `None` where the other one did not end; with ``sizes="bytes"`` also `forebay_bytes` and `other_bytes`, the shares of bytes that miss.
    other : str
        The other simulator with its version.
    """

    def __init__(self, rows: list[dict[str, Any]], other: str) -> None:
        self.rows = rows
        self.other = other

    def to_pandas(self) -> pandas.DataFrame:
        """As a data frame of pandas."""
        import pandas as pd

        return pd.DataFrame(self.rows)

    def table(self) -> str:
        """As a table for people."""
        width = max([12, *(len(row["policy"]) for row in self.rows)])
        lines = [f"{'policy':<{width}} {'capacity':>12} {'forebay':>9} {self.other:>18} {'difference':>11}"]
        for row in self.rows:
            other = "-" if row["other"] is None else f"{100 * row['other']:.2f} %"
            difference = "-" if row["difference"] is None else f"{row['difference']:+.2f}"
            lines.append(f"{row['policy']:<{width}} {row['capacity']:>12} {100 * row['forebay']:>7.2f} % {other:>18} {difference:>11}")
        return "\n".join(lines) + "\nshare of requests that miss; difference in points\n"

    def __str__(self) -> str:
        return self.table()

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.rows)


def compare(
    requests: Any,
    *,
    capacity: Any,
    policies: str | Iterable[str] | None = None,
    sizes: str = "unit",
    with_: str = "libcachesim",
    timeout: float = 60.0,
) -> Comparison:
    """Play the same requests in forebay and in libCacheSim, and set their miss ratios side by side.

    A missed object is in the cache at once (`model="classical"`), since libCacheSim knows no latency.

    Parameters
    ----------
    requests : array_like, DataFrame, Requests, str or Path
        As of `cache`; or a reader of libCacheSim (`libcachesim.TraceReader`).
    capacity : int or list of int
        In entries; in bytes with ``sizes="bytes"``.
    policies : str or list of str, optional
        Names of forebay, with parameters or without: ``"lru"``, ``"lru-k(retained=0)"``. libCacheSim's policy of that name always has its
        own defaults. By default all policies that both have.
    sizes : {"unit", "bytes"}
        Whether an object takes one entry, or its bytes.
    with_ : {"libcachesim"}
        The other simulator: the package `libcachesim` of PyPI.
    timeout : float, default 60
        For each policy and capacity of the other simulator, in seconds; it runs in a process of its own. What does not end has no number.

    Returns
    -------
    Comparison

    Raises
    ------
    ForebayError
        If a policy is not in both, or an argument is wrong.
    ModuleNotFoundError
        If the other simulator is not installed.
    """
    if with_ != "libcachesim":
        raise argument_error("with_", f'give "libcachesim", not {with_!r}')
    if sizes not in ("unit", "bytes"):
        raise argument_error("sizes", f'give "unit" or "bytes", not {sizes!r}')
    names = list(LIBCACHESIM) if policies is None else [policies] if isinstance(policies, str) else list(policies)
    if policies is None and sizes == "unit":
        names.remove("belady-size")
    for name in names:
        if _base(name) not in LIBCACHESIM:
            raise argument_error("policies", f"libCacheSim has no `{_base(name)}`; both have {', '.join(LIBCACHESIM)}")
    try:
        other = f"libCacheSim {version('libcachesim')}"
    except PackageNotFoundError:
        raise ModuleNotFoundError("libCacheSim is not installed; run: pip install libcachesim") from None
    held = _held(requests)
    given = list(capacity) if isinstance(capacity, Iterable) and not isinstance(capacity, str) else [capacity]
    capacities = [_integer(one, "capacity", least=1) for one in given]
    ours = _ours(held, names, capacities, sizes)
    theirs = _theirs(held, names, capacities, sizes, timeout)
    rows = []
    for place, (name, entries) in enumerate((name, entries) for entries in capacities for name in names):
        (own, own_bytes), (one, one_bytes) = ours[place], theirs[place]
        difference = None if one is None else 100 * (own - one)
        row = {"policy": name, "capacity": entries, "forebay": own, "other": one, "difference": difference}
        rows.append({**row, "forebay_bytes": own_bytes, "other_bytes": one_bytes} if sizes == "bytes" else row)
    return Comparison(rows, other)


def _base(policy: str) -> str:
    """The name of a policy without its parameters."""
    return policy.split("(", 1)[0].strip()


def _held(requests: Any) -> Requests:
    if hasattr(requests, "read_one_req"):
        requests.reset()
        rows = [(request.clock_time, request.obj_id, request.obj_size) for request in requests]
        requests.reset()
        times, keys, sizes = (np.array(column, np.uint64) for column in zip(*rows))
        return Requests(keys, (times - times.min()) * np.uint64(10**9), sizes)
    if isinstance(requests, (str, Path)):
        return read(requests).requests()
    return Requests.of(requests)


def _ours(held: Requests, names: list[str], capacities: list[int], sizes: str) -> list[tuple[float, float]]:
    # libCacheSim plays requests in their order, whatever their times.
    ordered = Requests(held.keys, None, held.sizes)
    shares = []
    for capacity in capacities:
        result = cache(
            ordered, policies=names, capacity=capacity if sizes == "unit" else f"{capacity} B", latency=1, model="classical", sizes=sizes, progress=False
        )
        misses, of_bytes = result.metric("miss_ratio"), result.metric("byte_miss_ratio")
        shares += [(misses[name], of_bytes[name]) for name in names]
    return shares


def _theirs(
    held: Requests, names: list[str], capacities: list[int], sizes: str, timeout: float
) -> list[tuple[float | None, float | None]]:
    shares: list[tuple[float | None, float | None]] = []
    # Tables that fit: its default has 2^24 places for each cache.
    places = max(10, int(len(np.unique(held.keys))).bit_length() + 1)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "requests.oracleGeneral.bin"
        _records(held, sizes).tofile(path)
        for capacity in capacities:
            for name in names:
                command = [sys.executable, "-c", _PLAY, str(path), LIBCACHESIM[_base(name)], str(capacity), str(places)]
                try:
                    done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)
                    words = done.stdout.split()[-2:]
                    misses, of_bytes = (float(words[0]), float(words[1])) if done.returncode == 0 and len(words) == 2 else (None, None)
                    why = f"fails: {(done.stderr.strip().splitlines() or [f'it ended with {done.returncode}'])[-1]}"
                except subprocess.TimeoutExpired:
                    misses = of_bytes = None
                    why = f"does not end in {timeout:g} s"
                if misses is None:
                    message = f"{name} of libCacheSim with a capacity of {capacity} {why}; its rows have no number"
                    warnings.warn(message, ForebayWarning, stacklevel=3)
                shares.append((misses, of_bytes))
    return shares


def _records(held: Requests, sizes: str) -> np.ndarray[Any, np.dtype[np.void]]:
    """The requests as libCacheSim's oracleGeneral, one in each second: only their order counts."""
    places = np.unique(held.keys, return_inverse=True)[1]
    records = np.zeros(len(held), _RECORD)
    records["time"] = np.arange(len(held))
    # Its tables take no object 0.
    records["key"] = places + 1
    records["size"] = 1 if held.sizes is None or sizes == "unit" else held.sizes
    records["next"] = -1
    order = np.argsort(places, kind="stable")
    is_again = places[order[1:]] == places[order[:-1]]
    records["next"][order[:-1][is_again]] = order[1:][is_again]
    return records
