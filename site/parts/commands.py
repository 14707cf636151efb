"""Commands on pages of the site itself: a line like `<!-- run: forebay list queues -->` becomes the command and what it prints."""

from __future__ import annotations

import re
from pathlib import Path

from .program import Program
from .text import fenced

RUN = re.compile(r"^<!-- run(?: first (\d+))?: (.+) -->$", re.MULTILINE)


def with_outputs(page: str, program: Program, folder: Path) -> str:
    """The page with each command run in a folder; `run first 12:` shows the first 12 lines alone."""

    def ran(found: re.Match[str]) -> str:
        lines = program.shell(found[2], folder).rstrip().splitlines()
        shown = lines[: int(found[1])] if found[1] else lines
        return "\n".join(fenced("\n".join([f"$ {found[2]}", *shown])))

    return RUN.sub(ran, page)
