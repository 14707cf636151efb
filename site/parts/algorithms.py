"""A page for each algorithm of the registry, and a page for each kind."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from . import explain, mentions, pictures, places, playground
from .explain import Entry
from .program import BuildError, Program
from .text import cell, code, fenced, table

# The kinds with a page for each name, in the order of the navigation; the others have one table for the whole kind.
KINDS = {
    "rank function": "Rank functions", "flow rank": "Flow ranks", "queue": "Queues", "drop rule": "Drop rules", "mark rule": "Mark rules",
    "pace rule": "Pace rules", "cache policy": "Cache policies", "prefetcher": "Prefetchers", "transport": "Transports and congestion controls",
    "topology": "Topologies", "traffic pattern": "Traffic patterns", "flow size": "Flow sizes", "distribution": "Distributions",
    "application": "Applications", "request generator": "Request generators", "target": "Targets", "datapath": "Datapaths",
}  # fmt: skip
TABLES = {"metric": "Metrics", "measure": "Measures", "kind of plot": "Kinds of plots", "request format": "Request formats", "back end": "Back ends"}
HEADS = {"also": "also called", "order": "order", "hardware": "needs", "cost": "cost", "source": "source", "attack": "attack", "option": "option"}


def slug(kind: str) -> str:
    """The folder of a kind."""
    return kind.replace(" ", "-")


class Algorithms:
    """The pages of all names in the registry, below `algorithms/`."""

    def __init__(self, program: Program, root: Path, pages: Path) -> None:
        self.program, self.pages = program, pages
        self.sections = mentions.sections(root)
        self.root = root

    def write(self) -> list[tuple[str, list[str]]]:
        """Writes all pages, and returns the titles of the kinds with their pages, for the navigation."""
        rows = explain.listed(self.program, self.root)
        unknown = {row["kind"] for row in rows} - set(KINDS) - set(TABLES)
        if unknown:
            raise BuildError(f"`forebay list` has kinds that the site does not know: {', '.join(sorted(unknown))}; add them to site/parts/algorithms.py")
        navigation = []
        for kind, title in {**KINDS, **TABLES}.items():
            folder = self.pages / "algorithms" / slug(kind)
            folder.mkdir(parents=True, exist_ok=True)
            of_kind = [row for row in rows if row["kind"] == kind]
            written = [f"algorithms/{slug(kind)}/index.md"]
            if kind in KINDS:
                for row in of_kind:
                    entry = explain.entry(self.program, self.root, kind, row["name"])
                    (folder / f"{entry.name}.md").write_text(self.page(entry, folder))
                    written.append(f"algorithms/{slug(kind)}/{entry.name}.md")
                shutil.rmtree(folder / "runs", ignore_errors=True)
            (folder / "index.md").write_text("\n".join(overview(kind, title, of_kind)) + "\n")
            navigation.append((title, written))
        (self.pages / "algorithms" / "index.md").write_text("\n".join(front(rows)) + "\n")
        return navigation

    def page(self, entry: Entry, folder: Path) -> str:
        """The page of one algorithm."""
        facts = [[HEADS[key], code(text) if key in ("also", "option") else cell(text)] for key, text in entry.facts if key in HEADS]
        lines = [f"# {cell(entry.name)}", "", f"{cell(entry.title)}.", "", *table([f"[{entry.kind}](index.md)", f"`{entry.name}`"], facts), ""]
        lines += ["## Use it", "", *fenced(f"{entry.fact('use')}\nforebay explain {entry.name}"), ""]
        lines += self.picture(entry, folder) + parameters(entry) + self.documentation(entry)
        where = f"algorithms/{slug(entry.kind)}/{entry.name}.md"
        return playground.with_links("\n".join(lines) + "\n", where, lambda policy: False)

    def picture(self, entry: Entry, folder: Path) -> list[str]:
        """The picture of an algorithm, with the command that made it."""
        drawn = pictures.of(entry, self.program, folder)
        if drawn is None:
            return []
        lines = ["## In a picture", "", f"![{drawn.caption.replace('`', '')}]({drawn.file})", "", drawn.caption, "", *fenced(drawn.made_by), ""]
        if drawn.scenario:
            lines += ["with this `queue.toml`:", "", *fenced(drawn.scenario, "toml"), ""]
        return lines

    def documentation(self, entry: Entry) -> list[str]:
        """What the documentation says of the name, and where."""
        where = f"algorithms/{slug(entry.kind)}/{entry.name}.md"
        lines: list[str] = []
        for row in mentions.rows(entry.name, self.sections):
            link = places.relative(where, places.place(self.root, row.section.file))
            # Numbers say nothing without the rows beside them.
            said = [(head, text) for head, text in row.cells if re.match(r"[^\d\W]", text) and "](" not in text]
            if said:
                lines += [f"From [{row.section.page}: {row.section.heading}]({link}):", "", *(f"- {head}: {text}" for head, text in said), ""]
        lost = mentions.losses(entry.name, self.sections)
        if lost:
            lines += ["## When its MAD form loses", "", *self.links(lost, where), ""]
        spoken = mentions.of(entry.name, self.sections)
        if spoken:
            lines += ["## Where the documentation speaks of it", "", *self.links(spoken, where), ""]
        return lines

    def links(self, sections: list[mentions.Section], where: str) -> list[str]:
        """A list of pages, each with the headings of its sections."""
        by_page: dict[str, list[mentions.Section]] = {}
        for section in sections:
            by_page.setdefault(section.file, []).append(section)
        lines = []
        for file, found in by_page.items():
            link = places.relative(where, places.place(self.root, file))
            headings = "; ".join(dict.fromkeys(it.heading for it in found if it.heading != it.page))
            lines.append(f"- [{found[0].page}]({link})" + (f": {headings}" if headings else ""))
        return lines


def parameters(entry: Entry) -> list[str]:
    """The parameters of an algorithm, and those of its forms."""
    lines: list[str] = []
    for group in entry.parameters:
        rows = [[code(it.name), cell(it.what), cell(it.takes)] for it in group.items]
        heading = ["", f"{cell(group.heading[0].upper() + group.heading[1:])}:", ""] if group.heading else []
        lines += [*heading, *(table(["parameter", "what it is", "takes"], rows) if rows else []), ""]
    return ["## Parameters", "", *lines] if lines else []


def overview(kind: str, title: str, rows: list[dict[str, str]]) -> list[str]:
    """The page of a kind: every name with its title."""
    has_unit = any(row["unit"] != "-" for row in rows)
    names = [f"[{row['name']}]({row['name']}.md)" if kind in KINDS else code(row["name"]) for row in rows]
    cells = [[name, cell(row["title"]), *([cell(row["unit"]), cell(row["better"])] if has_unit else [])] for name, row in zip(names, rows, strict=True)]
    heads = ["name", "what it is", *(["unit", "better"] if has_unit else [])]
    return [f"# {title}", "", f"`forebay list` prints these names. `forebay explain NAME` explains each {kind}.", "", *table(heads, cells)]


def front(rows: list[dict[str, str]]) -> list[str]:
    """The page of all kinds."""
    count = {kind: sum(1 for row in rows if row["kind"] == kind) for kind in {**KINDS, **TABLES}}
    cells = [[f"[{title}]({slug(kind)}/index.md)", str(count[kind])] for kind, title in {**KINDS, **TABLES}.items()]
    about = "This page lists every name that forebay knows. The pages are generated from the registry of the program, so that they equal `forebay explain`."
    return ["# Algorithms", "", about, "", *table(["kind", "names"], cells)]
