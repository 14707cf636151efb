"""What MkDocs is told in Python: the colours of OpenQueue."""

from __future__ import annotations

import sys
from pathlib import Path

import pygments.lexers

sys.path.insert(0, str(Path(__file__).resolve().parent))


def on_startup(command: str, dirty: bool) -> None:  # noqa: ARG001
    """Registers the lexer of OpenQueue under the name that fences have."""
    pygments.lexers.LEXERS["OpenQueueLexer"] = ("parts.lexer", "OpenQueue", ("openqueue",), ("*.oq",), ())
