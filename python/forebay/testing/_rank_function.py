"""Finds out whether a rank function keeps to its contract."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from .._forebay import Packet
from ._packets import packets
from ._twins import tell


def check_rank_function(rank_function: Callable[..., Any], *, operations: int = 10_000, seed: int = 1) -> None:
    """Rank random packets, of which some are dropped, pushed out and sent: ranks are whole numbers of 64 bits, and follow from the calls alone.

    Parameters
    ----------
    rank_function : class or callable
        A subclass of `forebay.RankFunction`, or what makes one from `link_rate`.
    operations : int, default 10000
        How many packets are ranked in all.
    seed : int, default 1
        Of the random numbers.

    Raises
    ------
    AssertionError
        If an answer breaks the contract: which operation, and what it should have been.
    """
    rng = random.Random(seed)
    for link_rate in (None, 10**6, 400 * 10**9):
        _play([rank_function(link_rate=link_rate) for _ in range(2)], operations // 3, rng)


def _play(twins: list[Any], operations: int, rng: random.Random) -> None:
    waiting: list[Packet] = []
    now = 0
    for number, packet in enumerate(packets(rng, operations)):
        now = max(now, packet.arrival)
        ranks = [twin.rank(now, packet) for twin in twins]
        where = f"packet {number}: rank({now}, {packet!r})"
        is_whole = all(isinstance(rank, int) and not isinstance(rank, bool) and 0 <= rank < 2**64 for rank in ranks)
        assert is_whole, f"{where} gave {ranks[0]!r}; a rank is a whole number from 0 to 2**64 - 1"
        assert ranks[0] == ranks[1], f"{where} gave {ranks[0]} and {ranks[1]} after the same calls; draw no random numbers without a seed"
        fate = rng.random()
        if fate < 0.8:
            queued = _with_rank(packet, ranks[0])
            tell(twins, "queued", queued)
            waiting.append(queued)
        if waiting and fate < 0.1:
            tell(twins, "evicted", waiting.pop())
        elif waiting and fate > 0.3:
            now += rng.randint(0, 10**6)
            tell(twins, "dequeued", now, waiting.pop(min(range(len(waiting)), key=lambda place: waiting[place].rank)))


def _with_rank(packet: Packet, rank: int) -> Packet:
    return Packet(
        packet.arrival,
        packet.size,
        flow=packet.flow,
        class_=packet.class_,
        queue=packet.queue,
        rank=rank,
        value=packet.value,
        processing=packet.processing,
        slack=packet.slack,
        remaining=packet.remaining,
    )
