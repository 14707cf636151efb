"""Paths of the tools, of the sources and of the shared data, and how a tool is run."""

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OUT = ROOT / "target" / "rtl" / "synth"
DEBIAN_TOOLS = ROOT / "target" / "tools" / "debian"


class ToolError(Exception):
    """A tool is missing, failed, or left no result; the message says which and what to do."""


# Set by `report --stored`: run nothing.
only_stored = False


def say(text: str) -> None:
    """Reports progress."""
    print(text, file=sys.stderr, flush=True)


def shared_data() -> Path:
    """The folder of shared data: beside the project, or FOREBAY_SHARED."""
    beside = ROOT.parent / "shared"
    return Path(os.environ.get("FOREBAY_SHARED", str(beside))) / "data"


@cache
def find(name: str) -> str:
    """Path of a tool: beside this Python (its virtual environment), or on the PATH."""
    beside = Path(sys.executable).parent / name
    if beside.exists():
        return str(beside)
    on_path = shutil.which(name)
    if on_path is None:
        raise ToolError(f"{name} is missing; install rtl/requirements.txt into this Python's environment")
    return on_path


@cache
def version(name: str) -> str:
    """The line in which a tool states its version."""
    result = subprocess.run([find(name), "--version"], capture_output=True, text=True, check=False)
    lines = [line.strip() for line in (result.stdout + result.stderr).splitlines()]
    known = [line for line in lines if line and not line.startswith("Preparing")]
    if not known:
        raise ToolError(f"{name} does not say its version")
    return known[-1]


def run(arguments: list[str], log: Path, timeout: float) -> None:
    """Runs a tool in the project's root with its output in `log`; raises if it fails."""
    if only_stored:
        raise ToolError("not run")
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("w") as output:
        try:
            status = subprocess.run(
                arguments, cwd=ROOT, stdout=output, stderr=subprocess.STDOUT, timeout=timeout, check=False
            ).returncode
        except subprocess.TimeoutExpired:
            raise ToolError(f"{Path(arguments[0]).name} took over {timeout:.0f} s; see {log}") from None
    if status != 0:
        text = log.read_text(errors="replace").splitlines()
        errors = [line for line in text if "ERROR" in line or "error:" in line] or text[-5:]
        raise ToolError(f"{Path(arguments[0]).name} failed ({log}):\n  " + "\n  ".join(errors[:10]))
