"""Finds out whether algorithms of your own keep to their contracts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .._own import CachePolicy, CongestionControl, DropRule, RankFunction, RankQueue, Source
from ._cache_policy import check_cache_policy
from ._congestion_control import check_congestion_control
from ._drop_rule import check_drop_rule
from ._rank_function import check_rank_function
from ._rank_queue import check_rank_queue
from ._source import check_source

__all__ = [
    "check",
    "check_cache_policy",
    "check_congestion_control",
    "check_drop_rule",
    "check_rank_function",
    "check_rank_queue",
    "check_source",
]

_CHECKS: dict[type, Callable[..., None]] = {
    CachePolicy: check_cache_policy,
    RankFunction: check_rank_function,
    RankQueue: check_rank_queue,
    DropRule: check_drop_rule,
    CongestionControl: check_congestion_control,
    Source: check_source,
}


def check(algorithm: type, *, seed: int = 1) -> None:
    """Play random operations on an algorithm, and look at every answer.

    Parameters
    ----------
    algorithm : class
        A subclass of `forebay.CachePolicy`, `RankFunction`, `RankQueue`, `DropRule`, `CongestionControl` or `Source`.
    seed : int, default 1
        Of the random numbers.

    Raises
    ------
    AssertionError
        If an answer breaks the contract: which operation, and what it should have been.
    TypeError
        If it is no such class.
    """
    for base, of_base in _CHECKS.items():
        if isinstance(algorithm, type) and issubclass(algorithm, base):
            of_base(algorithm, seed=seed)
            return
    known = ", ".join(base.__name__ for base in _CHECKS)
    name: Any = getattr(algorithm, "__name__", algorithm)
    of_others = "" if isinstance(algorithm, type) else "; of what makes an algorithm, check_cache_policy, check_rank_queue and so on take it"
    raise TypeError(f"{name} is no subclass of what can be checked: {known}{of_others}")
