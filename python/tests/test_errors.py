"""Malformed arguments: each gives an exception that names the argument and the fix."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import forebay

KEYS = [1, 2, 1]
PORT = {"rate": "10 Gbps", "buffer": "80 packets"}
TRAFFIC = {"arrivals": "poisson", "load": 0.9, "packets": 100, "size_bytes": 1500}
POLICY = [{"rank": "arrival", "queue": "fifo"}]


def cache(requests: Any = KEYS, **more: Any) -> forebay.Result:
    """A cache with some arguments."""
    return forebay.cache(requests, **{"policies": "lru", "capacity": 2, "latency": 3, **more})


def run(scenario: Any = None, **more: Any) -> forebay.Result:
    """A port with some arguments."""
    return forebay.run({"port": PORT, "traffic": TRAFFIC, "policy": POLICY} if scenario is None else scenario, **more)


def port(**fields: Any) -> dict[str, Any]:
    """A scenario of which some parts are others."""
    return {"port": PORT, "traffic": TRAFFIC, "policy": POLICY, **fields}


# What is called, what the message names, and what it says to do.
WRONG: list[tuple[Callable[[], object], str, str]] = [
    (lambda: cache([]), "requests", "no requests"),
    (lambda: cache(None), "trace", ""),
    (lambda: cache(5), "", ""),
    (lambda: cache([1.5, 2.0]), "key 0", "whole number or a text"),
    (lambda: cache([1, None]), "key 1", "must be a text"),
    (lambda: cache([[1, 2], [3, 4]]), "keys", "one column"),
    (lambda: cache(np.array([True, False])), "keys", "whole numbers or texts"),
    (lambda: cache(np.array([np.nan, 1.0])), "key 0", "whole number"),
    (lambda: cache(["", "a"]), "key 0", "no key"),
    (lambda: cache(pd.DataFrame({"what": [1]})), "column `key`", "what"),
    (lambda: cache(pd.DataFrame({"key": [1, 2], "time": [-1, 2]})), "times", "zero or above"),
    (lambda: cache(pd.DataFrame({"key": [1, 2], "time": [5, 2]}), latency="1 ms"), "request 1", "sort the trace"),
    (lambda: cache(pd.DataFrame({"key": [1, 2], "time": ["a", "b"]})), "times", "whole numbers"),
    (lambda: cache(pd.DataFrame({"key": [1, 2], "size": [1.5, 2]})), "sizes", "whole numbers"),
    (lambda: cache(pd.DataFrame({"key": [1, 2], "size": [-1, 2]})), "sizes", "zero or above"),
    (lambda: cache(forebay.Requests([1, 2], [1])), "1 times for 2 keys", "each request needs one"),
    (lambda: cache(forebay.Requests([1, 2], None, [1])), "1 sizes for 2 keys", "each request needs one"),
    (lambda: cache(forebay.Requests([1, 2], [np.inf, 1.0])), "times", "finite"),
    (lambda: cache(forebay.Requests([1, 2], [1, 1], slots=True)), "request 1", "at most one"),
    (lambda: cache("there-is-no-such-file"), "there-is-no-such-file", "no such file"),
    (lambda: cache("zip:objects=10"), "zip", "did you mean `zipf`"),
    (lambda: cache(policies=[]), "policies", "at least one"),
    (lambda: cache(policies=7), "policies", "list of names"),
    (lambda: cache(policies="lrru"), '["policy"][0]', "did you mean `l"),
    (lambda: cache(policies=["lru", "lru"]), '["policy"]', ""),
    (lambda: cache(policies={"name": "lru-k", "kk": 3}), '["policy"][0]', "known are k"),
    (lambda: cache(capacity=0), '["cache"]["capacity"]', ""),
    (lambda: cache(capacity=-1), '["cache"]["capacity"]', ""),
    (lambda: cache(capacity="many"), '["cache"]["capacity"]', ""),
    (lambda: cache(capacity=float("nan")), "capacity", "finite"),
    (lambda: cache(capacity=object()), "capacity", "a text, a number"),
    (lambda: cache(latency="fast"), '["cache"]["latency"]', ""),
    (lambda: cache(latency=-3), '["cache"]["latency"]', ""),
    (lambda: cache(latncy=3), '["cache"]["latncy"]', "did you mean `latency`"),
    (lambda: cache(ttl="never ever"), '["cache"]["ttl"]', ""),
    (lambda: cache(seed=-1), "seed", "whole number"),
    (lambda: cache(seed="one"), "seed", "whole number"),
    (lambda: cache(repetitions=1.5), "repetitions", "whole number"),
    (lambda: cache(repetitions=0), "repetitions", ""),
    (lambda: cache(threads=0), "threads", "whole number from 1"),
    (lambda: cache(threads=True), "threads", "whole number"),
    (lambda: cache(baseline="nobody"), "baseline", "nobody"),
    (lambda: run(port(port={"rate": "10 Gbps", "bufer": 3})), '["port"]["bufer"]', "did you mean `buffer`"),
    (lambda: run(port(port={"rate": 3})), '["port"]["rate"]', ""),
    (lambda: run(port(port={})), '["port"]', "rate"),
    (lambda: run(port(policy=[])), '["policy"]', ""),
    (lambda: run(port(policy=[{"rank": "arrival", "queue": "sppifo"}])), '["policy"][0]["queue"]', "sp-pifo"),
    (lambda: run(port(policy=[{"rank": "nothing", "queue": "fifo"}])), '["policy"][0]["rank"]', ""),
    (lambda: run(port(polcy=POLICY)), '["polcy"]', "policy"),
    (lambda: run({}), "", ""),
    (lambda: run(7), "scenario", "a dict, a path, a text"),
    (lambda: run(b"port"), "scenario", "a dict, a path, a text"),
    (lambda: run("no-such-scenario.toml"), "no-such-scenario.toml", "cannot be read"),
    (lambda: run("port = {\nrate = 3\n"), "scenario", "not TOML"),
    (lambda: run(port(**{"traffic": {"trace": pd.DataFrame({"size": [1]})}})), "column `arrival`", "size"),
    (lambda: run(port(traffic={"trace": pd.DataFrame({"arrival": [1.0, np.inf], "size": [1, 1]})})), "arrival", "finite"),
    (lambda: run(port(traffic={"trace": pd.DataFrame({"arrival": [1, 2], "size": [-1, 1]})})), "size_bytes", "zero or above"),
    (lambda: run(port(traffic={"trace": [1, 2]})), "trace", "columns `arrival` and `size`"),
    (lambda: run({1: 2}), "scenario", "a name must be a text"),
    (lambda: run(set={"port.rate": object()}), "set", "a text, a number"),
    (lambda: run(set={"port.rat.e": 1}), "port.rat.e", ""),
    (lambda: forebay.names("queus"), "queus", "did you mean `queues`"),
    (lambda: forebay.check("no-such-policy.oq"), "no-such-policy.oq", ""),
    (lambda: forebay.compile("q = Queue(4 pkts);\nout = Port(100);\n", target="cc"), "target", ""),
    (lambda: forebay.explain("sp-pifoo"), "sp-pifo", ""),
    (lambda: forebay.sweep(port(), executor=7), "executor", "submit"),
    (lambda: forebay.trace.read("no-such-trace.csv"), "no-such-trace.csv", "no such file"),
    (lambda: forebay.attack(innocent={}, attack={"rate": "1 Mbps"}, policies=POLICY), '["innocent"]', "add for example"),
]


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_an_error_names_the_argument_and_the_fix(number: int) -> None:
    call, named, advice = WRONG[number]
    with pytest.raises(forebay.ForebayError) as raised:
        call()
    message = str(raised.value)
    assert named.replace('"', "'") in message and advice in message, message
    assert "\n" not in message.strip() or "policy" in message
    again = pickle.loads(pickle.dumps(raised.value))
    assert str(again) == message and again.__dict__ == raised.value.__dict__


def test_there_are_enough_of_them() -> None:
    assert len(WRONG) >= 64


def test_a_file_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "port.toml"
    path.write_text('[port]\nrate = "10 Gbps"\nbuffer = "eighty"\n[traffic]\narrivals = "poisson"\nload = 1\npackets = 9\nsize_bytes = 99\n[[policy]]\nrank = "arrival"\nqueue = "fifo"\n')
    with pytest.raises(forebay.ForebayError) as raised:
        forebay.run(path)
    assert (raised.value.file, raised.value.line, raised.value.field) == (str(path), 3, "buffer")
