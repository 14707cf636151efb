"""How far a run is, as a bar of tqdm in a terminal or a notebook, or as calls of the caller's own."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any, Protocol, Union


class Bar(Protocol):
    """What is used of a bar of tqdm."""

    n: float
    total: float | None

    def refresh(self) -> object: ...
    def close(self) -> object: ...
    def set_description(self, desc: str) -> object: ...


Progress = Union[None, bool, Callable[[int, Union[int, None], str, str], object], Bar]
"""`True` and `False`: a bar or none; `None`: a bar where somebody looks; a function of what is done, the total (or `None`), the unit and what
the run is about; or a bar with the interface of tqdm."""


# A bar of our own is drawn only for what takes longer, in seconds.
_SHORT = 1.0


class Reporter:
    """Passes on how far a run is."""

    def __init__(self, progress: Progress) -> None:
        self._call: Callable[[int, int | None, str, str], object] | None = None
        self._bar: Any = None
        self._begins: float | None = None
        self._seen: tuple[int, int | None, str, str] | None = None
        if progress is None:
            progress = _is_watched()
        if progress is True:
            self._begins = time.monotonic() + _SHORT
        elif progress is not False:
            if hasattr(progress, "refresh"):
                self._bar = progress
            else:
                self._call = progress

    @property
    def callback(self) -> Callable[[int, int | None, str, str], None] | None:
        """What the library calls, if anybody wants to know."""
        return None if self._call is None and self._bar is None and self._begins is None else self._report

    def _report(self, done: int, total: int | None, unit: str, about: str) -> None:
        if self._call is not None:
            self._call(done, total, unit, about)
            return
        if self._begins is not None and self._bar is None:
            if time.monotonic() < self._begins:
                return
            self._bar = _bar()
        told = (done, total, unit, about)
        if self._bar is not None and unit and told != self._seen:
            self._seen = told
            self._bar.total = total
            self._bar.n = done
            self._bar.set_description(about or unit)

    def close(self) -> None:
        """Ends a bar that was made here."""
        if self._begins is not None and self._bar is not None:
            self._bar.close()


def _is_watched() -> bool:
    return "ipykernel" in sys.modules or bool(getattr(sys.stderr, "isatty", lambda: False)())


def _bar() -> Any:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm(leave=False)
