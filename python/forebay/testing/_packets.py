"""Random packets, in the order of their arrival."""

from __future__ import annotations

import random
from collections.abc import Iterator

from .._forebay import Packet


def packets(rng: random.Random, count: int) -> Iterator[Packet]:
    """So many packets of some flows, at times that rise."""
    arrival = 0
    for _ in range(count):
        arrival += rng.choice((0, 1, rng.randint(0, 10**6), rng.randint(0, 10**9)))
        yield Packet(
            arrival,
            rng.choice((1, 64, 1500, rng.randint(1, 9000))),
            flow=min(int(rng.paretovariate(0.8)), 1000),
            class_=rng.choice((0, 0, 46, 255)),
            queue=rng.randint(0, 3),
            rank=rng.choice((0, rng.randint(0, 100), 2**64 - 1)),
            value=rng.randint(0, 100),
            processing=rng.randint(0, 10**9),
            slack=rng.randint(0, 10**12),
            remaining=rng.randint(0, 10**7),
        )
