"""All proofs. The header of each wrapper says what it proves."""

from __future__ import annotations

from formal.proof import Proof

LINKS = (("Entries", 4),)
LINKS_PARITY = (("Entries", 4), ("Parity", 1))
FORWARD = (("Depth", 4), ("Width", 2))
COUNTS = (("Children", 4), ("CountWidth", 3), ("Entries", 6))
COUNTS_BANKS = (("Children", 4), ("CountWidth", 3), ("Entries", 5), ("Banks", 2))
COUNTS_SMALL = (("Children", 2), ("CountWidth", 3), ("Entries", 6))


def free_list(entries: int) -> tuple[tuple[str, int], ...]:
    return (("Entries", entries),)


def queue(
    levels: int, width: int, entries: int, partitions: int = 1, **more: int
) -> tuple[tuple[str, int], ...]:
    return (
        ("Levels", levels), ("Width", width), ("Entries", entries), ("Partitions", partitions), *more.items()
    )


def ordered_list(kind: str, entries: int, depth: int = 1, quick: bool = False) -> Proof:
    shape = (("Entries", entries), ("KeyWidth", 3), ("TagWidth", 1))
    return Proof("ordered_list_proof", kind, shape, depth, quick=quick, sources="seer/ordered_list.f")


def seer_cache(kind: str, ports: int, ways: int, depth: int, entries: int = 2) -> Proof:
    shape = (("Ports", ports), ("Ways", ways), ("Entries", entries))
    return Proof("seer_cache_proof", kind, shape, depth, sources="seer/seer_cache.f")


def seer_phy(kind: str, width: int, depth: int) -> Proof:
    return Proof("seer_phy_proof", kind, (("Width", width),), depth, sources="seer_phy/seer_phy_link.f")


PROOFS: list[Proof] = [
    *(
        Proof("first_one_proof", kind, (("Width", width),), quick=width in (4, 32), seconds=120)
        for width in (2, 4, 8, 16, 32)
        for kind in ("combinational", "cover")
    ),
    Proof("links_proof", "unbounded", LINKS, quick=True),
    Proof("links_proof", "unbounded", LINKS_PARITY, quick=True),
    Proof("links_proof", "cover", LINKS, 30, quick=True),
    Proof("forward_proof", "unbounded", FORWARD, quick=True),
    Proof("forward_proof", "cover", FORWARD, 30, quick=True),
    Proof("counts_proof", "unbounded", COUNTS),
    Proof("counts_proof", "unbounded", COUNTS_BANKS),
    Proof("counts_proof", "unbounded", COUNTS_SMALL, quick=True),
    Proof("counts_proof", "cover", COUNTS, 30, quick=True),
    *(Proof("free_list_proof", "inductive", free_list(entries), 3, quick=entries == 6) for entries in (4, 5, 6, 7, 8)),
    Proof("free_list_proof", "cover", free_list(5), 30, quick=True),
    # The latency is 7 for one level, and 9 for two, also if the partition decides one of them.
    Proof("queue_proof", "bounded", queue(1, 2, 3), 15, quick=True),
    Proof("queue_proof", "bounded", queue(1, 2, 3), 18),
    Proof("queue_proof", "bounded", queue(1, 2, 3, Parity=1), 16),
    Proof("queue_proof", "bounded", queue(2, 2, 3), 16),
    Proof("queue_proof", "bounded", queue(2, 2, 4), 16),
    Proof("queue_proof", "bounded", queue(2, 2, 3, 2), 16),
    Proof("queue_proof", "cover", queue(1, 2, 3), 30, quick=True),
    Proof("queue_proof", "cover", queue(2, 2, 4), 30),
    Proof("queue_proof", "cover", queue(2, 2, 3, 2), 30),
    ordered_list("unbounded", 3, quick=True),
    ordered_list("cover", 3, 30, quick=True),
    seer_cache("bounded", 1, 1, 28),
    # Deep enough that one of two needed ways is evicted.
    seer_cache("bounded", 1, 2, 28, 3),
    seer_cache("bounded", 2, 2, 22),
    seer_cache("cover", 1, 1, 30),
    seer_cache("cover", 1, 2, 30, 3),
    seer_phy("bounded", 25, 20),
    seer_phy("cover", 25, 30),
]
