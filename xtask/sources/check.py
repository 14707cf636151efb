"""Lists every published number of the experiments with its position in the source, so that a reader can check it there.

Usage: check.py [--papers FOLDER] [--only NAME] [--basis BASIS] [--quiet]. The folder has the text of the papers, extracted from their PDFs.
Each row of each `experiment.toml` has a basis, and the field that this basis needs:

  printed   `printed`: the number as the source prints it
  range     `printed`: the ends of the range, as the source prints them
  read      `how`: the picture that it was read from, or `data`: the file with the authors' values
  derived   `how`: how it follows from statements of the source
  fitted    `how`: the constant that was chosen so that the row holds

`near` are words of the same paragraph of the source. The printed text must occur there; otherwise it is an error.
Without the folder, only the rows themselves are checked, and a message says so.
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXPERIMENTS = ROOT / "experiments"

# The beginning of an experiment's `source`, and the beginning of the text of that source.
PAPERS = {
    "BBQ": "BBQ",
    "OpenQueue": "Software-Defined Buffer Management",
    "SP-PIFO": "SP-PIFO",
    "Seer": "Seer",
    "SurgeProtector": "thesis",
    "thesis": "thesis",
}

# The fields of a basis: one of these is needed.
NEEDS = {
    "printed": ("printed",),
    "range": ("printed",),
    "read": ("how", "data"),
    "derived": ("how",),
    "fitted": ("how",),
}

# Characters around the printed text.
CONTEXT = 45


@dataclass
class Paper:
    name: str
    lines: list[str]

    def places(self, printed: list[str], near: str | None) -> list[tuple[int, str]]:
        """Lines that have all printed texts, with the text around the first of them."""
        patterns = [whole(text) for text in printed]
        found = []
        for number, line in enumerate(self.lines, 1):
            matches = [pattern.search(line) for pattern in patterns]
            if any(match is None for match in matches):
                continue
            if near is not None and not near_matches(near, self.lines, number - 1):
                continue
            start = matches[0].start()
            found.append((number, line[max(0, start - CONTEXT) : start + CONTEXT].strip()))
        return found


def whole(text: str) -> re.Pattern[str]:
    """Finds a text that has no digit or letter directly before or after it."""
    before = r"(?<![\w.])" if text[0].isalnum() else ""
    after = r"(?!\w|\.\d)" if text[-1].isalnum() else ""
    return re.compile(before + re.escape(text) + after)


def near_matches(near: str, lines: list[str], at: int) -> bool:
    """Whether words stand in a line, or in the two before and after it."""
    return near.lower() in " ".join(lines[max(0, at - 2) : at + 3]).lower()


def papers_in(folder: Path) -> dict[str, Paper]:
    """The papers of a folder, by the beginning of `source`."""
    texts = [(path.name, path.read_text(encoding="utf-8").splitlines()) for path in sorted(folder.glob("*.txt"))]
    found = {}
    for begins, title in PAPERS.items():
        for name, lines in texts:
            head = " ".join(lines[:12])
            is_thesis = len(lines) > 3_000
            if is_thesis == (title == "thesis") and (is_thesis or re.search(title, head)):
                found[begins] = Paper(name, lines)
                break
    return found


def strings(value: object) -> list[str]:
    if value is None:
        return []
    return [value] if isinstance(value, str) else list(value)


def faults(row: dict) -> list[str]:
    """The mistakes of a row, independent of its source."""
    basis = row.get("basis")
    if basis not in NEEDS:
        return [f"`basis` must be one of {', '.join(NEEDS)}, not {basis!r}"]
    wrong = []
    if not any(row.get(field) for field in NEEDS[basis]):
        wrong.append(f"basis {basis} needs {' or '.join(f'`{field}`' for field in NEEDS[basis])}")
    numbers = [number for text in strings(row.get("printed")) for number in numbers_in(text)]
    if basis == "printed" and not any(same(row["published"], number) for number in numbers):
        wrong.append(f"`published` is {row['published']}, and `printed` {row.get('printed')!r}")
    if basis == "range" and len(numbers) < 2 and "up to" not in str(row.get("printed")).lower():
        wrong.append(f"a range has two ends, or says 'up to', and `printed` is {row.get('printed')!r}")
    if "tested" in row and "differs" not in row:
        wrong.append("`tested` without `differs`: nothing is to be explained")
    return wrong


def numbers_in(text: str) -> list[float]:
    return [float(number.replace(",", "")) for number in re.findall(r"\d[\d,]*(?:\.\d+)?|\.\d+", text)]


def same(published: float, printed: float) -> bool:
    return abs(abs(published) - printed) <= 1e-9 * max(1.0, abs(printed))


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--papers", type=Path, help="the folder with the text of the papers")
    arguments.add_argument("--only", default="", help="how the names of the experiments begin, such as seer")
    arguments.add_argument("--basis", help="only rows of this basis")
    arguments.add_argument("--quiet", action="store_true", help="only the counts, and what is wrong")
    given = arguments.parse_args()
    papers = papers_in(given.papers) if given.papers and given.papers.is_dir() else {}
    wrong = []
    counts = dict.fromkeys(NEEDS, 0)
    for file in sorted(EXPERIMENTS.glob("*/*/experiment.toml")):
        name = f"{file.parent.parent.name}/{file.parent.name}"
        if not name.startswith(given.only):
            continue
        experiment = tomllib.loads(file.read_text(encoding="utf-8"))
        paper = papers.get(re.split(r"[ ,]", experiment["source"])[0])
        for row in experiment["row"]:
            what = f"{name}: {row['quantity']}"
            bad = faults(row)
            wrong += [f"{what}: {fault}" for fault in bad]
            if bad or given.basis not in (None, row["basis"]):
                continue
            counts[row["basis"]] += 1
            says = row.get("how") or row.get("data") or ""
            printed = strings(row.get("printed"))
            if printed and paper:
                places = paper.places(printed, row.get("near"))
                if not places:
                    near = f" near {row['near']!r}" if "near" in row else ""
                    wrong.append(f"{what}: {printed}{near} does not occur in {paper.name}")
                if len(places) > 3:
                    wrong.append(f"{what}: {printed} occurs at {len(places)} places; add `near` with words beside it")
                says = "; ".join([f"{paper.name}:{line} ({text})" for line, text in places[:3]] + ([says] if says else []))
            if not given.quiet:
                print(f"{what}\n    {row['published']} ({row['basis']}) {' '.join(printed)} {says}".rstrip())
    print("\n" + ", ".join(f"{count} {basis}" for basis, count in counts.items()))
    if not papers:
        print("skipped: the places in the sources (no folder with the text of the papers; name it with --papers)")
    for line in wrong:
        print(f"wrong: {line}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
