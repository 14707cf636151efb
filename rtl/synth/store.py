"""Results by content: a result is found again if sources, parameters, commands and tools are the same.

So an interrupted sweep continues where it stopped, and an edit of one file repeats only the runs that read it.
"""

import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from . import tools


def key(texts: Sequence[str], files: Sequence[Path]) -> str:
    """A name that depends on these texts and the contents of these files."""
    digest = hashlib.sha256()
    for text in texts:
        digest.update(b"text %d\n" % len(text) + text.encode())
    for file in files:
        content = file.read_bytes()
        digest.update(b"file %d\n" % len(content) + content)
    return digest.hexdigest()[:20]


def folder(kind: str, name: str) -> Path:
    """The folder for the files of one run."""
    path = tools.OUT / kind / name
    path.mkdir(parents=True, exist_ok=True)
    return path


def load(path: Path) -> Any | None:
    """A stored result, or None if there is none or it was cut off."""
    try:
        return json.loads(path.read_text())
    except (FileNotFoundError, json.JSONDecodeError):
        return None


def save(path: Path, result: Any) -> None:
    """Stores a result in one step, so that an interrupted write leaves nothing half done."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    part.write_text(json.dumps(result, indent=1, sort_keys=True))
    part.replace(path)
