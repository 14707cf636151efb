"""Colours for OpenQueue, the language of policies."""

from __future__ import annotations

from typing import ClassVar

from pygments.lexer import RegexLexer, words
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text

# What Pygments reads to find the lexer.
__all__ = ["OpenQueueLexer"]


class OpenQueueLexer(RegexLexer):
    """Comments, keywords, units, calls and operators of OpenQueue."""

    name = "OpenQueue"
    aliases: ClassVar[list[str]] = ["openqueue"]
    filenames: ClassVar[list[str]] = ["*.oq"]
    tokens: ClassVar[dict[str, list[object]]] = {
        "root": [
            (r"\s+", Text),
            (r"//.*", Comment.Single),
            (r"/\*.*?\*/", Comment.Multiline),
            (r'"[^"\n]*"', String),
            (words(("param", "include", "extern", "action", "for", "in", "let", "and", "or", "not", "true", "false"), suffix=r"\b"), Keyword),
            (words(("Queue", "Port", "Buffer"), suffix=r"\b"), Keyword.Type),
            (r"\d[\d_]*(\.\d+)?", Number),
            (r"[A-Za-z_]\w*(?=\()", Name.Function),
            (r"[A-Za-z_]\w*", Name),
            (r"[-+*/%<>=!&|]+", Operator),
            (r".", Punctuation),
        ]
    }
