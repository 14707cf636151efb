"""Packets from tables, for the port of a scenario."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from ._columns import U64, _array, _find, _is_table, _names, refuse_negative, whole_numbers
from ._errors import ForebayWarning, argument_error

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
        self.columns: dict[str, U64] = {}
        for name, (others, is_time) in COLUMNS.items():
            own = _find(table, (name,))
            found = own if own is not None else _find(table, others)
            if found is not None:
                to_column = _picoseconds if is_time and own is None else _whole
                self.columns[name] = to_column(_array(found), name)
        lengths = {name: len(column) for name, column in self.columns.items()}
        if len(set(lengths.values())) > 1:
            said = ", ".join(f"`{name}` has {length}" for name, length in lengths.items())
            raise argument_error("trace", f"the columns of packets are not equally long: {said}")
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


# Picoseconds have 63 bits: 106 days.
_MOST = 2**63 - 1


def _picoseconds(array: np.ndarray[Any, Any], name: str) -> U64:
    if array.dtype.kind == "f":
        if not np.isfinite(array).all():
            raise argument_error("trace", f"`{name}` must be finite")
        refuse_negative(array, f"`{name}`", argument="trace", row="packet")
        array = _from_first(array, name, _MOST / 1e12)
        return np.rint(array * 1e12).astype(np.uint64)
    if array.dtype.kind in "mM":
        if np.isnat(array).any():
            place = int(np.flatnonzero(np.isnat(array))[0])
            raise argument_error("trace", f"`{name}` of packet {place} (counted from 0) is missing (NaT); leave such packets out")
        unit = "datetime64[ns]" if array.dtype.kind == "M" else "timedelta64[ns]"
        nanoseconds = array.astype(unit).view(np.int64)
        # Times count from the first packet: a date in picoseconds is beyond 64 bits, and a difference may be below zero.
        least = int(nanoseconds.min(initial=0)) if array.dtype.kind == "m" else int(nanoseconds.min()) if len(nanoseconds) else 0
        array = (nanoseconds - least).astype(np.uint64)
    array = _from_first(_whole(array, name), name, _MOST // 1000)
    return array * np.uint64(1000)


def _from_first(times: np.ndarray[Any, Any], name: str, most: float) -> np.ndarray[Any, Any]:
    """The same times; those of packets count from the first if they are dates, which are beyond what 63 bits of picoseconds say."""
    if not len(times) or times.max() <= most:
        return times
    if name == "arrival_ps" and times.max() - times.min() <= most:
        warnings.warn("the times of packets look like dates, and count from the first packet", ForebayWarning, stacklevel=6)
        return np.asarray(times - times.min())
    raise argument_error("trace", f"`{name.removesuffix('_ps')}` goes to {times.max()}; at most 106 days are possible")


def _whole(array: np.ndarray[Any, Any], name: str) -> U64:
    if array.dtype.kind == "b":
        array = array.astype(np.int64)
    return whole_numbers(array, f"`{name}`", argument="trace", row="packet").astype(np.uint64)
