"""What the tables of scenarios have in common."""

from __future__ import annotations

from typing import Any


class Table:
    """A table of a scenario. `forebay.run` takes it in place of a `dict`; its fields are checked there."""

    def __init__(self, *fields: tuple[str, Any]) -> None:
        self._fields = {name: value for name, value in fields if value is not None}

    def to_dict(self) -> dict[str, Any]:
        """The fields that were given, by name."""
        return dict(self._fields)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other._fields == self._fields

    def __hash__(self) -> int:
        return hash(repr(self))

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in self._fields.items())
        return f"{type(self).__name__}({given})"
