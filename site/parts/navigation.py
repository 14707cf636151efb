"""The navigation: `site/navigation.toml`, with the generated pages in their places."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from .program import BuildError

# What stands in a section of the list for pages that are generated.
ALGORITHMS = "ALGORITHMS"
COMPLIANCE = "COMPLIANCE"


def read(file: Path) -> dict[str, str | list[str]]:
    """The sections with their pages; one page in place of a list is a link of its own."""
    sections: dict[str, str | list[str]] = tomllib.loads(file.read_text())["sections"]
    return sections


def missing(file: Path, docs: Path) -> list[str]:
    """The pages of docs/ that no section has."""
    named = {page for pages in read(file).values() for page in ([pages] if isinstance(pages, str) else pages)}
    there = sorted(path.relative_to(docs).as_posix() for path in docs.rglob("*.md"))
    return [page for page in there if page not in named]


def built(file: Path, pages: Path, docs: Path, algorithms: list[tuple[str, list[str]]], compliance: list[str]) -> list[Any]:
    """The navigation as MkDocs takes it. A page of docs/ that no section has stands under "More"."""
    sections = read(file)
    # A page that somebody writes during the build waits for the next one.
    more = [page for page in missing(file, docs) if (pages / page).exists()]
    if more:
        sections["More"] = more
    return [{title: entry(title, names, pages, algorithms, compliance, file)} for title, names in sections.items()]


def entry(title: str, names: str | list[str], pages: Path, algorithms: list[tuple[str, list[str]]], compliance: list[str], file: Path) -> str | list[Any]:
    """One section, or one link of its own. A link that is no page leads beside the pages, where `links.py` checks it."""
    if isinstance(names, list):
        return entries(title, names, pages, algorithms, compliance, file)
    return entries(title, [names], pages, algorithms, compliance, file)[0] if names.endswith(".md") else names


def entries(title: str, names: list[str], pages: Path, algorithms: list[tuple[str, list[str]]], compliance: list[str], file: Path) -> list[Any]:
    """The pages of one section."""
    found: list[Any] = []
    for name in names:
        if name == ALGORITHMS:
            found += ["algorithms/index.md", *({kind: list(names)} for kind, names in algorithms)]
        elif name == COMPLIANCE:
            found.append({"Compliance with the papers": sorted(compliance, key=lambda page: (not page.endswith("index.md"), page))})
        elif not (pages / name).exists():
            raise BuildError(f"{file}: the section `{title}` names {name}, which is no page; remove it or correct its name")
        else:
            found.append(name)
    return found


