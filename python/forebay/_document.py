"""A scenario that is a `dict`, as the text that the library reads, and which line of it is which value."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ._errors import argument_error

PLACE = "scenario"


class Document:
    """The text of a `dict` in JSON, with one value on each line."""

    def __init__(self, value: Mapping[str, Any]) -> None:
        self.lines: list[str] = []
        self.places: list[str] = []
        self._write(value, "", "", "")
        self.text = "\n".join(self.lines) + "\n"

    def where(self, line: int) -> str:
        """The place of the value on a line, from 1."""
        return self.places[line - 1] if 0 < line <= len(self.places) else ""

    def _line(self, text: str, where: str) -> None:
        self.lines.append(text)
        self.places.append(where)

    def _write(self, value: Any, key: str, where: str, comma: str) -> None:
        value = _plain(value, where)
        if isinstance(value, dict):
            self._line(f"{key}{{", where)
            items = [(name, inner) for name, inner in value.items() if inner is not None]
            for number, (name, inner) in enumerate(items, 1):
                if not isinstance(name, str):
                    raise argument_error(PLACE + where, f"a name must be a text, not {name!r}")
                self._write(inner, f"{json.dumps(name)}: ", f"{where}[{name!r}]", "," if number < len(items) else "")
            self._line(f"}}{comma}", where)
        elif isinstance(value, list):
            self._line(f"{key}[", where)
            for number, inner in enumerate(value):
                self._write(inner, "", f"{where}[{number}]", "," if number + 1 < len(value) else "")
            self._line(f"]{comma}", where)
        else:
            self._line(f"{key}{json.dumps(value)}{comma}", where)


def _plain(value: Any, where: str) -> Any:
    """A value of JSON: numbers of numpy, paths and tables of forebay become one."""
    if hasattr(value, "to_dict") and not hasattr(value, "columns"):
        value = value.to_dict()
    if isinstance(value, Path):
        return str(value)
    if hasattr(value, "item") and not isinstance(value, (str, bytes)) and getattr(value, "ndim", 0) == 0:
        value = value.item()
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise argument_error(PLACE + where, f"a number must be finite, not {value}")
        return value
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray)):
        return list(value)
    what = f"the class {value.__name__}" if isinstance(value, type) else f"a {type(value).__name__}"
    raise argument_error(PLACE + where, f"{what} cannot stand here; give a text, a number, a list or a dict")
