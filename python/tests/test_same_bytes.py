"""Every scenario of the documentation gives the bytes of the command.

Those that take seconds are played by `make test`; `FOREBAY_LONG=1`, as `make test-long` sets it, plays them all.
"""

from __future__ import annotations

import os
import subprocess
import warnings
from pathlib import Path

import pytest

import forebay
from conftest import ROOT

SCENARIOS = sorted((ROOT / "docs").rglob("*.toml"))
QUICK = {
    "against-lru",
    "deadlines",
    "drfq",
    "fdpa",
    "gearbox",
    "mad-rankings",
    "pacing",
    "page-chains",
    "qjump",
    "reframer",
    "replay",
    "seer-applications",
    "seer-corrections",
    "seer-schedulers",
    "tree-of-sp-pifos",
    "worst-case-fair",
}
PLAYED = [path for path in SCENARIOS if path.stem in QUICK or os.environ.get("FOREBAY_LONG")]


@pytest.mark.parametrize("path", PLAYED, ids=lambda path: str(path.stem))
def test_a_scenario_gives_the_bytes_of_the_command(path: Path) -> None:
    # Relative names of files are those of the scenario's folder.
    command = os.environ["FOREBAY_COMMAND"]
    done = subprocess.run([command, "run", path.name, "--format", "json"], cwd=path.parent, capture_output=True, check=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", forebay.ForebayWarning)
        result = forebay.run(path, progress=False)
    assert result.json().encode() == done.stdout


def test_the_quick_ones_are_there() -> None:
    assert {path.stem for path in SCENARIOS} >= QUICK and len(SCENARIOS) >= 39
