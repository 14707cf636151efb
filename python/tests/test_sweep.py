"""Scenarios that many processes run, some of which are killed."""

from __future__ import annotations

import multiprocessing
import os
import signal
import warnings
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import forebay


@pytest.fixture
def swept(port: dict[str, Any]) -> dict[str, Any]:
    """Twelve runs."""
    port["traffic"]["load"] = [0.8, 1.0, 1.2]
    port["repetitions"] = 2
    return port


@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_processes_give_the_bytes_of_one(swept: dict[str, Any], tmp_path: Path, start: str) -> None:
    alone = forebay.run(swept)
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(start)) as pool:
        together = forebay.sweep(swept, executor=pool, out=tmp_path / start)
    assert together.json() == alone.json() and together.csv() == alone.csv()


def test_threads_and_fewer_tasks_do_the_same(swept: dict[str, Any], tmp_path: Path) -> None:
    with ThreadPoolExecutor(2) as pool:
        together = forebay.sweep(swept, executor=pool, out=tmp_path, tasks=3)
    assert together.csv() == forebay.run(swept).csv()


def test_a_sweep_goes_on_with_what_the_command_has_made(swept: dict[str, Any], tmp_path: Path) -> None:
    first = forebay.run(swept, out=tmp_path)
    calls: list[str] = []

    class Counting(ThreadPoolExecutor):
        def submit(self, function: Any, /, *arguments: Any, **named: Any) -> Future[Any]:
            calls.append(arguments[1])
            return super().submit(function, *arguments, **named)

    with Counting(1) as pool:
        assert forebay.sweep(swept, executor=pool, out=tmp_path).csv() == first.csv()
    assert len(calls) == 12


def kill_myself(*_: object) -> None:
    """What a worker does that is killed from outside."""
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_killed_worker_loses_nothing_that_was_finished(swept: dict[str, Any], tmp_path: Path) -> None:
    with ProcessPoolExecutor(1) as pool:
        scenario = forebay.Scenario(swept)
        for part in range(4):
            pool.submit(forebay._sweep.run_part, scenario, f"{part}/12", str(tmp_path)).result()
    made = {path.name: path.stat().st_mtime_ns for path in tmp_path.rglob("*.json")}
    assert made
    with ProcessPoolExecutor(1) as pool:
        pool.submit(kill_myself)
        # The pool may break before or after the first task is made.
        with pytest.raises(forebay.ForebayError, match="call again with a new executor|the same call goes on"), warnings.catch_warnings():
            warnings.simplefilter("ignore", forebay.ForebayWarning)
            forebay.sweep(swept, executor=pool, out=tmp_path)
    with ProcessPoolExecutor(2) as pool:
        result = forebay.sweep(swept, executor=pool, out=tmp_path)
    assert result.csv() == forebay.run(swept).csv()
    again = {path.name: path.stat().st_mtime_ns for path in tmp_path.rglob("*.json")}
    kept = [name for name in made if made[name] == again.get(name)]
    assert len(kept) >= 4


class Failing(Executor):
    """Fails each task a number of times before it does it."""

    def __init__(self, times: int) -> None:
        self.times = times
        self.tries: dict[str, int] = {}

    def submit(self, function: Any, /, *arguments: Any, **named: Any) -> Future[Any]:
        future: Future[Any] = Future()
        part = arguments[1]
        self.tries[part] = self.tries.get(part, 0) + 1
        if self.tries[part] <= self.times:
            future.set_exception(OSError("the node is gone"))
        else:
            future.set_result(function(*arguments, **named))
        return future


def test_tasks_whose_worker_fails_are_begun_again(swept: dict[str, Any], tmp_path: Path) -> None:
    with pytest.warns(forebay.ForebayWarning, match="begun again: OSError: the node is gone"):
        result = forebay.sweep(swept, executor=Failing(2), out=tmp_path)
    assert result.csv() == forebay.run(swept).csv()
    with pytest.raises(forebay.ForebayError, match="part 0/12 failed 3 times"), pytest.warns(forebay.ForebayWarning):
        forebay.sweep(swept, executor=Failing(9), out=tmp_path / "other")


def test_files_travel_with_a_scenario(tmp_path: Path) -> None:
    requests = forebay.Requests([1, 2, 1, 3] * 200)
    scenario = {
        "cache": {"trace": requests, "capacity": [1, 2], "latency": 5},
        "policy": [{"name": "lru"}, {"name": "arc"}],
    }
    with ProcessPoolExecutor(2) as pool:
        together = forebay.sweep(scenario, executor=pool, out=tmp_path)
    assert together.csv() == forebay.run(scenario).csv()


def test_dask_keeps_what_is_finished_when_a_worker_is_killed(swept: dict[str, Any], tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            client.submit(kill_myself, pure=False, retries=0)
            result = forebay.sweep(swept, executor=client, out=tmp_path)
    assert result.csv() == forebay.run(swept).csv()


def test_submitit_runs_tasks_in_processes_of_its_own(swept: dict[str, Any], tmp_path: Path) -> None:
    submitit = pytest.importorskip("submitit")
    executor = submitit.AutoExecutor(folder=tmp_path / "jobs", cluster="local")
    executor.update_parameters(timeout_min=2)
    result = forebay.sweep(swept, executor=executor, out=tmp_path / "out", tasks=2)
    assert result.csv() == forebay.run(swept).csv()
