"""Every link of the built site: each must lead to a file that is there, and to an anchor that this file has."""

from __future__ import annotations

import posixpath
import re
import urllib.parse
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

EXTERNAL = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//")
ATTRIBUTES = {"a": "href", "link": "href", "img": "src", "script": "src", "iframe": "src", "source": "src"}
# What a browser fetches by itself; such a thing must not be on another host.
FETCHED = {"link", "img", "script", "iframe", "source"}


class Page(HTMLParser):
    """The links and the anchors of one page."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.links: list[tuple[str, str]] = []
        self.anchors: set[str] = {"", "top"}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.anchors.update(given[name] or "" for name in ("id", "name") if name in given)
        if tag in ATTRIBUTES and given.get(ATTRIBUTES[tag]):
            is_reference = tag == "link" and given.get("rel") in ("canonical", "edit", "next", "prev")
            self.links.append(("a" if is_reference else tag, given[ATTRIBUTES[tag]] or ""))


def problems(site: Path, unbuilt: tuple[str, ...] = ()) -> list[str]:
    """What is wrong with the links of the site, but for those into folders that are `unbuilt`."""
    files = {path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()}
    read: dict[str, Page] = {}

    def page(file: str) -> Page:
        if file not in read:
            read[file] = Page((site / file).read_text(errors="replace"))
        return read[file]

    found = []
    for file in sorted(files):
        # `make test-rustdoc` holds the links of rustdoc's pages, of which some are made by its script.
        if not file.endswith(".html") or file.startswith("api/rust/"):
            continue
        for tag, link in page(file).links:
            wrong = problem(file, tag, link, files, page, unbuilt)
            if wrong and wrong not in found:
                found.append(wrong)
    return found


def problem(file: str, tag: str, link: str, files: set[str], page: Callable[[str], Page], unbuilt: tuple[str, ...]) -> str | None:
    """What is wrong with one link."""
    if EXTERNAL.match(link):
        is_fetched = tag in FETCHED and not link.startswith("data:")
        return f"{file}: {link} is fetched from another host" if is_fetched else None
    path, _, anchor = link.partition("#")
    path = urllib.parse.unquote(path.partition("?")[0])
    # The page for addresses that are not there links from the root, since it is shown at any depth.
    start = "" if path.startswith("/") else posixpath.dirname(file)
    target = posixpath.normpath(posixpath.join(start, path.lstrip("/"))) if path else file
    if target.startswith(unbuilt):
        return None
    if path.endswith("/") or posixpath.normpath(f"{target}/index.html") in files:
        target = posixpath.normpath(f"{target}/index.html")
    if target not in files:
        return f"{file}: {link} leads nowhere: there is no {target}"
    # What stands behind #s= is for the playground.
    is_read_by_script = anchor.startswith("s=")
    if anchor and target.endswith(".html") and not is_read_by_script and not {anchor, urllib.parse.unquote(anchor)} & page(target).anchors:
        return f"{file}: {link} leads to no anchor: {target} has no `{anchor}`"
    return None
