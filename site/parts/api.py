"""The documents of the two interfaces for programs, beside the site: Rust by rustdoc, Python by pdoc."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from .program import BuildError

# The crates that a program takes: the library with its parts, and the two to embed.
CRATES = ["forebay", "forebay-core", "forebay-sched", "forebay-cache", "forebay-traces", "forebay-lang", "forebay-engine", "forebay-sim", "forebay-targets", "forebay-loading", "forebay-surge"]
MODULE = "_forebay"


def rust(root: Path, target: Path) -> None:
    """Runs `cargo doc`, and copies what it wrote for the crates."""
    made = root / "target" / "doc"
    # Documents of other crates would stay in its search.
    shutil.rmtree(made, ignore_errors=True)
    command = [os.environ.get("CARGO", "cargo"), "doc", "--quiet", "--no-deps", *(word for name in CRATES for word in ("--package", name))]
    done = subprocess.run(command, cwd=root, check=False)
    if done.returncode != 0:
        raise BuildError("`cargo doc` failed; its messages stand above")
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(made, target, ignore=shutil.ignore_patterns(".lock"))
    # A program that reads the library first finds it here.
    (target / "index.html").write_text('<!DOCTYPE html>\n<title>forebay in Rust</title>\n<meta http-equiv="refresh" content="0; url=forebay/index.html">\n<a href="forebay/index.html">forebay in Rust</a>\n')


def python(root: Path, scratch: Path, interpreter: Path, target: Path) -> None:
    """Runs pdoc on the package, with the types of its compiled module in place of that module, so that nothing is compiled."""
    stage = scratch / "python"
    shutil.rmtree(stage, ignore_errors=True)
    shutil.copytree(root / "python" / "forebay", stage / "forebay", ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    stub = stage / "forebay" / f"{MODULE}.pyi"
    stub.with_suffix(".py").write_text(importable(stub.read_text()))
    variables = {**os.environ, "PYTHONPATH": str(stage), "PYTHONDONTWRITEBYTECODE": "1"}
    shutil.rmtree(target, ignore_errors=True)
    command = [str(interpreter), "-m", "pdoc", "--docformat", "numpy", "--output-directory", str(target), "forebay", "!forebay.__main__"]
    done = subprocess.run(command, cwd=stage, env=variables, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise BuildError(f"pdoc failed on python/forebay: {done.stderr.strip()}")


def importable(stub: str) -> str:
    """A file of types as a module: names that only have a type get an empty text, and numpy, which only types need, is not imported."""
    lines = ["from __future__ import annotations"]
    for line in stub.splitlines():
        name, colon, kind = line.partition(": ")
        if name.isidentifier() and colon and "=" not in kind:
            lines.append(f'{name}: {kind} = ""')
        elif not line.startswith("import numpy"):
            lines.append(line)
    return "\n".join(lines) + "\n"
