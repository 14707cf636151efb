"""Scenarios: read, changed, and run."""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Union

from . import _forebay
from ._columns import Requests, _is_table
from ._document import Document, PLACE
from ._errors import FileError, ForebayError, ForebayWarning, argument_error
from ._own import Own, is_own
from ._packets import Packets
from ._progress import Progress, Reporter
from ._result import Result

ScenarioLike = Union["Scenario", Mapping[str, Any], str, Path]


class Scenario:
    """A checked scenario: what is compared, and under which conditions (docs/scenario.md).

    Parameters
    ----------
    scenario : dict, str or Path
        The scenario. A path is that of a file in TOML or JSON; a `str` with a line break is the text of one. In a `dict`, the `trace` of a
        cache may be a table, an array or a `Requests`, and that of traffic a table or a `Packets`.
    seed : int, optional
        Root of all random numbers, in place of the scenario's.
    repetitions : int, optional
        How often everything is run, in place of the scenario's.
    set : dict, optional
        Values to replace, like ``{"port.rate": "5 Gbps"}``.
    baseline : str, optional
        The policy with which the others are compared.

    Raises
    ------
    ForebayError
        If something is wrong: with file and line, or with the place in the `dict`.
    """

    def __init__(
        self,
        scenario: ScenarioLike,
        *,
        seed: int | None = None,
        repetitions: int | None = None,
        set: Mapping[str, Any] | None = None,  # noqa: A002
        baseline: str | None = None,
    ) -> None:
        self._document: Document | None = None
        self._requests: dict[str, Requests] = {}
        self._contents: dict[str, bytes] = {}
        self._own = Own()
        self._folder = Path()
        self._path: Path | None = None
        self._set: list[str] = []
        self._seed: int | None = None
        self._baseline: str | None = None
        if isinstance(scenario, Scenario):
            self.__dict__.update(scenario.__dict__)
            self._set = list(scenario._set)
        else:
            self._read(scenario)
        if repetitions is not None:
            self._set.append(f"repetitions={_integer(repetitions, 'repetitions')}")
        for key, value in (set or {}).items():
            self._set.append(f"{key}={_written(value)}")
        if seed is not None:
            self._seed = _integer(seed, "seed")
        if baseline is not None:
            self._baseline = baseline
        self._question = self._checked()

    def _read(self, scenario: Any) -> None:
        if isinstance(scenario, Mapping) or hasattr(scenario, "to_dict"):
            value = scenario if isinstance(scenario, Mapping) else scenario.to_dict()
            self._document = Document(self._held(value))
            self._name, self._text = PLACE, self._document.text
        elif isinstance(scenario, str) and "\n" in scenario:
            self._name, self._text = PLACE, scenario
        elif isinstance(scenario, (str, Path)):
            path = Path(scenario)
            try:
                self._text = path.read_text(encoding="utf-8")
            except OSError as error:
                what = f"cannot be read: {error.strerror}"
                raise FileError(f"{path}: {what}", file=str(path), what=what) from error
            except UnicodeDecodeError as error:
                raise ForebayError(f"{path}: it is not UTF-8 text; save it as UTF-8", file=str(path)) from error
            self._name, self._path, self._folder = str(path), path, path.parent
        else:
            raise argument_error(PLACE, f"give a dict, a path, a text or a Scenario, not {type(scenario).__name__}")

    def _held(self, value: Mapping[str, Any]) -> dict[str, Any]:
        """The same with names in place of traces that are no text."""
        held: dict[str, Any] = {}
        for key, inner in value.items():
            if key in ("cache", "curve", "bound", "traffic") and hasattr(inner, "to_dict") and not isinstance(inner, Mapping):
                inner = inner.to_dict()
            if key in ("cache", "curve", "bound") and isinstance(inner, Mapping) and _is_held(inner.get("trace")):
                name = "requests in memory"
                self._requests[name] = Requests.of(inner["trace"])
                held[key] = {**inner, "trace": name}
            elif key == "traffic" and isinstance(inner, Mapping) and _is_held(inner.get("trace")) and not is_own(inner["trace"]):
                name = "packets in memory"
                self._contents[name] = Packets.of(inner["trace"]).csv()
                held[key] = {**inner, "trace": name}
            elif key == "policy" and isinstance(inner, (list, tuple)):
                held[key] = self._own.policies(inner)
            else:
                held[key] = self._own.named({key: inner})[key]
        return held

    def _checked(self) -> _forebay.Question:
        requests = {name: held._held for name, held in self._requests.items()}
        try:
            return _forebay.Question(
                self._name, self._path, self._text, "" if self._folder == Path() else str(self._folder), self._set, self._seed, self._baseline, requests, self._contents,
                self._own.makers,
            )
        except ForebayError as error:
            raise self._placed(error) from None

    def _placed(self, error: ForebayError) -> ForebayError:
        """The error with the place in the dict in place of a line of a text that nobody has seen."""
        if self._document is None or error.line is None or error.file != self._name:
            return error
        where = self._document.where(error.line)
        details = {**error.__dict__, "where": where, "line": None}
        return type(error)(f"{PLACE}{where}: {error.what}", **details)

    @property
    def kind(self) -> str:
        """``"port"``, ``"network"``, ``"attack"`` or ``"cache"``."""
        return self._question.kind()

    @property
    def seed(self) -> int:
        """Root of all random numbers."""
        return self._question.seed()

    @property
    def runs(self) -> int:
        """How many runs it has: one for each policy, value of each axis and repetition."""
        return self._question.runs()

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_question"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._question = self._checked()

    def __repr__(self) -> str:
        return f"Scenario({self._name!r}, kind={self.kind!r}, runs={self.runs})"

    def _run(
        self,
        *,
        progress: Progress = None,
        threads: int | None = None,
        memory: int | None = None,
        out: str | Path | None = None,
        part: str | None = None,
        stacklevel: int = 3,
    ) -> Result:
        if out is not None and self._own.names:
            names = ", ".join(self._own.names)
            raise argument_error("out", f"runs of algorithms in Python ({names}) are not kept, as their code may change; leave it out")
        reporter = Reporter(progress)
        said: list[str] = []
        try:
            answer = self._question.run(
                None if threads is None else _integer(threads, "threads", least=1, most=65535),
                reporter.callback,
                said.append,
                None if out is None else Path(out),
                part,
                memory,
            )
        except ForebayError as error:
            raise self._placed(error) from None
        finally:
            reporter.close()
        result = Result(answer)
        for warning in dict.fromkeys([*said, *result.warnings]):
            warnings.warn(warning, ForebayWarning, stacklevel=stacklevel)
        return result


def run(
    scenario: ScenarioLike,
    *,
    progress: Progress = None,
    seed: int | None = None,
    repetitions: int | None = None,
    set: Mapping[str, Any] | None = None,  # noqa: A002
    baseline: str | None = None,
    threads: int | None = None,
    memory: int | None = None,
    out: str | Path | None = None,
) -> Result:
    """Run a scenario of any kind.

    Parameters
    ----------
    scenario : dict, str, Path or Scenario
        What is compared (see `Scenario`).
    progress : bool, callable or tqdm, optional
        Whether to show how far the run is; by default in terminals and notebooks.
    seed, repetitions, set, baseline
        Changes to the scenario (see `Scenario`).
    threads : int, optional
        On how many threads; by default one for each core. The result does not depend on it.
    memory : int, optional
        Refuse runs that surely need more than so many bytes.
    out : str or Path, optional
        A folder for the result, in which each finished run is kept: after an interrupt, the same call goes on there.

    Returns
    -------
    Result

    Raises
    ------
    ForebayError
        If the scenario is wrong, with the place and what to write instead.
    KeyboardInterrupt
        After Ctrl-C; what was finished is kept if `out` is given.

    Examples
    --------
    >>> import forebay
    >>> result = forebay.run({
    ...     "port": {"rate": "10 Gbps", "buffer": "80 packets"},
    ...     "traffic": {"arrivals": "poisson", "load": 1.1, "packets": 2000, "size_bytes": 1500},
    ...     "policy": [{"rank": "arrival", "queue": "fifo"}],
    ... }, progress=False)
    >>> result.kind
    'port'
    """
    changed = Scenario(scenario, seed=seed, repetitions=repetitions, set=set, baseline=baseline)
    return changed._run(progress=progress, threads=threads, memory=memory, out=out)


def _is_held(trace: Any) -> bool:
    return trace is not None and not isinstance(trace, (str, Path)) and (
        isinstance(trace, (Requests, Packets)) or _is_table(trace) or hasattr(trace, "__iter__") or hasattr(trace, "__array__")
    )


def _integer(value: Any, argument: str, *, least: int = 0, most: int = 2**64 - 1) -> int:
    try:
        number = int(value)
        is_whole = number == value and not isinstance(value, (bool, str, bytes))
    except (TypeError, ValueError, OverflowError):
        is_whole = False
        number = 0
    if not is_whole or not least <= number <= most:
        raise argument_error(argument, f"it must be a whole number from {least} to {most}, not {value!r}")
    return number


def _written(value: Any) -> str:
    """A value as `--set` takes it: in TOML, and texts without quotes."""
    return value if isinstance(value, str) else _toml(value)


def _toml(value: Any) -> str:
    value = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{json.dumps(key)} = {_toml(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, Path):
        return json.dumps(str(value))
    if value is None or not isinstance(value, (str, bool, int, float)):
        raise argument_error("set", f"a value must be a text, a number, a list or a dict, not {value!r}")
    return json.dumps(value)
