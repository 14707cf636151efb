"""Policies that no user would write: conditions, actions, orders and sizes at random."""

from __future__ import annotations

import random

from policy.policies import MARKS, NOTIFIES, Action, Buffer, Case, Policy, Port, Queue, drop, modify

STATES = 2
RANKS = 8


class Writer:
    """Writes a policy. `waits`: that of the policy; without it, no rule reads packets in the queue block."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.waits = self.rng.random() < 0.6
        self.in_bytes = self.waits and self.rng.random() < 0.5

    def term(self, packet: bool) -> str:
        """A relation; `packet`: it may read the packet."""
        rng = self.rng
        held = rng.choice(["here", "all"])
        of_packet = [f"value {rng.choice('<>')} {rng.randrange(100)}", "value < param0"]
        return rng.choice([
            f"{held} > {rng.randrange(700 if self.in_bytes else 12)}", f"{held} > {rng.randrange(4)}",
            f"state{rng.randrange(STATES)} > {rng.randrange(9)}", "now > 3000", *(of_packet if packet else []),
        ])

    def condition(self, packet: bool) -> str:
        terms = [self.term(packet) for _ in range(self.rng.choice([1, 1, 2]))]
        return self.rng.choice([" and ", " or "]).join(terms)

    def action(self, drops: bool) -> Action:
        rng = self.rng
        chances = ["SURE", "SURE", "0", "1 << 63", "value << 57", "pick(state0 > 3, SURE, 1 << 62)"]
        changes = [f"state{rng.randrange(STATES)} + 1", "0", "here", "value + state1"]
        if not self.waits and not drops:
            changes.pop()
        return rng.choice([
            *([drop(rng.choice(chances)) for _ in range(4)] if drops else []), MARKS, NOTIFIES,
            modify(rng.randrange(STATES), rng.choice(changes)),
        ])

    def cases(self, drops: bool) -> tuple[Case, ...]:
        cases = []
        for _ in range(self.rng.choice([0, 1, 2, 3])):
            when = self.condition(packet=drops or self.waits)
            actions = tuple(self.action(drops) for _ in range(self.rng.choice([1, 1, 2, 4])))
            cases.append(Case(when, actions, "here" in when or "all" in when, "value" in when))
        return tuple(cases)

    def size(self, in_bytes: bool) -> int:
        return self.rng.randrange(300, 1500) if in_bytes else self.rng.randrange(2, 14)

    def policy(self) -> Policy:
        rng = self.rng
        buffers, ports = rng.choice([0, 1, 2]), rng.choice([1, 2])
        queues = []
        for _ in range(rng.choice([1, 2, 3, 5])):
            in_bytes = self.in_bytes and rng.random() < 0.6
            # Only a policy with `waits` knows which packet is dropped by rank when it goes on to mark or to judge.
            reverse = self.waits and rng.random() < 0.4
            queues.append(Queue(
                self.size(in_bytes), self.cases(drops=True), rng.randrange(ports),
                rng.randrange(buffers) if buffers and rng.random() < 0.8 else None, in_bytes, reverse,
                rng.randrange(3, 12), RANKS if reverse else 1,
            ))
        of_buffers = [self.in_bytes and rng.random() < 0.6 for _ in range(buffers)]
        return Policy(
            tuple(queues), tuple(Port(self.cases(drops=False), rng.random() < 0.5) for _ in range(ports)),
            tuple(Buffer(self.size(unit), self.cases(drops=True), unit, rng.random() < 0.7) for unit in of_buffers),
            states=tuple(rng.randrange(8) for _ in range(STATES)), parameters=(rng.randrange(100),), waits=self.waits,
            random=tuple(rng.getrandbits(64) for _ in range(4)),
        )


def random_policy(seed: int) -> Policy:
    """The same for the same seed."""
    return Writer(seed).policy()
