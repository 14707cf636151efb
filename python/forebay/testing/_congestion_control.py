"""Finds out whether a congestion control keeps to its contract."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from .._forebay import Acked, Limits
from ._twins import tell

_US = 10**6


def check_congestion_control(control: Callable[..., Any], *, operations: int = 12_000, seed: int = 1) -> None:
    """Let a congestion control hear random acknowledgements, losses, marks and timeouts.

    The statements are those that forebay's own controls are held to. The window has at least a segment and at most what the receiver
    allows. A timeout leaves one segment. A mark or an idle time does not make the window larger; a loss makes one of more than two segments
    smaller and leaves at most two otherwise. An acknowledgement does not make it smaller, and leaves it during a repair; a repair ends with at
    most a segment more than is in flight. Without losses it grows up to the limit. All follows from the calls alone.

    Parameters
    ----------
    control : class or callable
        A subclass of `forebay.CongestionControl`, or what makes one from `limits`.
    operations : int, default 12000
        How many calls are played in all.
    seed : int, default 1
        Of the random numbers.

    Raises
    ------
    AssertionError
        If an answer breaks the contract: which operation, and what it should have been.
    """
    rng = random.Random(seed)
    for _ in range(12):
        segment = rng.randint(1, 9000)
        limits = Limits(
            segment,
            segment * rng.randint(1, 40),
            rng.choice((2**64 - 1, segment * rng.randint(2, 100))),
            rng.choice((2**64 - 1, segment + rng.randint(0, segment * 300))),
        )
        _play([control(limits=limits) for _ in range(2)], limits, operations // 12, rng)
    _grows(control)


def _play(twins: list[Any], limits: Limits, operations: int, rng: random.Random) -> None:
    now = acknowledged = 0
    segment = limits.segment
    for number in range(operations):
        now += rng.randint(0, 200 * _US)
        before = _window(twins[0], limits, f"before call {number}")
        in_flight = rng.choice((before, rng.randint(0, before)))
        kind = rng.choices(("ack", "loss", "mark", "recovered", "timeout", "idle"), (96, 1, 1, 1, 0.3, 0.3))[0]
        where = f"call {number}, {kind}, with a window of {before} bytes and segments of {segment}"
        recovering = False
        if kind == "ack":
            covered = rng.randint(1, segment * rng.randint(1, 3))
            acknowledged += covered
            recovering = rng.random() < 0.05
            acked = Acked(
                covered,
                marked=covered if rng.random() < 0.05 else 0,
                acknowledged=acknowledged,
                sent=acknowledged + in_flight,
                in_flight=in_flight,
                rtt=rng.randint(1, 500 * _US),
                recovering=recovering,
                app_limited=rng.random() < 0.05,
            )
            tell(twins, "on_ack", now, acked)
        elif kind == "recovered":
            tell(twins, "on_recovered", now, in_flight)
        elif kind == "idle":
            tell(twins, "on_idle", now)
        elif kind == "timeout":
            tell(twins, "on_timeout", now, rng.choice((None, in_flight)))
        elif kind == "loss" or twins[0].ecn != "off":
            tell(twins, "on_congestion", now, kind, in_flight)
        after = _window(twins[0], limits, f"after {where}")
        assert (after, twins[0].pacing_rate) == (twins[1].window_bytes, twins[1].pacing_rate), (
            f"{where}: two controls that heard the same have windows of {after} and {twins[1].window_bytes} bytes"
        )
        _judge(kind, recovering, before, after, in_flight, segment, where)


def _judge(kind: str, recovering: bool, before: int, after: int, in_flight: int, segment: int, where: str) -> None:
    if kind == "timeout":
        assert after == segment, f"{where}: it is {after} bytes now; a timeout leaves one segment"
    elif kind == "loss" and before > 2 * segment:
        assert after < before, f"{where}: it is {after} bytes now; a loss makes it smaller"
    elif kind == "loss":
        assert after <= 2 * segment, f"{where}: it is {after} bytes now; a loss leaves at most two segments of so few"
    elif kind in ("mark", "idle"):
        assert after <= before, f"{where}: it is {after} bytes now; it must not grow then"
    elif kind == "recovered":
        most = max(in_flight, segment) + segment
        assert after <= most, f"{where}: it is {after} bytes now, which lets a burst go; at most {most}, a segment more than is in flight"
    elif recovering:
        assert after == before, f"{where}: it is {after} bytes now; it stays while a loss is repaired"
    else:
        assert after >= before, f"{where}: it is {after} bytes now; an acknowledgement does not make it smaller"


def _grows(control: Callable[..., Any]) -> None:
    """Without losses the window reaches its limit in 400 round trips."""
    for threshold in (2**64 - 1, 14_600):
        limits = Limits(1460, 14_600, threshold, 146_000)
        made = control(limits=limits)
        acknowledged = now = rounds = 0
        while made.window_bytes < limits.max_window:
            now += 100 * _US
            rounds += 1
            window = made.window_bytes
            for _ in range(window // limits.segment):
                acknowledged += limits.segment
                made.on_ack(
                    now,
                    Acked(limits.segment, acknowledged=acknowledged, sent=acknowledged + window, in_flight=window, rtt=100 * _US),
                )
            assert rounds < 400, f"after 400 round trips without a loss the window is {made.window_bytes} bytes, of {limits.max_window} allowed"


def _window(control: Any, limits: Limits, when: str) -> int:
    window = control.window_bytes
    assert isinstance(window, int) and limits.segment <= window <= limits.max_window, (
        f"{when}: the window is {window!r} bytes; it is from {limits.segment}, a segment, to {limits.max_window}"
    )
    return window
