"""Native functions, compiled by Numba or found by their addresses, called by forebay."""

from __future__ import annotations

import ctypes
from typing import Any

import numba
import numpy as np
import pytest

import forebay
from forebay import native

KEYS = np.random.default_rng(1).zipf(1.2, 20_000) % 1000


@numba.cfunc(native.RANK)
def carried(now, size, flow, class_, rank, value, processing, remaining, state):  # type: ignore[no-untyped-def]
    return rank


@numba.cfunc(native.RANK)
def counting(now, size, flow, class_, rank, value, processing, remaining, state):  # type: ignore[no-untyped-def]
    counts = numba.carray(state, 1, dtype=np.uint64)
    counts[0] += 1
    return counts[0]


@numba.cfunc(native.HIT)
def nothing(slot, key, state):  # type: ignore[no-untyped-def]
    pass


# First in, first out: a ring of slots behind its begin and its end.
@numba.cfunc(native.INSERT)
def enter(slot, key, size, state):  # type: ignore[no-untyped-def]
    ring = numba.carray(state, 52, dtype=np.uint64)
    ring[2 + ring[1] % 50] = slot
    ring[1] += 1


@numba.cfunc(native.VICTIM)
def first_in(new, state):  # type: ignore[no-untyped-def]
    ring = numba.carray(state, 52, dtype=np.uint64)
    return ring[2 + ring[0] % 50]


@numba.cfunc(native.REMOVE)
def leave(slot, key, state):  # type: ignore[no-untyped-def]
    ring = numba.carray(state, 52, dtype=np.uint64)
    ring[0] += 1


@numba.cfunc(native.VICTIM)
def nowhere(new, state):  # type: ignore[no-untyped-def]
    return 1_000


def ring(capacity: int, slots: int) -> Any:
    return np.zeros(2 + slots, np.uint64)


def port_of(port: dict[str, Any], rank: Any) -> list[float]:
    result = forebay.run({**port, "policy": [{"rank": rank, "queue": "pifo", "name": "x"}]})
    return list(result.to_pandas()["value"])


def test_a_native_rank_function_is_the_one_of_the_registry(port: dict[str, Any]) -> None:
    assert port_of(port, native.rank_function(carried)) == port_of(port, "packet-rank")


def test_the_state_is_another_one_in_each_run(port: dict[str, Any]) -> None:
    made: list[Any] = []

    def state() -> Any:
        made.append(np.zeros(1, np.uint64))
        return made[-1]

    in_order = native.rank_function(counting, state=state, name="in order")
    policies = [{"rank": rank, "queue": "pifo", "name": name} for rank, name in ((in_order, "mine"), ("arrival", "known"))]
    delays = forebay.run({**port, "repetitions": 2, "policy": policies}).metric("delay:p99")
    assert delays["mine"] == delays["known"]
    counts = [int(array[0]) for array in made]
    assert counts.count(0) >= 1 and sum(count > 1000 for count in counts) == 2


def test_a_native_cache_policy_is_the_one_of_the_registry() -> None:
    mine = native.cache_policy(hit=nothing, insert=enter, victim=first_in, remove=leave, state=ring, name="mine")
    result = forebay.cache(KEYS, policies=["fifo", mine], capacity=50, latency=30)
    frame = result.to_pandas().pivot_table(index="metric", columns="policy", values="value")
    assert len(frame) > 10 and (frame["fifo"] == frame["mine"]).all()


def test_mistakes_name_the_function() -> None:
    wrong = native.cache_policy(hit=nothing, insert=enter, victim=nowhere, remove=leave, state=ring)
    with pytest.raises(ValueError, match="`victim` named slot 1000, in which nothing is"):
        forebay.cache(KEYS, policies=wrong, capacity=50, latency=30)
    with pytest.raises(forebay.ForebayError, match="rank: give a compiled function"):
        native.rank_function(lambda: 1)
    with pytest.raises(forebay.ForebayError, match="state: give a function that makes a new array"):
        native.rank_function(carried, state=np.zeros(1))  # type: ignore[arg-type]
    listed = native.cache_policy(hit=nothing, insert=enter, victim=first_in, remove=leave, state=lambda capacity, slots: [0])
    with pytest.raises(ValueError, match="`state` must make a numpy array, not list"):
        forebay.cache(KEYS, policies=listed, capacity=50, latency=30)
    with pytest.raises(forebay.ForebayError, match="nowhere is a CachePolicy, but this field takes a RankFunction"):
        forebay.run(
            {
                "port": {"rate": "1 Gbps", "buffer": "9 packets"},
                "traffic": {"arrivals": "poisson", "load": 0.5, "packets": 10},
                "policy": [{"rank": wrong, "queue": "pifo"}],
            }
        )


def test_functions_of_ctypes_and_addresses_are_taken(port: dict[str, Any]) -> None:
    form = ctypes.CFUNCTYPE(ctypes.c_uint64, *[ctypes.c_uint64] * 8, ctypes.c_void_p)
    function = form(lambda now, size, flow, class_, rank, value, processing, remaining, state: rank)
    expected = port_of(port, "packet-rank")
    assert port_of(port, native.rank_function(function)) == expected
    assert port_of(port, native.rank_function(carried.address, name="at an address")) == expected
