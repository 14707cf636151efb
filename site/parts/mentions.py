"""Where the documentation speaks of a name: sections with it in backticks, and rows of tables that begin with it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from .text import FENCE

HEADING = re.compile(r"(#+) (.+)")
# Pages of rows about papers, of dependencies, of results and of changes name everything; they would be on every page.
NOT_READ = {
    "docs/sources.md",
    "docs/limits.md",
    "docs/dependencies.md",
    "docs/result.md",
    "docs/promises.md",
    "docs/glossary.md",
    "docs/history.md",
}


@dataclass
class Section:
    """A heading with the text below it, up to the next heading."""

    file: str
    page: str
    heading: str
    text: str


@dataclass
class Row:
    """A row of a table, by the heads of its columns."""

    section: Section
    cells: list[tuple[str, str]]


def sections(root: Path) -> list[Section]:
    """The sections of all pages below docs/, in the order of their names."""
    found: list[Section] = []
    for path in sorted((root / "docs").rglob("*.md")):
        file = path.relative_to(root).as_posix()
        if file in NOT_READ or file.startswith("docs/jobs/"):
            continue
        title, fence = "", ""
        for line in path.read_text().splitlines():
            mark = FENCE.match(line)
            head = None if fence else HEADING.fullmatch(line)
            if mark and (not fence or line.strip().startswith(fence)):
                fence = "" if fence else mark[1]
            if head:
                title = title or head[2]
                found.append(Section(file, title, head[2], ""))
            elif found and found[-1].file == file:
                found[-1].text += line + "\n"
    return found


def of(name: str, among: list[Section]) -> list[Section]:
    """The sections that have the name in backticks or quotes: alone, or with parameters behind it."""
    named = re.compile(rf"[`\"]{re.escape(name)}[`\"(]")
    return [it for it in among if named.search(it.text) or f"`{name}`" in it.heading]


def rows(name: str, among: list[Section]) -> list[Row]:
    """The rows whose first cell is the name."""
    found = []
    for section in among:
        head: list[str] = []
        for line in section.text.splitlines():
            cells = [cell.strip() for cell in line.strip("|").split(" | ")] if line.startswith("|") else []
            if not cells:
                head = []
            elif not head:
                head = cells
            elif cells[0] == f"`{name}`" and len(cells) == len(head):
                found.append(Row(section, list(zip(head, cells, strict=True))[1:]))
    return found


def losses(name: str, among: list[Section]) -> list[Section]:
    """The sections about losing that have the MAD form of a cache policy."""
    named = re.compile(rf"\b{re.escape(name)}-mad\b", re.IGNORECASE)
    return [it for it in among if re.search(r"\bloses?\b", it.heading) and named.search(it.text)]
