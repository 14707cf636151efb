"""Charts: their numbers as CSV, and pictures of these by `forebay plot`, so that they look like all figures of forebay."""

import csv
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from . import tools

FOREBAY = tools.ROOT / "target" / "debug" / "forebay"


@dataclass(frozen=True)
class Series:
    """A line: points in order of x."""

    label: str
    points: tuple[tuple[float, float], ...]


def write(path: Path, title: str, x_title: str, y_title: str, series: Sequence[Series], log_y: bool = False) -> None:
    """Writes the numbers beside `path`, and the chart there if there is a `forebay` to draw it; x is logarithmic."""
    data = path.with_suffix(".data.csv")
    with data.open("w", newline="") as file:
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow(["line", x_title, y_title])
        lines.writerows([line.label, f"{x:g}", f"{y:g}"] for line in series for x, y in line.points)
    if not FOREBAY.is_file():
        tools.say(f"skipped: {path.name}: {FOREBAY.relative_to(tools.ROOT)} is missing; cargo build --package forebay-cli")
        return
    command = [FOREBAY, "plot", data, "--x", x_title, "--y", y_title, "--by", "line", "--log", "both" if log_y else "x"]
    subprocess.run([*command, "--title", title, "--width", "130mm", "--alone", "--out", path], check=True)
