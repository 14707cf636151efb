"""Compare queueing, scheduling, dropping and caching policies: on your traffic, beside the best known ones and the optimum.

>>> import forebay
>>> result = forebay.cache("zipf:objects=1e3,requests=1e4,skew=0.9", policies=["lru", "lru-mad"], capacity=64, latency=100)
>>> result.to_pandas()  # doctest: +SKIP

`run` takes any scenario; `cache`, `bound`, `curve` and `attack` ask one question each; `sweep` spreads a scenario over processes or a
cluster; `trace.read` reads traces; `check`, `explain` and `compile` are for policies in OpenQueue.
"""

from __future__ import annotations

from . import native, testing, trace
from ._tables import *  # noqa: F403
from ._tables import __all__ as _tables
from ._catalogue import names, schema
from ._columns import Requests
from ._compare import Comparison, compare
from ._errors import FileError, ForebayError, ForebayWarning
from ._forebay import Acked, Limits, Packet
from ._forebay import VERSION as __version__
from ._own import CachePolicy, CongestionControl, DropRule, RankFunction, RankQueue, Source
from ._packets import Packets
from ._policies import Diagnostic, check, compile, explain  # noqa: A004
from ._questions import attack, bound, cache, curve
from ._result import Picture, Result
from ._run import Scenario, run
from ._sweep import sweep

__all__ = [
    *_tables,
    "Acked",
    "CachePolicy",
    "Comparison",
    "CongestionControl",
    "Diagnostic",
    "DropRule",
    "FileError",
    "ForebayError",
    "ForebayWarning",
    "Limits",
    "Packet",
    "Packets",
    "Picture",
    "RankFunction",
    "RankQueue",
    "Requests",
    "Result",
    "Scenario",
    "Source",
    "__version__",
    "attack",
    "bound",
    "cache",
    "check",
    "compare",
    "compile",
    "curve",
    "explain",
    "names",
    "native",
    "run",
    "schema",
    "sweep",
    "testing",
    "trace",
]
