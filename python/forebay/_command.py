"""The command `forebay`, which is part of this package."""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
from pathlib import Path

from ._errors import ForebayError


def command() -> Path:
    """Where the command is: beside this interpreter; with the variable `FOREBAY_COMMAND`, where that says; otherwise on the path."""
    said = os.environ.get("FOREBAY_COMMAND")
    name = "forebay.exe" if os.name == "nt" else "forebay"
    schemes = [sysconfig.get_path("scripts"), sysconfig.get_path("scripts", f"{os.name}_user"), str(Path(sys.executable).parent)]
    places = [Path(said)] if said else [Path(folder) / name for folder in schemes]
    found = next((place for place in places if place.is_file()), None)
    on_path = None if said or found else shutil.which(name)
    if found is None and on_path is None:
        raise ForebayError(f"the command `{name}` is not there (looked in {', '.join(map(str, places))}); install the wheel of forebay again")
    return found or Path(str(on_path))


def main() -> None:
    """Run the command with the arguments of this process."""
    program = str(command())
    arguments = [program, *sys.argv[1:]]
    if os.name == "nt":
        import subprocess

        sys.exit(subprocess.call(arguments))
    os.execv(program, arguments)
