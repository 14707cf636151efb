"""What `forebay list` and `forebay explain` say, as data."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path

from .program import BuildError, Program

# The first words of lines that state a fact.
FACTS = {"also", "order", "hardware", "cost", "source", "attack", "option", "use"}


@dataclass
class Parameter:
    """A parameter of an algorithm, with the values that it takes."""

    name: str
    what: str
    takes: str = ""


@dataclass
class Parameters:
    """A list of parameters; the heading is empty for those of the algorithm itself."""

    heading: str
    items: list[Parameter] = field(default_factory=list)


@dataclass
class Entry:
    """An algorithm of the registry."""

    kind: str
    name: str
    title: str
    facts: list[tuple[str, str]] = field(default_factory=list)
    parameters: list[Parameters] = field(default_factory=list)

    def fact(self, key: str) -> str:
        """The first fact of a name, or nothing."""
        return next((text for name, text in self.facts if name == key), "")


def listed(program: Program, folder: Path) -> list[dict[str, str]]:
    """The rows of `forebay list`."""
    rows: list[dict[str, str]] = json.loads(program.run(["list", "--format", "json"], folder))
    return rows


def entry(program: Program, folder: Path, kind: str, name: str) -> Entry:
    """What `explain` says of one row of the list."""
    found = [it for it in parsed(program.run(["explain", name], folder)) if it.kind == kind]
    if not found:
        raise BuildError(f"`forebay explain {name}` prints no {kind}; site/parts/explain.py reads its first lines as `NAME (KIND)`")
    return found[0]


def parsed(text: str) -> list[Entry]:
    """The entries that `explain` printed: a name may be one of several kinds."""
    entries: list[Entry] = []
    for line in text.splitlines():
        indent = len(line) - len(line.lstrip())
        words = line.strip()
        head = re.fullmatch(r"(\S.*) \(([^()]+)\)", line)
        if head and indent == 0:
            entries.append(Entry(head[2], head[1], ""))
        elif words and entries:
            add(entries[-1], indent, words)
    return entries


def add(entry: Entry, indent: int, words: str) -> None:
    """Puts a line below its head where it belongs."""
    fact = re.match(r"(\w+) +(.*)", words)
    if indent == 2 and not entry.title:
        entry.title = words
    elif indent == 2 and fact and fact[1] in FACTS:
        entry.facts.append((fact[1], fact[2]))
    elif indent == 2 and words != "parameters: none":
        entry.parameters.append(Parameters("" if words == "parameters" else words))
    elif indent == 4 and entry.parameters:
        name, _, what = words.partition(": ")
        entry.parameters[-1].items.append(Parameter(name, what))
    elif indent > 4 and entry.parameters and entry.parameters[-1].items:
        last = entry.parameters[-1].items[-1]
        last.takes = f"{last.takes} {words}".strip()
