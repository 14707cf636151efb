"""Two of an algorithm that hear the same, and so must say the same."""

from __future__ import annotations

from typing import Any


def tell(twins: list[Any], method: str, *arguments: Any) -> None:
    """Call a method of both."""
    for twin in twins:
        getattr(twin, method)(*arguments)
