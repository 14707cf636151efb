"""Native functions as algorithms: compiled by Numba, by a C compiler, by whatever gives an address.

A call takes some nanoseconds, where a method of Python takes some hundred. forebay cannot check the form of a native function: a wrong one
ends the process, as in C. Numba's `cfunc` takes the form from here:

>>> import forebay, numba, numpy as np  # doctest: +SKIP
>>> @numba.cfunc(forebay.native.RANK)  # doctest: +SKIP
... def shortest_first(now, size, flow, class_, rank, value, processing, remaining, state):
...     return size
>>> shortest = forebay.native.rank_function(shortest_first)  # doctest: +SKIP
>>> forebay.run({..., "policy": [{"rank": shortest, "queue": "pifo"}]})  # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ._errors import argument_error

__all__ = ["HIT", "INSERT", "RANK", "REMOVE", "VICTIM", "cache_policy", "rank_function"]

#: Of a rank function: time in picoseconds, the packet's size, flow, class, rank, value, processing in picoseconds, remaining bytes; the state.
RANK = "uint64(uint64, uint64, uint64, uint64, uint64, uint64, uint64, uint64, voidptr)"
#: Of `hit` of a cache policy: slot, key, state.
HIT = "void(uint64, uint64, voidptr)"
#: Of `insert`: slot, key, size, state.
INSERT = "void(uint64, uint64, uint64, voidptr)"
#: Of `victim`: the key of the new object, state; it gives the slot that is emptied, or 2**64 - 1 if the new object shall not enter.
VICTIM = "uint64(uint64, voidptr)"
#: Of `remove`: slot, key, state.
REMOVE = "void(uint64, uint64, voidptr)"


class Native:
    """Functions by their addresses, and what makes the array that they may change."""

    def __init__(self, kind: str, name: str, functions: dict[str, Any], state: Callable[..., Any] | None) -> None:
        if state is not None and not callable(state):
            raise argument_error("state", f"give a function that makes a new array for each run, not {type(state).__name__}")
        self.native_kind = kind
        self.__name__ = name
        self.addresses = {name: _address(name, function) for name, function in functions.items()}
        self.state = state
        # Keeps the compiled code in memory.
        self.functions = functions


def rank_function(rank: Any, *, state: Callable[[], Any] | None = None, name: str | None = None) -> Native:
    """A native rank function, to be given as `rank` of a policy.

    Parameters
    ----------
    rank : numba.cfunc, ctypes function or int
        A function of the form `RANK`, or its address.
    state : callable, optional
        Makes a numpy array for each run, whose address is the last argument of each call.
    name : str, optional
        What results call it; by default the function's name.
    """
    return Native("rank", name or _name(rank), {"rank": rank}, state)


def cache_policy(
    *,
    hit: Any,
    insert: Any,
    victim: Any,
    remove: Any,
    state: Callable[[int, int], Any] | None = None,
    name: str | None = None,
) -> Native:
    """A native cache policy, to be given among the `policies` of `forebay.cache`.

    Objects are in slots, small numbers from 0: so the state can be arrays with a place for each slot.

    Parameters
    ----------
    hit, insert, victim, remove : numba.cfunc, ctypes function or int
        Functions of the forms `HIT`, `INSERT`, `VICTIM` and `REMOVE`, or their addresses.
    state : callable, optional
        Makes a numpy array for each cache, from `capacity` and `slots`, the number of slots.
    name : str, optional
        What results call it; by default the name of `victim`.
    """
    functions = {"hit": hit, "insert": insert, "victim": victim, "remove": remove}
    return Native("cache_policy", name or _name(victim), functions, state)


def _address(name: str, function: Any) -> int:
    import ctypes
    from _ctypes import CFuncPtr

    address = getattr(function, "address", function)
    of_ctypes: Any = (CFuncPtr, ctypes.c_void_p)
    if isinstance(function, of_ctypes):
        address = ctypes.cast(function, ctypes.c_void_p).value
    if not isinstance(address, int) or isinstance(address, bool) or not 0 < address < 2**64:
        raise argument_error(name, f"give a compiled function (numba.cfunc), one of ctypes, or its address, not {type(function).__name__}")
    return address


def _name(function: Any) -> str:
    return str(getattr(function, "__name__", "native"))
