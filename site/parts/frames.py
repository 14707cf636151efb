"""Boxes for pictures: in a narrow window a picture keeps its size and scrolls sideways, and a click opens it alone."""

from __future__ import annotations

import re

PICTURE = re.compile(r'<p>(<img [^>]*src="([^"]+\.svg)"[^>]*>)</p>')


def framed(html: str) -> str:
    """The page with a box around each picture that is a paragraph of its own."""
    return PICTURE.sub(r'<div class="picture"><a href="\2" title="Open the picture alone">\1</a></div>', html)
