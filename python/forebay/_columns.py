"""Columns of numbers from whatever holds them: numpy, pandas, polars, Arrow, lists, iterators."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _forebay
from ._errors import argument_error

U64 = npt.NDArray[np.uint64]

# Beyond it, floats of 64 bits are not all whole numbers.
EXACT = 2**53

KEYS = ("key", "keys", "obj_id", "object", "id")
TIMES = ("time", "times", "timestamp", "ts")
SIZES = ("size", "sizes", "bytes", "obj_size")


class Requests:
    """Requests of a cache, held in memory: a key for each, and its time and size where these are known.

    Parameters
    ----------
    keys : array_like
        One for each request: whole numbers, texts or bytes. 64-bit whole numbers in a contiguous array are not copied; do not change them
        while forebay runs.
    times : array_like, optional
        When each arrives: nanoseconds (whole numbers), seconds (numbers with a fraction), or `datetime64`; never earlier than the one before.
        Without times, one request comes in each slot.
    sizes : array_like, optional
        The size of each object in bytes.
    slots : bool, default False
        Whether `times` are numbers of slots, of which each has at most one request.
    """

    def __init__(self, keys: Any, times: Any = None, sizes: Any = None, *, slots: bool = False) -> None:
        self.keys = _keys(keys)
        self.times = None if times is None else _times(times, slots=slots)
        self.sizes = None if sizes is None else _whole(sizes, "sizes")
        self.slots = slots
        self._held = _forebay.HeldRequests(self.keys, self.times, self.sizes, slots)

    def __len__(self) -> int:
        return len(self.keys)

    def __repr__(self) -> str:
        more = [name for name in ("times", "sizes") if getattr(self, name) is not None]
        return f"Requests({len(self)} keys{''.join(f', {name}' for name in more)})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _requests_again, (self.keys, self.times, self.sizes, self.slots)

    @classmethod
    def of(cls, given: Any) -> Requests:
        """Requests from a table with a column `key`, and `time` and `size` if it has them, or from keys alone."""
        if isinstance(given, Requests):
            return given
        if _is_table(given):
            keys = _find(given, KEYS)
            if keys is None:
                names = ", ".join(map(str, _names(given)))
                raise argument_error("requests", f"the table has no column `key` (its columns: {names}); rename the one with keys")
            return cls(keys, _find(given, TIMES), _find(given, SIZES))
        return cls(given)


def _requests_again(keys: U64, times: U64 | None, sizes: U64 | None, slots: bool) -> Requests:
    return Requests(keys, times, sizes, slots=slots)


def _is_table(given: Any) -> bool:
    structured = isinstance(given, np.ndarray) and given.dtype.names is not None
    return isinstance(given, Mapping) or hasattr(given, "columns") or hasattr(given, "column_names") or structured


def _names(table: Any) -> list[str]:
    if isinstance(table, Mapping):
        return list(table)
    if isinstance(table, np.ndarray):
        return list(table.dtype.names or ())
    return list(getattr(table, "column_names", None) or table.columns)


def _find(table: Any, names: tuple[str, ...]) -> Any:
    known = {str(name).lower(): name for name in _names(table)}
    found = next((known[name] for name in names if name in known), None)
    return None if found is None else table[found]


def _array(given: Any) -> npt.NDArray[Any]:
    """The numbers of a column, without a copy where that is possible."""
    if isinstance(given, np.ndarray):
        return given
    if hasattr(given, "combine_chunks"):  # pyarrow's ChunkedArray
        given = given.combine_chunks()
    if hasattr(given, "to_numpy"):
        try:
            array = given.to_numpy(zero_copy_only=False)  # pyarrow
        except TypeError:
            array = given.to_numpy()
        return np.asarray(array)
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise argument_error("requests", f"give a list, an array, a table or a Requests, not {type(given).__name__}")
    items = given if isinstance(given, (list, tuple)) else list(given)
    try:
        array = np.asarray(items)
    except ValueError as error:
        raise argument_error("requests", f"the items are not alike: {error}") from None
    # Whole numbers that fit no type of numpy together would become numbers with a fraction, which are not exact.
    if array.dtype.kind == "f" and any(isinstance(item, int) and abs(item) > EXACT for item in items):
        return np.array(items, dtype=object)
    return array


def _as_u64(array: npt.NDArray[Any], what: str) -> U64:
    if array.ndim != 1:
        raise argument_error("requests", f"{what} must be one column, not an array of {array.ndim} dimensions")
    if array.dtype.kind == "u":
        return np.ascontiguousarray(array.astype(np.uint64, copy=False))
    return np.ascontiguousarray(array.astype(np.int64, copy=False)).view(np.uint64)


def _keys(given: Any) -> U64:
    array = _array(given)
    if array.dtype.kind in "iu":
        return _as_u64(array, "keys")
    if array.dtype.kind == "f":
        is_whole = np.isfinite(array) & (np.rint(array) == array) & (np.abs(array) <= EXACT)
        if is_whole.all():
            return _as_u64(array.astype(np.int64), "keys")
        place = int(np.flatnonzero(~is_whole)[0])
        what = f"key {place} (counted from 0) must be a whole number or a text, not {array[place]}"
        beyond = "; whole numbers beyond 2**53 are not exact as floats: give integers or texts" if abs(array[place]) > EXACT else ""
        raise argument_error("requests", what + beyond)
    if array.dtype.kind not in "OSUT":
        raise argument_error("requests", f"keys must be whole numbers or texts, not {array.dtype}")
    if array.ndim != 1:
        raise argument_error("requests", f"keys must be one column, not an array of {array.ndim} dimensions")
    return _forebay.numbers_of_keys(array.tolist())


def _whole(given: Any, what: str) -> U64:
    return _as_u64(whole_numbers(_array(given), what), what)


def whole_numbers(
    array: npt.NDArray[Any], what: str, *, argument: str = "requests", row: str = "request"
) -> npt.NDArray[Any]:
    """The same as whole numbers, zero or above; `row` is what each of them is of."""
    if array.dtype.kind == "f" and np.isfinite(array).all() and (np.rint(array) == array).all() and (np.abs(array) <= EXACT).all():
        array = array.astype(np.int64)
    if array.dtype.kind not in "iu":
        raise argument_error(argument, f"{what} must be whole numbers" + ("" if array.dtype.kind == "f" else f", not {array.dtype}"))
    refuse_negative(array, what, argument=argument, row=row)
    return array


def refuse_negative(array: npt.NDArray[Any], what: str, *, argument: str = "requests", row: str = "request") -> None:
    """Raises an error if a number is below zero."""
    if array.dtype.kind in "if" and len(array) and array.min() < 0:
        place = int(np.flatnonzero(array < 0)[0])
        raise argument_error(argument, f"{what} must be zero or above; {array[place]} of {row} {place} (counted from 0) is below")


def _times(given: Any, *, slots: bool) -> U64:
    array = _array(given)
    if array.dtype.kind in "Mm":
        if np.isnat(array).any():
            place = int(np.flatnonzero(np.isnat(array))[0])
            raise argument_error("requests", f"time {place} (counted from 0) is missing (NaT); leave such requests out")
        nanoseconds = array.astype("datetime64[ns]" if array.dtype.kind == "M" else "timedelta64[ns]").view(np.int64)
        # Times count from the first; before 1970 they are below zero.
        least = int(nanoseconds.min(initial=0))
        return _as_u64(nanoseconds - least if least < 0 else nanoseconds, "times")
    if array.dtype.kind == "f" and not slots:
        if not np.isfinite(array).all():
            raise argument_error("requests", "times must be finite")
        refuse_negative(array, "times")
        return _as_u64(np.rint(array * 1e9).astype(np.int64), "times")
    return _whole(array, "times")
