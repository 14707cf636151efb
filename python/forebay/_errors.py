"""What forebay raises and warns of."""

from __future__ import annotations

import re
from typing import Any


class ForebayError(ValueError):
    """Wrong use or bad input: where, what is wrong, and what to do.

    Attributes
    ----------
    file : str or None
        The file, or what a scenario was called.
    line : int or None
        The line of the file, from 1.
    field : str or None
        The field of a scenario.
    argument : str or None
        The argument of the call.
    where : str or None
        The place in a scenario that was a `dict`, like ``["policy"][0]["queue"]``.
    what : str
        What is wrong and what to do, without the place.
    """

    def __init__(
        self,
        message: str,
        *,
        file: str | None = None,
        line: int | None = None,
        field: str | None = None,
        argument: str | None = None,
        where: str | None = None,
        what: str | None = None,
    ) -> None:
        super().__init__(_of_python(message))
        self.file = file
        self.line = line
        self.field = field
        self.argument = argument
        self.where = where
        self.what = message if what is None else what

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (type(self), self.args[0], self.__dict__)


def _of_python(message: str) -> str:
    """The message with arguments as Python has them: `set={"a.b": ...}` for `--set a.b=...`, `baseline` for `--baseline`."""
    changed = re.sub(r"^--set ([^=:]+)=([^:]*): ", lambda found: f"set[{found[1]!r}] = {found[2]}: ", message)
    return re.sub(r"^--([a-z]+): ", r"\1: ", changed)


def _again(kind: type[ForebayError], message: str, state: dict[str, Any]) -> ForebayError:
    error = kind(message)
    error.__dict__.update(state)
    return error


class FileError(ForebayError, OSError):
    """The operating system does not read or write a file."""


class ForebayWarning(UserWarning):
    """What a reader of the numbers must know."""


def argument_error(argument: str, what: str) -> ForebayError:
    """An error in an argument of a call."""
    return ForebayError(f"{argument}: {what}", argument=argument, what=what)
