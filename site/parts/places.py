"""Where each file of the repository stands in the site, and links between them."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from pathlib import Path

from .text import outside_code

PICTURES = {".svg", ".png"}
# Larger files are copied as they are: a page of them would be slow to open.
LARGEST_PAGE = 150_000
LINK = re.compile(r"(\]\()([^)\s]+)((?:\s+\"[^\"]*\")?\))")
EXTERNAL = re.compile(r"[a-z][a-z0-9+.-]*:|#")


def place(root: Path, file: str) -> str:
    """Where a file or folder, named from the root of the repository, stands in the site's pages."""
    suffix = posixpath.splitext(file)[1]
    if file == "README.md":
        return "source/README.md"
    below = file.removeprefix("docs/")
    if (root / file).is_dir():
        return place(root, f"{file}/README.md") if (root / file / "README.md").exists() else f"source/{file}/index.md"
    if file.startswith("docs/") and suffix == ".md" or file.startswith("docs/") and suffix in PICTURES:
        return below
    if file.startswith("docs/") and suffix == ".ipynb":
        return posixpath.splitext(below)[0] + ".md"
    if suffix == ".md" or suffix in PICTURES or (root / file).stat().st_size > LARGEST_PAGE:
        return f"source/{file}"
    return f"source/{file}.md"


def linked(page: str, folder: str, resolve: Callable[[str, str], str]) -> str:
    """The page with each link to a file replaced: `resolve` gets the file, named from the root, and the link."""

    def replaced(found: re.Match[str]) -> str:
        target = found[2]
        if EXTERNAL.match(target):
            return found[0]
        path, mark, anchor = target.partition("#")
        file = posixpath.normpath(posixpath.join(folder, path))
        return found[1] + resolve(file, target) + mark + anchor + found[3]

    return outside_code(page, lambda text: LINK.sub(replaced, text))


def relative(start: str, to: str) -> str:
    """The link from one page to another; both are named from the folder of all pages."""
    return posixpath.relpath(to, posixpath.dirname(start) or ".")
