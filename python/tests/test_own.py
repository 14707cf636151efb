"""Algorithms in Python, called by forebay."""

from __future__ import annotations

import functools
import time
from collections import OrderedDict, deque
from typing import Any

import numpy as np
import pytest

import forebay
from forebay.testing import check_cache_policy

KEYS = np.random.default_rng(1).zipf(1.2, 20_000) % 1000


class Lru(forebay.CachePolicy):
    """Least recently used."""

    def __init__(self, capacity: int) -> None:
        self.order: OrderedDict[int, None] = OrderedDict()

    def hit(self, key: int) -> None:
        self.order.move_to_end(key)

    def insert(self, key: int, size: int) -> None:
        self.order[key] = None

    def victim(self, new: int) -> int | None:
        return next(iter(self.order))

    def remove(self, key: int) -> None:
        del self.order[key]


class Fifo(Lru):
    """First in, first out."""

    def hit(self, key: int) -> None:
        pass


def test_a_policy_in_python_is_the_one_of_the_registry() -> None:
    result = forebay.cache(KEYS, policies=["lru", "fifo", Lru, Fifo], capacity=50, latency=[1, 30])
    frame = result.to_pandas()
    values = frame.pivot_table(index=["latency", "metric"], columns="policy", values="value")
    assert len(values) > 10
    assert (values["lru"] == values["Lru"]).all() and (values["fifo"] == values["Fifo"]).all()


def test_sizes_and_curves_work_too() -> None:
    sizes = 100 + KEYS % 700
    result = forebay.cache(forebay.Requests(KEYS, None, sizes), policies=["fifo", Fifo], capacity="20 KB", latency=30, sizes="bytes")
    metrics = result.metric("latency:mean")
    assert metrics["fifo"] == metrics["Fifo"]
    assert forebay.curve(KEYS, policies=[Lru, "lru"], latency=30, capacity=[10, 100]).complete


def test_what_makes_a_policy_may_have_parameters() -> None:
    class Segmented(Lru):
        def __init__(self, capacity: int, share: float) -> None:
            super().__init__(capacity)
            self.share = share

    half = functools.partial(Segmented, share=0.5)
    assert "Segmented" in forebay.cache(KEYS, policies=half, capacity=50, latency=3).table()


def test_the_contract_is_checked() -> None:
    check_cache_policy(Lru)
    check_cache_policy(Fifo)

    class Wrong(Lru):
        def victim(self, new: int) -> int | None:
            return new

    with pytest.raises(AssertionError, match="which is not in the cache"):
        check_cache_policy(Wrong)
    with pytest.raises(ValueError, match="`victim` named .*, which is not in the cache"):
        forebay.cache(KEYS, policies=Wrong, capacity=50, latency=3)


def test_an_exception_in_a_policy_stops_the_run_and_is_raised() -> None:
    class Broken(Lru):
        def hit(self, key: int) -> None:
            raise RuntimeError(f"no idea about {key}")

    with pytest.raises(RuntimeError, match="no idea about"):
        forebay.cache(KEYS, policies=["lru", Broken], capacity=50, latency=3)

    class Unfinished(forebay.CachePolicy):
        pass

    with pytest.raises(NotImplementedError, match="write `insert"):
        forebay.cache(KEYS, policies=Unfinished, capacity=50, latency=3)

    class Unmade(forebay.CachePolicy):
        def __init__(self, capacity: int, other: int) -> None:
            pass

    with pytest.raises(TypeError, match="other"):
        forebay.cache(KEYS, policies=Unmade, capacity=50, latency=3)


def test_requests_are_heard_of_before_their_outcome() -> None:
    heard: list[tuple[int, int]] = []

    class Listening(Lru):
        def request(self, key: int, time: int) -> None:
            heard.append((key, time))

    forebay.cache(KEYS[:100], policies=Listening, capacity=5, latency=3, model="delayed")
    assert heard == [(int(key), slot) for slot, key in enumerate(KEYS[:100])]


def test_runs_of_code_are_not_kept(tmp_path: Any) -> None:
    with pytest.raises(forebay.ForebayError, match="algorithms in Python \\(Lru\\) are not kept"):
        forebay.cache(KEYS, policies=Lru, capacity=5, latency=3, out=tmp_path)
    with pytest.raises(forebay.ForebayError, match="the policy `Lru` is listed twice"):
        forebay.cache(KEYS, policies=[Lru, Lru], capacity=5, latency=3)


def test_a_policy_is_told_of_every_removal() -> None:
    class Counting(Fifo):
        entered = 0
        left = 0
        order_of: deque[int] = deque()

        def insert(self, key: int, size: int) -> None:
            Counting.entered += 1
            super().insert(key, size)

        def remove(self, key: int) -> None:
            Counting.left += 1
            super().remove(key)

    forebay.cache(KEYS, policies=Counting, capacity=50, latency=3, model="delayed", ttl=500)
    assert 0 < Counting.entered - Counting.left <= 50


def speed(requests: int = 300_000) -> float:
    """Requests per second of a policy in Python."""
    keys = np.random.default_rng(2).zipf(1.2, requests) % 10_000
    begin = time.perf_counter()
    forebay.cache(keys, policies=Lru, capacity=1000, latency=30, model="delayed")
    return requests / (time.perf_counter() - begin)


if __name__ == "__main__":
    print(f"{speed():.0f} requests/s")
