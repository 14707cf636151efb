"""The compliance matrix: every statement of the papers that `docs/sources.md` names, and every published quantity of `experiments/`."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from . import experiments
from .program import BuildError
from .text import cell, code, table

SOURCE = "docs/sources.md"
# What the cell `in forebay` begins with, and what that means. Any other row is there as a whole.
STATES = {"in part": "in part", "not yet": "not yet", "no:": "no", "no,": "no"}
LONGEST = 60
ORDER = ["yes", "in part", "not yet", "no"]
# The documents, by the first word of their headings in docs/sources.md: the name of the page, and the folder of experiments.
DOCUMENTS = {
    "BBQ": ("bbq", ["bbq"]), "OpenQueue": ("openqueue", ["openqueue"]), "SP-PIFO": ("sp-pifo", ["sp-pifo", "packs"]),
    "Thesis, chapters 1": ("delayed-hits", ["delayed-hits"]), "Thesis, chapters 3": ("surgeprotector", ["surgeprotector"]), "Seer": ("seer", ["seer"]),
}  # fmt: skip


@dataclass
class Statement:
    """A row of docs/sources.md."""

    section: str
    describes: str
    has: str
    shown_by: str

    @property
    def state(self) -> str:
        """Whether forebay has it."""
        return next((state for start, state in STATES.items() if self.has.startswith(start)), "yes")


def statements(page: str) -> dict[str, list[Statement]]:
    """The statements below each heading of the page."""
    found: dict[str, list[Statement]] = {}
    heading = ""
    for number, line in enumerate(page.splitlines(), 1):
        if line.startswith("## "):
            heading = line[3:]
            found[heading] = []
        elif line.startswith("| ") and not line.startswith(("| section ", "| ---")):
            cells = [part.strip() for part in line.strip().strip("|").split(" | ")]
            if len(cells) != 4 or not heading:
                raise BuildError(f"{SOURCE}:{number}: a row has four cells below a heading `## ...`: section, statement, in forebay, try")
            found[heading].append(Statement(*cells))
    return found


def document(heading: str) -> tuple[str, list[str]]:
    """The page and the experiments of a document."""
    for start, known in DOCUMENTS.items():
        if heading.startswith(start):
            return known
    raise BuildError(f"{SOURCE}: the site does not know the document `{heading}`; add it to DOCUMENTS in site/parts/matrix.py")


def pages(root: Path) -> dict[str, str]:
    """Every page of the matrix, below `compliance/`. Its links start in docs/."""
    all_experiments = experiments.read(root)
    written: dict[str, str] = {}
    overview = []
    for heading, rows in statements((root / SOURCE).read_text()).items():
        name, folders = document(heading)
        figures = [it for it in all_experiments if it.name.split("/")[0] in folders]
        where = f"compliance/{name}.md"
        states, standings = Counter(row.state for row in rows), experiments.counted(figures)
        title = re.split(r" \(", heading)[0]
        overview.append([f"[{cell(title)}](site:{where})", *(str(states[it]) for it in ORDER), *(str(standings[it]) for it in experiments.STANDINGS)])
        lines = [f"# Compliance: {title}", "", f"{heading}. [What the columns mean](site:compliance/index.md).", "", "## Statements", ""]
        lines += [*table(["section", "statement", "holds", "where", "shown by"], [line(row) for row in rows]), "", "## Published figures", ""]
        lines += [*experiments.overview(figures), "", "## Published quantities", "", *experiments.quantities(figures)]
        written[where] = "\n".join(lines) + "\n"
    written["compliance/index.md"] = "\n".join(front(overview)) + "\n"
    return written


def line(row: Statement) -> list[str]:
    """A statement, with the command that shows it if there is one."""
    command = row.shown_by.strip("`")
    return [row.section, row.describes, row.state, row.has, shown(command) if command.startswith("forebay ") else "-"]


def shown(command: str) -> str:
    """A command; a long one opens at a click, so that the other columns keep their width."""
    if len(command) <= LONGEST:
        return code(command)
    words = command.split()
    return f"<details><summary>{code(' '.join(words[:3]) + ' ...')}</summary>{code(command)}</details>"


def front(overview: list[list[str]]) -> list[str]:
    """The page that explains the matrix and counts it."""
    heads = ["document", *ORDER, *experiments.STANDINGS.values()]
    return [
        "# Compliance with the papers",
        "",
        "This page is for readers who want to know how far forebay follows a paper. Each document has a page with two tables.",
        "",
        "- **Statements**: what each section describes, and whether forebay has it: `yes`, `in part`, `not yet` or `no`. The column \"shown by\" has a command, which a test runs.",
        "  A statement without a command stands in the files that the column \"where\" names.",
        "- **Published quantities**: the numbers of figures, tables and claims. `forebay repro NAME` measures them again. A quantity holds if the measured number",
        "  lies within the tolerance. It *differs, cause tested* if it holds once a named cause is changed, and *differs, open* if no such change is known.",
        "  A quantity that cannot fail by its construction is counted apart.",
        "",
        "The pages are generated from `docs/sources.md` and from the files `experiment.toml`. Tests of the repository hold both against the program.",
        "",
        *table(heads, overview),
        "",
        "[What forebay does not reproduce](limits.md) explains each quantity that differs.",
    ]
