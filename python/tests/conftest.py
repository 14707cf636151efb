"""What tests share."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def port() -> dict[str, Any]:
    """A scenario of one port, with two policies."""
    return {
        "port": {"rate": "10 Gbps", "buffer": "80 packets"},
        "traffic": {
            "arrivals": "poisson",
            "load": 1.1,
            "packets": 3000,
            "size_bytes": 1500,
            "rank": {"distribution": "uniform", "min": 0, "max": 100},
        },
        "policy": [
            {"rank": "arrival", "queue": "fifo"},
            {"rank": "packet-rank", "queue": {"name": "sp-pifo", "queues": 8}},
        ],
    }
