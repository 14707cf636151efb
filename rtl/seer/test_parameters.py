"""Parameters that a block of Seer does not allow are rejected when it is elaborated, by name."""

from __future__ import annotations

import subprocess

import pytest

from bench.build import VERILATOR, tool_environment
from cosim.build import sources_of


def said(top: str, parameters: dict[str, int]) -> tuple[int, str]:
    """Verilator's status and messages."""
    options = [f"-G{name}={value}" for name, value in parameters.items()]
    done = subprocess.run(
        [VERILATOR, "--lint-only", "--top-module", top, *options, *sources_of(top)],
        env=tool_environment(), text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
    )
    return done.returncode, done.stdout


@pytest.mark.parametrize(("top", "parameters", "message"), [
    ("seer_cache", {"Ports": 0}, "Ports, Ways, Entries, Fetches and TicksPerByte are 1 or more"),
    ("seer_cache", {"Fetches": 0}, "Ports, Ways, Entries, Fetches and TicksPerByte are 1 or more"),
    ("seer_cache", {"TimeWidth": 8}, "DelayWidth is at most TimeWidth"),
    ("seer_cache", {"Sets": 3}, "Sets must be a power of two"),
    ("seer_egress", {"PerGap": 0, "PerControl": 0}, "PerGap or PerControl is"),
    ("seer_egress", {"DelayWidth": 32}, "fewer than TimeWidth"),
    ("seer_nodes", {"Fetches": 3}, "Fetches must be a power of two, 2 or more"),
    ("seer_phy_tx", {"Width": 49}, "seer_phy_tx: FPMs have 1 to 48 bits"),
    ("seer_phy_rx", {"Width": 49}, "seer_phy_rx: FPMs have 1 to 48 bits"),
    ("seer_phy_rx", {"Entries": 1}, "a queue has two entries or more"),
])
def test_parameters_that_are_not_allowed_are_refused(top: str, parameters: dict[str, int], message: str) -> None:
    status, text = said(top, parameters)
    assert status != 0 and message in text, text


@pytest.mark.parametrize("top", ["seer_cache", "seer_egress", "seer_nodes", "seer_phy_tx", "seer_phy_rx"])
def test_those_that_stand_in_the_source_are_allowed(top: str) -> None:
    status, text = said(top, {})
    assert status == 0, text
