"""Traces of every format that forebay reads, as arrays."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _forebay
from ._columns import Requests
from ._errors import ForebayWarning

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

__all__ = ["Trace", "read"]


class Trace:
    """The requests of a trace, a row for each.

    Attributes
    ----------
    format : str
        The format, like ``"arc"``, or the generator.
    clock : str
        ``"ns"``: `time` counts nanoseconds from the first request; ``"slots"``: it is the number of a slot.
    columns : dict of str to numpy.ndarray
        `time`, `key` and, if the trace has sizes, `size` in bytes. Keys that are no whole numbers became XXH64 of their text.
    """

    def __init__(self, read: dict[str, Any]) -> None:
        self.format = str(read["format"])
        self.clock = str(read["clock"])
        self.columns = {name: read[name] for name in ("time", "key", "size") if name in read}

    def requests(self) -> Requests:
        """The same for `forebay.cache`, without a copy."""
        columns = self.columns
        return Requests(columns["key"], columns["time"], columns.get("size"), slots=self.clock == "slots")

    def to_pandas(self) -> pandas.DataFrame:
        """As a data frame of pandas."""
        import pandas as pd

        return pd.DataFrame(self.columns)

    def to_polars(self) -> polars.DataFrame:
        """As a data frame of polars."""
        import polars as pl

        return pl.DataFrame(self.columns)

    def to_arrow(self) -> pyarrow.Table:
        """As a table of pyarrow."""
        import pyarrow as pa

        return pa.table(self.columns)

    def __len__(self) -> int:
        return len(self.columns["key"])

    def __repr__(self) -> str:
        objects = len(np.unique(self.columns["key"]))
        return f"Trace({len(self)} requests for {objects} objects, format={self.format!r}, clock={self.clock!r})"


def read(
    trace: str | Path, *, format: str | None = None, first: int | None = None, seed: int | None = None  # noqa: A002
) -> Trace:
    """Read a trace of requests: a file of any format of docs/traces.md, packed or not, or a recipe.

    Parameters
    ----------
    trace : str or Path
        A file, or a recipe like ``"zipf:objects=1e4,requests=1e5,skew=0.9"``.
    format : str, optional
        Its format, with options, if it is not recognised: like ``"csv:key=2,time=1"``.
    first : int, optional
        How many of its first requests are read.
    seed : int, optional
        Of a recipe.

    Returns
    -------
    Trace

    Raises
    ------
    ForebayError
        If the file is wrong, with its line.

    Examples
    --------
    >>> import forebay
    >>> len(forebay.trace.read("zipf:objects=10,requests=100,skew=0.9"))
    100
    """
    found = _forebay.read_requests(Path(trace), format, first, seed)
    for warning in found["warnings"]:
        warnings.warn(f"{trace}: {warning}", ForebayWarning, stacklevel=2)
    return Trace(found)
