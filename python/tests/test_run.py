"""Scenarios of every form, and what comes of them."""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import threading
import warnings
from pathlib import Path
from typing import Any

import pytest

import forebay
from forebay._command import command

from conftest import ROOT


def told(*arguments: str | Path) -> str:
    """What the command prints."""
    done = subprocess.run([str(command()), *map(str, arguments)], capture_output=True, text=True, cwd=ROOT, check=True)
    return done.stdout


def test_a_dict_a_text_a_file_and_a_scenario_give_the_same_bytes(port: dict[str, Any], tmp_path: Path) -> None:
    text = json.dumps(port, indent=1)
    path = tmp_path / "scenario.json"
    path.write_text(text)
    results = [forebay.run(given, seed=7) for given in (port, text, path, str(path), forebay.Scenario(port))]
    tables = {result.csv() for result in results}
    assert len(tables) == 1
    assert told("run", path, "--seed", "7", "--format", "csv") == results[0].csv()
    assert told("run", path, "--seed", "7", "--format", "json") == results[2].json()


def test_changes_are_those_of_the_command(port: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "scenario.json"
    path.write_text(json.dumps(port))
    result = forebay.run(path, repetitions=2, set={"port.rate": "5 Gbps", "traffic.load": 0.9, "policy.0.queue": {"name": "pifo"}})
    arguments = ["--set", "repetitions=2", "--set", "port.rate=5 Gbps", "--set", "traffic.load=0.9", "--set", "policy.0.queue=pifo"]
    assert told("run", path, *arguments, "--format", "csv") == result.csv()


def test_a_result_has_tables_pictures_and_numbers(port: dict[str, Any], tmp_path: Path) -> None:
    result = forebay.run(port, repetitions=2)
    assert (result.kind, result.complete) == ("port", True)
    assert "sp-pifo" in str(result) and "<svg" in result._repr_html_()
    frame = result.to_pandas()
    assert set(frame["repetition"]) == {0, 1} and frame["value"].dtype == float
    assert frame.shape == result.to_polars().to_pandas().shape == result.to_arrow().to_pandas().shape
    assert list(frame.columns) == result.csv().splitlines()[0].split(",")
    assert set(result.metric("delay:p99")) == {"arrival fifo", "packet-rank sp-pifo"} or len(result.metric("delay:p99")) == 2
    with pytest.raises(forebay.ForebayError, match="did you mean"):
        result.metric("dealy:p99")
    picture = result.plot()
    assert picture.svg.startswith("<svg") or "<svg" in picture.svg
    with pytest.raises(forebay.ForebayError, match="there is no picture `nothing`"):
        result.plot("nothing")
    result.save(tmp_path / "out")
    assert json.loads((tmp_path / "out" / "result.json").read_text())["kind"] == "port"


def test_scenarios_and_results_pickle(port: dict[str, Any]) -> None:
    scenario = pickle.loads(pickle.dumps(forebay.Scenario(port, seed=3)))
    assert scenario.seed == 3 and scenario.runs == 2
    result = forebay.run(scenario)
    again = pickle.loads(pickle.dumps(result))
    assert again.csv() == result.csv() and again.table() == result.table()
    assert again.to_arrow().equals(result.to_arrow())
    assert list(again.pictures) == list(result.pictures)


def test_warnings_are_those_of_python(port: dict[str, Any]) -> None:
    port["record"] = ["packets"]
    with pytest.warns(forebay.ForebayWarning, match="`record` writes nothing"):
        forebay.run(port)


def test_progress_is_told(port: dict[str, Any]) -> None:
    port["traffic"]["packets"] = 400_000
    heard: list[tuple[int, int | None, str, str]] = []
    forebay.run(port, progress=lambda *told: heard.append(told))
    assert heard and heard[-1][2] == "packets" and heard[-1][0] > 0


def test_an_interrupt_stops_a_run(port: dict[str, Any], tmp_path: Path) -> None:
    port["traffic"]["packets"] = 500_000_000
    # Only when the run has begun: a finaliser of Python that runs before would swallow the signal.
    timers: list[threading.Timer] = []

    def progress(*_: object) -> None:
        if not timers:
            timers.append(threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)))
            timers[0].start()

    with pytest.raises(KeyboardInterrupt):
        forebay.run(port, progress=progress)


def test_a_folder_keeps_what_is_finished(port: dict[str, Any], tmp_path: Path) -> None:
    first = forebay.run(port, out=tmp_path / "kept")
    assert (tmp_path / "kept" / "result.json").is_file()
    assert forebay.run(port, out=tmp_path / "kept").csv() == first.csv()


def test_no_scenario_of_the_documentation_warns_of_what_the_command_does_not(port: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        forebay.run(port)
