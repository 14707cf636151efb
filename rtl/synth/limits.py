"""The quick check: areas against the limits, and clocks as they come.

The tools' versions are pinned and one seed gives one result, so it is the same on every machine.
"""

from . import asap7, measure, published, tools


def check(seeds: int, jobs: int) -> list[str]:
    """The broken promises; prints the measurements."""
    wrong = []
    for limit in published.LIMITS:
        point = limit.point
        if not point.available:
            tools.say(f"skipped: no sources of {point.design}")
            continue
        row = measure.start(point)
        # One seed suffices to see that the clock is of the right size; the report takes five.
        placed = seeds if limit is not published.LIMITS[-1] else 0
        measure.add_ecp5(row, point, placed, jobs)
        name = point.source().name
        clock = "" if row.mhz_best is None else f", {row.mhz_best:.1f} MHz best of {placed} (promised {limit.mhz:g} of 5)"
        luts = "" if limit.luts is None else f" (at most {limit.luts})"
        print(f"{name}: {row.luts} LUT{luts}, {row.flops} FF, {row.block_rams} block RAM{clock}")
        if limit.luts is not None and row.luts is not None and row.luts > limit.luts:
            wrong.append(f"{name}: {row.luts} LUT, at most {limit.luts} promised")
    if not asap7.skipped():
        result = asap7.synthesise(published.LIMITS[0].point.source())
        print(f"{result.name}: ASAP7: {result.logic_um2:.0f} um2 of logic, {result.memory_bits} bits, {result.ghz:.2f} GHz")
    return wrong
