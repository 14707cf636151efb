"""Algorithms of your own, which forebay calls."""

from __future__ import annotations

from typing import Any


class CachePolicy:
    """A cache policy of your own: subclass it, and give the class among the `policies` of `forebay.cache`, `curve` or a scenario.

    forebay makes one for each cache that it plays, and calls its methods in the order of the requests. `forebay.testing.check_cache_policy` finds
    out whether it keeps to this contract. A call takes some 0.2 us more than the method itself.

    Parameters
    ----------
    capacity : int
        Of the cache, in entries, or in bytes with ``sizes="bytes"``.

    Examples
    --------
    >>> import forebay
    >>> from collections import OrderedDict
    >>> class Lru(forebay.CachePolicy):
    ...     def __init__(self, capacity):
    ...         self.order = OrderedDict()
    ...     def hit(self, key):
    ...         self.order.move_to_end(key)
    ...     def insert(self, key, size):
    ...         self.order[key] = None
    ...     def victim(self, new):
    ...         return next(iter(self.order))
    ...     def remove(self, key):
    ...         del self.order[key]
    >>> result = forebay.cache([1, 2, 1, 3, 1] * 200, policies=["lru", Lru], capacity=2, latency=5)
    >>> hits = result.metric("hit_ratio")
    >>> hits["lru"] == hits["Lru"]
    True
    """

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity

    def request(self, key: int, time: int) -> None:
        """A request, before it is known whether it is a hit; `time` is in ticks of the trace. Leave it out if you need it not."""

    def hit(self, key: int) -> None:
        """The request hits this object."""
        raise NotImplementedError("write `hit(self, key)`")

    def insert(self, key: int, size: int) -> None:
        """The object enters the cache: its fetch has ended."""
        raise NotImplementedError("write `insert(self, key, size)`")

    def victim(self, new: int) -> int | None:
        """There is no room for `new`: the key of the object that leaves, which is in the cache; `None` if `new` shall not enter."""
        raise NotImplementedError("write `victim(self, new)`")

    def remove(self, key: int) -> None:
        """The object has left the cache, as `victim` said or for another reason."""
        raise NotImplementedError("write `remove(self, key)`")


def is_own(policy: Any) -> bool:
    """Whether a policy of a scenario is code: a class, or what makes a policy."""
    return isinstance(policy, type) or (callable(policy) and not hasattr(policy, "to_dict"))


def name_of(policy: Any) -> str:
    """What results call it."""
    return str(getattr(policy, "__name__", None) or getattr(getattr(policy, "func", None), "__name__", None) or type(policy).__name__)
