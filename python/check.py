"""Tests the Python package: its types, its tables against the schema of scenarios, and everything in tests/.

Usage: check.py [--clusters] LIBRARY COMMAND FOLDER [ARGUMENT OF PYTEST...]. With `--clusters` only tests/clusters: sweeps on Ray and Slurm. The library is what cargo built of this folder, such as
target/debug/lib_forebay.so. The folder gets a virtual environment from tests/requirements.txt, and the package as it would be
installed. Without PyPI the test is skipped, and says so.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "xtask"))
from environment import environment  # noqa: E402

REQUIREMENTS = HERE / "tests" / "requirements.txt"
CLUSTERS = HERE / "tests" / "clusters"


def main() -> int:
    given = sys.argv[1:]
    of_clusters = given[:1] == ["--clusters"]
    given = given[1:] if of_clusters else given
    library, command, folder = (Path(path).resolve() for path in given[:3])
    given = given[3:]
    folder.mkdir(parents=True, exist_ok=True)
    requirements = [REQUIREMENTS, CLUSTERS / "requirements.txt"] if of_clusters else [REQUIREMENTS]
    python = environment(folder, requirements, "the Python package")
    if python is None:
        return 0
    stage = staged(library, folder)
    variables = {**os.environ, "PYTHONPATH": str(stage), "FOREBAY_COMMAND": str(command), "MYPYPATH": str(stage)}
    if of_clusters:
        tested = [python, "-m", "pytest", "--quiet", "-rs", "-p", "no:cacheprovider", "--rootdir", CLUSTERS, *given, CLUSTERS]
        return subprocess.run(list(map(str, tested)), cwd=stage, env=variables, check=False).returncode
    tests = [] if any(not argument.startswith("-") for argument in given) else [stage / "forebay", HERE / "tests"]
    steps = [
        [python, HERE / "generate.py", "--check"],
        [python, "-m", "mypy", "--cache-dir", folder / "mypy", "--config-file", HERE / "pyproject.toml", stage / "forebay"],
        [python, "-m", "pytest", "--quiet", "-p", "no:cacheprovider", "--rootdir", HERE, "--doctest-modules", "--durations=5", "--ignore", CLUSTERS, *given, *tests],
    ]
    for step in steps:
        done = subprocess.run(list(map(str, step)), cwd=stage, env=variables, check=False)
        if done.returncode != 0:
            return done.returncode
    return 0


def staged(library: Path, folder: Path) -> Path:
    """A folder with the package as it would be installed."""
    stage = folder / "stage"
    shutil.rmtree(stage, ignore_errors=True)
    shutil.copytree(HERE / "forebay", stage / "forebay", ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    shutil.copy(library, stage / "forebay" / "_forebay.abi3.so")
    return stage


if __name__ == "__main__":
    sys.exit(main())
