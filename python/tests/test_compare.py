"""The same requests in forebay and in libCacheSim."""

from __future__ import annotations

import libcachesim
import numpy as np
import pytest

import forebay
from conftest import ROOT
from forebay._compare import LIBCACHESIM

# Policies that may differ by more than 0.1 point, with what that comes from; "open": nobody has tried it. docs/libcachesim.md has the numbers.
RANDOM = "draws random numbers, and both draw their own"
REASONS = {
    "belady": "forebay's may refuse an object, libCacheSim's takes every one",
    "belady-size": "open",
    "cacheus": RANDOM,
    "hyperbolic": RANDOM,
    "lecar": RANDOM,
    "lfuda": "libCacheSim's adds the age of the cache at each hit",
    "lhd": RANDOM,
    "lirs": "open",
    "lru-k": "libCacheSim's forgets the requests for an object that leaves",
    "random": RANDOM,
    "slru": "libCacheSim's has four segments, and fills them upwards",
    "w-tinylfu": "open",
}
KEYS = np.random.default_rng(1).zipf(1.2, 20_000) % 1000
SAME = ["lru", "fifo", "clock", "sieve", "lfu", "arc", "2q", "s3-fifo", "gdsf"]
SAME_WITH_PARAMETERS = ["lru-k(retained=0)", "slru(segments=4,probation=0.25,first-fill=upwards)"]
SAME_WITH_SIZES = ["lru", "fifo", "clock", "sieve", "lfu", "s3-fifo", "gdsf"]
DRIFT = "drift:objects=3000,requests=2.5e4,skew=0.9,period=20"


def test_policies_that_leave_nothing_open_are_the_same() -> None:
    sizes = 1 + KEYS * 7919 % 4000
    for row in forebay.compare(KEYS, capacity=[32, 300], policies=SAME + SAME_WITH_PARAMETERS):
        assert row["difference"] == pytest.approx(0, abs=1e-9), row
    for row in forebay.compare(forebay.Requests(KEYS, None, sizes), capacity=100_000, policies=SAME_WITH_SIZES, sizes="bytes"):
        assert row["difference"] == pytest.approx(0, abs=1e-9), row
        assert row["forebay_bytes"] == pytest.approx(row["other_bytes"], abs=1e-9), row


def test_every_other_difference_has_a_reason() -> None:
    assert set(SAME) | set(REASONS) == set(LIBCACHESIM)
    for requests, capacity in ((ROOT / "testdata" / "requests" / "k.keys", 20), (DRIFT, 300)):
        for row in forebay.compare(requests, capacity=capacity):
            assert row["other"] is not None
            assert abs(row["difference"]) <= 0.1 or row["policy"] in REASONS, row


def test_what_does_not_end_or_fails_has_no_number() -> None:
    with pytest.warns(forebay.ForebayWarning, match="lfuda of libCacheSim with a capacity of 5 does not end in 1 s"):
        row = forebay.compare(ROOT / "testdata" / "requests" / "k.keys", capacity=5, policies="lfuda", timeout=1).rows[0]
    assert row["other"] is None and row["difference"] is None and row["forebay"] > 0


def test_a_reader_of_libcachesim_gives_the_requests() -> None:
    path = str(ROOT / "testdata" / "requests" / "example.vscsi")
    reader = libcachesim.TraceReader(path, trace_type=libcachesim.TraceType.VSCSI_TRACE)
    compared = forebay.compare(reader, capacity=50, policies="lru")
    assert len(compared.rows) == 1 and compared.rows[0]["difference"] == pytest.approx(0, abs=1e-9)
    assert "libCacheSim 0" in str(compared) and list(compared.to_pandas()["policy"]) == ["lru"]


def test_mistakes_say_what_to_write() -> None:
    with pytest.raises(forebay.ForebayError, match="libCacheSim has no `lru-mad`"):
        forebay.compare(KEYS, capacity=30, policies="lru-mad")
    with pytest.raises(forebay.ForebayError, match='give "libcachesim"'):
        forebay.compare(KEYS, capacity=30, with_="ristretto")
    with pytest.raises(forebay.ForebayError, match='give "unit" or "bytes"'):
        forebay.compare(KEYS, capacity=30, sizes="both")
