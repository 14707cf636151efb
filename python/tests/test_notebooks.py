"""The notebooks of docs/notebooks run from end to end."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import pytest

from conftest import ROOT

NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))


def cells(path: Path) -> list[str]:
    """The code of a notebook."""
    read = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in read if cell["cell_type"] == "code"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: str(path.stem))
def test_a_notebook_runs(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, object] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for number, code in enumerate(cells(path)):
            exec(compile(code, f"{path.name}, cell {number}", "exec"), names)
    assert capsys.readouterr().out.count("policy") > 0


def test_there_are_six() -> None:
    assert len(NOTEBOOKS) == 6
