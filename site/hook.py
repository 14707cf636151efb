"""What MkDocs is told in Python: the colours of OpenQueue, and the boxes of pictures."""

from __future__ import annotations

import sys
from pathlib import Path

import pygments.lexers

sys.path.insert(0, str(Path(__file__).resolve().parent))
from parts import frames  # noqa: E402


def on_startup(command: str, dirty: bool) -> None:  # noqa: ARG001
    """Registers the lexer of OpenQueue under the name that fences have."""
    pygments.lexers.LEXERS["OpenQueueLexer"] = ("parts.lexer", "OpenQueue", ("openqueue",), ("*.oq",), ())


def on_page_content(html: str, **_: object) -> str:
    """Puts every picture of a page into a box of its own."""
    return frames.framed(html)
