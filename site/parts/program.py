"""The forebay program, which the site asks for names, tables and pictures."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from pathlib import Path


class BuildError(Exception):
    """The build cannot go on; the message says where, and what to change."""


class Program:
    """A forebay command that has been built."""

    def __init__(self, path: Path) -> None:
        if not path.exists():
            raise BuildError(f"{path} is not there; run: cargo build --package forebay-cli")
        self.path = path

    def run(self, arguments: list[str], folder: Path) -> str:
        """Runs the command in a folder, and returns what it printed."""
        done = subprocess.run([str(self.path), *arguments], cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            shown = shlex.join(["forebay", *arguments])
            raise BuildError(f"`{shown}` failed in {folder}: {done.stderr.strip()}")
        return done.stdout

    def shell(self, line: str, folder: Path) -> str:
        """Runs a line like `forebay list queues` from a page, and returns what it printed."""
        words = shlex.split(line)
        if words[:1] != ["forebay"]:
            raise BuildError(f"`{line}` is no forebay command; a line to run starts with `forebay`")
        return self.run(words[1:], folder)


def workspace(root: Path, folder: Path) -> Path:
    """An empty folder from which the files that commands of the documentation name can be read, and into which they may write."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in ("docs", "testdata", "policies", "experiments", "editors"):
        (folder / name).symlink_to(root / name)
    return folder
