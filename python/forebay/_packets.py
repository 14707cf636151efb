"""Packets from tables, for the port of a scenario."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._columns import _array, _find, _is_table, _names, refuse_negative, whole_numbers
from ._errors import argument_error

# The columns of a packet CSV, with other names under which people have them, and whether they are times.
COLUMNS: dict[str, tuple[tuple[str, ...], bool]] = {
    "arrival_ps": (("arrival", "time", "timestamp"), True),
    "size_bytes": (("size", "bytes", "length"), False),
    "flow": ((), False),
    "class": (("dscp",), False),
    "value": ((), False),
    "processing_ps": (("processing",), True),
    "slack_ps": (("slack",), True),
    "rank": ((), False),
    "remaining_bytes": (("remaining",), False),
    "queue": ((), False),
}


class Packets:
    """Packets, a row for each: the columns of a packet CSV (docs/traces.md).

    Parameters
    ----------
    table : DataFrame, Table or dict of arrays
        `arrival` (or `time`) and `size` in bytes, and where they are known `flow`, `class`, `value`, `processing`, `slack`, `rank`,
        `remaining` (bytes) and `queue`. Times are seconds if they have a fraction, nanoseconds if they are whole, `datetime64`, or
        picoseconds under the names `arrival_ps`, `processing_ps`, `slack_ps`.
    """

    def __init__(self, table: Any) -> None:
        if not _is_table(table):
            raise argument_error("trace", "packets are a table with columns `arrival` and `size`; or name a file")
        self.columns: dict[str, np.ndarray[Any, np.dtype[np.int64]]] = {}
        for name, (others, is_time) in COLUMNS.items():
            own = _find(table, (name,))
            found = own if own is not None else _find(table, others)
            if found is not None:
                to_column = _picoseconds if is_time and own is None else _whole
                self.columns[name] = to_column(_array(found), name)
        for needed in ("arrival_ps", "size_bytes"):
            if needed not in self.columns:
                names = ", ".join(map(str, _names(table)))
                short = needed.split("_")[0]
                raise argument_error("trace", f"the table of packets has no column `{short}` (its columns: {names})")

    @classmethod
    def of(cls, given: Any) -> Packets:
        """Packets, from a table if they are none yet."""
        return given if isinstance(given, Packets) else cls(given)

    def __len__(self) -> int:
        return len(self.columns["arrival_ps"])

    def __repr__(self) -> str:
        return f"Packets({len(self)} packets: {', '.join(self.columns)})"

    def csv(self) -> bytes:
        """The text of a packet CSV."""
        rows = np.column_stack(list(self.columns.values()))
        lines = [",".join(self.columns), *(",".join(map(str, row)) for row in rows.tolist())]
        return ("\n".join(lines) + "\n").encode()


def _picoseconds(array: np.ndarray[Any, Any], name: str) -> np.ndarray[Any, np.dtype[np.int64]]:
    if array.dtype.kind == "f":
        if not np.isfinite(array).all():
            raise argument_error("trace", f"`{name}` must be finite")
        refuse_negative(array, f"`{name}`", argument="trace", row="packet")
        return np.rint(array * 1e12).astype(np.int64)
    if array.dtype.kind in "mM":
        unit = "datetime64[ns]" if array.dtype.kind == "M" else "timedelta64[ns]"
        nanoseconds = array.astype(unit).view(np.int64)
        # A date in picoseconds is beyond 64 bits: times count from the first packet.
        start = int(nanoseconds.min()) if array.dtype.kind == "M" and len(nanoseconds) else 0
        return (nanoseconds - start) * 1000
    return _whole(array, name) * 1000


def _whole(array: np.ndarray[Any, Any], name: str) -> np.ndarray[Any, np.dtype[np.int64]]:
    if array.dtype.kind == "b":
        array = array.astype(np.int64)
    return whole_numbers(array, f"`{name}`", argument="trace", row="packet").astype(np.int64)
