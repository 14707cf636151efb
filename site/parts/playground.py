"""Links that open a scenario or a policy of a page in the playground.

The part after `#s=` is JSON, compressed as raw deflate and written in base64url without padding.
"""

from __future__ import annotations

import base64
import json
import re
import tomllib
import zlib
from collections.abc import Callable
from typing import Any

from . import places

# Which room of the playground takes a scenario, by the table that makes it one of its kind.
ROOMS = {"network": "networks", "cache": "caches", "attack": "attacks", "port": "policies"}
BLOCK = re.compile(r"^```(toml|openqueue)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# What the playground has no files for.
FILES = re.compile(r"\.(oq|csv|pcap|pcapng|toml|trace|cdf)\"|^include ", re.MULTILINE)


def fragment(content: dict[str, Any]) -> str:
    """What stands behind `play/`."""
    squeezer = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = squeezer.compress(json.dumps(content).encode()) + squeezer.flush()
    return "#s=" + base64.urlsafe_b64encode(data).decode().rstrip("=")


def content(language: str, text: str, is_policy: Callable[[str], bool]) -> dict[str, Any] | None:
    """What the playground opens for a block of code; None for a block that is only a part of a scenario or of a policy."""
    if FILES.search(text):
        return None
    if language == "openqueue":
        return {"room": "policies", "policies": [{"text": text}]} if is_policy(text) else None
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return None
    room = next((room for table, room in ROOMS.items() if table in tables), None)
    return {"room": room, "scenario": text} if room and "policy" in tables else None


def with_links(page: str, where: str, is_policy: Callable[[str], bool]) -> str:
    """The page with a link under every block that the playground can open."""
    play = places.relative(where, "play/index.html")

    def linked(found: re.Match[str]) -> str:
        opened = content(found[1], found[2], is_policy)
        if opened is None:
            return found[0]
        return f'{found[0]}\n\n<p class="try"><a href="{play}{fragment(opened)}">Try it in the playground</a></p>'

    return BLOCK.sub(linked, page)
