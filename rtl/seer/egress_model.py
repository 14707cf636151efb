"""The egress side of Seer (NSDI 2024), section 3.1: which packets wait, and their notifications."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass
class Packet:
    """A packet that waits."""

    size: int
    id: int | None = None
    """None: the packet has no FPM that waits."""


class Egress:
    """One port. Call the methods in the order in which they occur in a cycle."""

    def __init__(self, given: Mapping[str, int]) -> None:
        self.given = given
        self.reset()

    def reset(self) -> None:
        self.queues: list[list[Packet]] = [[] for _ in range(self.given["Classes"])]
        self.last_control: int | None = None
        self.carries: float = 0
        self.in_control = False

    def ticks(self, packets: list[Packet]) -> int:
        return sum(packet.size * self.given["TicksPerByte"] for packet in packets)

    def waiting(self) -> int:
        """FPMs of all classes."""
        return sum(packet.id is not None for queue in self.queues for packet in queue)

    def first(self) -> tuple[Packet, int] | None:
        """The packet whose FPM is sent next, and its expected delay: `t_d` without `t_FPM`."""
        higher = 0
        for queue in self.queues:
            for place, packet in enumerate(queue):
                if packet.id is not None:
                    delay = higher + self.ticks(queue[: place + 1])
                    return packet, min(delay, (1 << self.given["DelayWidth"]) - 1)
            higher += self.ticks(queue)
        return None

    def control_due(self, now: int, m: int, t: int) -> bool:
        rested = self.last_control is None or now - self.last_control >= t
        return self.waiting() > m and rested

    def queued(self, of: int, id: int | None, size: int) -> None:
        """A packet is enqueued at the tail of its queue, with an FPM or without one."""
        self.queues[of].append(Packet(size, id))

    def left(self, of: int) -> bool:
        """The first packet of a class leaves; returns whether its FPM had not been sent."""
        return self.queues[of].pop(0).id is not None
