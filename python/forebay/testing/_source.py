"""Finds out whether a source keeps to its contract."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from .._forebay import Packet


def check_source(source: Callable[..., Any], *, packets: int = 10_000, seed: int = 1) -> None:
    """Take packets from a source twice: they come in order, have sizes, and follow from the seed alone.

    Parameters
    ----------
    source : class or callable
        A subclass of `forebay.Source`, or what makes one from `seed`.
    packets : int, default 10000
        How many are looked at.
    seed : int, default 1
        Of the source.

    Raises
    ------
    AssertionError
        If a packet breaks the contract: which, and what it should have been.
    """
    twins = [itertools.islice(iter(source(seed=seed)), packets) for _ in range(2)]
    last = 0
    count = 0
    for number, (packet, twin) in enumerate(itertools.zip_longest(*twins)):
        where = f"packet {number}"
        assert isinstance(packet, Packet), f"{where} is {packet!r}, and no forebay.Packet"
        assert repr(packet) == repr(twin), f"{where} is {packet!r}, and {twin!r} with the same seed; draw all numbers from `seed`"
        assert packet.arrival >= last, f"{where} arrives at {packet.arrival}, before the one before it ({last})"
        assert 1 <= packet.size <= 1_000_000, f"{where} has {packet.size} bytes; 1 to 1,000,000 are possible"
        last = packet.arrival
        count = number + 1
    said = getattr(source, "packets", None)
    assert said is None or min(said, packets) == count, f"`packets` says {said}, but {count} came"
