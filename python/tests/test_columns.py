"""Requests and packets from whatever holds them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import forebay

from test_run import told

KEYS = [int(key) for key in np.random.default_rng(1).zipf(1.3, 5000) % 300]


def cached(requests: Any, **more: Any) -> str:
    """The table of a cache."""
    arguments = {"policies": ["lru", "lru-mad", "belady"], "capacity": 20, "latency": 50, **more}
    return forebay.cache(requests, **arguments).csv()


def test_keys_are_the_same_from_everything_that_holds_them() -> None:
    expected = cached(KEYS)
    array = np.array(KEYS)
    for given in (
        array,
        array.astype(np.uint64),
        array.astype(np.int32),
        array.astype(float),
        array[::-1].copy()[::-1],
        tuple(KEYS),
        iter(KEYS),
        pd.Series(KEYS),
        pl.Series(KEYS),
        pa.array(KEYS),
        pa.chunked_array([KEYS[:100], KEYS[100:]]),
        pd.DataFrame({"key": KEYS}),
        pl.DataFrame({"key": KEYS}),
        pa.table({"key": KEYS}),
        {"key": KEYS},
        [str(key) for key in KEYS],
        [str(key).encode() for key in KEYS],
    ):
        assert cached(given) == expected, type(given)


def test_a_file_and_an_array_are_the_same_trace(tmp_path: Path) -> None:
    path = tmp_path / "keys.u64le"
    np.array(KEYS, dtype="<u8").tofile(path)
    assert cached(path) == cached(np.array(KEYS))
    command = told("cache", path, "--policy", "lru,lru-mad,belady", "--capacity", "20", "--latency", "50", "--format", "csv")
    assert command == cached(np.array(KEYS))


def test_texts_are_the_keys_that_files_have(tmp_path: Path) -> None:
    names = [f"/object/{key}" for key in KEYS]
    path = tmp_path / "trace.keys"
    path.write_text("\n".join(names) + "\n")
    assert cached(path) == cached(names) == cached(pd.Series(names)) == cached(pl.Series(names))


def test_times_and_sizes_count() -> None:
    times = np.cumsum(np.random.default_rng(2).integers(1, 2000, len(KEYS)))
    sizes = 100 + np.array(KEYS)
    frame = pd.DataFrame({"key": KEYS, "time": times, "size": sizes})
    more = {"capacity": "4 KB", "latency": "20 us", "sizes": "bytes"}
    expected = cached(frame, **more)
    assert cached(frame.assign(time=pd.to_datetime(frame["time"] + 10**18)), **more) == expected
    assert cached(pl.DataFrame({"obj_id": KEYS, "timestamp": times / 1e9, "obj_size": sizes}), **more) == expected
    assert cached(forebay.Requests(KEYS, times, sizes), **more) == expected


def test_a_trace_that_was_read_is_played_as_the_file() -> None:
    recipe = "zipf:objects=1e3,requests=1e4,skew=0.9,seed=4"
    trace = forebay.trace.read(recipe)
    assert cached(trace.requests()) == cached(recipe)
    assert len(trace.to_pandas()) == len(trace.to_polars()) == trace.to_arrow().num_rows == len(trace) == 10_000


def test_packets_of_a_table_are_those_of_a_file(port: dict[str, Any], tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    arrival = np.cumsum(rng.integers(200, 2400, 2000))
    table = pd.DataFrame({"arrival": arrival, "size": rng.integers(64, 1500, 2000), "rank": rng.integers(0, 100, 2000)})
    path = tmp_path / "packets.csv"
    table.assign(arrival=arrival * 1000).rename(columns={"arrival": "arrival_ps", "size": "size_bytes"}).to_csv(path, index=False)
    port["traffic"] = {"trace": str(path)}
    expected = forebay.run(port).csv()
    for given in (table, pl.from_pandas(table), pa.Table.from_pandas(table), table.assign(arrival=arrival / 1e9)):
        port["traffic"] = {"trace": given}
        assert forebay.run(port).csv() == expected, type(given)


def test_curves_and_bounds_take_arrays() -> None:
    assert forebay.curve(np.array(KEYS), policies="lru", latency=50).kind == "curve"
    assert forebay.bound(np.array(KEYS[:800]), capacity=20, latency=50).kind == "bound"


@pytest.mark.parametrize("dtype", [np.uint64, np.int64])
def test_numbers_of_64_bits_are_not_copied(dtype: type) -> None:
    keys = np.array(KEYS, dtype=dtype)
    assert np.shares_memory(forebay.Requests(keys).keys, keys)


def test_numbers_that_are_not_exact_are_refused_or_kept() -> None:
    def misses(keys: object) -> object:
        return forebay.cache(keys, policies="lru", capacity=1, latency=1, model="classical").metric("miss_ratio")["lru"]

    assert misses([2**63, 2**63 + 1, 2**63 + 2] * 10) == 1
    assert misses([10**18 + 1, 10**18 + 2, 3] * 10) == 1
    with pytest.raises(forebay.ForebayError, match="beyond 2\\*\\*53 are not exact as floats: give integers"):
        misses([1e19, 1.1e19, 1.2e19])
    with pytest.raises(forebay.ForebayError, match="time 1 .* is missing"):
        forebay.Requests([1, 2], np.array(["2020-01-01", "NaT"], "datetime64[ns]"))
    assert len(forebay.Requests([1, 2], np.array(["1969-12-31", "1970-01-02"], "datetime64[ns]"))) == 2


def test_dates_of_packets_count_from_the_first() -> None:
    for times in (1_700_000_000 * 10**9 + np.array([0, 10**9]), 1_700_000_000 + np.array([0.0, 1.0])):
        with pytest.warns(forebay.ForebayWarning, match="look like dates"):
            packets = forebay.Packets({"time": times, "size": [100, 100]})
        assert packets.columns["arrival_ps"].tolist() == [0, 10**12]
    with pytest.raises(forebay.ForebayError, match="at most 106 days are possible"):
        forebay.Packets({"time": np.array([0, 2**63], np.uint64), "size": [100, 100]})
    with pytest.raises(forebay.ForebayError, match="not equally long: `arrival_ps` has 2, `size_bytes` has 1"):
        forebay.Packets({"time": [0, 1], "size": [100]})
    packets = forebay.Packets({"time": [0], "size": [100], "rank": np.array([2**64 - 1], np.uint64)})
    assert "18446744073709551615" in packets.csv().decode()
