"""Reads op streams (testdata/ops); the format is described in crates/core/src/ops.rs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


class OpsError(Exception):
    """A line that is not part of an op stream, or that is impossible."""


@dataclass(frozen=True, slots=True)
class Step:
    """A line with an operation."""

    line: int
    op: str
    """push, pop, pop-max, peek, remove, pop-eligible or next-eligible."""
    rank: int
    item: int
    time: int | None
    answer: str
    """The text right of `->`."""


@dataclass(frozen=True)
class Header:
    """The capacity and ranks that the queue must have."""

    capacity: int
    ranks: int


def words_of(path: Path) -> Iterator[tuple[int, list[str]]]:
    try:
        with path.open() as file:
            for line, text in enumerate(file, 1):
                words = text.split("#", 1)[0].split()
                if words:
                    yield line, words
    except OSError as error:
        raise OpsError(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise OpsError(f"{path}: this is no text, so no op stream") from error


def read_header(path: Path) -> Header:
    """Reads up to the first operation; `capacity` and `ranks` are before it."""
    values = {"capacity": 0, "ranks": 0}
    for _, words in words_of(path):
        if "->" in words:
            break
        if len(words) == 2 and words[0] in values and words[1].isdecimal():
            values[words[0]] = int(words[1])
    if not all(values.values()):
        raise OpsError(f"{path}: `capacity` and `ranks` must be given, above 0, before the first operation")
    return Header(**values)


def read_steps(path: Path) -> Iterator[Step]:
    """The operations, read line by line: a stream may be longer than memory."""
    for line, words in words_of(path):
        if "->" not in words:
            if words[0] in ("capacity", "ranks", "inversions"):
                continue
            raise OpsError(f"{path}:{line}: `{' '.join(words)}` has no `->` and answer")
        at = words.index("->")
        answer = " ".join(words[at + 1:])
        try:
            yield read_step(line, words[:at], answer)
        except ValueError as error:
            raise OpsError(f"{path}:{line}: `{' '.join(words)}` is not an operation") from error


def read_step(line: int, words: list[str], answer: str) -> Step:
    match words:
        case ["push", rank, item]:
            return Step(line, "push", int(rank), int(item), None, answer)
        case ["push", rank, item, "at", time]:
            return Step(line, "push", int(rank), int(item), int(time), answer)
        case ["pop" | "pop-max" | "peek" | "next-eligible" as op]:
            return Step(line, op, 0, 0, None, answer)
        case ["remove", item]:
            return Step(line, "remove", 0, int(item), None, answer)
        case ["pop-eligible", time]:
            return Step(line, "pop-eligible", 0, 0, int(time), answer)
    raise ValueError


def has_full(path: Path) -> bool:
    """Whether it depends on the capacity."""
    return any(step.answer == "full" for step in read_steps(path))
