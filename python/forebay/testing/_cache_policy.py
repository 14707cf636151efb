"""Finds out whether a cache policy keeps to its contract."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np


def check_cache_policy(policy: Callable[..., Any], *, operations: int = 20_000, seed: int = 1) -> None:
    """Play random operations on a cache policy, in small caches with objects of all sizes, and look at every answer.

    Parameters
    ----------
    policy : class or callable
        A subclass of `forebay.CachePolicy`, or what makes one from `capacity`.
    operations : int, default 20000
        How many requests are played in all.
    seed : int, default 1
        Of the random numbers.

    Raises
    ------
    AssertionError
        If an answer breaks the contract: which operation, and what it should have been.
    """
    rng = random.Random(seed)
    for capacity in (1, 2, 7, 64):
        for largest in (1, capacity):
            _play(policy, capacity, largest, operations // 8, rng)


def _play(policy: Callable[..., Any], capacity: int, largest: int, operations: int, rng: random.Random) -> None:
    made = policy(capacity=capacity)
    inside: dict[int, int] = {}
    sizes: dict[int, int] = {}
    for number in range(operations):
        key = min(int(rng.paretovariate(0.7)), 4 * capacity + 4)
        size = sizes.setdefault(key, rng.randint(1, largest))
        where = f"operation {number} on a cache of {capacity}"
        if inside and rng.random() < 0.01:
            gone = rng.choice(list(inside))
            made.remove(gone)
            del inside[gone]
            continue
        made.request(key, number)
        if key in inside:
            made.hit(key)
            continue
        while sum(inside.values()) + size > capacity:
            victim = made.victim(key)
            if victim is None:
                break
            assert isinstance(victim, (int, np.integer)) and not isinstance(victim, bool), (
                f"{where}: victim({key}) is {victim!r}; it must be a key, which is a whole number, or None"
            )
            assert victim in inside, f"{where}: victim({key}) is {victim!r}, which is not in the cache ({sorted(inside)})"
            made.remove(victim)
            del inside[int(victim)]
        else:
            made.insert(key, size)
            inside[key] = size
    # What remains can be removed in any order.
    for key in rng.sample(list(inside), len(inside)):
        made.remove(key)
