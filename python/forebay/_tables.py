"""The tables of scenarios as classes. Made by `generate.py` from the schema of scenarios: do not edit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Union

from ._table import Table

__all__ = [
    "Attack",
    "Attacks",
    "Below",
    "Bound",
    "Cache",
    "Change",
    "Curve",
    "DrawnLatency",
    "DrawnStateLatency",
    "Estimate",
    "Failure",
    "FlowBytes",
    "Innocent",
    "JobNs",
    "Network",
    "ObjectLatencies",
    "Objects",
    "OnOff",
    "Origin",
    "Period",
    "Policy",
    "Port",
    "Processor",
    "Range",
    "RankUnit",
    "Ranks",
    "Search",
    "Seer",
    "Series",
    "SharedBuffer",
    "State",
    "Store",
    "Strategy",
    "Suspected",
    "TcpReassembly",
    "Topology",
    "Traffic",
    "Tree",
    "TwoStageMatcher",
    "Workload",
]


class Attack(Table):
    """The attacker's budget and strategy.

    Parameters
    ----------
    rate : str or list or dict
        Mean rate of the attack.
    max_job : str or list or dict, optional
        Largest job that a packet can make, like `"10 us"` (default: that of the application, if it has one).
    min_packet : int or list or dict, optional
        Smallest packet that can be sent, in bytes (default: 64).
    on_off : list or dict, optional
        When the attack is sent. `{ period = "1 ms", duty = 0.1 }`: all of it in a tenth of each millisecond (default: evenly).
    strategy : {"optimal", "application"} or list or dict, optional
        Packets that the attacker sends. `"optimal"`: each policy is attacked in up to three ways, and the most harmful counts; or a list of
        kinds of packets that are sent together; or `"application"`: packets on which the application works as on innocent ones (default:
        `"optimal"`).
    """

    def __init__(
        self,
        *,
        rate: Union[str, Sequence[Any], Mapping[str, Any], Table],
        max_job: Union[Union[str, Sequence[Any], Mapping[str, Any], Table], None] = None,
        min_packet: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        on_off: Union[Union[Sequence[Any], Mapping[str, Any], Table], None] = None,
        strategy: Union[Union[Literal["optimal", "application"], Sequence[Any], Mapping[str, Any], Table], None] = None,
    ) -> None:
        super().__init__(
            ("rate", rate),
            ("max_job", max_job),
            ("min_packet", min_packet),
            ("on_off", on_off),
            ("strategy", strategy),
        )


class Attacks(Table):
    """Fields of every scenario.

    Parameters
    ----------
    attack : dict
        See docs/scenario.md.
    innocent : dict
        See docs/scenario.md.
    policy : list
        See docs/scenario.md.
    processor : dict
        See docs/scenario.md.
    baseline : str, optional
        Name of the policy with which the others are compared, repetition by repetition; `--baseline` replaces it (default: none).
    name : str, optional
        Name of the scenario in results (default: the file's name).
    repetitions : int, optional
        Number of repetitions; each has its own seed, derived from `seed`. From 2 on, numbers have confidence intervals (95 %, Student's t)
        (default: 1; under attack 3).
    search : dict, optional
        See docs/scenario.md.
    seed : int, optional
        Root of all random streams, 0 to 2^63 - 1; `--seed` replaces it (default: 1).
    zip : list, optional
        Names of fields whose lists of values advance together: the first with the first, the second with the second. All other lists are
        combined in all ways (default: all ways).
    """

    def __init__(
        self,
        *,
        attack: Union[Mapping[str, Any], Table],
        innocent: Union[Mapping[str, Any], Table],
        policy: Sequence[Any],
        processor: Union[Mapping[str, Any], Table],
        baseline: Union[str, None] = None,
        name: Union[str, None] = None,
        repetitions: Union[int, None] = None,
        search: Union[Union[Mapping[str, Any], Table], None] = None,
        seed: Union[int, None] = None,
        zip: Union[Sequence[Any], None] = None,
    ) -> None:
        super().__init__(
            ("attack", attack),
            ("innocent", innocent),
            ("policy", policy),
            ("processor", processor),
            ("baseline", baseline),
            ("name", name),
            ("repetitions", repetitions),
            ("search", search),
            ("seed", seed),
            ("zip", zip),
        )


class Below(Table):
    """The policy that takes over below a watermark of goodput.

    Parameters
    ----------
    goodput : str or list or dict
        The watermark: bits per second of all packets that enter service.
    queue : {"fifo", "pifo", "hffs", "rolling-hffs", "shift-register", "pieo", "bmw-tree", "pheap", "fibonacci-heap", "fibonacci-pair", "sp-pifo", "sp-pifo-highest", "fixed-bounds", "gradient", "mean-bounds", "aifo", "rifo", "packs", "calendar", "gearbox", "earliest-of-flow"} or dict
        See docs/scenario.md.
    rank : {"arrival", "fcfs", "packet-rank", "strict", "strict-priority", "value", "remaining-bytes", "srpt", "pfabric", "job-size", "sjf", "job-ratio", "wsjf", "job-fair", "fq", "job-clock", "virtual-clock", "job-finish", "scfq", "drfq", "dominant-resource-fair-queueing", "stfq", "wfq", "pgps", "wf2q", "worst-case-fair", "afq", "edf", "lstf", "fifo-plus", "fifo+", "pias", "arrival-rate", "fdpa", "reframer"} or dict
        See docs/scenario.md.
    drop : {"tail", "worst-first"} or dict, optional
        See docs/scenario.md.
    window : str or list or dict, optional
        Time over which goodput is measured; the policy is switched at the end of a window in which packets waited throughout (default:
        `"100 us"`).
    """

    def __init__(
        self,
        *,
        goodput: Union[str, Sequence[Any], Mapping[str, Any], Table],
        queue: Union[Literal["fifo", "pifo", "hffs", "rolling-hffs", "shift-register", "pieo", "bmw-tree", "pheap", "fibonacci-heap", "fibonacci-pair", "sp-pifo", "sp-pifo-highest", "fixed-bounds", "gradient", "mean-bounds", "aifo", "rifo", "packs", "calendar", "gearbox", "earliest-of-flow"], Mapping[str, Any], Table],
        rank: Union[Literal["arrival", "fcfs", "packet-rank", "strict", "strict-priority", "value", "remaining-bytes", "srpt", "pfabric", "job-size", "sjf", "job-ratio", "wsjf", "job-fair", "fq", "job-clock", "virtual-clock", "job-finish", "scfq", "drfq", "dominant-resource-fair-queueing", "stfq", "wfq", "pgps", "wf2q", "worst-case-fair", "afq", "edf", "lstf", "fifo-plus", "fifo+", "pias", "arrival-rate", "fdpa", "reframer"], Mapping[str, Any], Table],
        drop: Union[Union[Literal["tail", "worst-first"], Mapping[str, Any], Table], None] = None,
        window: Union[Union[str, Sequence[Any], Mapping[str, Any], Table], None] = None,
    ) -> None:
        super().__init__(
            ("goodput", goodput),
            ("queue", queue),
            ("rank", rank),
            ("drop", drop),
            ("window", window),
        )


class Bound(Table):
    """Bounds of the lowest latency that any cache could reach.

    Parameters
    ----------
    capacity : str or int or list or dict
        Capacity, as in `[cache]`.
    latency : str or int or list or dict
        How long a fetch takes: slots (100), a time (5ms), `"measured"` for the latencies in the trace, or a table with `distribution`,
        `origins` or `objects`.
    trace : {"zipf", "trains", "packet-trains", "tcp-trains", "slow-start", "loop", "cyclic", "scans", "scan", "drift", "against-lru", "adversary", "pages", "web-pages"} or str or list or dict
        Request trace: the name of a file, or a recipe, which names a generator and its parameters. A file whose name ends in `.toml`
        contains a recipe. With `repetitions`, each repetition draws another trace from the recipe.
    certificate : str or list, optional
        File for a certificate of the lower bound, which `forebay verify` checks: for one run alone (default: none).
    exact : bool or list, optional
        Whether the exact linear programme is solved, too: for small traces, in a forebay built with HiGHS (default: false).
    format : str or list, optional
        Format of the trace with its options, if content and name do not determine it (default: that of the file).
    gap : float or list or dict, optional
        Gap between the bounds, in percent, at which the search ends (default: 0.1).
    iterations : int or list or dict, optional
        Maximum number of steps of the search (default: 600).
    requests : int or list or dict, optional
        Number of requests that are played, from the start of the trace (default: all).
    seconds : float or list or dict, optional
        Limits the search to the steps that take about this many seconds of CPU time (default: no limit).
    sizes : {"unit", "bytes"} or list, optional
        Whether an object takes one entry, or its bytes (default: `"unit"`).
    """

    def __init__(
        self,
        *,
        capacity: Union[str, int, Sequence[Any], Mapping[str, Any], Table],
        latency: Union[str, int, Sequence[Any], Mapping[str, Any], Table],
        trace: Union[Literal["zipf", "trains", "packet-trains", "tcp-trains", "slow-start", "loop", "cyclic", "scans", "scan", "drift", "against-lru", "adversary", "pages", "web-pages"], str, Sequence[Any], Mapping[str, Any], Table],
        certificate: Union[Union[str, Sequence[Any]], None] = None,
        exact: Union[Union[bool, Sequence[Any]], None] = None,
        format: Union[Union[str, Sequence[Any]], None] = None,
        gap: Union[Union[float, Sequence[Any], Mapping[str, Any], Table], None] = None,
        iterations: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        requests: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        seconds: Union[Union[float, Sequence[Any], Mapping[str, Any], Table], None] = None,
        sizes: Union[Union[Literal["unit", "bytes"], Sequence[Any]], None] = None,
    ) -> None:
        super().__init__(
            ("capacity", capacity),
            ("latency", latency),
            ("trace", trace),
            ("certificate", certificate),
            ("exact", exact),
            ("format", format),
            ("gap", gap),
            ("iterations", iterations),
            ("requests", requests),
            ("seconds", seconds),
            ("sizes", sizes),
        )


class Cache(Table):
    """Caches on request traces.

    Parameters
    ----------
    latency : str or int or list or dict
        How long a fetch takes: slots (100), a time (5ms), `"measured"` for the latencies in the trace, or a table with `distribution`,
        `origins` or `objects`.
    trace : {"zipf", "trains", "packet-trains", "tcp-trains", "slow-start", "loop", "cyclic", "scans", "scan", "drift", "against-lru", "adversary", "pages", "web-pages"} or str or list or dict
        Request trace: the name of a file, or a recipe, which names a generator and its parameters. A file whose name ends in `.toml`
        contains a recipe. With `repetitions`, each repetition draws another trace from the recipe.
    attribute : list, optional
        Two policies: reports what changes for each object if the second replaces the first. With bounds, one may be `"(best schedule
        found)"`; with `schedule`, `"(schedule)"` (default: none).
    bound_iterations : int or list or dict, optional
        Searches for the same bounds, each in this many steps; together with `bound_seconds`, in at most this many (default: no bounds).
    bound_seconds : float or list or dict, optional
        Searches for bounds of the lowest latency as well, each for about this many seconds of CPU time (default: no bounds).
    capacity : str or int or list or dict, optional
        Capacity: entries, or bytes like 64MB; a share of all objects (5%), or of those active at one time (5%active) (default:
        `"5%active"`; if `sizes` are bytes, `"5%"`).
    estimates : bool or list, optional
        Whether the aggregate delays that MAD forms estimate are compared with the actual ones: coefficients of Pearson and Spearman
        (default: false).
    format : str or list, optional
        Format of the trace with its options, if content and name do not determine it (default: that of the file).
    hit_latency : str or int or list or dict, optional
        Latency of a hit, the lowest latency of a request: slots, or a time (default: 0).
    model : {"both", "delayed", "classical"} or list, optional
        Model of fetches: with delayed hits, classical (a missed object is in the cache at once), or both (default: `"both"`).
    pairwise : bool or list, optional
        Whether policies are compared object by object: for each pair of policies, for how many objects one has a lower latency (default:
        false).
    parallel : int or list or dict, optional
        Number of fetches that each origin serves at a time; others wait in order (default: all).
    prefetch : str or list, optional
        Prefetcher, which fetches objects before they are requested, with its parameters in brackets: `forebay list prefetchers`, or
        `"none"` (default: `"none"`).
    release_interval : str or int or list or dict, optional
        Time between the completions of requests that waited for one fetch: slots, or a time. With 0, they complete together (default: 0).
    requests : int or list or dict, optional
        Number of requests that are played, from the start of the trace (default: all).
    sample : str or list or dict, optional
        Share of the objects that is played, chosen by a hash; the caches shrink by the same factor (default: `"100%"`).
    schedule : str or list, optional
        File with a schedule that is played beside the policies, as `record = ["schedule"]` writes it; results call it `(schedule)`
        (default: none).
    size_change : {"hit", "miss", "update"} or list, optional
        Outcome of a request that finds its object with another size, if `sizes` are bytes: a hit, a miss that replaces the object, or a hit
        that updates its size (default: `"hit"`).
    sizes : {"unit", "bytes"} or list, optional
        Whether an object takes one entry, or its bytes (default: `"unit"`).
    ttl : {"trace"} or str or int or list or dict, optional
        How long an object may be used after its fetch has ended: slots, a time, or `"trace"` for the value in the trace (default: for
        ever).
    users : str or list, optional
        With `pairwise`: compares policies user by user as well. The value is a format with its options, which reads the users as the keys
        of the trace (default: none).
    warmup : int or list or dict, optional
        Number of requests at the start that are played but not counted (default: 0).
    ways : int or list or dict, optional
        Divides the cache into sets of this many entries (default: one set).
    """

    def __init__(
        self,
        *,
        latency: Union[str, int, Sequence[Any], Mapping[str, Any], Table],
        trace: Union[Literal["zipf", "trains", "packet-trains", "tcp-trains", "slow-start", "loop", "cyclic", "scans", "scan", "drift", "against-lru", "adversary", "pages", "web-pages"], str, Sequence[Any], Mapping[str, Any], Table],
        attribute: Union[Sequence[Any], None] = None,
        bound_iterations: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        bound_seconds: Union[Union[float, Sequence[Any], Mapping[str, Any], Table], None] = None,
        capacity: Union[Union[str, int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        estimates: Union[Union[bool, Sequence[Any]], None] = None,
        format: Union[Union[str, Sequence[Any]], None] = None,
        hit_latency: Union[Union[str, int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        model: Union[Union[Literal["both", "delayed", "classical"], Sequence[Any]], None] = None,
        pairwise: Union[Union[bool, Sequence[Any]], None] = None,
        parallel: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        prefetch: Union[Union[str, Sequence[Any]], None] = None,
        release_interval: Union[Union[str, int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        requests: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        sample: Union[Union[str, Sequence[Any], Mapping[str, Any], Table], None] = None,
        schedule: Union[Union[str, Sequence[Any]], None] = None,
        size_change: Union[Union[Literal["hit", "miss", "update"], Sequence[Any]], None] = None,
        sizes: Union[Union[Literal["unit", "bytes"], Sequence[Any]], None] = None,
        ttl: Union[Union[Literal["trace"], str, int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        users: Union[Union[str, Sequence[Any]], None] = None,
        warmup: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        ways: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
    ) -> None:
        super().__init__(
            ("latency", latency),
            ("trace", trace),
            ("attribute", attribute),
            ("bound_iterations", bound_iterations),
            ("bound_seconds", bound_seconds),
            ("capacity", capacity),
            ("estimates", estimates),
            ("format", format),
            ("hit_latency", hit_latency),
            ("model", model),
            ("pairwise", pairwise),
            ("parallel", parallel),
            ("prefetch", prefetch),
            ("release_interval", release_interval),
            ("requests", requests),
            ("sample", sample),
            ("schedule", schedule),
            ("size_change", size_change),
            ("sizes", sizes),
            ("ttl", ttl),
            ("users", users),
            ("warmup", warmup),
            ("ways", ways),
        )


class Change(Table):
    """Another version of a policy in OpenQueue.

    Parameters
    ----------
    at : str or list or dict
        When the version takes over.
    params : list or dict, optional
        Values of the `param`s (default: as before).
    policy : str or list, optional
        The OpenQueue file (default: the file before).
    transition : {"drain", "rerank"} or list, optional
        Whether packets that wait depart first, as before, or take their slots in the new orders (default: `"drain"`).
    """

    def __init__(
        self,
        *,
        at: Union[str, Sequence[Any], Mapping[str, Any], Table],
        params: Union[Union[Sequence[Any], Mapping[str, Any], Table], None] = None,
        policy: Union[Union[str, Sequence[Any]], None] = None,
        transition: Union[Union[Literal["drain", "rerank"], Sequence[Any]], None] = None,
    ) -> None:
        super().__init__(
            ("at", at),
            ("params", params),
            ("policy", policy),
            ("transition", transition),
        )


class Curve(Table):
    """Miss ratio and latency over the capacity.

    Parameters
    ----------
    latency : str or int or list or dict
        How long a fetch takes: slots (100), a time (5ms), `"measured"` for the latencies in the trace, or a table with `distribution`,
        `origins` or `objects`.
    trace : {"zipf", "trains", "packet-trains", "tcp-trains", "slow-start", "loop", "cyclic", "scans", "scan", "drift", "against-lru", "adversary", "pages", "web-pages"} or str or list or dict
        Request trace: the name of a file, or a recipe, which names a generator and its parameters. A file whose name ends in `.toml`
        contains a recipe. With `repetitions`, each repetition draws another trace from the recipe.
    capacity : str or int or list or dict, optional
        Capacities of the curve, as in `[cache]`; a list of lists is an axis (default: as many as `points` says).
    format : str or list, optional
        Format of the trace with its options, if content and name do not determine it (default: that of the file).
    model : {"both", "delayed", "classical"} or list, optional
        Model of fetches: with delayed hits, classical (a missed object is in the cache at once), or both (default: `"both"`).
    points : int or list or dict, optional
        Number of capacities if none are given, from a thousandth of all objects to all (default: 16).
    requests : int or list or dict, optional
        Number of requests that are played, from the start of the trace (default: all).
    sample : str or list or dict, optional
        Share of the objects that is played, chosen by a hash; the caches shrink by the same factor (default: `"100%"`).
    size_change : {"hit", "miss", "update"} or list, optional
        Outcome of a request that finds its object with another size, if `sizes` are bytes: a hit, a miss that replaces the object, or a hit
        that updates its size (default: `"hit"`).
    sizes : {"unit", "bytes"} or list, optional
        Whether an object takes one entry, or its bytes (default: `"unit"`).
    warmup : int or list or dict, optional
        Number of requests at the start that are played but not counted (default: 0).
    ways : int or list or dict, optional
        Divides the cache into sets of this many entries (default: one set).
    """

    def __init__(
        self,
        *,
        latency: Union[str, int, Sequence[Any], Mapping[str, Any], Table],
        trace: Union[Literal["zipf", "trains", "packet-trains", "tcp-trains", "slow-start", "loop", "cyclic", "scans", "scan", "drift", "against-lru", "adversary", "pages", "web-pages"], str, Sequence[Any], Mapping[str, Any], Table],
        capacity: Union[Union[str, int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        format: Union[Union[str, Sequence[Any]], None] = None,
        model: Union[Union[Literal["both", "delayed", "classical"], Sequence[Any]], None] = None,
        points: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        requests: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        sample: Union[Union[str, Sequence[Any], Mapping[str, Any], Table], None] = None,
        size_change: Union[Union[Literal["hit", "miss", "update"], Sequence[Any]], None] = None,
        sizes: Union[Union[Literal["unit", "bytes"], Sequence[Any]], None] = None,
        warmup: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        ways: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
    ) -> None:
        super().__init__(
            ("latency", latency),
            ("trace", trace),
            ("capacity", capacity),
            ("format", format),
            ("model", model),
            ("points", points),
            ("requests", requests),
            ("sample", sample),
            ("size_change", size_change),
            ("sizes", sizes),
            ("warmup", warmup),
            ("ways", ways),
        )


class DrawnLatency(Table):
    """A latency that is drawn for each fetch.

    Parameters
    ----------
    distribution : {"exponential", "lognormal", "uniform"} or list
        Distribution: `"exponential"` with `mean`, `"lognormal"` with `mean` and `sigma`, or `"uniform"` with `min` and `max`.
    max : str or int or list or dict, optional
        Maximum, for `"uniform"`.
    mean : str or int or list or dict, optional
        Mean, in slots or as a time.
    min : str or int or list or dict, optional
        Minimum, for `"uniform"`.
    sigma : float or list or dict, optional
        Deviation of the logarithm, for `"lognormal"`.
    """

    def __init__(
        self,
        *,
        distribution: Union[Literal["exponential", "lognormal", "uniform"], Sequence[Any]],
        max: Union[Union[str, int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        mean: Union[Union[str, int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        min: Union[Union[str, int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        sigma: Union[Union[float, Sequence[Any], Mapping[str, Any], Table], None] = None,
    ) -> None:
        super().__init__(
            ("distribution", distribution),
            ("max", max),
            ("mean", mean),
            ("min", min),
            ("sigma", sigma),
        )


class DrawnStateLatency(Table):
    """A latency that is drawn for each fetch of a state.

    Parameters
    ----------
    distribution : {"exponential", "lognormal", "uniform"} or list
        Distribution: `"exponential"` with `mean`, `"lognormal"` with `mean` and `sigma`, or `"uniform"` with `min` and `max`.
    max : str or list or dict, optional
        Maximum time, for `"uniform"`.
    mean : str or list or dict, optional
        Mean time.
    min : str or list or dict, optional
        Minimum time, for `"uniform"`.
    sigma : float or list or dict, optional
        Deviation of the logarithm, for `"lognormal"`.
    """

    def __init__(
        self,
        *,
        distribution: Union[Literal["exponential", "lognormal", "uniform"], Sequence[Any]],
        max: Union[Union[str, Sequence[Any], Mapping[str, Any], Table], None] = None,
        mean: Union[Union[str, Sequence[Any], Mapping[str, Any], Table], None] = None,
        min: Union[Union[str, Sequence[Any], Mapping[str, Any], Table], None] = None,
        sigma: Union[Union[float, Sequence[Any], Mapping[str, Any], Table], None] = None,
    ) -> None:
        super().__init__(
            ("distribution", distribution),
            ("max", max),
            ("mean", mean),
            ("min", min),
            ("sigma", sigma),
        )


class Estimate(Table):
    """The work that policies expect of a packet, if it differs from the true work.

    Parameters
    ----------
    constant : str or list or dict, optional
        Work that policies expect of every packet.
    sigma : float or list or dict, optional
        Standard deviation of the logarithm of a factor with median 1.
    """

    def __init__(
        self,
        *,
        constant: Union[Union[str, Sequence[Any], Mapping[str, Any], Table], None] = None,
        sigma: Union[Union[float, Sequence[Any], Mapping[str, Any], Table], None] = None,
    ) -> None:
        super().__init__(
            ("constant", constant),
            ("sigma", sigma),
        )


class Failure(Table):
    """A link that fails, slows down or loses packets.

    Parameters
    ----------
    at : str or list or dict
        Time of the failure.
    link : str or list
        The link. `"leaf0-spine1"`: both directions; `"leaf0>spine1"`: one.
    down : bool or list, optional
        `true`: the link fails. Packets that wait for the link or are on it are lost, except those that a shaper holds back.
    loss : float or list or dict, optional
        The link loses each packet, including control packets, with this probability.
    rate : str or list or dict, optional
        The link sends at this rate from now on. A shaper or another part that was built for a rate keeps that rate; notifications use the
        new one.
    up : bool or list, optional
        `true`: the link works again.
    """

    def __init__(
        self,
        *,
        at: Union[str, Sequence[Any], Mapping[str, Any], Table],
        link: Union[str, Sequence[Any]],
        down: Union[Union[bool, Sequence[Any]], None] = None,
        loss: Union[Union[float, Sequence[Any], Mapping[str, Any], Table], None] = None,
        rate: Union[Union[str, Sequence[Any], Mapping[str, Any], Table], None] = None,
        up: Union[Union[bool, Sequence[Any]], None] = None,
    ) -> None:
        super().__init__(
            ("at", at),
            ("link", link),
            ("down", down),
            ("loss", loss),
            ("rate", rate),
            ("up", up),
        )


class FlowBytes(Table):
    """Sizes of flows: a bounded Pareto distribution.

    Parameters
    ----------
    max : int or list or dict
        Maximum size of a flow.
    min : int or list or dict
        Minimum size of a flow.
    shape : float or list or dict
        Shape of the distribution: the smaller, the heavier its tail.
    """

    def __init__(
        self,
        *,
        max: Union[int, Sequence[Any], Mapping[str, Any], Table],
        min: Union[int, Sequence[Any], Mapping[str, Any], Table],
        shape: Union[float, Sequence[Any], Mapping[str, Any], Table],
    ) -> None:
        super().__init__(
            ("max", max),
            ("min", min),
            ("shape", shape),
        )


class Innocent(Table):
    """The innocent traffic.

    Parameters
    ----------
    rate : str or list or dict
        Mean rate of innocent traffic.
    application : {"tcp-reassembly", "two-stage-matcher", "tuple-space-search", "hash-table", "decompression"} or list or dict, optional
        Instead of all fields except `rate`, `packets` and `warmup`: an application that makes the jobs of its own packets.
    flows : int or list or dict, optional
        Number of flows; the flow of each packet is drawn (default: 100).
    gaps : {"constant", "poisson"} or list, optional
        Gaps between packets: `"constant"` or `"poisson"` (default: `"constant"`).
    job_ns : int or list or dict, optional
        Job of a packet in nanoseconds, drawn independently: a number or a distribution; or `{ ns_per_byte = 0.8, more_ns = 20 }`, work that
        grows with the size, plus a number or a distribution.
    jobs : str or list, optional
        Instead of `size_bytes` and `job_ns`: a CSV with the columns `size_bytes`, `job_ns` and, if the scheduler does not know the truth,
        `estimate_ns`; packets are drawn from its lines.
    packets : int or list or dict, optional
        Innocent packets that arrive in each repetition and are counted (default: 1,000,000).
    replay : str or list, optional
        Instead of all fields except `rate`, `packets` and `warmup`: a CSV with the columns `time_ns`, `flow`, `size_bytes`, `job_ns` and,
        if the scheduler does not know the truth, `estimate_ns`. Its packets are played in order with their flows, repeatedly, at the rate
        of the scenario; each seed begins at another packet.
    size_bytes : int or list or dict, optional
        Size of a packet: a number or a distribution.
    warmup : int or list or dict, optional
        Innocent packets that arrive before anything is counted (default: a tenth of `packets`).
    """

    def __init__(
        self,
        *,
        rate: Union[str, Sequence[Any], Mapping[str, Any], Table],
        application: Union[Union[Literal["tcp-reassembly", "two-stage-matcher", "tuple-space-search", "hash-table", "decompression"], Sequence[Any], Mapping[str, Any], Table], None] = None,
        flows: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        gaps: Union[Union[Literal["constant", "poisson"], Sequence[Any]], None] = None,
        job_ns: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        jobs: Union[Union[str, Sequence[Any]], None] = None,
        packets: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        replay: Union[Union[str, Sequence[Any]], None] = None,
        size_bytes: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        warmup: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
    ) -> None:
        super().__init__(
            ("rate", rate),
            ("application", application),
            ("flows", flows),
            ("gaps", gaps),
            ("job_ns", job_ns),
            ("jobs", jobs),
            ("packets", packets),
            ("replay", replay),
            ("size_bytes", size_bytes),
            ("warmup", warmup),
        )


class JobNs(Table):
    """Work that grows with the size of a packet.

    Parameters
    ----------
    ns_per_byte : float or list or dict
        Work for each byte.
    more_ns : int or list or dict, optional
        Additional work for each packet (default: 0).
    """

    def __init__(
        self,
        *,
        ns_per_byte: Union[float, Sequence[Any], Mapping[str, Any], Table],
        more_ns: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
    ) -> None:
        super().__init__(
            ("ns_per_byte", ns_per_byte),
            ("more_ns", more_ns),
        )


class Network(Table):
    """The network, its duration and its measurements.

    Parameters
    ----------
    topology : {"single-bottleneck", "dumbbell", "star", "leaf-spine", "fat-tree"} or list or dict
        Topology: a name, or a table with `name` and parameters, or `{ file = "network.txt" }`, relative to the scenario: one line for each
        host, switch and link (below); or `{ recording = "capture.pcap", rate = "20 Mbps" }` (below).
    completion : {"received", "acknowledged"} or list, optional
        A flow is complete when the receiver has every byte (`"received"`), or when the sender knows that (`"acknowledged"`). Flows of
        transports without acknowledgements, such as `udp`, are always complete when received; a warning says so (default: `"received"`).
    cooldown : str or list or dict, optional
        Flows that start in the last part of `duration` are not counted. Port counters stop when that part begins (default: `"0 s"`).
    duration : str or list or dict, optional
        Flows start within this time. Required, unless every workload has a `duration` or the topology comes from a recording; then all
        flows of the recording start.
    inversions : list, optional
        Links, like `["leaf0>h3"]`, at which inversions are counted over the whole run, in total and by rank: packets that depart while a
        packet of lower rank waits (default: none).
    pace : {"own", "predecessor"} or list, optional
        Time for which a link sends a packet. `"own"`: the time that its bytes take; `"predecessor"`: if the packet waited, the time that
        the bytes of the packet before it take, as in a published simulator (default: `"own"`).
    reroute_after : str or list or dict, optional
        Time from the failure or repair of a link until switches know of it (default: `"0 s"`).
    series : list or dict, optional
        Records over time: `{ every = "100 us", links = ["leaf0>h3"], flows = [0] }` records the backlog of these links in bytes, and the
        windows of these flows (numbered in order of their starts) (default: none).
    shared_buffer : list or dict, optional
        Memory that the ports of each switch share, in addition to their own limits: `{ size = "1 MB", alpha = 1 }`. A port may hold `alpha`
        times the free memory (dynamic thresholds) (default: none).
    size_classes : list, optional
        Limits of the classes of flow sizes that are reported (default: `["100 KB", "1 MB"]`).
    until : str or list or dict, optional
        The run ends at this time at the latest (default: when no flow is left, or 1,000 s after `duration`; at `duration`, if some flows
        never end).
    warmup : str or list or dict, optional
        Flows that start before this time are carried but not counted. Port counters start at this time (default: `"0 s"`).
    """

    def __init__(
        self,
        *,
        topology: Union[Literal["single-bottleneck", "dumbbell", "star", "leaf-spine", "fat-tree"], Sequence[Any], Mapping[str, Any], Table],
        completion: Union[Union[Literal["received", "acknowledged"], Sequence[Any]], None] = None,
        cooldown: Union[Union[str, Sequence[Any], Mapping[str, Any], Table], None] = None,
        duration: Union[Union[str, Sequence[Any], Mapping[str, Any], Table], None] = None,
        inversions: Union[Sequence[Any], None] = None,
        pace: Union[Union[Literal["own", "predecessor"], Sequence[Any]], None] = None,
        reroute_after: Union[Union[str, Sequence[Any], Mapping[str, Any], Table], None] = None,
        series: Union[Union[Sequence[Any], Mapping[str, Any], Table], None] = None,
        shared_buffer: Union[Union[Sequence[Any], Mapping[str, Any], Table], None] = None,
        size_classes: Union[Sequence[Any], None] = None,
        until: Union[Union[str, Sequence[Any], Mapping[str, Any], Table], None] = None,
        warmup: Union[Union[str, Sequence[Any], Mapping[str, Any], Table], None] = None,
    ) -> None:
        super().__init__(
            ("topology", topology),
            ("completion", completion),
            ("cooldown", cooldown),
            ("duration", duration),
            ("inversions", inversions),
            ("pace", pace),
            ("reroute_after", reroute_after),
            ("series", series),
            ("shared_buffer", shared_buffer),
            ("size_classes", size_classes),
            ("until", until),
            ("warmup", warmup),
        )


class ObjectLatencies(Table):
    """A latency for each object.

    Parameters
    ----------
    objects : str or list
        CSV with a latency and an object in each line; the object `*` stands for all others.
    """

    def __init__(
        self,
        *,
        objects: Union[str, Sequence[Any]],
    ) -> None:
        super().__init__(
            ("objects", objects),
        )


class Objects(Table):
    """The objects that flows carry.

    Parameters
    ----------
    count : int or list or dict, optional
        Number of objects (default: 10000).
    skew : float or list or dict, optional
        Skew of Zipf's law by which flows draw objects, rounded to thousandths; 0: all objects are equally likely (default: 0.9).
    """

    def __init__(
        self,
        *,
        count: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        skew: Union[Union[float, Sequence[Any], Mapping[str, Any], Table], None] = None,
    ) -> None:
        super().__init__(
            ("count", count),
            ("skew", skew),
        )


class OnOff(Table):
    """An attack in periods that are ON and OFF.

    Parameters
    ----------
    duty : float or list or dict
        Share of the period that is ON.
    period : str or list or dict
        Length of an ON and an OFF period together.
    """

    def __init__(
        self,
        *,
        duty: Union[float, Sequence[Any], Mapping[str, Any], Table],
        period: Union[str, Sequence[Any], Mapping[str, Any], Table],
    ) -> None:
        super().__init__(
            ("duty", duty),
            ("period", period),
        )


class Origin(Table):
    """An origin.

    Parameters
    ----------
    latency : str or int or list or dict
        Latency of the origin.
    weight : float or list or dict, optional
        Number of objects at this origin, relative to the weights of the others (default: 1).
    """

    def __init__(
        self,
        *,
        latency: Union[str, int, Sequence[Any], Mapping[str, Any], Table],
        weight: Union[Union[float, Sequence[Any], Mapping[str, Any], Table], None] = None,
    ) -> None:
        super().__init__(
            ("latency", latency),
            ("weight", weight),
        )


class Period(Table):
    """Periods of attacks that are searched.

    Parameters
    ----------
    from_ : str or list or dict
        The shortest period.
    to : str or list or dict
        The longest period.
    """

    def __init__(
        self,
        *,
        from_: Union[str, Sequence[Any], Mapping[str, Any], Table],
        to: Union[str, Sequence[Any], Mapping[str, Any], Table],
    ) -> None:
        super().__init__(
            ("from", from_),
            ("to", to),
        )


class Policy(Table):
    """A policy that is compared: a rank function, a queue and a drop rule; A transport, and the policies at the ports; A cache policy that
    is compared.

    Parameters
    ----------
    below : list or dict, optional
        Under attack: the policy that takes over when goodput falls below a watermark, like `{ goodput = "8 Gbps", rank = "job-ratio", queue
        = "pifo", drop = "worst-first" }` (default: none).
    buffer : str or list or dict, optional
        Room for waiting packets, instead of the port's (default: the port's).
    drop : {"tail", "worst-first"} or list or dict, optional
        Drop rule (default: `"tail"`).
    mark : {"threshold", "dctcp", "red", "sojourn", "tcn"} or list or dict, optional
        Mark rule, also for a `tree` (default: nothing is marked).
    name : str, optional
        Name of the policy in results; must be unique (default: the rank function and the queue).
        Name of the policy in results (default: the name of the transport).
        Cache policy; `-mad` selects its MAD form, and `-RULE` after either adds a rule of admission, as in `lru-tinylfu` (`forebay list
        admission-rules`). Its parameters are further fields: `name = "lru-mad"`, `sample = 16`. A list of values makes one policy for each
        value.
    nic : list or dict, optional
        Policy at the ports of hosts, with the same fields as `port` (default: as `port`).
    pace : {"token-bucket", "shaper", "tbf", "delay"} or list or dict, optional
        Pace rule: the time from which packets may depart; needs `queue = "pieo"` (default: at once).
    port : list or dict, optional
        Policy at every port of a switch: the fields of a policy, with its own `buffer`. An OpenQueue policy with several ports is one for
        all ports of a switch (how).
    queue : {"fifo", "pifo", "hffs", "rolling-hffs", "shift-register", "pieo", "bmw-tree", "pheap", "fibonacci-heap", "fibonacci-pair", "sp-pifo", "sp-pifo-highest", "fixed-bounds", "gradient", "mean-bounds", "aifo", "rifo", "packs", "calendar", "gearbox", "earliest-of-flow"} or list or dict, optional
        Rank queue; which to choose.
    rank : str or list or dict, optional
        Rank function, or flow rank.
    rank_unit : int or list or dict, optional
        Divides ranks before they enter the queue, rounding down; or `{ steps_per_doubling = 256 }`, see below (default: 1).
    state_latency : str or list or dict, optional
        Replaces the `latency` of every `[[state]]`. With `"1 ps"` misses cost nothing, which no policy can beat (default: theirs).
    state_lookahead : bool or list, optional
        Replaces the `lookahead` of every `[[state]]`. With `waits = "packet"` it changes nothing, as no packet waits behind another one
        (default: theirs).
    state_policy : str or list, optional
        Replaces the `policy` of every `[[state]]` (default: theirs).
    state_seer : list or dict, optional
        Replaces the `seer` of every `[[state]]` (default: theirs).
    transport : {"newreno", "dctcp", "cubic", "ideal", "pfabric", "udp"} or list or dict, optional
        Transport: a name, or a table with parameters.
    tree : list or dict, optional
        Instead of `rank`: a tree of rank functions.
    """

    def __init__(
        self,
        *,
        below: Union[Union[Sequence[Any], Mapping[str, Any], Table], None] = None,
        buffer: Union[Union[str, Sequence[Any], Mapping[str, Any], Table], None] = None,
        drop: Union[Union[Literal["tail", "worst-first"], Sequence[Any], Mapping[str, Any], Table], None] = None,
        mark: Union[Union[Literal["threshold", "dctcp", "red", "sojourn", "tcn"], Sequence[Any], Mapping[str, Any], Table], None] = None,
        name: Union[str, None] = None,
        nic: Union[Union[Sequence[Any], Mapping[str, Any], Table], None] = None,
        pace: Union[Union[Literal["token-bucket", "shaper", "tbf", "delay"], Sequence[Any], Mapping[str, Any], Table], None] = None,
        port: Union[Union[Sequence[Any], Mapping[str, Any], Table], None] = None,
        queue: Union[Union[Literal["fifo", "pifo", "hffs", "rolling-hffs", "shift-register", "pieo", "bmw-tree", "pheap", "fibonacci-heap", "fibonacci-pair", "sp-pifo", "sp-pifo-highest", "fixed-bounds", "gradient", "mean-bounds", "aifo", "rifo", "packs", "calendar", "gearbox", "earliest-of-flow"], Sequence[Any], Mapping[str, Any], Table], None] = None,
        rank: Union[Union[str, Sequence[Any], Mapping[str, Any], Table], None] = None,
        rank_unit: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        state_latency: Union[Union[str, Sequence[Any], Mapping[str, Any], Table], None] = None,
        state_lookahead: Union[Union[bool, Sequence[Any]], None] = None,
        state_policy: Union[Union[str, Sequence[Any]], None] = None,
        state_seer: Union[Union[Sequence[Any], Mapping[str, Any], Table], None] = None,
        transport: Union[Union[Literal["newreno", "dctcp", "cubic", "ideal", "pfabric", "udp"], Sequence[Any], Mapping[str, Any], Table], None] = None,
        tree: Union[Union[Sequence[Any], Mapping[str, Any], Table], None] = None,
        **parameters: Any,
    ) -> None:
        super().__init__(
            ("below", below),
            ("buffer", buffer),
            ("drop", drop),
            ("mark", mark),
            ("name", name),
            ("nic", nic),
            ("pace", pace),
            ("port", port),
            ("queue", queue),
            ("rank", rank),
            ("rank_unit", rank_unit),
            ("state_latency", state_latency),
            ("state_lookahead", state_lookahead),
            ("state_policy", state_policy),
            ("state_seer", state_seer),
            ("transport", transport),
            ("tree", tree),
            *parameters.items(),
        )


class Port(Table):
    """The port that every policy serves.

    Parameters
    ----------
    rate : str or list or dict
        Rate of the link, or of each link of a policy with several ports: `"10 Gbps"`, `"56 kbps"` (bps, kbps, Mbps, Gbps, Tbps; powers of
        1000).
    buffer : str or list or dict, optional
        Room for waiting packets, for policies without a `buffer` of their own: `"80 packets"`, `"150 KB"`, `"64 KiB"`. The packet being
        sent takes no buffer, but a packet must find room when it arrives, even if the link is idle. At most 67,108,864 packets.
    """

    def __init__(
        self,
        *,
        rate: Union[str, Sequence[Any], Mapping[str, Any], Table],
        buffer: Union[Union[str, Sequence[Any], Mapping[str, Any], Table], None] = None,
    ) -> None:
        super().__init__(
            ("rate", rate),
            ("buffer", buffer),
        )


class Processor(Table):
    """The processor for which every policy schedules packets.

    Parameters
    ----------
    buffer : str or list or dict, optional
        Room for waiting packets, for policies without a `buffer` of their own.
    estimate : {"truth", "application"} or list or dict, optional
        Work that policies expect of a packet. `"truth"`; `{ sigma = 0.5 }`: the truth times a factor that is drawn log-normally for every
        packet, with median 1 and this deviation of its logarithm; `{ constant = "1 us" }`: always this; `"application"`: what the
        application estimates (default: the CSV's `estimate_ns` if it has one, otherwise the truth).
    link : str or list or dict, optional
        Rate of the link in front of the processor. Innocent traffic and attack together may not exceed it (default: no limit).
    servers : int or list or dict, optional
        Number of servers, 1 to 1,000; each works on one packet at a time (default: 1).
    slice : {"estimate"} or str or list or dict, optional
        Time after which an unfinished job returns to the queue. It is then ranked by the greater of its estimate and twice its cost so far.
        `"estimate"`: the estimate with which it was enqueued (default: jobs run to completion).
    suspected : list or dict, optional
        Servers that are reserved for suspected packets, like `{ servers = 1, job = "5 us" }` (default: every server takes every packet).
    switch_cost : str or list or dict, optional
        Time that a server needs when a job returns to the queue, for `slice` (default: `"100 ns"`).
    """

    def __init__(
        self,
        *,
        buffer: Union[Union[str, Sequence[Any], Mapping[str, Any], Table], None] = None,
        estimate: Union[Union[Literal["truth", "application"], Sequence[Any], Mapping[str, Any], Table], None] = None,
        link: Union[Union[str, Sequence[Any], Mapping[str, Any], Table], None] = None,
        servers: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        slice: Union[Union[Literal["estimate"], str, Sequence[Any], Mapping[str, Any], Table], None] = None,
        suspected: Union[Union[Sequence[Any], Mapping[str, Any], Table], None] = None,
        switch_cost: Union[Union[str, Sequence[Any], Mapping[str, Any], Table], None] = None,
    ) -> None:
        super().__init__(
            ("buffer", buffer),
            ("estimate", estimate),
            ("link", link),
            ("servers", servers),
            ("slice", slice),
            ("suspected", suspected),
            ("switch_cost", switch_cost),
        )


class Range(Table):
    """Evenly spaced values, in place of a list.

    Parameters
    ----------
    from_ : str or float
        The first value: a number, or a quantity with its unit.
    steps : int
        Number of values, including the first and the last.
    to : str or float
        The last value; it must be greater than `from`.
    spacing : {"linear", "log"}, optional
        Whether neighbours have equal differences (`"linear"`) or equal ratios (`"log"`) (default: `"linear"`).
    """

    def __init__(
        self,
        *,
        from_: Union[str, float],
        steps: int,
        to: Union[str, float],
        spacing: Union[Literal["linear", "log"], None] = None,
    ) -> None:
        super().__init__(
            ("from", from_),
            ("steps", steps),
            ("to", to),
            ("spacing", spacing),
        )


class RankUnit(Table):
    """Ranks that are quantised to a number of steps per doubling.

    Parameters
    ----------
    steps_per_doubling : int or list or dict
        Number of steps, a power of two.
    """

    def __init__(
        self,
        *,
        steps_per_doubling: Union[int, Sequence[Any], Mapping[str, Any], Table],
    ) -> None:
        super().__init__(
            ("steps_per_doubling", steps_per_doubling),
        )


class Ranks(Table):
    """Ranks in an order: `rank` of [traffic] and [[workload]].

    Parameters
    ----------
    order : {"ramps", "list"} or list
        `"ramps"`: ranks that rise evenly and start again, like `{ order = "ramps", length = 50, min = 0, max = 100 }`; `"list"`: the ranks
        in a file, like `{ order = "list", file = "ranks.csv" }`.
    file : str or list, optional
        File of a list, relative to the scenario: one rank per line, or a CSV whose first line has names, with a column `rank`.
    length : int or list or dict, optional
        Number of ranks in a ramp.
    max : int or list or dict, optional
        Limit of a ramp: ranks rise evenly to it, rounded down.
    min : int or list or dict, optional
        First rank of a ramp.
    """

    def __init__(
        self,
        *,
        order: Union[Literal["ramps", "list"], Sequence[Any]],
        file: Union[Union[str, Sequence[Any]], None] = None,
        length: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        max: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        min: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
    ) -> None:
        super().__init__(
            ("order", order),
            ("file", file),
            ("length", length),
            ("max", max),
            ("min", min),
        )


class Search(Table):
    """Limits of `forebay attack --search`.

    Parameters
    ----------
    flows : int or list or dict, optional
        Maximum number of flows of a kind of packets; each packet may also be a flow of its own (default: 64).
    kinds : int or list or dict, optional
        Maximum number of kinds of packets in an attack, up to 4 (default: 2).
    max_packet : int or list or dict, optional
        Largest packet that is tried, in bytes (default: the largest of 100,000 innocent ones).
    min_job : str or list or dict, optional
        Smallest job that is tried (default: a ten-thousandth of `max_job`).
    packets : int or list or dict, optional
        Innocent packets that arrive while an attack is tried; up to 32 times as many if the attack sends less than 1 Mbit or fewer than 20
        periods in that time. The attack that is found is measured with ten times as many (default: 5,000).
    period : list or dict, optional
        Period of attacks that are on and off: `{ from = "20 us", to = "1 ms" }` (default: up to the time in which a quarter of `packets`
        arrive, starting from a fiftieth of it).
    """

    def __init__(
        self,
        *,
        flows: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        kinds: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        max_packet: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        min_job: Union[Union[str, Sequence[Any], Mapping[str, Any], Table], None] = None,
        packets: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        period: Union[Union[Sequence[Any], Mapping[str, Any], Table], None] = None,
    ) -> None:
        super().__init__(
            ("flows", flows),
            ("kinds", kinds),
            ("max_packet", max_packet),
            ("min_job", min_job),
            ("packets", packets),
            ("period", period),
        )


class Seer(Table):
    """How caches are notified of packets that are on their way.

    Parameters
    ----------
    admit : {"belady", "always"} or list, optional
        When a missed state is inserted. `"belady"`: if another entry is needed later; `"always"`: in any case (default: `"belady"`).
    after_eviction : {"keep", "refetch"} or list, optional
        Treatment of expected packets whose state has been evicted again. `"keep"`: they fetch it themselves when they arrive (algorithm 1
        of the paper); `"refetch"`: it is fetched again in time, which takes more fetches (default: `"keep"`).
    after_failure : {"block", "next", "stop"} or list, optional
        Reaction if no entry can be evicted for a fetch. `"block"`: the port of that packet waits until something changes; `"next"`: the
        next packet of any port is tried; `"stop"`: the iteration fetches nothing more (algorithm 1 of the paper) (default: `"block"`).
    clock : str or list or dict, optional
        Clock of the manager of the cache. It sets how long an iteration takes; an iteration begins one fetch at most (default: `"1 GHz"`).
    clock_error : str or list or dict, optional
        Random error of the delays in notifications, up to this to either side (uniform); no delay falls below 0 (default: `"0 s"`).
    clock_rate : float or list or dict, optional
        Factor on the delays in notifications, from 0.001 to 1000: the sender's clock, or its idea of the rate of its link, is wrong
        (default: 1).
    clock_step : str or list or dict, optional
        Delays in notifications are rounded to multiples of this (default: to the picosecond).
    control_bytes : int or list or dict, optional
        Bytes that a control packet takes on the link (default: 64).
    corrections : bool or list, optional
        Whether ports that sort packets by any rank, or push packets out, notify as well, and correct their notifications. docs/seer.md says
        how (default: `false`).
    enters : {"begin", "end"} or list, optional
        When a prefetch takes its slot in its set and an entry is evicted for it. `"begin"`: when the fetch begins (algorithm 1); `"end"`:
        when it ends, as for a miss. docs/seer.md compares them (default: `"begin"`).
    from_ : str or list, optional
        Nodes that notify, switches and hosts by name as in `at`: `"spine* leaf*"`. Each word must name a neighbour of such a switch or,
        with `relay`, a neighbour of a neighbour (default: all neighbours).
    horizon : {"none"} or str or list or dict, optional
        How long before its packet a fetch may begin; `"none"`: as soon as the packet is known. Early fetches hold entries longer; a horizon
        slightly above the latency needs fewer fetches (default: `"none"`).
    idle : {"before", "after"} or list, optional
        Whether the notification of a packet that finds the link idle is sent `"before"` or `"after"` the packet; with `"after"` it arrives
        too late (default: `"before"`).
    interval : str or list or dict, optional
        Minimum time from one control packet of a port to the next (the paper's t) (default: `"500 ns"`).
    iteration : str or list or dict, optional
        Duration of an iteration, instead of `clock`; with `"0 ns"`, all possible work is done at once.
    jitter : str or list or dict, optional
        Each notification is delayed by a random time up to this (uniform), so it may be overtaken; the delay that it states is not
        corrected. If it arrives after its packet, the packet is expected in vain (default: `"0 s"`).
    list : int or list or dict, optional
        Packets that may be expected on a port of the cache; notifications of more are dropped (default: 1024).
    loss : float or list or dict, optional
        Probability that a notification is lost, from 0 to 1; control packets still take their time on the link (default: 0).
    patience : {"none"} or str or list or dict, optional
        How late a packet may be before it is given up; `"none"`: it is never given up. Keep this time short if expected packets may never
        arrive, since their states stay in the cache (default: `"1 us"` with `jitter`, else `"10 us"` with `relay` or if a `[[failure]]` has
        `down` or `loss`, otherwise `"none"`).
    per_control : int or list or dict, optional
        Notifications in a control packet, at most as many as fit into `control_bytes` less 18 B (default: 8).
    per_gap : int or list or dict, optional
        Notifications that fit between two packets (default: 2).
    queue : int or list or dict, optional
        Notifications that may wait at a port; more are dropped (default: 1024).
    relay : bool or list, optional
        Whether neighbours pass notifications on (default: `false`).
    taking_part : float or list or dict, optional
        Share of the links to each cache that notify, from 0 to 1, rounded; the seed decides which (default: 1).
    threshold : {"never"} or int or list or dict, optional
        When more notifications than this wait at a port, a control packet goes before the next packet (the paper's m); or `"never"`
        (default: 8).
    to_x : {"at-once", "next-iteration"} or list, optional
        When a packet whose fetch has begun is done. `"at-once"`; `"next-iteration"`: if no entry had to be evicted, in the next iteration,
        which finds its state in the cache (algorithm 1 of the paper) (default: `"at-once"`).
    unannounced : {"last", "recency"} or list, optional
        Assumed next use of entries that no expected packet needs. `"last"`: after all others, so that they are evicted first (algorithm 2);
        `"recency"`: as far ahead as their last use lies back. docs/seer.md says which is better where (default: `"last"`).
    """

    def __init__(
        self,
        *,
        admit: Union[Union[Literal["belady", "always"], Sequence[Any]], None] = None,
        after_eviction: Union[Union[Literal["keep", "refetch"], Sequence[Any]], None] = None,
        after_failure: Union[Union[Literal["block", "next", "stop"], Sequence[Any]], None] = None,
        clock: Union[Union[str, Sequence[Any], Mapping[str, Any], Table], None] = None,
        clock_error: Union[Union[str, Sequence[Any], Mapping[str, Any], Table], None] = None,
        clock_rate: Union[Union[float, Sequence[Any], Mapping[str, Any], Table], None] = None,
        clock_step: Union[Union[str, Sequence[Any], Mapping[str, Any], Table], None] = None,
        control_bytes: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        corrections: Union[Union[bool, Sequence[Any]], None] = None,
        enters: Union[Union[Literal["begin", "end"], Sequence[Any]], None] = None,
        from_: Union[Union[str, Sequence[Any]], None] = None,
        horizon: Union[Union[Literal["none"], str, Sequence[Any], Mapping[str, Any], Table], None] = None,
        idle: Union[Union[Literal["before", "after"], Sequence[Any]], None] = None,
        interval: Union[Union[str, Sequence[Any], Mapping[str, Any], Table], None] = None,
        iteration: Union[Union[str, Sequence[Any], Mapping[str, Any], Table], None] = None,
        jitter: Union[Union[str, Sequence[Any], Mapping[str, Any], Table], None] = None,
        list: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        loss: Union[Union[float, Sequence[Any], Mapping[str, Any], Table], None] = None,
        patience: Union[Union[Literal["none"], str, Sequence[Any], Mapping[str, Any], Table], None] = None,
        per_control: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        per_gap: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        queue: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        relay: Union[Union[bool, Sequence[Any]], None] = None,
        taking_part: Union[Union[float, Sequence[Any], Mapping[str, Any], Table], None] = None,
        threshold: Union[Union[Literal["never"], int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        to_x: Union[Union[Literal["at-once", "next-iteration"], Sequence[Any]], None] = None,
        unannounced: Union[Union[Literal["last", "recency"], Sequence[Any]], None] = None,
    ) -> None:
        super().__init__(
            ("admit", admit),
            ("after_eviction", after_eviction),
            ("after_failure", after_failure),
            ("clock", clock),
            ("clock_error", clock_error),
            ("clock_rate", clock_rate),
            ("clock_step", clock_step),
            ("control_bytes", control_bytes),
            ("corrections", corrections),
            ("enters", enters),
            ("from", from_),
            ("horizon", horizon),
            ("idle", idle),
            ("interval", interval),
            ("iteration", iteration),
            ("jitter", jitter),
            ("list", list),
            ("loss", loss),
            ("patience", patience),
            ("per_control", per_control),
            ("per_gap", per_gap),
            ("queue", queue),
            ("relay", relay),
            ("taking_part", taking_part),
            ("threshold", threshold),
            ("to_x", to_x),
            ("unannounced", unannounced),
        )


class Series(Table):
    """Values that are recorded over time.

    Parameters
    ----------
    every : str or list or dict
        Time between two samples.
    flows : list, optional
        Flows whose windows are recorded, numbered in order of their starts (default: none).
    links : list, optional
        Links whose backlog is recorded (default: none).
    """

    def __init__(
        self,
        *,
        every: Union[str, Sequence[Any], Mapping[str, Any], Table],
        flows: Union[Sequence[Any], None] = None,
        links: Union[Sequence[Any], None] = None,
    ) -> None:
        super().__init__(
            ("every", every),
            ("flows", flows),
            ("links", links),
        )


class SharedBuffer(Table):
    """Memory that the ports of a switch share.

    Parameters
    ----------
    size : str or list or dict
        Size of the memory.
    alpha : float or list or dict, optional
        A port may hold this many times the free memory (default: 1).
    """

    def __init__(
        self,
        *,
        size: Union[str, Sequence[Any], Mapping[str, Any], Table],
        alpha: Union[Union[float, Sequence[Any], Mapping[str, Any], Table], None] = None,
    ) -> None:
        super().__init__(
            ("size", size),
            ("alpha", alpha),
        )


class State(Table):
    """Switches and hosts that need a state for each packet, and their caches.

    Parameters
    ----------
    at : str or list
        Switches and hosts by name, with spaces between them; `*` stands for any letters: `"leaf* h0"`. A word that names switches names no
        hosts. A node may have several kinds of states, an application for each.
    capacity : str or int or list or dict
        Entries of each cache, or a share of the states like `"20 %"`, rounded down to whole sets, at least one set.
    key : {"flow", "connection", "source", "destination", "pair", "source-port", "destination-port", "object"} or list
        Owner of a state: `"flow"` (one direction of a flow, like a 5-tuple), `"connection"` (both), `"source"`, `"destination"` (of a
        host), `"pair"` (from one host to another), `"source-port"`, `"destination-port"` (an address and a port) or `"object"` (what a flow
        carries).
    policy : str or list
        A cache policy, with parameters like `"lru-k(k=3)"`; MAD forms, too. With `-seer`, as in `"lru-seer"` or `"lru-k-seer(k=3)"`,
        neighbours notify the cache of packets; `"seer"` is `"lru-seer"`.
    acknowledgements : bool or list, optional
        Whether packets without data need a state, too (default: `true`).
    latency : str or list or dict, optional
        Time that a fetch takes at the store, or the distribution from which each is drawn (default: `"100 ns"`).
    lookahead : bool or list, optional
        With `waits = "link"`: whether the state of a packet that is held up behind another one is fetched meanwhile (default: `false`).
    name : str, optional
        Name of the states in results (default: its `key` and `at`).
    objects : list or dict, optional
        With `key = "object"`: the number of objects, and the skew of their popularity (default: `{ count = 10000, skew = 0.9 }`).
    of : {"node", "alive", "network"} or list, optional
        States of which `capacity` is a share. `"node"`: those of packets that pass the switch if nothing fails; `"alive"`: the most of
        these that are alive at once; `"network"`: those of all packets of the run (default: `"node"`).
    optimum : bool or list, optional
        Whether Bélády's algorithm, which knows the whole future, replays the same accesses in caches like these. This needs 16 bytes of
        memory for each access and, at the end, 40 more for each access of one cache (default: `false`).
    parallel : int or list or dict, optional
        Fetches that the store serves at a time; others wait for their turn (default: no limit).
    seer : list or dict, optional
        How neighbours notify the cache: a table of the fields below (default: their defaults).
    store : list or dict, optional
        The host that has the store, if fetches travel over the network (default: a local store).
    waiting_packets : int or list or dict, optional
        Packets that may wait in a switch at a time. A further packet that would have to wait is dropped, and its fetch goes on (default: no
        limit).
    waits : {"packet", "link"} or list, optional
        Packets that wait together with a packet whose state is missing. `"packet"`: none, others overtake it; `"link"`: all packets behind
        it on the same link, as in a stalled pipeline (default: `"packet"`).
    ways : {"full"} or int or list or dict, optional
        Entries of a set, or `"full"` for one set (default: 8).
    """

    def __init__(
        self,
        *,
        at: Union[str, Sequence[Any]],
        capacity: Union[str, int, Sequence[Any], Mapping[str, Any], Table],
        key: Union[Literal["flow", "connection", "source", "destination", "pair", "source-port", "destination-port", "object"], Sequence[Any]],
        policy: Union[str, Sequence[Any]],
        acknowledgements: Union[Union[bool, Sequence[Any]], None] = None,
        latency: Union[Union[str, Sequence[Any], Mapping[str, Any], Table], None] = None,
        lookahead: Union[Union[bool, Sequence[Any]], None] = None,
        name: Union[str, None] = None,
        objects: Union[Union[Sequence[Any], Mapping[str, Any], Table], None] = None,
        of: Union[Union[Literal["node", "alive", "network"], Sequence[Any]], None] = None,
        optimum: Union[Union[bool, Sequence[Any]], None] = None,
        parallel: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        seer: Union[Union[Sequence[Any], Mapping[str, Any], Table], None] = None,
        store: Union[Union[Sequence[Any], Mapping[str, Any], Table], None] = None,
        waiting_packets: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        waits: Union[Union[Literal["packet", "link"], Sequence[Any]], None] = None,
        ways: Union[Union[Literal["full"], int, Sequence[Any], Mapping[str, Any], Table], None] = None,
    ) -> None:
        super().__init__(
            ("at", at),
            ("capacity", capacity),
            ("key", key),
            ("policy", policy),
            ("acknowledgements", acknowledgements),
            ("latency", latency),
            ("lookahead", lookahead),
            ("name", name),
            ("objects", objects),
            ("of", of),
            ("optimum", optimum),
            ("parallel", parallel),
            ("seer", seer),
            ("store", store),
            ("waiting_packets", waiting_packets),
            ("waits", waits),
            ("ways", ways),
        )


class Store(Table):
    """The host from which states are fetched over the network.

    Parameters
    ----------
    at : str or list
        Name of the host. The host itself has no such cache.
    answer_bytes : int or list or dict, optional
        Length of an answer on the wire (default: 128).
    class_ : int or list or dict, optional
        Traffic class of requests and answers (default: 0).
    request_bytes : int or list or dict, optional
        Length of a request on the wire (default: 64).
    retry : str or list or dict, optional
        Time after which an unanswered request is sent again. Each further wait is twice as long as the one before, up to 64 times `retry`
        (default: `"1 ms"`).
    """

    def __init__(
        self,
        *,
        at: Union[str, Sequence[Any]],
        answer_bytes: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        class_: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        request_bytes: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        retry: Union[Union[str, Sequence[Any], Mapping[str, Any], Table], None] = None,
    ) -> None:
        super().__init__(
            ("at", at),
            ("answer_bytes", answer_bytes),
            ("class", class_),
            ("request_bytes", request_bytes),
            ("retry", retry),
        )


class Strategy(Table):
    """A kind of packets that the attacker sends; Parameters of `strategy = { name = "application" }`.

    Parameters
    ----------
    estimate : str or list or dict, optional
        Estimate that the attacker makes the scheduler believe; the `estimate` of the processor is applied on top (default: the job).
    flows : int or list or dict, optional
        Number of flows over which packets are spread in turn; 0: each packet is a flow of its own (numbers begin again after 1,048,576)
        (default: 0).
        Number of attack flows that are sent in turn, 1 to 1,000 (default: 1).
    job : str or list or dict, optional
        Job of a packet, at most `max_job` (default: `max_job`).
    name : {"application"}, optional
        See docs/scenario.md.
    out_of_order : int or list or dict, optional
        For `tcp-reassembly`: number of segments of an attack flow, each of one byte beyond a gap; then the next flow begins (default: as
        many as fit into the window, and, for policies that look at jobs, also as many as make the jobs of equations 3.8 and 3.9 on
        average).
    repeats : int or list or dict, optional
        How often the last segment of a flow is sent again (default: 0).
    searched : int or list or dict, optional
        For `two-stage-matcher`: number of innocent payloads, 1 to 1,000,000, of which the one with the longest job is sent. `max_job`
        defaults to its job (default: 100,000).
    share : float or list or dict, optional
        Share of the attack's bits, compared with the other kinds (default: 1).
    size_bytes : int or list or dict, optional
        Size of a packet, at least `min_packet` (default: `min_packet`).
    """

    def __init__(
        self,
        *,
        estimate: Union[Union[str, Sequence[Any], Mapping[str, Any], Table], None] = None,
        flows: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        job: Union[Union[str, Sequence[Any], Mapping[str, Any], Table], None] = None,
        name: Union[Literal["application"], None] = None,
        out_of_order: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        repeats: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        searched: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        share: Union[Union[float, Sequence[Any], Mapping[str, Any], Table], None] = None,
        size_bytes: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
    ) -> None:
        super().__init__(
            ("estimate", estimate),
            ("flows", flows),
            ("job", job),
            ("name", name),
            ("out_of_order", out_of_order),
            ("repeats", repeats),
            ("searched", searched),
            ("share", share),
            ("size_bytes", size_bytes),
        )


class Suspected(Table):
    """Servers that are reserved for suspected packets.

    Parameters
    ----------
    servers : int or list or dict
        Number of the processor's servers that work on suspected packets only; fewer than all. 0: none is reserved.
    flow_work : str or list or dict, optional
        A packet is suspected if more work than this has been done for its flow in the present `window`, or in the one before (default: not
        by its flow).
    job : str or list or dict, optional
        A packet is suspected if policies expect a job longer than this (default: not by its job).
    window : str or list or dict, optional
        Length of the windows in which the work for a flow is added up (default: `"1 ms"`).
    """

    def __init__(
        self,
        *,
        servers: Union[int, Sequence[Any], Mapping[str, Any], Table],
        flow_work: Union[Union[str, Sequence[Any], Mapping[str, Any], Table], None] = None,
        job: Union[Union[str, Sequence[Any], Mapping[str, Any], Table], None] = None,
        window: Union[Union[str, Sequence[Any], Mapping[str, Any], Table], None] = None,
    ) -> None:
        super().__init__(
            ("servers", servers),
            ("flow_work", flow_work),
            ("job", job),
            ("window", window),
        )


class TcpReassembly(Table):
    """TCP reassembly as an `application` of innocent traffic.

    Parameters
    ----------
    name : {"tcp-reassembly"}
        See docs/scenario.md.
    acknowledgements : float or list or dict, optional
        Share of packets without data, 0 to 1 (default: 0.27).
    fixed : str or list or dict, optional
        Cost of each segment, up to `"1 s"` (default: `"677 ns"`).
    flow_bytes : list or dict, optional
        Sizes of flows: `{ min = 5000, max = 100_000_000, shape = 1.2 }` is a Pareto distribution with this minimum size and shape, cut off
        at `max` (default: this).
    flows : int or list or dict, optional
        Number of flows that send at the same time; when one ends the next begins (default: 1,000).
    lost : float or list or dict, optional
        Share of segments with data that arrive again three to eight segments later, 0 to 0.4 (default: 0.005).
    max_nodes : int or list or dict, optional
        Maximum number of nodes in a flow's list or tree. A flow that needs more is reset (default: as many as fit into the window).
    memory : str or list or dict, optional
        Maximum number of bytes that all flows hold together: waiting data and 64 B for each node, or their buffers. While they hold more,
        flows are reset (default: no limit).
    overtaken : float or list or dict, optional
        Share of segments with data that one to three others overtake, 0 to 0.4 (default: 0.005).
    pcap : str or list, optional
        Instead of the last five: a recording, whose TCP segments are played at the rates of the scenario, repeatedly (each time its flows
        have other numbers); each seed begins at another segment. Capacity and bounds are computed from up to 1,048,576 of its segments,
        attacks from 100,000, beginning at some segment.
    structure : {"list", "tree", "buffer"} or list, optional
        Data structure of waiting segments: a list; a balanced tree, in which a `traversal` is a level; or a buffer of the size of the
        window for each flow, which needs no search (default: `"list"`).
    traversal : str or list or dict, optional
        Cost of each visited node of the list of waiting segments, up to `"1 s"` (default: `"4 ns"`).
    victim : {"oldest", "largest"} or list, optional
        For `memory`: the flow that is reset. `"oldest"`: the flow whose last segment arrived longest ago; `"largest"`: the flow that holds
        the most (default: `"oldest"`).
    window_bytes : int or list or dict, optional
        Window, 2 to 1,048,576 bytes. A flow with data further ahead than this is dropped. The largest job is `fixed`, and a `traversal` for
        every second byte (default: 16,384).
    """

    def __init__(
        self,
        *,
        name: Literal["tcp-reassembly"],
        acknowledgements: Union[Union[float, Sequence[Any], Mapping[str, Any], Table], None] = None,
        fixed: Union[Union[str, Sequence[Any], Mapping[str, Any], Table], None] = None,
        flow_bytes: Union[Union[Sequence[Any], Mapping[str, Any], Table], None] = None,
        flows: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        lost: Union[Union[float, Sequence[Any], Mapping[str, Any], Table], None] = None,
        max_nodes: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        memory: Union[Union[str, Sequence[Any], Mapping[str, Any], Table], None] = None,
        overtaken: Union[Union[float, Sequence[Any], Mapping[str, Any], Table], None] = None,
        pcap: Union[Union[str, Sequence[Any]], None] = None,
        structure: Union[Union[Literal["list", "tree", "buffer"], Sequence[Any]], None] = None,
        traversal: Union[Union[str, Sequence[Any], Mapping[str, Any], Table], None] = None,
        victim: Union[Union[Literal["oldest", "largest"], Sequence[Any]], None] = None,
        window_bytes: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
    ) -> None:
        super().__init__(
            ("name", name),
            ("acknowledgements", acknowledgements),
            ("fixed", fixed),
            ("flow_bytes", flow_bytes),
            ("flows", flows),
            ("lost", lost),
            ("max_nodes", max_nodes),
            ("memory", memory),
            ("overtaken", overtaken),
            ("pcap", pcap),
            ("structure", structure),
            ("traversal", traversal),
            ("victim", victim),
            ("window_bytes", window_bytes),
        )


class Topology(Table):
    """A topology in a file.

    Parameters
    ----------
    file : str or list
        The file, relative to the scenario: a line for each host, switch and link.
    """

    def __init__(
        self,
        *,
        file: Union[str, Sequence[Any]],
    ) -> None:
        super().__init__(
            ("file", file),
        )


class Traffic(Table):
    """Packets from a recording; Packets from a recipe.

    Parameters
    ----------
    access : float or list or dict, optional
        Rate at which a flow sends, as a multiple of the port's rate, for `"flows"` (default: 1).
    access_rate : str or list or dict, optional
        Rate at which a flow of a flow CSV sends (default: the port's rate).
    arrivals : {"poisson", "constant", "on-off", "flows"} or list, optional
        When packets arrive. `"poisson"`; `"constant"`: equal gaps; `"on-off"`: every flow sends evenly while ON and nothing while OFF;
        `"flows"`: flows start after a Poisson process, and each sends its packets evenly and ends.
    classes : list or dict, optional
        DSCP (or any number to 255) and share of flows: `{ 46 = 0.1, 0 = 0.9 }` (default: all 0).
    duration : str or list or dict, optional
        No packet arrives after this time (default: none).
    ecn : bool or list, optional
        Whether all packets are ECN-capable, for marks (default: as the IP headers of a pcap or pcapng say).
        Whether packets are ECN-capable, for marks (default: `false`).
    filter : str or list, optional
        Filter for the packets of a pcap or pcapng: an expression like tcpdump's (traces.md) (default: all).
    flow_bytes : int or list or dict, optional
        Size of each flow. A new flow follows one that has sent all its bytes; the last packet of a flow carries the remaining bytes. Not
        for `"flows"` (default: flows never end).
    flow_packets : int or list or dict, optional
        Packets of a flow, for `"flows"`.
    flows : int or list or dict, optional
        Number of flows that send at the same time, 1 to 1,048,576; not for `"flows"` (default: 100).
    ip_header : {"outer", "second", "inner"} or list, optional
        IP header that gives the class and flow of a packet in a tunnel: that of the tunnel, the second one (in the outermost tunnel), or
        the innermost (traces.md) (default: `"outer"`).
    load : float or list or dict, optional
        Mean rate as a share of the port's rate; may be above 1.
    off : str or list or dict, optional
        Mean length of OFF periods (exponential), for `"on-off"`.
    on : str or list or dict, optional
        Mean length of ON periods (exponential), like `"1 ms"`, for `"on-off"`.
    packet_bytes : str or int or list or dict, optional
        Bytes of a full packet of a flow CSV (default: 1500).
    packets : int or list or dict, optional
        Maximum number of packets (default: 1,000,000 if neither `duration` nor `until` is given).
    processing_ns : int or list or dict, optional
        Job size in nanoseconds, for `job-size`, `job-ratio`, `job-fair`, `job-clock`, `job-finish`, `drfq` and the flow ranks; the link
        still sends by bytes (default: none).
    queue : int or list or dict, optional
        Queue to which a packet is directed, numbered from 0, for OpenQueue policies with several queues; all packets of a flow go to one
        queue (default: none).
    rank : int or list or dict, optional
        Rank that a packet carries, for `rank = "packet-rank"`; ranks may also follow an order (default: none).
    rate : str or list or dict, optional
        Mean rate of all flows together, instead of `load`.
    size_bytes : int or list or dict, optional
        Size of a packet, 1 to 1,000,000 (default: 1500).
    slack_ns : int or list or dict, optional
        Slack in nanoseconds. For `edf`: how late a packet may be. For `fifo-plus`: how much less earlier hops have delayed the packet than
        others (default: none).
    speed : float or list or dict, optional
        Divides all gaps between packets (default: 1).
    trace : str or list, optional
        The recording: a pcap, pcapng, packet CSV or flow CSV (traces.md), relative to the scenario.
    value : int or list or dict, optional
        Value of a packet, for `rank = "value"` (default: none).
    """

    def __init__(
        self,
        *,
        access: Union[Union[float, Sequence[Any], Mapping[str, Any], Table], None] = None,
        access_rate: Union[Union[str, Sequence[Any], Mapping[str, Any], Table], None] = None,
        arrivals: Union[Union[Literal["poisson", "constant", "on-off", "flows"], Sequence[Any]], None] = None,
        classes: Union[Union[Sequence[Any], Mapping[str, Any], Table], None] = None,
        duration: Union[Union[str, Sequence[Any], Mapping[str, Any], Table], None] = None,
        ecn: Union[Union[bool, Sequence[Any]], None] = None,
        filter: Union[Union[str, Sequence[Any]], None] = None,
        flow_bytes: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        flow_packets: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        flows: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        ip_header: Union[Union[Literal["outer", "second", "inner"], Sequence[Any]], None] = None,
        load: Union[Union[float, Sequence[Any], Mapping[str, Any], Table], None] = None,
        off: Union[Union[str, Sequence[Any], Mapping[str, Any], Table], None] = None,
        on: Union[Union[str, Sequence[Any], Mapping[str, Any], Table], None] = None,
        packet_bytes: Union[Union[str, int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        packets: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        processing_ns: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        queue: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        rank: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        rate: Union[Union[str, Sequence[Any], Mapping[str, Any], Table], None] = None,
        size_bytes: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        slack_ns: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        speed: Union[Union[float, Sequence[Any], Mapping[str, Any], Table], None] = None,
        trace: Union[Union[str, Sequence[Any]], None] = None,
        value: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
    ) -> None:
        super().__init__(
            ("access", access),
            ("access_rate", access_rate),
            ("arrivals", arrivals),
            ("classes", classes),
            ("duration", duration),
            ("ecn", ecn),
            ("filter", filter),
            ("flow_bytes", flow_bytes),
            ("flow_packets", flow_packets),
            ("flows", flows),
            ("ip_header", ip_header),
            ("load", load),
            ("off", off),
            ("on", on),
            ("packet_bytes", packet_bytes),
            ("packets", packets),
            ("processing_ns", processing_ns),
            ("queue", queue),
            ("rank", rank),
            ("rate", rate),
            ("size_bytes", size_bytes),
            ("slack_ns", slack_ns),
            ("speed", speed),
            ("trace", trace),
            ("value", value),
        )


class Tree(Table):
    """A node of a tree of rank functions.

    Parameters
    ----------
    rank : {"arrival", "fcfs", "packet-rank", "strict", "strict-priority", "value", "remaining-bytes", "srpt", "pfabric", "job-size", "sjf", "job-ratio", "wsjf", "job-fair", "fq", "job-clock", "virtual-clock", "job-finish", "scfq", "drfq", "dominant-resource-fair-queueing", "stfq", "wfq", "pgps", "wf2q", "worst-case-fair", "afq", "edf", "lstf", "fifo-plus", "fifo+", "pias", "arrival-rate", "fdpa", "reframer"} or list or dict
        Rank function. In a leaf it ranks packets; elsewhere it ranks the node's children as if each were a flow.
    children : list, optional
        Nodes below this one, to any depth (default: none: the node is a leaf).
    classes : list, optional
        Classes whose packets go to this leaf; a class belongs to one leaf only (default: all that no other leaf names).
    pace : {"token-bucket", "shaper", "tbf", "delay"} or list or dict, optional
        Pace rule of a child: the time from which its parent may choose it for a packet, see below (default: at once).
    queue : {"fifo", "pifo", "hffs", "rolling-hffs", "shift-register", "pieo", "bmw-tree", "pheap", "fibonacci-heap", "fibonacci-pair", "sp-pifo", "sp-pifo-highest", "fixed-bounds", "gradient", "mean-bounds", "aifo", "rifo", "packs", "calendar", "gearbox", "earliest-of-flow"} or list or dict, optional
        Rank queue of this node, in place of the tree's, see below (default: that of the tree).
    rank_unit : int or list or dict, optional
        Divides the ranks of this node, rounding down (default: 1).
    weight : int or list or dict, optional
        Weight of this node among its siblings, 1 to 1,000,000, where the parent's `rank` is `stfq`, `wf2q` or `wfq` (default: 1).
    """

    def __init__(
        self,
        *,
        rank: Union[Literal["arrival", "fcfs", "packet-rank", "strict", "strict-priority", "value", "remaining-bytes", "srpt", "pfabric", "job-size", "sjf", "job-ratio", "wsjf", "job-fair", "fq", "job-clock", "virtual-clock", "job-finish", "scfq", "drfq", "dominant-resource-fair-queueing", "stfq", "wfq", "pgps", "wf2q", "worst-case-fair", "afq", "edf", "lstf", "fifo-plus", "fifo+", "pias", "arrival-rate", "fdpa", "reframer"], Sequence[Any], Mapping[str, Any], Table],
        children: Union[Sequence[Any], None] = None,
        classes: Union[Sequence[Any], None] = None,
        pace: Union[Union[Literal["token-bucket", "shaper", "tbf", "delay"], Sequence[Any], Mapping[str, Any], Table], None] = None,
        queue: Union[Union[Literal["fifo", "pifo", "hffs", "rolling-hffs", "shift-register", "pieo", "bmw-tree", "pheap", "fibonacci-heap", "fibonacci-pair", "sp-pifo", "sp-pifo-highest", "fixed-bounds", "gradient", "mean-bounds", "aifo", "rifo", "packs", "calendar", "gearbox", "earliest-of-flow"], Sequence[Any], Mapping[str, Any], Table], None] = None,
        rank_unit: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        weight: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
    ) -> None:
        super().__init__(
            ("rank", rank),
            ("children", children),
            ("classes", classes),
            ("pace", pace),
            ("queue", queue),
            ("rank_unit", rank_unit),
            ("weight", weight),
        )


class TwoStageMatcher(Table):
    """A two-stage matcher as an `application` of innocent traffic.

    Parameters
    ----------
    name : {"two-stage-matcher"}
        See docs/scenario.md.
    candidates : float or list or dict, optional
        Mean number of rules that the filter names for a packet, up to all of them (default: 1.1457).
    decades : float or list or dict, optional
        Spread of rules: the last rule is this many decades more expensive, and more rarely a candidate, than the first, 0 to 9 (default:
        2).
    filter : str or list or dict, optional
        Cost of the first stage for each packet, up to `"1 s"` (default: `"200 ns"`).
    flows : int or list or dict, optional
        Number of flows; the flow of each packet is drawn (default: 100).
    matches : float or list or dict, optional
        Share of its candidates that a rule matches (default: 0.02).
    ns_per_byte : float or list or dict, optional
        Mean cost of the first rule; the last one may cost up to 1,000,000 (default: 1.5).
    rules : int or list or dict, optional
        Number of rules of the second stage, 1 to 1,000. They are evaluated one after another until one matches (default: 40).
    size_bytes : int or list or dict, optional
        Size of a packet: a number or a distribution (default: Gaussian, 800 +- 400, from 64 to 1,514).
    spread : float or list or dict, optional
        Standard deviation of a rule's cost from packet to packet, as a share of the mean; none differs by more than half (default: 0.15).
    """

    def __init__(
        self,
        *,
        name: Literal["two-stage-matcher"],
        candidates: Union[Union[float, Sequence[Any], Mapping[str, Any], Table], None] = None,
        decades: Union[Union[float, Sequence[Any], Mapping[str, Any], Table], None] = None,
        filter: Union[Union[str, Sequence[Any], Mapping[str, Any], Table], None] = None,
        flows: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        matches: Union[Union[float, Sequence[Any], Mapping[str, Any], Table], None] = None,
        ns_per_byte: Union[Union[float, Sequence[Any], Mapping[str, Any], Table], None] = None,
        rules: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        size_bytes: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        spread: Union[Union[float, Sequence[Any], Mapping[str, Any], Table], None] = None,
    ) -> None:
        super().__init__(
            ("name", name),
            ("candidates", candidates),
            ("decades", decades),
            ("filter", filter),
            ("flows", flows),
            ("matches", matches),
            ("ns_per_byte", ns_per_byte),
            ("rules", rules),
            ("size_bytes", size_bytes),
            ("spread", spread),
        )


class Workload(Table):
    """Flows: sizes, senders, receivers and starts.

    Parameters
    ----------
    arrivals : {"poisson", "constant"} or list, optional
        When flows start. `"poisson"`, or `"constant"`: equal gaps, the first flow at once (default: `"poisson"`).
    class_ : int or list or dict, optional
        Class (DSCP) of the packets, 0 to 255 (default: `dscp`, or 0).
    deadline : str or list or dict, optional
        Time after the start of its flow by which each packet should have arrived, in place of `slack`: a port sees the time that is left
        (default: none).
    deadline_per_byte : str or list or dict, optional
        Additional time until the deadline for each byte of the packet's flow (default: `"0 s"`).
    dscp : int or list or dict, optional
        Only flows of the topology's `recording` whose first packet has this DSCP, which is then their class (default: all flows).
    duration : str or list or dict, optional
        Flows start within this time after `start`, and within the `duration` of the network.
    every : str or list or dict, optional
        Mean gap between two arrivals, instead of `load`; an arrival of an incast is many flows.
    flows : int or list or dict, optional
        Maximum number of flows (default: no limit).
    flows_per_second : float or list or dict, optional
        Flows of all hosts together, instead of `load`.
    jitter : str or list or dict, optional
        Each flow of `replay` starts later by a random time up to this (uniform), another one in each repetition (default: `"0 s"`).
    load : float or list or dict, optional
        Bits of the flows on the wire, with headers, as a share of the capacity of the links of all hosts that may send, up to 1. Give
        exactly one of `load`, `flows_per_second` and `every`, or a `replay`.
    name : str, optional
        Name of the workload in results; its random numbers depend on it (default: the name of the sizes or of the pattern).
    pattern : {"all-to-all", "permutation", "incast", "rack-to-rack", "one-to-all", "pairs", "fixed"} or list or dict, optional
        Senders and receivers of flows (default: `"all-to-all"`).
    rank : {"flow-size"} or int or list or dict, optional
        Ranks that data packets carry, for `rank = "packet-rank"`: as `rank` of traffic. Distributions or orders in a list have their own
        names, or a `name`. `"flow-size"`: the bytes of the packet's flow (default: none).
    rank_all : bool or list, optional
        Whether acknowledgements carry such ranks as well, in place of rank 0 (default: `false`).
    replay : str or list, optional
        Flows from a CSV, instead of the fields from `sizes` on: columns `start_ns`, `src`, `dst` (hosts), `size_bytes`; or the lines of one
        run in `flows.csv` of a result; or a list of flows of ns-3 or htsim; or the `recording` of the topology, by the same name. Flows
        that start after `duration` are left out.
    sizes : {"fixed", "uniform", "exponential", "pareto", "web-search", "web-search-discrete", "data-mining", "data-mining-discrete", "data-mining-twelve", "imc10", "cdf", "endless"} or list or dict, optional
        Sizes of flows: a name, or a table with parameters; `{ name = "cdf", file = "sizes.cdf" }` reads points of a distribution (lines
        `bytes share`; a line `packets of 1460 bytes` before them says that sizes are packets, which files of ns-2 with three columns need).
        `"endless"` flows send until the run ends.
    slack : str or list or dict, optional
        How long each packet may wait in all queues on its way, for `edf` (which is LSTF then), `fifo-plus` and `arriving.slack`: each wait
        reduces it. Acknowledgements have it, too (default: none).
    slack_per_byte : str or list or dict, optional
        Additional slack for each byte of the packet's flow (default: `"0 s"`).
    start : str or list or dict, optional
        No flow starts before this time (default: `"0 s"`).
    start_unit : {"ps", "ns", "us"} or list, optional
        Unit of `start` in a `replay` of htsim, which does not say it.
    transport : {"newreno", "dctcp", "cubic", "ideal", "pfabric", "udp"} or list or dict, optional
        Transport of this workload under every policy (default: the transport of the policy).
    """

    def __init__(
        self,
        *,
        arrivals: Union[Union[Literal["poisson", "constant"], Sequence[Any]], None] = None,
        class_: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        deadline: Union[Union[str, Sequence[Any], Mapping[str, Any], Table], None] = None,
        deadline_per_byte: Union[Union[str, Sequence[Any], Mapping[str, Any], Table], None] = None,
        dscp: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        duration: Union[Union[str, Sequence[Any], Mapping[str, Any], Table], None] = None,
        every: Union[Union[str, Sequence[Any], Mapping[str, Any], Table], None] = None,
        flows: Union[Union[int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        flows_per_second: Union[Union[float, Sequence[Any], Mapping[str, Any], Table], None] = None,
        jitter: Union[Union[str, Sequence[Any], Mapping[str, Any], Table], None] = None,
        load: Union[Union[float, Sequence[Any], Mapping[str, Any], Table], None] = None,
        name: Union[str, None] = None,
        pattern: Union[Union[Literal["all-to-all", "permutation", "incast", "rack-to-rack", "one-to-all", "pairs", "fixed"], Sequence[Any], Mapping[str, Any], Table], None] = None,
        rank: Union[Union[Literal["flow-size"], int, Sequence[Any], Mapping[str, Any], Table], None] = None,
        rank_all: Union[Union[bool, Sequence[Any]], None] = None,
        replay: Union[Union[str, Sequence[Any]], None] = None,
        sizes: Union[Union[Literal["fixed", "uniform", "exponential", "pareto", "web-search", "web-search-discrete", "data-mining", "data-mining-discrete", "data-mining-twelve", "imc10", "cdf", "endless"], Sequence[Any], Mapping[str, Any], Table], None] = None,
        slack: Union[Union[str, Sequence[Any], Mapping[str, Any], Table], None] = None,
        slack_per_byte: Union[Union[str, Sequence[Any], Mapping[str, Any], Table], None] = None,
        start: Union[Union[str, Sequence[Any], Mapping[str, Any], Table], None] = None,
        start_unit: Union[Union[Literal["ps", "ns", "us"], Sequence[Any]], None] = None,
        transport: Union[Union[Literal["newreno", "dctcp", "cubic", "ideal", "pfabric", "udp"], Sequence[Any], Mapping[str, Any], Table], None] = None,
    ) -> None:
        super().__init__(
            ("arrivals", arrivals),
            ("class", class_),
            ("deadline", deadline),
            ("deadline_per_byte", deadline_per_byte),
            ("dscp", dscp),
            ("duration", duration),
            ("every", every),
            ("flows", flows),
            ("flows_per_second", flows_per_second),
            ("jitter", jitter),
            ("load", load),
            ("name", name),
            ("pattern", pattern),
            ("rank", rank),
            ("rank_all", rank_all),
            ("replay", replay),
            ("sizes", sizes),
            ("slack", slack),
            ("slack_per_byte", slack_per_byte),
            ("start", start),
            ("start_unit", start_unit),
            ("transport", transport),
        )
