"""The published figures of `experiments/`, and how each of their rows stands."""

from __future__ import annotations

import tomllib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from .text import cell, table

# How a row stands, in the order of the columns.
STANDINGS = {"holds": "hold", "tested": "differ, cause tested", "open": "differ, open", "certain": "cannot fail"}

STATES = {"holds": "holds", "tested": "differs, cause tested", "open": "differs, open", "certain": "cannot fail"}


@dataclass
class Experiment:
    """A published figure, table or claim that forebay measures again."""

    name: str
    title: str
    source: str
    rows: list[dict[str, object]]


def standing(row: dict[str, object]) -> str:
    """How a row is stated to stand, as `forebay repro --format json` says it."""
    if "differs" in row:
        return "tested" if "tested" in row else "open"
    return "certain" if "certain" in row else "holds"


def read(root: Path) -> list[Experiment]:
    """All experiments, in the order of their names."""
    found = []
    for file in sorted((root / "experiments").glob("*/*/experiment.toml")):
        content = tomllib.loads(file.read_text())
        name = file.parent.relative_to(root / "experiments").as_posix()
        found.append(Experiment(name, content["title"], content["source"], content.get("row", [])))
    return found


def counted(experiments: list[Experiment]) -> Counter[str]:
    """How many rows stand how."""
    return Counter(standing(row) for it in experiments for row in it.rows)


def overview(experiments: list[Experiment]) -> list[str]:
    """A table with a row for each experiment."""
    rows = []
    for it in experiments:
        link = f"../experiments/{it.name}/README.md"
        counts = counted([it])
        rows.append([f"[{it.name}]({link})", cell(it.title), *(str(counts[key] or "") for key in STANDINGS)])
    return table(["experiment", "what was published", *STANDINGS.values()], rows)


def quantities(experiments: list[Experiment]) -> list[str]:
    """A table with a row for each published quantity."""
    lines = []
    for it in experiments:
        link = f"../experiments/{it.name}/README.md"
        lines += [f"### {it.name}", "", f"{cell(it.title)} ({cell(it.source)}). [How it is measured]({link}); `forebay repro {it.name}` measures it again.", ""]
        lines += [*table(["quantity", "published", "tolerance", "stands", "why"], [quantity(row) for row in it.rows]), ""]
    return lines


def quantity(row: dict[str, object]) -> list[str]:
    """The cells of a published quantity."""
    why = row.get("differs", row.get("certain", ""))
    return [cell(str(row["quantity"])), cell(str(row["published"])), cell(str(row["tolerance"])), STATES[standing(row)], cell(str(why))]
