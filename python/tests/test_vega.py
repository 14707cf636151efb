"""Results as Vega-Lite specifications."""

from __future__ import annotations

from typing import Any

import altair
import pytest

import forebay

CACHE: dict[str, Any] = {"policies": ["lru", "lru-mad"], "progress": False}
ZIPF = "zipf:objects=500,requests=5000,skew=0.9"


def test_a_swept_value_is_the_axis_and_others_are_pictures_beside_each_other() -> None:
    result = forebay.cache(ZIPF, capacity=[20, 40], latency=[1, 10, 100], repetitions=3, **CACHE)
    spec = result.to_vega_lite("latency:mean", x="latency")
    assert spec["facet"]["column"]["field"] == "capacity" and spec["spec"]["encoding"]["x"]["field"] == "latency"
    values = spec["data"]["values"]
    assert len(values) == 12 and all(value["low"] < value["mean"] < value["high"] for value in values)
    means = result.metric("latency:mean")
    assert sorted(value["mean"] for value in values) == pytest.approx(sorted(means.values()))
    altair.Chart.from_dict(spec).to_dict()


def test_without_a_swept_value_policies_are_bars() -> None:
    result = forebay.cache(ZIPF, capacity=20, latency=10, **CACHE)
    spec = result.to_vega_lite("hit_ratio")
    assert spec["layer"][0]["mark"]["type"] == "bar" and len(spec["layer"]) == 1
    assert isinstance(result.chart("hit_ratio"), altair.TopLevelMixin)


def test_units_are_on_the_axis(port: dict[str, Any]) -> None:
    result = forebay.run({**port, "repetitions": 2})
    assert "'~s') + 's'" in result.to_vega_lite("delay:p99")["encoding"]["y"]["axis"]["labelExpr"]
    assert "throughput" in str(result.to_vega_lite("throughput"))
    result.chart("delay:p99").to_dict()


def test_mistakes_say_what_there_is(port: dict[str, Any]) -> None:
    result = forebay.run(port)
    with pytest.raises(forebay.ForebayError, match="there is no `delay:p98` of `all`; did you mean `delay:p"):
        result.to_vega_lite("delay:p98")
    with pytest.raises(forebay.ForebayError, match="x: `load` has one value or none; nothing else was varied"):
        result.to_vega_lite("delay:p99", x="load")
