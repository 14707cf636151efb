"""Which configurations are measured, for which figure or table, and which of them are placed.

Synthesis takes seconds, placing and routing up to minutes; so all have counts and some have clocks.
All of it takes some 25 minutes on two free cores. The other measurements of `make rtl-synth` take longer.
"""

from .designs import Point, bbq

# The configurations that the project promises a clock and an area for.
PROMISED = (bbq(2, 4, 127), bbq(3, 8, 511), bbq(3, 16, 8191))

# BBQ over entries, with ranks of 9 and 15 bits and nodes of 8 bits, as in the paper's figures 5 to 8.
LEVELS_OF_RANK = {9: 3, 15: 5}
BBQ_ENTRIES = (127, 511, 2047, 8191, 32767, 131071)
# The other designs: entries of those that are placed, and of those that are only counted.
PLACED = {
    "pifo": (16, 64),
    "pieo": (16, 64),
    "bmw_tree": (84, 1364),
    "bmw_tree_reg": (20, 84),
    "pheap": (127, 2047),
}
COUNTED = {
    "pifo": (32, 128, 256),
    "pieo": (256,),
    "bmw_tree": (340, 5460),
    "bmw_tree_reg": (340,),
    "pheap": (511, 8191),
}

# BBQ over the number and the width of its levels: figures 9 and 10.
SENSITIVITY_ENTRIES = 511
SENSITIVITY = tuple(
    bbq(levels, width, SENSITIVITY_ENTRIES)
    for width, depths in ((2, (6,)), (4, (3, 4, 5, 6)), (8, (2, 3, 4, 5)), (16, (2, 3)), (32, (2, 3)))
    for levels in depths
)


def over_entries(sizes: dict[str, tuple[int, ...]], bits: int) -> list[Point]:
    """Designs but BBQ with ranks of so many bits."""
    return [Point(name, entries, bits) for name, each in sizes.items() for entries in each]


def ecp5() -> list[Point]:
    """All that is synthesised for the ECP5: the promised first, and the small of each kind before the large."""
    over = [bbq(levels, 8, entries) for entries in BBQ_ENTRIES for levels in LEVELS_OF_RANK.values()]
    others = [*over_entries(PLACED, 9), *over_entries(COUNTED, 9), *(Point("pifo", entries, 15) for entries in (16, 64))]
    return list(dict.fromkeys([*PROMISED, *over, *SENSITIVITY, *sorted(others, key=lambda point: point.entries)]))


def seeds(point: Point, most: int) -> int:
    """How often it is placed: the promised with all seeds, others once, large ones not at all."""
    if point in PROMISED:
        return most
    # With 2^15 elements or more, BBQ's memories and those of the trees fill the device or exceed it.
    small = point.entries <= 8191 if point.design == "bbq" else point in over_entries(PLACED, 9)
    return min(most, 1) if small else 0


# The paper's Table 4: elements and bits of a rank; 2^k - 1 elements is what BBQ's counters hold best.
# Its PIFO of 2^11 elements is not among them: see docs/rtl-synthesis.md.
TABLE_4 = (bbq(3, 8, 2**11 - 1), bbq(5, 8, 2**11 - 1), bbq(3, 8, 2**17 - 1), bbq(5, 8, 2**17 - 1))
OTHERS_IN_ASAP7 = (
    Point("pifo", 16, 9),
    Point("pifo", 64, 9),
    Point("pifo", 256, 9),
    Point("pifo", 64, 15),
    Point("pieo", 64, 9),
    Point("bmw_tree", 340, 9),
    Point("bmw_tree_reg", 84, 9),
    Point("pheap", 511, 9),
)


def asap7() -> list[Point]:
    """All that is mapped to ASAP7."""
    return list(dict.fromkeys([*TABLE_4, *PROMISED, *OTHERS_IN_ASAP7]))


# The rows of docs/rtl.md.
RESOURCES = (
    *PROMISED,
    bbq(5, 8, 2047),
    Point("pifo", 64, 9),
    Point("pifo", 256, 9),
    Point("pieo", 64, 9),
    Point("bmw_tree", 340, 9),
    Point("bmw_tree_reg", 84, 9),
    Point("pheap", 511, 9),
)
