"""The gallery: pictures of `site/gallery.toml`, each made by the command that stands beside it."""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path

from .program import BuildError, Program, workspace
from .text import fenced

FIELDS = {"title", "about", "commands", "picture"}


def entries(file: Path) -> list[dict[str, object]]:
    """The pictures of the list."""
    try:
        content = tomllib.loads(file.read_text())
    except tomllib.TOMLDecodeError as error:
        raise BuildError(f"{file}: {error}") from error
    for number, entry in enumerate(content.get("figure", []), 1):
        if set(entry) != FIELDS:
            raise BuildError(f"{file}: figure {number} has the fields {', '.join(sorted(entry))}; write {', '.join(sorted(FIELDS))}")
    found: list[dict[str, object]] = content["figure"]
    return found


def page(file: Path, program: Program, root: Path, folder: Path) -> str:
    """Makes every picture in `folder/gallery`, and returns the page."""
    lines = ["# Gallery", "", "This page shows what forebay draws. Run the commands in a clone of the repository; each takes seconds.", ""]
    pictures, scratch = folder / "gallery", folder.parent / "gallery-runs"
    pictures.mkdir(parents=True, exist_ok=True)
    for number, entry in enumerate(entries(file), 1):
        runs = workspace(root, scratch / str(number))
        commands = entry["commands"]
        if not isinstance(commands, list):
            raise BuildError(f"{file}: figure {number}: `commands` is a list of command lines")
        for command in commands:
            program.shell(command, runs)
        made = runs / str(entry["picture"])
        if not made.exists():
            raise BuildError(f"{file}: figure {number}: the commands make no {entry['picture']}")
        shutil.copy(made, pictures / f"{number}.svg")
        lines += [f"## {entry['title']}", "", str(entry["about"]), "", f"![{entry['title']}](gallery/{number}.svg)", "", *fenced("\n".join(commands)), ""]
    return "\n".join(lines) + "\n"
