"""Finds out whether a rank queue keeps to its contract."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np

from .._own import RankQueue


def check_rank_queue(queue: Callable[..., Any], *, operations: int = 20_000, seed: int = 1, exact: bool = False) -> None:
    """Play random operations on a rank queue: each item that it takes leaves exactly once.

    Parameters
    ----------
    queue : class or callable
        A subclass of `forebay.RankQueue`, or what makes one from `capacity`.
    operations : int, default 20000
        How many operations are played in all.
    seed : int, default 1
        Of the random numbers.
    exact : bool, default False
        Whether it must always serve the item of lowest rank, the first to come among equals, and refuse nothing.

    Raises
    ------
    AssertionError
        If an answer breaks the contract: which operation, and what it should have been.
    """
    rng = random.Random(seed)
    for capacity in (1, 2, 9, 100):
        for ranks in (1, 4, 2**64 - 1):
            _play(queue, capacity, ranks, operations // 12, rng, exact)


def _play(queue: Callable[..., Any], capacity: int, ranks: int, operations: int, rng: random.Random, exact: bool) -> None:
    made = queue(capacity=capacity)
    has_worst = all(getattr(type(made), name, None) is not getattr(RankQueue, name) for name in ("peek_max", "pop_max"))
    # Items with their ranks, in the order in which they came.
    inside: dict[int, int] = {}
    free = list(range(capacity))
    for number in range(operations):
        where = f"operation {number} on a queue of {capacity}"
        kind = rng.random()
        if kind < 0.55 and free:
            item, rank = free[-1], rng.randint(0, ranks)
            taken = made.push(rank, item)
            assert taken is None or isinstance(taken, (bool, np.bool_)), f"{where}: push({rank}, {item}) gave {taken!r}, and not True or False"
            if taken is None or taken:
                inside[free.pop()] = rank
            assert taken is None or taken or not exact, f"{where}: push({rank}, {item}) refused, with {len(inside)} inside"
        elif inside and (kind < 0.9 or not has_worst):
            best = min(inside, key=lambda item: inside[item])
            left(made.pop(), "pop()", inside, free, where, best if exact else None)
        elif inside:
            last = max(reversed(list(inside)), key=lambda item: inside[item])
            seen = made.peek_max()
            item = left(made.pop_max(), "pop_max()", inside, free, where, last)
            assert seen == item, f"{where}: peek_max() gave {seen!r}, and pop_max() {item!r}"
    while inside:
        left(made.pop(), "pop()", inside, free, f"at the end, with {len(inside)} inside", None)


def left(item: Any, call: str, inside: dict[int, int], free: list[int], where: str, wanted: int | None) -> int:
    """An item that has left, which must have been inside."""
    assert item in inside, f"{where}: {call} gave {item!r}, which is not in the queue ({sorted(inside)})"
    found = int(item)
    assert wanted is None or found == wanted, (
        f"{where}: {call} gave {found} of rank {inside[found]}, and not {wanted} of rank {inside[wanted]}"
    )
    del inside[found]
    free.append(found)
    return found
