"""Virtual environments with the packages that a file of requirements names, each with its version and its hashes."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path


def environment(folder: Path, requirements: Path | list[Path], what: str) -> Path | None:
    """The Python of an environment in `folder`, made anew where the requirements have changed; None if PyPI cannot be reached, and then it is
    said that `what` is skipped."""
    files = requirements if isinstance(requirements, list) else [requirements]
    venv = folder / "venv"
    python, stamp = venv / "bin" / "python", venv / "made-from"
    wanted = hashlib.sha256(b"".join(file.read_bytes() for file in files) + sys.version.encode()).hexdigest()
    if stamp.exists() and stamp.read_text() == wanted:
        return python
    subprocess.run([sys.executable, "-m", "venv", "--clear", venv], check=True)
    install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:", "--require-hashes", "--no-deps"]
    done = subprocess.run([*map(str, install), *(word for file in files for word in ("-r", str(file)))], check=False, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["pip has failed"])[-1]
        print(f"skipped: {what} ({last})")
        return None
    stamp.write_text(wanted)
    return python
