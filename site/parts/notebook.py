"""A notebook as a Markdown page: its texts, its code, and the outputs that are kept in it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .text import fenced


def page(path: Path) -> str:
    """The whole notebook."""
    cells = json.loads(path.read_text())["cells"]
    return "\n\n".join(part for cell in cells for part in parts(cell)) + "\n"


def parts(cell: dict[str, Any]) -> list[str]:
    """A cell: a text, or code with its outputs."""
    source = "".join(cell["source"])
    if cell["cell_type"] != "code":
        return [source]
    return ["\n".join(fenced(source, "python")), *(part for output in cell["outputs"] for part in shown(output))]


def shown(output: dict[str, Any]) -> list[str]:
    """An output: a picture where there is one, else its text."""
    if "text" in output:
        return ["\n".join(fenced("".join(output["text"])))]
    data = output.get("data", {})
    if "image/svg+xml" in data:
        picture = "".join(data["image/svg+xml"])
        # An empty line would end the block of HTML.
        return ['<div class="picture">' + " ".join(picture[picture.index("<svg") :].split("\n")) + "</div>"]
    if "text/plain" in data:
        return ["\n".join(fenced("".join(data["text/plain"])))]
    return []
