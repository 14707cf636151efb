"""The configurations of BBQ that `make rtl-test` runs: every promised size is among them."""

from __future__ import annotations

from itertools import product

from bench.queues import QUEUES, configure

CONFIGURATIONS = [configure(QUEUES["bbq"], parameters) for parameters in QUEUES["bbq"].sweep]


def values(name: str) -> set[int]:
    return {configuration.parameters[name] for configuration in CONFIGURATIONS}


def test_every_depth_with_every_width() -> None:
    shapes = {(c.parameters["Levels"], c.parameters["Width"]) for c in CONFIGURATIONS}
    assert set(product(range(1, 5), (2, 4, 8, 16, 32))) <= shapes
    assert values("Levels") == set(range(1, 7))


def test_entries_and_partitions() -> None:
    assert {1, 15, 16, 127, 511, 8191, 32767} <= values("Entries")
    assert {1, 2, 8, 32} <= values("Partitions")


def test_one_operation_in_each_cycle() -> None:
    for configuration in CONFIGURATIONS:
        assert configuration.promise.interval == 1 and configuration.promise.start == 0
