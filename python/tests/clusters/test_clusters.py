"""A sweep on Ray, and on Slurm by submitit: `make test-clusters`."""

from __future__ import annotations

import os
import signal
import warnings
from pathlib import Path
from typing import Any

import pytest

import forebay
from one_node import one_node, why_not

SWEPT: dict[str, Any] = {
    "port": {"rate": "10 Gbps", "buffer": "80 packets"},
    "traffic": {"arrivals": "poisson", "load": [0.8, 1.0, 1.2], "packets": 3000, "size_bytes": 1500},
    "policy": [{"rank": "arrival", "queue": "fifo"}, {"rank": "arrival", "queue": "pifo"}],
    "repetitions": 2,
}


@pytest.fixture(autouse=True)
def without_warnings() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def test_ray_gives_the_bytes_of_one_process_and_bears_a_killed_worker(tmp_path: Path) -> None:
    import ray

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        result = forebay.sweep(SWEPT, executor="ray", out=tmp_path / "all", progress=False)
        assert result.csv() == forebay.run(SWEPT, progress=False).csv()

        killed: list[int] = []

        def kill_one(done: int, total: int, unit: str, about: str) -> None:
            if done >= 3 and not killed:
                pids = ray.get([worker_pid.remote() for _ in range(2)])
                os.kill(pids[0], signal.SIGKILL)
                killed.append(pids[0])

        @ray.remote
        def worker_pid() -> int:
            return os.getpid()

        result = forebay.sweep(SWEPT, executor="ray", out=tmp_path / "killed", progress=kill_one)
        assert killed and result.csv() == forebay.run(SWEPT, progress=False).csv()
    finally:
        ray.shutdown()


@pytest.mark.skipif(why_not() is not None, reason=str(why_not()))
def test_slurm_gives_the_bytes_of_one_process(tmp_path: Path) -> None:
    import submitit

    with one_node(tmp_path / "slurm"):
        executor = submitit.AutoExecutor(folder=tmp_path / "jobs", cluster="slurm")
        executor.update_parameters(timeout_min=5, slurm_partition="all", slurm_array_parallelism=2)
        result = forebay.sweep(SWEPT, executor=executor, out=tmp_path / "out", tasks=3, progress=False)
        assert result.csv() == forebay.run(SWEPT, progress=False).csv()
        logs = list((tmp_path / "jobs").glob("*_log.out"))
        assert len(logs) == 3
