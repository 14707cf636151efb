"""The pages of the repository: docs/, and every file that they lead to."""

from __future__ import annotations

import posixpath
import re
import shutil
from collections.abc import Callable
from pathlib import Path

from . import dialect, notebook, places
from .program import BuildError
from .text import fenced

LANGUAGES = {".rs": "rust", ".toml": "toml", ".py": "python", ".sv": "systemverilog", ".json": "json", ".c": "c", ".h": "c", ".cpp": "cpp", ".oq": "openqueue", ".sh": "sh"}
UNSEARCHED = "---\nsearch:\n  exclude: true\n---\n\n"
# The search finds these last: they name everything, as it was at the time.
FOUND_LAST = {"docs/history.md"}
LAST = "---\nsearch:\n  boost: 0.01\n---\n\n"
# A link from a generated page to another one, named from the folder of all pages.
SITE = re.compile(r"\]\(site:([^)]+)\)")
Change = Callable[[str, str], str]


class Pages:
    """A folder of pages that is being filled, from files whose links are followed."""

    def __init__(self, root: Path, folder: Path, change: Change) -> None:
        self.root, self.folder, self.change = root, folder, change
        self.waiting: list[str] = []
        self.seen: set[str] = set()
        self.problems: list[str] = []

    def need(self, file: str) -> str:
        """Queues a file of the repository, and says where it will stand."""
        if file not in self.seen:
            self.seen.add(file)
            self.waiting.append(file)
        return places.place(self.root, file)

    def write(self, where: str, text: str) -> None:
        """Writes a page."""
        path = self.folder / where
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def all(self) -> None:
        """Writes every file that is queued, and what these lead to."""
        while self.waiting:
            self.one(self.waiting.pop())
        if self.problems:
            raise BuildError("\n".join(self.problems))

    def one(self, file: str) -> None:
        """Writes one file as a page, a picture or a copy."""
        where, path = places.place(self.root, file), self.root / file
        if path.is_dir():
            if where.endswith("/index.md"):
                self.write(where, self.listing(file, where))
            else:
                self.need(f"{file}/README.md")
        elif file.endswith(".md"):
            text = self.markdown(path.read_text(), file, where)
            head = LAST if file in FOUND_LAST else "" if file.startswith("docs/") else UNSEARCHED
            self.write(where, head + text)
        elif file.endswith(".ipynb"):
            self.write(where, self.markdown(notebook.page(path), file, where))
        elif where.endswith(".md"):
            language = LANGUAGES.get(posixpath.splitext(file)[1], "text")
            block = "\n".join(fenced(path.read_text(errors="replace"), language))
            self.write(where, f"{UNSEARCHED}# {posixpath.basename(file)}\n\n`{file}`\n\n{self.change(block, where)}\n")
        else:
            (self.folder / where).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, self.folder / where)

    def listing(self, folder: str, where: str) -> str:
        """A page with the names in a folder that has no README."""
        names = sorted(path.name for path in (self.root / folder).iterdir() if path.is_file())
        links = [f"- [{name}]({places.relative(where, self.need(f'{folder}/{name}'))})" for name in names]
        return f"{UNSEARCHED}# {folder}/\n\n" + "\n".join(links) + "\n"

    def markdown(self, text: str, file: str, where: str) -> str:
        """A page of the repository as a page of the site."""

        def resolve(target: str, link: str) -> str:
            if target.startswith("..") or not (self.root / target).exists():
                self.problems.append(f"{file}: the link `{link}` leads nowhere; no file {target} is there")
                return link
            return places.relative(where, self.need(target))

        page = places.linked(dialect.normalised(text), posixpath.dirname(file), resolve)
        page = SITE.sub(lambda found: f"]({places.relative(where, found[1])})", page)
        return self.change(page, where)
