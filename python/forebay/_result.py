"""What came of a scenario."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ._errors import argument_error
from ._vega import specification

if TYPE_CHECKING:
    import altair
    import pandas
    import polars
    import pyarrow

    from . import _forebay


class Picture:
    """A picture as SVG, which a notebook shows.

    Attributes
    ----------
    name : str
        What it is called, like ``"delay"``.
    svg : str
        The picture.
    """

    def __init__(self, name: str, svg: str) -> None:
        self.name = name
        self.svg = svg

    def save(self, path: str | Path) -> None:
        """Write the picture as an SVG file."""
        Path(path).write_text(self.svg, encoding="utf-8")

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"Picture({self.name!r}, {len(self.svg)} bytes of SVG)"


class Result:
    """The numbers of a run, as a table, data frames, JSON and pictures.

    `print(result)` shows the table of the command; in a notebook a result shows its table and its pictures. Times are in seconds,
    sizes in bytes, rates in bits per second, shares between 0 and 1.

    Attributes
    ----------
    kind : str
        ``"port"``, ``"network"``, ``"attack"``, ``"cache"``, ``"curve"`` or ``"bound"``.
    complete : bool
        Whether every run was made; false after an interrupt.
    warnings : list of str
        What a reader of the numbers must know.
    """

    def __init__(self, answer: _forebay.Answer) -> None:
        self._answer: _forebay.Answer | None = answer
        self.kind = answer.kind()
        self.complete = answer.is_complete()
        self.warnings = answer.warnings()
        self._kept: dict[str, Any] = {}

    def _ask(self, what: str) -> Any:
        if what not in self._kept:
            assert self._answer is not None
            value = getattr(self._answer, what)()
            self._kept[what] = dict(value) if what == "files" else value
        return self._kept[what]

    def __getstate__(self) -> dict[str, Any]:
        for what in ("table", "csv", "json", "columns", "files"):
            self._ask(what)
        return {**self.__dict__, "_answer": None}

    def table(self) -> str:
        """The table for people, as the command prints it."""
        return str(self._ask("table"))

    def csv(self) -> str:
        """The long table as CSV: a line for each number of each policy and repetition."""
        return str(self._ask("csv"))

    def json(self) -> str:
        """Everything as JSON, byte by byte as `forebay run --format json` prints it (docs/result.md)."""
        return str(self._ask("json"))

    def to_dict(self) -> dict[str, Any]:
        """The JSON as a `dict`."""
        return dict(json.loads(self.json()))

    @property
    def columns(self) -> Mapping[str, Any]:
        """The columns of the long table: numpy arrays of numbers, lists of texts."""
        return dict(self._ask("columns"))

    def to_pandas(self) -> pandas.DataFrame:
        """The long table as a data frame of pandas."""
        import pandas as pd

        return pd.DataFrame(self.columns)

    def to_polars(self) -> polars.DataFrame:
        """The long table as a data frame of polars."""
        import polars as pl

        return pl.DataFrame(self.columns)

    def to_arrow(self) -> pyarrow.Table:
        """The long table as a table of pyarrow."""
        import pyarrow as pa

        return pa.table(self if self._answer is not None else dict(self.columns))

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The long table by Arrow's C stream interface, which DuckDB, polars, pyarrow and others take."""
        if self._answer is None:
            return self.to_arrow().__arrow_c_stream__(requested_schema)
        return self._answer.arrow_stream()

    def metric(self, metric: str, *, subject: str = "all") -> dict[str, Any]:
        """One metric of each policy: the mean over repetitions.

        Parameters
        ----------
        metric : str
            As in the long table, like ``"delay:p99"``; with a slip, the error says which are near.
        subject : str, default "all"
            What the number is of, like ``"class"``.

        Returns
        -------
        dict
            By policy, or by policy and item or swept values where a policy has several numbers.
        """
        columns = self.columns
        axes = list(columns)[: list(columns).index("policy")]
        known = self._metrics(metric, subject)
        if metric not in known:
            near = _near(metric, known)
            raise argument_error("metric", f"there is no `{metric}` of `{subject}`; {near}")
        sums: dict[tuple[Any, ...], list[float]] = {}
        for row in range(len(columns["value"])):
            if columns["metric"][row] != metric or columns["subject"][row] != subject:
                continue
            place = (columns["policy"][row], *(columns[axis][row] for axis in axes), columns["item"][row])
            sums.setdefault(tuple(part for part in place if part not in ("", None)), []).append(float(columns["value"][row]))
        return {(place[0] if len(place) == 1 else place): sum(all_) / len(all_) for place, all_ in sums.items()}  # type: ignore[misc]

    def _metrics(self, metric: Any, subject: str) -> list[str]:
        """The metrics of a subject, if both are texts and there is such a subject."""
        if not isinstance(metric, str):
            raise argument_error("metric", f"give a name like \"delay:p99\", not {metric!r}")
        subjects = dict.fromkeys(self.columns["subject"])
        if subject not in subjects:
            raise argument_error("subject", f"there is no `{subject}`; there are {', '.join(subjects)}")
        return sorted({name for name, of in zip(self.columns["metric"], self.columns["subject"]) if of == subject})

    @property
    def files(self) -> Mapping[str, bytes]:
        """What a result folder has beside `result.json`: pictures with their numbers, the long table, its summary."""
        return dict(self._ask("files"))

    @property
    def pictures(self) -> Mapping[str, Picture]:
        """The pictures by name."""
        svgs = {name: data for name, data in self.files.items() if name.endswith(".svg")}
        return {Path(name).stem: Picture(Path(name).stem, data.decode()) for name, data in svgs.items()}

    def plot(self, name: str | None = None) -> Picture:
        """A picture by its name; the first one without a name.

        Raises
        ------
        ForebayError
            If there is no such picture; the message lists those that there are.
        """
        pictures = self.pictures
        if not pictures:
            raise argument_error("name", f"a result of the kind `{self.kind}` has no picture here")
        if name is None:
            return next(iter(pictures.values()))
        if name not in pictures:
            raise argument_error("name", f"there is no picture `{name}`; there are {', '.join(pictures)}")
        return pictures[name]

    def to_vega_lite(self, metric: str, *, x: str | None = None, subject: str = "all") -> dict[str, Any]:
        """A metric as a Vega-Lite specification with its data: over what was varied, a line or bar for each policy, 95 % intervals.

        Parameters
        ----------
        metric : str
            As in the long table, like ``"delay:p99"``.
        x : str, optional
            What is drawn from left to right, of what was varied; by default the first. The others become rows and columns of pictures.
        subject : str, default "all"
            What the number is of, like ``"class"``.

        Returns
        -------
        dict
            For `altair.Chart.from_dict`, or for a page with vega-embed.
        """
        known = self._metrics(metric, subject)
        return specification(self.files["summary.csv"].decode(), metric, x, subject, _near(metric, known))

    def chart(self, metric: str, *, x: str | None = None, subject: str = "all") -> altair.TopLevelMixin:
        """The same as a chart of Altair, which a notebook shows and which can be changed.

        Parameters
        ----------
        metric, x, subject
            As of `to_vega_lite`.
        """
        import altair

        return altair.Chart.from_dict(self.to_vega_lite(metric, x=x, subject=subject))

    def save(self, folder: str | Path) -> None:
        """Write `result.json` and all other files into a folder."""
        target = Path(folder)
        target.mkdir(parents=True, exist_ok=True)
        (target / "result.json").write_text(self.json(), encoding="utf-8")
        for name, data in self.files.items():
            path = target / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)

    def __repr__(self) -> str:
        return self.table()

    def _repr_html_(self) -> str:
        shown = [f"<pre>{html.escape(self.table())}</pre>", *(picture.svg for picture in self.pictures.values())]
        return "\n".join(shown)


def _near(name: str, known: list[str]) -> str:
    import difflib

    near = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
    if near:
        return f"did you mean {' or '.join(f'`{one}`' for one in near)}?"
    return f"there are {', '.join(known)}"
