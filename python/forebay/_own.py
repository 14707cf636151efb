"""Algorithms of your own, which forebay calls."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ._errors import argument_error

if TYPE_CHECKING:
    from ._forebay import Acked, Limits, Packet


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


class RankFunction:
    """A rank function of your own: it gives each packet its place in the order of service, lowest first.

    Subclass it, and give the class as `rank` of a policy, of a node of a tree or of the `port` of a network:
    ``{"rank": Mine, "queue": "pifo"}``, or ``{"rank": {"name": Mine, "weight": 3}, ...}``, whose `weight` becomes an argument. forebay makes
    one for each port and run. Times are whole numbers of picoseconds.

    Parameters
    ----------
    link_rate : int or None
        Of the port, in bits per second; `None` in a node of a tree that shares a link.

    Examples
    --------
    >>> import forebay
    >>> class ShortestFirst(forebay.RankFunction):
    ...     def rank(self, now, packet):
    ...         return packet.size
    >>> result = forebay.run({
    ...     "port": {"rate": "10 Gbps", "buffer": "80 packets"},
    ...     "traffic": {"arrivals": "poisson", "load": 1.1, "packets": 2000, "size_bytes": {"distribution": "uniform", "min": 64, "max": 1500}},
    ...     "policy": [{"rank": "arrival", "queue": "pifo"}, {"rank": ShortestFirst, "queue": "pifo"}],
    ... }, progress=False)
    >>> "ShortestFirst pifo" in result.table()
    True
    """

    def __init__(self, link_rate: int | None) -> None:
        self.link_rate = link_rate

    def rank(self, now: int, packet: Packet) -> int:
        """The rank of a packet that arrives now, from 0 to 2**64 - 1. It may be dropped afterwards: count in `queued` what was accepted."""
        raise NotImplementedError("write `rank(self, now, packet)`")

    def queued(self, packet: Packet) -> None:
        """The packet was accepted; `packet.rank` is its rank. Leave it out if you need it not."""

    def evicted(self, packet: Packet) -> None:
        """The packet was accepted before and is pushed out now. Leave it out if you need it not."""

    def dequeued(self, now: int, packet: Packet) -> None:
        """The packet leaves now to be sent. Leave it out if you need it not."""


class RankQueue:
    """A rank queue of your own: it says which packet goes next.

    Subclass it, and give the class as `queue` of a policy. Items are small whole numbers, which forebay gives and wants back: each item
    leaves exactly once. The queue never holds more than `capacity` items. With `peek_max` and `pop_max` it also works with
    ``"drop": "worst-first"``.

    Parameters
    ----------
    capacity : int
        How many packets the buffer holds at most.
    """

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity

    def push(self, rank: int, item: int) -> bool | None:
        """Take an item; `False` if there is no room for this rank, and the packet is dropped."""
        raise NotImplementedError("write `push(self, rank, item)`")

    def pop(self) -> int | None:
        """The item that goes next, which leaves the queue. Called while items are in."""
        raise NotImplementedError("write `pop(self)`")

    def peek_max(self) -> int | None:
        """The item of highest rank, the latest among equals, which stays. Leave it out if the queue cannot say."""
        return None

    def pop_max(self) -> int | None:
        """The same, which leaves the queue."""
        return None


class DropRule:
    """A drop rule of your own: it says who leaves when the buffer is full. Subclass it, and give the class as `drop` of a policy."""

    def pushes_out(self, arriving: Packet, worst: Packet | None) -> bool:
        """Whether the waiting packet of highest rank leaves for the arriving one; otherwise this is dropped.

        It is asked again until there is room. `worst` is `None` if the queue cannot give up its worst packet; the answer is `False` then.
        """
        raise NotImplementedError("write `pushes_out(self, arriving, worst)`")


class CongestionControl:
    """A congestion control of your own, under forebay's TCP: subclass it, and give the class as `transport` of a policy or workload of a network.

    ``{"name": Mine, "sack": True}`` sets TCP's parameters. forebay makes one for each flow. After each call it reads `window_bytes` and
    `pacing_rate`. Times are whole numbers of picoseconds, windows are bytes of the flow without headers. The contract is that of RFC 5681
    and `forebay.testing.check` tries it.

    Parameters
    ----------
    limits : Limits
        What is known before the flow starts: `segment`, `initial_window`, `initial_threshold` and `max_window`, in bytes.

    Attributes
    ----------
    window_bytes : int
        What may be in flight: at least a segment, at most `limits.max_window`.
    pacing_rate : int or None
        Bits of the flow per second that may leave; `None`: as fast as the window lets them.
    ecn : {"off", "classic", "exact"}
        Which marks it asks for: none; as losses, RFC 3168; byte by byte, RFC 8257.
    reduces_at_every_mark : bool
        Whether it hears of every marked acknowledgement, and not of one in a window of data.
    """

    ecn: str = "off"
    reduces_at_every_mark: bool = False
    pacing_rate: int | None = None

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.window_bytes: int = limits.initial_window

    def on_ack(self, now: int, acked: Acked) -> None:
        """Data was acknowledged."""
        raise NotImplementedError("write `on_ack(self, now, acked)`")

    def on_congestion(self, now: int, congestion: str, in_flight: int) -> None:
        """The network is congested: ``"loss"`` or ``"mark"``. Comes at most once in a window of data."""
        raise NotImplementedError("write `on_congestion(self, now, congestion, in_flight)`")

    def on_recovered(self, now: int, in_flight: int) -> None:
        """All that was lost has arrived."""
        raise NotImplementedError("write `on_recovered(self, now, in_flight)`")

    def on_timeout(self, now: int, in_flight: int | None) -> None:
        """The retransmission timer expired; the window is one segment then. `None`: without an acknowledgement since the last timeout."""
        raise NotImplementedError("write `on_timeout(self, now, in_flight)`")

    def on_sent(self, now: int, sent: int, in_flight: int) -> None:
        """The flow sends so many bytes. Leave it out if you need it not."""

    def on_idle(self, now: int) -> None:
        """The flow sends again after an idle time longer than the retransmission timeout. Leave it out if you need it not."""


class Source:
    """Packets of your own: subclass it, and give the class as `trace` of `traffic`. forebay iterates over it once in each run.

    Parameters
    ----------
    seed : int
        Of this run: another one in each repetition, the same for all policies.

    Attributes
    ----------
    fields : sequence of str
        What its packets have beside `arrival`, `size`, `flow` and `class_`: of ``"rank"``, ``"value"``, ``"processing"``, ``"slack"``,
        ``"remaining"``, ``"queue"``.
    packets : int or None
        How many there are, for the progress.

    Examples
    --------
    >>> import forebay, random
    >>> class Bursts(forebay.Source):
    ...     packets = 1000
    ...     def __iter__(self):
    ...         rng = random.Random(self.seed)
    ...         for number in range(1000):
    ...             yield forebay.Packet(arrival=number // 50 * 100_000_000, size=rng.randint(64, 1500), flow=number % 50)
    >>> result = forebay.run({
    ...     "port": {"rate": "10 Gbps", "buffer": "20 packets"}, "traffic": {"trace": Bursts}, "policy": [{"rank": "arrival", "queue": "fifo"}],
    ... }, progress=False)
    >>> result.metric("drop_share")["arrival fifo"] > 0
    True
    """

    fields: Sequence[str] = ()
    packets: int | None = None

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def __iter__(self) -> Iterator[Packet]:
        """The packets, in the order of their arrival."""
        raise NotImplementedError("write `__iter__(self)`, which yields `forebay.Packet`s")


# Where algorithms of one's own stand in a scenario, and which kind that makes them.
_PLACES = {"rank": "rank", "queue": "queue", "drop": "drop", "transport": "transport", "trace": "source"}
_CLASSES: dict[type, str] = {
    CachePolicy: "cache_policy",
    RankFunction: "rank",
    RankQueue: "queue",
    DropRule: "drop",
    CongestionControl: "transport",
    Source: "source",
}


class Own:
    """The algorithms of one's own in a scenario, by kind and by the names that stand there for them."""

    def __init__(self) -> None:
        self.makers: dict[str, dict[str, Any]] = {}

    @property
    def names(self) -> list[str]:
        """All names."""
        return [name for makers in self.makers.values() for name in makers]

    def named(self, value: Any) -> Any:
        """The same with names in place of code."""
        if isinstance(value, Mapping):
            return {key: self._at(key, inner) for key, inner in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.named(inner) for inner in value]
        return value

    def policies(self, policies: Sequence[Any]) -> list[Any]:
        """Policies of caches, of which some are code."""
        named: list[Any] = []
        for policy in policies:
            code = policy.get("name") if isinstance(policy, Mapping) else policy
            if isinstance(code, CachePolicy):
                raise argument_error("policies", f"give the class {type(code).__name__}, and not an instance of it")
            if is_own(code):
                name = self._name("cache_policy", code)
                named.append({**policy, "name": name} if isinstance(policy, Mapping) else {"name": name})
            else:
                named.append(self.named(policy))
        return named

    def _at(self, key: str, value: Any) -> Any:
        if hasattr(value, "to_dict") and not hasattr(value, "columns"):
            value = value.to_dict()
        kind = _PLACES.get(key)
        if kind is not None and isinstance(value, (list, tuple)):
            return [self._at(key, one) for one in value]
        if kind is not None and isinstance(value, tuple(_CLASSES)):
            raise argument_error(kind, f"give the class {type(value).__name__}, and not an instance of it")
        if kind is not None and is_own(value):
            return self._name(kind, value)
        if kind is not None and isinstance(value, Mapping) and is_own(value.get("name")):
            return {**value, "name": self._name(kind, value["name"])}
        return self.named(value)

    def _name(self, kind: str, code: Any) -> str:
        name = name_of(code)
        of_class = next((own for base, own in _CLASSES.items() if isinstance(code, type) and issubclass(code, base)), kind)
        is_kind = str(getattr(code, "native_kind", of_class))
        if is_kind != kind:
            raise argument_error(kind, f"{name} is a {_BASES[is_kind]}, but this field takes a {_BASES[kind]}")
        wanted = _ARGUMENTS[kind]
        if wanted is not None and not hasattr(code, "native_kind") and not _takes(code, wanted):
            message = f"{name} takes no `{wanted}`; subclass forebay.{_BASES[kind]}, with `def __init__(self, {wanted}, ...)`"
            raise argument_error(kind, message)
        others = [own for makers in self.makers.values() for other, own in makers.items() if other == name]
        if any(other is not code for other in others):
            raise argument_error(kind, f"two algorithms in Python are called `{name}`; give one of them another `__name__`")
        self.makers.setdefault(kind, {})[name] = code
        return name


# What forebay gives to the constructor of each kind.
_ARGUMENTS = {"cache_policy": "capacity", "rank": "link_rate", "queue": "capacity", "drop": None, "transport": "limits", "source": "seed"}


def _takes(code: Any, argument: str) -> bool:
    """Whether what makes an algorithm has an argument of this name."""
    try:
        parameters = inspect.signature(code).parameters.values()
    except (TypeError, ValueError):
        return True
    return any(parameter.name == argument or parameter.kind is parameter.VAR_KEYWORD for parameter in parameters)


_BASES = {kind: base.__name__ for base, kind in _CLASSES.items()}


def interrupt(threads: Sequence[int]) -> None:
    """Raise KeyboardInterrupt in what these threads run in Python."""
    import ctypes

    for thread in threads:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(KeyboardInterrupt))


def is_own(algorithm: Any) -> bool:
    """Whether an algorithm of a scenario is code: a class, what makes one when it is called, or native functions."""
    if hasattr(algorithm, "native_kind"):
        return True
    return isinstance(algorithm, type) or (callable(algorithm) and not hasattr(algorithm, "to_dict"))


def name_of(algorithm: Any) -> str:
    """What results call it."""
    function = getattr(algorithm, "func", None)
    if getattr(algorithm, "__name__", None) is None and function is not None:
        given = [*map(str, algorithm.args), *(f"{name}={value}" for name, value in algorithm.keywords.items())]
        return f"{name_of(function)}({', '.join(given)})"
    return str(getattr(algorithm, "__name__", None) or type(algorithm).__name__)
