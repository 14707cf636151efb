"""Pictures as Vega-Lite specifications, which Altair, Jupyter and web pages draw."""

from __future__ import annotations

import csv
from typing import Any

from ._errors import argument_error

_SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
# Those of Okabe and Ito, which people tell apart who see colours otherwise; brown in place of their yellow, which is faint on white.
_COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8c564b"]


def specification(summary: str, metric: str, x: str | None, subject: str, near: str) -> dict[str, Any]:
    """The specification of a chart: a metric over an axis, a line or bar for each policy, with 95 % intervals.

    `near` is what to say if there is no such metric.
    """
    rows = list(csv.DictReader(summary.splitlines()))
    columns = list(rows[0]) if rows else []
    axes = columns[: columns.index("policy")] if columns else []
    chosen = [row for row in rows if row["metric"] == metric and row["subject"] == subject]
    if not chosen:
        raise argument_error("metric", f"there is no `{metric}` of `{subject}`; {near}")
    varied = [axis for axis in [*axes, "item"] if len({row[axis] for row in chosen}) > 1]
    if x is not None and x not in varied:
        known = f"there are {', '.join(varied)}" if varied else "nothing else was varied: leave `x` out"
        raise argument_error("x", f"`{x}` has one value or none; {known}")
    across = x or next(iter(varied), None)
    facets = [axis for axis in varied if axis != across]
    if len(facets) > 2:
        raise argument_error("metric", f"{', '.join(varied)} vary, and a picture shows three of them; run fewer, or draw the data frame")
    unit = chosen[0]["unit"]
    values = [_row(row, varied, across) for row in chosen]
    has_intervals = any(value["ci95"] > 0 for value in values)
    is_number = across is not None and all(isinstance(value[across], float) for value in values)
    encoding = _encoding(metric, unit, across, is_number)
    mark = {"type": "line", "point": True} if is_number else {"type": "bar"}
    layers: list[dict[str, Any]] = [{"mark": mark}]
    if has_intervals:
        interval = {"y": {**encoding["y"], "field": "low"}, "y2": {"field": "high"}}
        layers.append({"mark": {"type": "rule"}, "encoding": interval | ({} if is_number else {"color": {"value": "#333333"}})})
    spec: dict[str, Any] = {"encoding": encoding, "layer": layers}
    if facets:
        places = dict(zip(("column", "row"), facets))
        spec = {"facet": {place: {"field": _field(axis), "type": "nominal", "title": axis} for place, axis in places.items()}, "spec": spec}
        spec["spec"] |= {"width": 220, "height": 180}
    else:
        spec |= {"width": 420, "height": 260}
    return {"$schema": _SCHEMA, "data": {"values": values}, **spec}


def _row(row: dict[str, str], axes: list[str], across: str | None) -> dict[str, Any]:
    numbers = {name: _number(row[name]) for name in ("mean", "ci95")}
    mean, ci95 = (value if isinstance(value, float) else 0.0 for value in numbers.values())
    own: dict[str, Any] = {"policy": row["policy"], "mean": mean, "ci95": ci95, "low": mean - ci95, "high": mean + ci95}
    for axis in axes:
        own[axis] = _number(row[axis]) if axis == across else row[axis]
    return own


def _number(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def _field(name: str) -> str:
    """A name in which Vega-Lite shall not look for a path."""
    return name.replace("\\", "\\\\").replace(".", "\\.").replace("[", "\\[").replace("]", "\\]")


def _encoding(metric: str, unit: str, across: str | None, is_number: bool) -> dict[str, Any]:
    shown = {"s": "s", "bit/s": "bit/s", "bytes": "B"}.get(unit)
    title = f"{metric} ({unit})" if unit not in ("1", "") else metric
    axis: dict[str, Any] = {"title": title}
    if shown:
        # 2e-05 becomes 20 µs.
        axis = {"title": metric, "labelExpr": f"datum.value == 0 ? '0' : format(datum.value, '~s') + '{shown}'"}
    encoding: dict[str, Any] = {
        "y": {"field": "mean", "type": "quantitative", "axis": axis},
        "color": {"field": "policy", "type": "nominal", "sort": None, "scale": {"range": _COLOURS}, "title": None},
    }
    if across is None:
        encoding["x"] = {"field": "policy", "type": "nominal", "sort": None, "title": None, "axis": {"labelAngle": -30}}
    elif is_number:
        encoding["x"] = {"field": _field(across), "type": "quantitative", "title": across, "scale": {"zero": False}, "axis": {"tickCount": 5}}
    else:
        encoding["x"] = {"field": _field(across), "type": "nominal", "sort": None, "title": across}
        encoding["xOffset"] = {"field": "policy", "sort": None}
    return encoding
