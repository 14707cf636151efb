"""Small helpers for Markdown and HTML."""

from __future__ import annotations

import html
import re
from collections.abc import Callable

CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
FENCE = re.compile(r"\s*(`{3,}|~{3,})")


def cell(text: str) -> str:
    """A text as a cell of a Markdown table: nothing in it ends the cell, starts a tag or an emphasis; backticks stay."""
    escaped = re.sub(r"\s+", " ", text).replace("|", "\\|")
    return spans(escaped, lambda plain: re.sub(r"[*_\[]", lambda found: f"&#{ord(found[0])};", html.escape(plain, quote=False)))


def table(header: list[str], rows: list[list[str]]) -> list[str]:
    """A Markdown table; its cells are Markdown."""
    lines = ["| " + " | ".join(header) + " |", "|" + " --- |" * len(header)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows]


def code(text: str) -> str:
    """A text as code in a cell of a Markdown table."""
    return f"<code>{html.escape(text, quote=False).replace('|', '&#124;')}</code>"


def fenced(text: str, language: str = "text") -> list[str]:
    """A block of code, with a fence that is longer than any in the text."""
    longest = max((len(ticks) for ticks in re.findall(r"`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    return [f"{fence}{language}", text.rstrip("\n"), fence]


def outside_code(page: str, change: Callable[[str], str]) -> str:
    """The page with the change made to all text that is neither a block of code nor a code span."""
    kept: list[str] = []
    text: list[str] = []

    def flush() -> None:
        if text:
            kept.append(spans("\n".join(text), change))
            text.clear()

    end = ""
    for line in page.split("\n"):
        fence = FENCE.match(line)
        if end:
            kept.append(line)
            if line.strip().startswith(end) and not line.strip().strip(end[0]):
                end = ""
        elif fence:
            flush()
            end = fence[1]
            kept.append(line)
        else:
            text.append(line)
    flush()
    return "\n".join(kept)


def spans(text: str, change: Callable[[str], str]) -> str:
    """The text with the change made outside its code spans. A span inside the text of a link belongs to the link."""
    held: list[str] = []

    def hold(found: re.Match[str]) -> str:
        held.append(found[0])
        return f"\x00{len(held) - 1}\x00"

    changed = change(CODE_SPAN.sub(hold, text))
    return re.sub("\x00(\\d+)\x00", lambda found: held[int(found[1])], changed)
