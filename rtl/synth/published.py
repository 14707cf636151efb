"""Published numbers of the paper and of others, to compare with measurements.

The paper's clocks on an FPGA are of an Intel Stratix 10 MX, a device of another class than the
ECP5. Its ASIC results are of a commercial tool with a 7 nm library made from the ASAP7 kit.
"""

from dataclasses import dataclass

from .designs import Point, bbq


@dataclass(frozen=True)
class Table4Row:
    """BBQ paper, Table 4: clock in GHz and areas in mm2."""

    point: Point
    elements: str
    priorities: str
    ghz: float
    logic_mm2: float
    memory_mm2: float


TABLE_4 = (
    Table4Row(Point("pifo", 2**11, 9), "2^11", "2^9", 1.0, 0.043, 0.0),
    Table4Row(Point("pifo", 2**11, 15), "2^11", "2^15", 1.0, 0.058, 0.0),
    Table4Row(bbq(3, 8, 2**11 - 1), "2^11", "2^9", 3.1, 0.00071, 0.0029),
    Table4Row(bbq(5, 8, 2**11 - 1), "2^11", "2^15", 3.1, 0.0011, 0.035),
    Table4Row(bbq(3, 8, 2**17 - 1), "2^17", "2^9", 3.1, 0.00095, 0.24),
    Table4Row(bbq(5, 8, 2**17 - 1), "2^17", "2^15", 3.1, 0.0014, 0.29),
)


@dataclass(frozen=True)
class SameFlow:
    """The published BBQ synthesised for an ECP5 by yosys and nextpnr, one seed (project's issue 6)."""

    point: Point
    mhz: float
    luts: int | None


ECP5 = (
    SameFlow(bbq(2, 4, 127), 159.0, 844),
    SameFlow(bbq(3, 8, 511), 130.0, 1757),
    SameFlow(bbq(3, 16, 8191), 115.0, None),
)

# Paper section 6.2.1, Stratix 10 MX, nodes of 8 bits: MHz by bits of a rank.
STRATIX_BEST = {9: 500.0, 15: 400.0}
STRATIX_AT_2_17 = 300.0


@dataclass(frozen=True)
class Limit:
    """The project's promises for the ECP5, for the best of five seeds."""

    point: Point
    mhz: float
    luts: int | None


LIMITS = (
    Limit(bbq(2, 4, 127), 175.0, 800),
    Limit(bbq(3, 8, 511), 145.0, 1700),
    Limit(bbq(3, 16, 8191), 125.0, None),
)


@dataclass(frozen=True)
class OrderedListRow:
    """Seer paper, Table 1: a list of so many entries. None and above 100 %: it did not fit."""

    entries: int
    mhz: float | None
    logic_percent: float
    ghz: float
    mm2: float


# All as printed, of the whole prototype with one queue: 44 bits to an entry (17 of flow id, 11 of size, 16 of delay). The
# FPGA is an Altera Stratix V with 234,000 ALMs, the ASIC Synopsys Design Compiler's with an open 15 nm library.
SEER_TABLE_1 = (
    OrderedListRow(128, 170.0, 8.0, 4.2, 0.012),
    OrderedListRow(256, 150.0, 15.0, 4.1, 0.022),
    OrderedListRow(512, 120.0, 30.0, 3.7, 0.042),
    OrderedListRow(1024, 100.0, 60.0, 3.5, 0.085),
    OrderedListRow(2048, None, 101.0, 3.4, 0.167),
    OrderedListRow(4096, None, 101.0, 3.2, 0.324),
)
STRATIX_V_ALMS = 234_000
