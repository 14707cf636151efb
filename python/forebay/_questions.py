"""One question each: caches, their bound and curve, and policies under attack."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Union

from ._errors import argument_error
from ._own import is_own
from ._progress import Progress
from ._result import Result
from ._run import Scenario

Policy = Union[str, Mapping[str, Any], Callable[..., Any]]
Policies = Union[Policy, Iterable[Policy]]


def cache(
    requests: Any,
    *,
    policies: Policies = ("lru",),
    capacity: Any,
    latency: Any,
    progress: Progress = None,
    seed: int | None = None,
    repetitions: int | None = None,
    baseline: str | None = None,
    threads: int | None = None,
    out: str | Path | None = None,
    **fields: Any,
) -> Result:
    """Play cache policies on the same requests.

    Parameters
    ----------
    requests : array_like, DataFrame, Requests, str or Path
        Keys, a table with a column `key` (and `time`, `size`), a file of any format of docs/traces.md, or a recipe like
        ``"zipf:objects=1e4,requests=1e5,skew=0.9"``.
    policies : str, dict, class or list of these
        Like ``"lru"``, ``"lru-mad"`` or ``{"name": "lru-k", "k": 3}``; `forebay.names("cache policies")` lists them. Or a class of your own
        (`CachePolicy`).
    capacity : int, str or list
        Of the cache, in entries; in bytes, like ``"64 MiB"``, with ``sizes="bytes"``; a list gives a result for each.
    latency : int, str or list
        Of a fetch, in slots, or like ``"10 ms"`` where requests have times.
    progress, seed, repetitions, baseline, threads, out
        As of `run`.
    **fields
        Further fields of ``[cache]``, like ``ttl="5 s"`` (docs/scenario.md).

    Returns
    -------
    Result
        Of the kind ``"cache"``.

    Examples
    --------
    >>> import forebay
    >>> result = forebay.cache([1, 2, 1, 3, 1] * 200, policies=["lru", "lru-mad"], capacity=2, latency=5)
    >>> sorted(result.metric("hit_ratio"))
    ['lru', 'lru-mad']
    """
    table = {"trace": requests, "capacity": capacity, "latency": latency, **fields}
    scenario = {"cache": table, "policy": _policies(policies)}
    return _answer(scenario, seed, repetitions, baseline, progress, threads, out)


def curve(
    requests: Any,
    *,
    policies: Policies = ("lru",),
    latency: Any,
    capacity: Any = None,
    progress: Progress = None,
    seed: int | None = None,
    repetitions: int | None = None,
    baseline: str | None = None,
    threads: int | None = None,
    out: str | Path | None = None,
    **fields: Any,
) -> Result:
    """Draw miss ratio and latency of cache policies over the capacity.

    Parameters
    ----------
    requests, policies, latency, progress, seed, repetitions, baseline, threads, out
        As of `cache`.
    capacity : list, optional
        The capacities; by default they are spread over the objects of the trace.
    **fields
        Further fields of ``[curve]``, like ``points=20``.

    Returns
    -------
    Result
        Of the kind ``"curve"``.
    """
    table = {"trace": requests, "latency": latency, "capacity": capacity, **fields}
    scenario = {"curve": table, "policy": _policies(policies)}
    return _answer(scenario, seed, repetitions, baseline, progress, threads, out)


def bound(
    requests: Any,
    *,
    capacity: Any,
    latency: Any,
    progress: Progress = None,
    threads: int | None = None,
    out: str | Path | None = None,
    **fields: Any,
) -> Result:
    """Say between which limits the latency of the best possible schedule of a cache lies (belatedly).

    Parameters
    ----------
    requests, capacity, latency, progress, threads, out
        As of `cache`.
    **fields
        Further fields of ``[bound]``, like ``gap="1 %"``.

    Returns
    -------
    Result
        Of the kind ``"bound"``.
    """
    scenario = {"bound": {"trace": requests, "capacity": capacity, "latency": latency, **fields}}
    return _answer(scenario, None, None, None, progress, threads, out)


def attack(
    *,
    innocent: Mapping[str, Any],
    attack: Mapping[str, Any],  # noqa: A002
    policies: Iterable[Mapping[str, Any]],
    processor: Mapping[str, Any] | None = None,
    progress: Progress = None,
    seed: int | None = None,
    repetitions: int | None = None,
    baseline: str | None = None,
    threads: int | None = None,
    out: str | Path | None = None,
) -> Result:
    """Say how much innocent traffic an attack on the work of a middlebox displaces.

    Parameters
    ----------
    innocent : dict
        The fields of ``[innocent]``: ``rate``, ``application``, and so on (docs/attack.md).
    attack : dict
        The fields of ``[attack]``, like ``{"rate": "100 Mbps"}``.
    policies : list of dict
        Like ``{"rank": "job-ratio", "queue": "pifo", "drop": "worst-first"}``.
    processor : dict, optional
        The fields of ``[processor]``, like ``{"buffer": "1 MB"}``.
    progress, seed, repetitions, baseline, threads, out
        As of `run`.

    Returns
    -------
    Result
        Of the kind ``"attack"``.
    """
    scenario = {
        "processor": dict(processor or {}),
        "innocent": dict(innocent),
        "attack": dict(attack),
        "policy": _policies(policies),
    }
    return _answer(scenario, seed, repetitions, baseline, progress, threads, out)


def _answer(
    scenario: Mapping[str, Any],
    seed: int | None,
    repetitions: int | None,
    baseline: str | None,
    progress: Progress,
    threads: int | None,
    out: str | Path | None,
) -> Result:
    changed = Scenario(scenario, seed=seed, repetitions=repetitions, baseline=baseline)
    return changed._run(progress=progress, threads=threads, out=out, stacklevel=4)


def _policies(policies: Policies) -> list[Any]:
    if isinstance(policies, (str, Mapping)) or is_own(policies):
        policies = [policies]  # type: ignore[list-item]
    if not isinstance(policies, Iterable):
        raise argument_error("policies", f"give a name or a list of names, not {policies!r}")
    named: list[Any] = [{"name": policy} if isinstance(policy, str) else policy for policy in policies]
    if not named:
        raise argument_error("policies", "give at least one policy")
    return named
