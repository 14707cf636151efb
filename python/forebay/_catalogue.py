"""What forebay knows."""

from __future__ import annotations

import json
from typing import Any

from . import _forebay


def names(kind: str | None = None) -> dict[str, str]:
    """Every name that forebay knows, or those of one kind, with what each is.

    Parameters
    ----------
    kind : str, optional
        Like ``"queues"``, ``"rank functions"``, ``"cache policies"``, ``"transports"``.

    Returns
    -------
    dict of str to str
        By name.

    Examples
    --------
    >>> import forebay
    >>> "sp-pifo" in forebay.names("queues")
    True
    """
    return {entry["name"]: entry["title"] for entry in _forebay.entries(kind)}


def schema() -> dict[str, Any]:
    """The JSON schema of scenarios."""
    return dict(json.loads(_forebay.schema()))
