"""Rank functions, queues, drop rules, congestion controls and sources in Python."""

from __future__ import annotations

import functools
import heapq
import pickle
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import forebay
from forebay import Acked, Limits, Packet
from forebay.testing import check, check_rank_queue

UNIFORM = {"distribution": "uniform", "min": 0, "max": 100}


class Carried(forebay.RankFunction):
    """The rank that the packet carries."""

    def rank(self, now: int, packet: Packet) -> int:
        return packet.rank


class Heap(forebay.RankQueue):
    """The lowest rank first, the first to come among equals."""

    def __init__(self, capacity: int) -> None:
        self.heap: list[tuple[int, int, int]] = []
        self.count = 0

    def push(self, rank: int, item: int) -> None:
        self.count += 1
        heapq.heappush(self.heap, (rank, self.count, item))

    def pop(self) -> int | None:
        return heapq.heappop(self.heap)[2]


class BothEnds(Heap):
    """The same, which also gives up the worst."""

    def peek_max(self) -> int | None:
        return max(self.heap)[2]

    def pop_max(self) -> int | None:
        worst = max(self.heap)
        self.heap.remove(worst)
        heapq.heapify(self.heap)
        return worst[2]


class Worst(forebay.DropRule):
    """The packet of highest rank leaves."""

    def pushes_out(self, arriving: Packet, worst: Packet | None) -> bool:
        return worst is not None and worst.rank > arriving.rank


class Reno(forebay.CongestionControl):
    """The NewReno of the registry, written down again."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.bytes = min(max(limits.initial_window, limits.segment), limits.max_window)
        self.initial = self.bytes
        self.threshold = limits.initial_threshold
        self.grown = 0

    @property
    def window_bytes(self) -> int:  # type: ignore[override]
        return min(self.bytes, self.limits.max_window)

    def on_ack(self, now: int, acked: Acked) -> None:
        if acked.recovering or acked.marked:
            return
        if self.bytes < self.threshold:
            self.bytes += min(acked.bytes, self.limits.segment)
        else:
            self.grown += min(acked.bytes, self.bytes)
            if self.grown >= self.bytes:
                self.grown -= self.bytes
                self.bytes += self.limits.segment
        self.bytes = min(self.bytes, self.limits.max_window)

    def on_congestion(self, now: int, congestion: str, in_flight: int) -> None:
        self.threshold = max(in_flight // 2, 2 * self.limits.segment)
        self.bytes = self.threshold

    def on_recovered(self, now: int, in_flight: int) -> None:
        self.bytes = min(self.threshold, max(in_flight, self.limits.segment) + self.limits.segment)
        self.grown = 0

    def on_timeout(self, now: int, in_flight: int | None) -> None:
        if in_flight is not None:
            self.threshold = max(in_flight // 2, 2 * self.limits.segment)
        self.bytes = self.limits.segment
        self.grown = 0

    def on_idle(self, now: int) -> None:
        self.bytes = min(self.bytes, self.initial)
        self.grown = 0


class Poisson(forebay.Source):
    """Packets of random sizes at random times."""

    packets = 2000
    fields = ("rank", "value")

    def __iter__(self) -> Iterator[Packet]:
        rng = random.Random(self.seed)
        arrival = 0
        for _ in range(self.packets):
            arrival += int(rng.expovariate(1e-6))
            yield Packet(arrival, rng.randint(64, 1500), flow=rng.randint(0, 9), rank=rng.randint(0, 100), value=rng.randint(1, 5))


def network(transport: Any, **port: Any) -> dict[str, Any]:
    return {
        "network": {"topology": {"name": "star", "hosts": 4}, "duration": "2 ms"},
        "workload": [{"sizes": {"name": "fixed", "bytes": 30_000}, "load": 0.7}],
        "policy": [{"transport": transport, "port": {"rank": "arrival", "queue": "fifo", "buffer": "20 packets", **port}}],
    }


def values(result: forebay.Result) -> list[Any]:
    """All numbers, whatever the policies are called."""
    frame = result.to_pandas()
    return list(frame[frame["metric"] != "ranks_clamped"]["value"])


def test_parts_in_python_are_those_of_the_registry(port: dict[str, Any]) -> None:
    parts: list[tuple[dict[str, Any], dict[str, Any]]] = [
        ({"rank": "packet-rank", "queue": "pifo"}, {"rank": Carried, "queue": "pifo"}),
        ({"rank": "packet-rank", "queue": "pifo"}, {"rank": "packet-rank", "queue": Heap}),
        ({"rank": "packet-rank", "queue": "pifo"}, {"rank": Carried, "queue": BothEnds}),
        ({"rank": "packet-rank", "queue": "pifo", "drop": "worst-first"}, {"rank": Carried, "queue": BothEnds, "drop": "worst-first"}),
        ({"rank": "packet-rank", "queue": "pifo", "drop": "worst-first"}, {"rank": Carried, "queue": "pifo", "drop": Worst}),
        ({"rank": "packet-rank", "queue": "sp-pifo"}, {"rank": Carried, "queue": "sp-pifo"}),
    ]
    for known, own in parts:
        of_known, of_own = (forebay.run({**port, "policy": [policy]}) for policy in (known, own))
        assert values(of_known) == values(of_own), own


def test_they_stand_in_trees_networks_and_attacks(port: dict[str, Any]) -> None:
    tree = {"rank": "strict", "children": [{"rank": Carried, "queue": Heap}]}
    known = {"rank": "strict", "children": [{"rank": "packet-rank", "queue": "pifo"}]}
    policies = [{"tree": tree, "queue": "hffs", "name": "x"}], [{"tree": known, "queue": "hffs", "name": "x"}]
    of_own, of_known = (forebay.run({**port, "policy": policy}) for policy in policies)
    assert values(of_own) == values(of_known)

    class Came(forebay.RankFunction):
        def rank(self, now: int, packet: Packet) -> int:
            return now

    of_own, of_known = forebay.run(network("newreno", rank=Came, queue=Heap)), forebay.run(network("newreno", queue="pifo"))
    assert values(of_own) == values(of_known)

    class Work(forebay.RankFunction):
        def rank(self, now: int, packet: Packet) -> int:
            return packet.processing

    asked: dict[str, Any] = {
        "innocent": {"rate": "1 Gbps", "application": {"name": "tcp-reassembly"}, "packets": 2000},
        "attack": {"rate": "100 Mbps"},
        "processor": {"buffer": "80 packets"},
    }
    of_own, of_known = (forebay.attack(**asked, policies=[{"rank": rank, "queue": "pifo"}]) for rank in (Work, "job-size"))
    assert of_own.metric("displacement") and list(of_own.metric("displacement").values()) == list(of_known.metric("displacement").values())


def test_a_congestion_control_in_python_is_the_one_of_the_registry() -> None:
    check(Reno)
    of_own, of_known = forebay.run(network(Reno)), forebay.run(network("newreno"))
    assert values(of_own) == values(of_known)
    assert "Reno" in of_own.table()
    with_options = [forebay.run(network({"name": name, "sack": True, "ack_every": 2})) for name in (Reno, "newreno")]
    assert values(with_options[0]) == values(with_options[1]) != values(of_known)


def test_a_source_in_python_gives_the_packets(port: dict[str, Any]) -> None:
    check(Poisson)
    scenario = {**port, "traffic": {"trace": Poisson}, "repetitions": 2}
    result = forebay.run(scenario, seed=5)
    assert values(result) == values(forebay.run(scenario, seed=5)) != values(forebay.run(scenario, seed=6))
    assert set(result.metric("packets_in").values()) == {2000}

    class Backwards(Poisson):
        def __iter__(self) -> Iterator[Packet]:
            yield Packet(10, 100)
            yield Packet(9, 100)

    with pytest.raises(ValueError, match="packet 1 arrives at 9 ps, before the one before it"):
        forebay.run({**port, "traffic": {"trace": Backwards}, "policy": [{"rank": "arrival", "queue": "fifo"}]})
    with pytest.raises(AssertionError, match="packet 1 arrives at 9"):
        check(Backwards)


def test_contracts_are_checked() -> None:
    for algorithm in (Carried, Heap, BothEnds, Worst):
        check(algorithm)
    check_rank_queue(BothEnds, exact=True)

    class Twice(Heap):
        def pop(self) -> int | None:
            return self.heap[0][2]

    with pytest.raises(AssertionError, match="which is not in the queue"):
        check(Twice)

    class Lifo(Heap):
        def pop(self) -> int | None:
            return self.heap.pop()[2]

    check(Lifo)
    with pytest.raises(AssertionError, match="and not"):
        check_rank_queue(Lifo, exact=True)

    class Negative(Carried):
        def rank(self, now: int, packet: Packet) -> int:
            return -packet.size

    with pytest.raises(AssertionError, match="a rank is a whole number from 0 to"):
        check(Negative)

    class Unseeded(Carried):
        def rank(self, now: int, packet: Packet) -> int:
            return random.getrandbits(60)

    with pytest.raises(AssertionError, match="after the same calls"):
        check(Unseeded)

    class Always(forebay.DropRule):
        def pushes_out(self, arriving: Packet, worst: Packet | None) -> bool:
            return True

    with pytest.raises(AssertionError, match="there is no worst packet that could leave"):
        check(Always)

    class Greedy(Reno):
        def on_timeout(self, now: int, in_flight: int | None) -> None:
            pass

    with pytest.raises(AssertionError, match="a timeout leaves one segment"):
        check(Greedy)
    with pytest.raises(TypeError, match="no subclass of what can be checked"):
        check(int)


def test_mistakes_name_the_algorithm_and_the_fix(port: dict[str, Any]) -> None:
    def run(**policy: Any) -> forebay.Result:
        return forebay.run({**port, "policy": [{"rank": "packet-rank", "queue": "pifo", **policy}]})

    class Negative(Carried):
        def rank(self, now: int, packet: Packet) -> int:
            return -1

    with pytest.raises(ValueError, match="`rank` of Negative must give a whole number from 0 to 2\\*\\*64 - 1, not -1"):
        run(rank=Negative)

    class Lost(Heap):
        def pop(self) -> int | None:
            return 77

    with pytest.raises(ValueError, match="`pop` gave 77, which is not in the queue"):
        run(queue=Lost)
    with pytest.raises(forebay.ForebayError, match="Heap is a RankQueue, but this field takes a RankFunction"):
        run(rank=Heap)
    with pytest.raises(forebay.ForebayError, match="`Heap` cannot give up its worst packet"):
        run(queue=Heap, drop="worst-first")

    class Always(forebay.DropRule):
        def pushes_out(self, arriving: Packet, worst: Packet | None) -> bool:
            return True

    with pytest.raises(ValueError, match="`worst` was None"):
        run(queue=Heap, drop=Always)

    class pifo(Heap):  # noqa: N801
        pass

    with pytest.raises(forebay.ForebayError, match="forebay has a `pifo` itself"):
        run(queue=pifo)

    class Weighted(Carried):
        def __init__(self, link_rate: int | None, weight: int) -> None:
            self.weight = weight

        def rank(self, now: int, packet: Packet) -> int:
            return packet.rank * self.weight

    with pytest.raises(TypeError, match="weight"):
        run(rank=Weighted)
    assert run(rank={"name": Weighted, "weight": 3}).complete

    class Huge(Reno):
        @property
        def window_bytes(self) -> int:  # type: ignore[override]
            return 2**63

    with pytest.raises(ValueError, match="`window_bytes` must be from"):
        forebay.run(network({"name": Huge, "max_window_bytes": 100_000}))

    class Wrong(Reno):
        ecn = "all"

    with pytest.raises(ValueError, match='`ecn` of Wrong must be "off", "classic" or "exact", not "all"'):
        forebay.run(network(Wrong))
    with pytest.raises(forebay.ForebayError, match=r"\['mark'\]: the class Heap cannot stand here"):
        forebay.run({**port, "policy": [{"rank": "packet-rank", "queue": "pifo", "mark": Heap}]})


def test_scenarios_with_code_pickle() -> None:
    scenario = forebay.Scenario(network(Reno))
    again = pickle.loads(pickle.dumps(scenario))
    assert values(forebay.run(scenario)) == values(forebay.run(again))


def test_parameters_of_a_table_and_swept_classes_are_arguments(port: dict[str, Any]) -> None:
    class Fixed(forebay.CachePolicy):
        def __init__(self, capacity: int, weight: int = 1) -> None:
            self.keys: dict[int, None] = {}

        def hit(self, key: int) -> None:
            pass

        def insert(self, key: int, size: int) -> None:
            self.keys[key] = None

        def victim(self, new: int) -> int | None:
            return next(iter(self.keys))

        def remove(self, key: int) -> None:
            del self.keys[key]

    zipf = "zipf:objects=1e2,requests=1e3,skew=0.9"
    policies: list[Any] = [{"name": Fixed, "weight": 3}, functools.partial(Fixed, weight=4), Fixed, {"name": "lru-k", "k": [2, 3]}]
    result = forebay.cache(zipf, policies=policies, capacity=10, latency=30)
    assert set(result.metric("hit_ratio")) == {"Fixed(weight=3)", "Fixed(weight=4)", "Fixed", "lru-k(k=2)", "lru-k(k=3)"}
    assert "k" not in result.columns

    swept = forebay.run({**port, "policy": [{"rank": ["packet-rank", Carried], "queue": ["pifo", Heap], "name": "x"}]})
    delays = swept.metric("delay:p99")
    assert len(delays) == 4 and len(set(delays.values())) == 1


def test_what_is_no_class_says_so(port: dict[str, Any]) -> None:
    def run(**policy: Any) -> forebay.Result:
        return forebay.run({**port, "policy": [{"rank": "packet-rank", "queue": "pifo", **policy}]})

    with pytest.raises(forebay.ForebayError, match="rank: <lambda> takes no `link_rate`; subclass forebay.RankFunction"):
        run(rank=lambda now, packet: packet.size)
    with pytest.raises(forebay.ForebayError, match="queue: give the class Heap, and not an instance of it"):
        run(queue=Heap(5))
    with pytest.raises(forebay.ForebayError, match="executor: algorithms in Python \\(Carried\\) are not sent to workers"):
        forebay.sweep({**port, "policy": [{"rank": Carried, "queue": "pifo"}]}, executor=ThreadPoolExecutor(1), out="x")

    class Told(BothEnds):
        def pop_max(self) -> int | None:
            return self.heap[0][2] if len(self.heap) > 1 else super().pop_max()

    with pytest.raises(ValueError, match="Told: `pop_max` gave another item than `peek_max`"):
        run(queue=Told, drop="worst-first")

    class Short(Poisson):
        packets = 10

        def __iter__(self) -> Iterator[Packet]:
            yield Packet(1, 100)

    with pytest.raises(ValueError, match="`packets` says 10, but 1 came"):
        forebay.run({**port, "traffic": {"trace": Short}, "policy": [{"rank": "arrival", "queue": "fifo"}]})


@pytest.mark.parametrize("method", ["while True: pass", "time.sleep(0.01)"])
def test_an_interrupt_ends_a_method_that_does_not_end(method: str, tmp_path: Any) -> None:
    script = tmp_path / "endless.py"
    script.write_text(
        f"""
import time, forebay
class Endless(forebay.RankFunction):
    def rank(self, now, packet):
        print("called", flush=True)
        {method}
        return 1
forebay.run({{
    "port": {{"rate": "10 Gbps", "buffer": "80 packets"}},
    "traffic": {{"arrivals": "poisson", "load": 1.1, "packets": 100000, "size_bytes": 1500}},
    "policy": [{{"rank": Endless, "queue": "pifo"}}],
}}, progress=False)
"""
    )
    running = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert running.stdout is not None and running.stdout.readline() == "called\n"
    running.send_signal(signal.SIGINT)
    assert "KeyboardInterrupt" in running.communicate(timeout=20)[1]
