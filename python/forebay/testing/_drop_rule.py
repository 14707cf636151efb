"""Finds out whether a drop rule keeps to its contract."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np

from ._packets import packets


def check_drop_rule(drop_rule: Callable[..., Any], *, operations: int = 10_000, seed: int = 1) -> None:
    """Ask a drop rule about random pairs of packets, and about packets where the queue cannot give up its worst one.

    Parameters
    ----------
    drop_rule : class or callable
        A subclass of `forebay.DropRule`, or what makes one.
    operations : int, default 10000
        How often it is asked.
    seed : int, default 1
        Of the random numbers.

    Raises
    ------
    AssertionError
        If an answer breaks the contract: which operation, and what it should have been.
    """
    rng = random.Random(seed)
    rule = drop_rule()
    all_packets = list(packets(rng, operations))
    for number, arriving in enumerate(all_packets):
        worst = rng.choice((None, rng.choice(all_packets)))
        answer = rule.pushes_out(arriving, worst)
        where = f"question {number}: pushes_out({arriving!r}, {worst!r})"
        assert isinstance(answer, (bool, np.bool_)), f"{where} gave {answer!r}, and not True or False"
        assert worst is not None or not answer, f"{where} gave True, but there is no worst packet that could leave"
