"""Markdown as GitHub reads it, written as Python-Markdown reads it.

Lists are nested by four spaces and have an empty line before them, a fence names its language alone, and a bar in code in a table is written as HTML.
"""

from __future__ import annotations

import re

from .text import CODE_SPAN, FENCE, code

INFO = re.compile(r"(\s*(?:`{3,}|~{3,})[\w+-]*).*")
MARKER = re.compile(r"( *)([-*+]|\d{1,3}[.)]) +(?=\S)")


def normalised(page: str) -> str:
    """The page in the form that Python-Markdown reads."""
    written: list[str] = []
    ends: list[int] = []  # where the text of each open item begins
    fence = ""
    was_item = False
    empty_before = True
    for line in page.split("\n"):
        found = FENCE.match(line)
        if found and not fence:
            line = INFO.sub(r"\1", line)
        elif line.startswith("|") and not fence:
            line = CODE_SPAN.sub(with_bars, line)
        indent = len(line) - len(line.lstrip(" "))
        if fence:
            closes = line.strip().startswith(fence) and not line.strip().strip(fence[0])
            written.append(moved(line, indent, ends))
            fence = "" if closes else fence
            continue
        marker = MARKER.match(line)
        if not line.strip():
            written.append("")
            empty_before = True
            continue
        if marker and indent < (ends[-1] if ends else 0) + 4:
            while ends and indent < ends[-1]:
                ends.pop()
            if not ends and not empty_before and not was_item:
                written.append("")
            written.append(" " * 4 * len(ends) + line.lstrip(" "))
            ends.append(len(marker[0]))
        else:
            if indent == 0 and (empty_before or line.startswith(("#", "|"))):
                ends.clear()
            written.append(moved(line, indent, ends))
        fence = found[1] if found else ""
        empty_before = False
        was_item = bool(ends)
    return "\n".join(written)


def moved(line: str, indent: int, ends: list[int]) -> str:
    """A line inside an item, as far to the right as its item now is."""
    depth = sum(1 for end in ends if end <= indent)
    if depth == 0:
        return line
    return " " * (4 * depth + indent - ends[depth - 1]) + line.lstrip(" ")


def with_bars(span: re.Match[str]) -> str:
    """A code span of a table row; GitHub has a backslash before a bar there."""
    return code(span[2].replace("\\|", "|")) if "\\|" in span[2] else span[0]
