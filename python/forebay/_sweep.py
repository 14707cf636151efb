"""A scenario run by many processes: each run is a task, and what is finished is kept in a folder."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from . import _forebay
from ._errors import FileError, ForebayError, ForebayWarning, argument_error
from ._progress import Progress, Reporter
from ._result import Result
from ._run import Scenario, ScenarioLike, _integer

# Makes tasks of parts, and gives a future for each.
_Submit = Callable[[Scenario, "list[str]", str], "list[Any]"]

# How long to wait between two looks at tasks that are not done.
_LOOK = 0.02


def sweep(
    scenario: ScenarioLike,
    *,
    executor: Any = None,
    out: str | Path | None = None,
    tasks: int | None = None,
    threads: int | None = None,
    retries: int = 2,
    progress: Progress = None,
    seed: int | None = None,
    repetitions: int | None = None,
    set: Mapping[str, Any] | None = None,  # noqa: A002
    baseline: str | None = None,
) -> Result:
    """Run a scenario on an executor: processes, Dask, Ray, or a cluster with submitit.

    Parameters
    ----------
    scenario, seed, repetitions, set, baseline
        As of `run`.
    executor : optional
        `None`: this process. An executor of `concurrent.futures`, a client of Dask (``dask.distributed.Client``) or an executor of
        submitit: anything with `submit(function, *arguments)`. ``"dask"``: the client of Dask that is there, or a cluster in this machine.
        ``"ray"``: tasks of Ray.
    out : str or Path
        The folder in which finished runs are kept, which all workers see; needed with an executor. The command goes on with it, too
        (`forebay run SCENARIO --out FOLDER`).
    tasks : int, optional
        Into how many tasks the runs are shared; by default one for each run.
    threads : int, optional
        Of this process, without an executor.
    retries : int, default 2
        How often a task is begun again whose worker has failed.
    progress : bool, callable or tqdm, optional
        Whether to show how many tasks are done.

    Returns
    -------
    Result
        As of `run`, byte by byte.

    Raises
    ------
    ForebayError
        If the scenario is wrong, or tasks failed more often than `retries` allows; what is finished stays in `out`, and the same call
        goes on with it.
    """
    whole = Scenario(scenario, seed=seed, repetitions=repetitions, set=set, baseline=baseline)
    if executor is None:
        return whole._run(progress=progress, threads=threads, out=out)
    if whole._own.names:
        names = ", ".join(whole._own.names)
        message = f"algorithms in Python ({names}) are not sent to workers, as their runs are not kept; leave `executor` out"
        raise argument_error("executor", message)
    submit = _submit(executor)
    if out is None:
        raise argument_error("out", "runs of other processes are kept in a folder that all of them see; give one")
    folder = Path(out).absolute()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        what = f"it cannot be made: {error.strerror}; give a folder that workers can write to"
        raise FileError(f"{folder}: {what}", file=str(folder), argument="out", what=what) from error
    runs = whole.runs
    shares = runs if tasks is None else min(runs, _integer(tasks, "tasks", least=1))
    parts = [f"{number}/{shares}" for number in range(shares)]
    _all(whole, submit, parts, folder, _integer(retries, "retries"), Reporter(progress))
    answer, missing = _forebay.merge(folder, [], baseline)
    result = Result(answer)
    if missing:
        raise ForebayError(f"{folder}: {len(missing)} runs are missing, the first is {missing[0]}; call sweep again")
    for warning in result.warnings:
        warnings.warn(warning, ForebayWarning, stacklevel=2)
    return result


def _all(
    scenario: Scenario,
    submit: _Submit,
    parts: list[str],
    folder: Path,
    retries: int,
    reporter: Reporter,
) -> None:
    """Runs every part, those again whose worker has failed."""
    tries = dict.fromkeys(parts, 0)
    waiting = dict(zip(parts, _begun(submit, scenario, parts, folder)))
    done = 0
    try:
        while waiting:
            ended = [part for part, future in waiting.items() if future.done()]
            for part in ended:
                error = _error(waiting.pop(part))
                if error is None:
                    done += 1
                elif isinstance(error, ForebayError) or tries[part] >= retries:
                    _cancel(waiting)
                    if isinstance(error, ForebayError):
                        raise error
                    message = f"part {part} failed {tries[part] + 1} times, at last with {type(error).__name__}: {error}"
                    raise ForebayError(f"{message}; what is finished is in {folder}, and the same call goes on") from error
                else:
                    tries[part] += 1
                    warnings.warn(f"part {part} is begun again: {type(error).__name__}: {error}", ForebayWarning, stacklevel=4)
                    [waiting[part]] = _begun(submit, scenario, [part], folder)
            if reporter.callback is not None:
                reporter.callback(done, len(parts), "tasks", "")
            if waiting and not ended:
                time.sleep(_LOOK)
    finally:
        reporter.close()


def _begun(submit: _Submit, scenario: Scenario, parts: list[str], folder: Path) -> list[Any]:
    """Futures of these parts."""
    try:
        return submit(scenario, parts, str(folder))
    except Exception as broken:
        message = f"the executor takes no task any more ({type(broken).__name__}: {broken})"
        raise ForebayError(f"{message}; what is finished is in {folder}: call again with a new executor") from broken


def _error(future: Any) -> BaseException | None:
    try:
        future.result()
    except Exception as error:
        return error
    return None


def _cancel(waiting: Mapping[str, Any]) -> None:
    for future in waiting.values():
        getattr(future, "cancel", lambda: None)()


def _submit(executor: Any) -> _Submit:
    if executor == "ray":
        return _ray()
    if executor == "dask":
        executor = _dask()
    if not hasattr(executor, "submit"):
        raise argument_error("executor", f"give what has `submit`, \"dask\", \"ray\" or None, not {executor!r}")
    if type(executor).__module__.startswith("distributed"):
        # All tasks in one message. Dask takes two calls alike for one, which it has done, unless they are not pure. The scenario goes with each task:
        # what is scattered is lost with the worker that holds it.
        return lambda scenario, parts, folder: list(executor.map(run_part, [scenario] * len(parts), parts, [folder] * len(parts), pure=False))
    return lambda scenario, parts, folder: [executor.submit(run_part, scenario, part, folder) for part in parts]


def _dask() -> Any:
    try:
        from dask.distributed import Client, get_client
    except ModuleNotFoundError:
        raise argument_error("executor", "Dask is not installed; run: pip install distributed") from None

    try:
        return get_client()
    except ValueError:
        return Client()  # type: ignore[no-untyped-call]


def _ray() -> _Submit:
    try:
        import ray
    except ModuleNotFoundError:
        raise argument_error("executor", "Ray is not installed; run: pip install ray") from None

    remote = ray.remote(run_part)

    class Future:
        def __init__(self, reference: Any) -> None:
            self.reference = reference

        def done(self) -> bool:
            return bool(ray.wait([self.reference], timeout=0)[0])

        def result(self) -> object:
            return ray.get(self.reference)

        def cancel(self) -> None:
            ray.cancel(self.reference)

    return lambda scenario, parts, folder: [Future(remote.remote(scenario, part, folder)) for part in parts]


def run_part(scenario: Scenario, part: str, folder: str) -> str:
    """Make one part of the runs, in a worker.

    Parameters
    ----------
    scenario : Scenario
        With the files that it names: a worker elsewhere needs none of them.
    part : str
        Like ``"3/200"``.
    folder : str
        Where the runs are kept.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ForebayWarning)
        scenario._run(progress=False, threads=1, out=folder, part=part)
    return part
