"""Which configurations are measured, and for which figure or table."""

from .designs import Point, bbq

# Capacities of the figures over entries. What is not here does not fit the device, or takes hours.
BBQ_ENTRIES = (127, 511, 2047, 8191, 32767)
ENTRIES: dict[str, tuple[int, ...]] = {
    "pifo": (16, 32, 64, 128, 256),
    "pieo": (64, 256, 1024),
    "bmw_tree": (84, 340, 1364, 5460, 21844),
    "bmw_tree_reg": (84, 340),
    "pheap": (127, 511, 2047, 8191, 32767),
}
RANK_BITS = (9, 15)
# BBQ's levels for ranks of 9 and 15 bits with nodes of 8 bits, as in the paper's figures 5 to 8.
LEVELS_OF_RANK = {9: 3, 15: 5}

# The configurations that the project promises a clock and an area for.
PROMISED = (bbq(2, 4, 127), bbq(3, 8, 511), bbq(3, 16, 8191))

SENSITIVITY_ENTRIES = 511
SENSITIVITY = tuple(
    bbq(levels, width, SENSITIVITY_ENTRIES)
    for width, most in ((2, 6), (4, 6), (8, 5), (16, 3), (32, 3))
    for levels in range(2, most + 1)
)


def scaling() -> list[Point]:
    """Every design over its capacities: figures 5 to 8."""
    points = []
    for bits in RANK_BITS:
        points += [bbq(LEVELS_OF_RANK[bits], 8, entries) for entries in BBQ_ENTRIES]
        points += [Point(name, entries, bits) for name, sizes in ENTRIES.items() for entries in sizes]
    return points


def ecp5() -> list[Point]:
    """All that is placed on the ECP5, the promised and the small first."""
    rest = sorted([*scaling(), *SENSITIVITY], key=lambda point: (point.design == "pifo", point.entries))
    return list(dict.fromkeys([*PROMISED, *rest]))


# The paper's Table 4: elements and bits of a rank; 2^k - 1 elements is what BBQ's counters hold best.
TABLE_4 = (
    bbq(3, 8, 2**11 - 1),
    bbq(5, 8, 2**11 - 1),
    bbq(3, 8, 2**17 - 1),
    bbq(5, 8, 2**17 - 1),
    Point("pifo", 2**11, 9),
    Point("pifo", 2**11, 15),
)


def asap7() -> list[Point]:
    """All that is mapped to ASAP7; the large PIFO comes last, since it takes longest."""
    others = [point for point in scaling() if point.entries <= 4096 and point.rank_bits == 9]
    order = [*PROMISED, *TABLE_4[:4], *others, *TABLE_4[4:]]
    return list(dict.fromkeys(order))
