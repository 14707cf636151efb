"""A fully ordered list as it should be: a Python list, and when an operation takes effect.

Call `act` once in each cycle, with the requests of that cycle. Between calls, `entries` has
the contents of the cells.
"""

from __future__ import annotations

from dataclasses import dataclass

INSERT, DELETE, DELETE_FIRST, PUSH = range(4)


@dataclass(eq=False)
class Entry:
    """The contents of a cell; two that look alike are two."""

    key: int
    tag: int
    value: int
    marked: bool = False


@dataclass(frozen=True)
class Operation:
    """The requests to a list."""

    op: int
    key: int = 0
    tag: int = 0
    value: int = 0
    push: int = 0


class ListModel:
    """Entries in the order of their keys."""

    def __init__(self, entries: int, key_width: int, wrap: bool) -> None:
        self.capacity, self.width, self.wrap = entries, key_width, wrap
        self.reset()

    def reset(self) -> None:
        self.entries: list[Entry] = []
        self.running: Operation | None = None
        self.cycle = 0
        self.asked: Entry | None = None
        # The results of a cycle: whether an operation has ended, and its outcome.
        self.answer: bool | None = None
        self.ended: int | None = None

    def earlier(self, a: int, b: int) -> bool:
        """Whether time `a` is before time `b`: with `wrap`, by the shorter way around."""
        return (a - b) % (1 << self.width) >= 1 << (self.width - 1) if self.wrap else a < b

    @property
    def ready(self) -> bool:
        return self.running is None

    @property
    def full(self) -> bool:
        return len(self.entries) == self.capacity

    def first(self) -> Entry | None:
        return self.entries[0] if self.entries else None

    def last(self) -> Entry | None:
        return self.entries[-1] if self.entries else None

    def unmarked(self) -> Entry | None:
        return next((entry for entry in self.entries if not entry.marked), None)

    def find(self, tag: int) -> Entry | None:
        return next((entry for entry in self.entries if entry.tag == tag), None)

    def ask(self) -> Entry | None:
        """The first unmarked entry, to which `mark` refers from now on."""
        self.asked = self.unmarked()
        return self.asked

    def mark(self) -> None:
        """Marks the entry of the last request, in any position; does nothing if it was deleted."""
        if self.asked is not None:
            self.asked.marked = True

    def act(self, operation: Operation | None) -> None:
        """A cycle passes. An operation is accepted in it if the list is ready."""
        self.answer = None
        if self.running is None:
            if operation is not None:
                self.running, self.cycle = operation, 1
                self.affected = self.chosen(operation)
            return
        self.cycle += 1
        running = self.running
        if self.cycle == 2 and running.op in (DELETE, DELETE_FIRST):
            for entry in self.affected[:1]:
                self.entries.remove(entry)
            self.finish(bool(self.affected))
        elif self.cycle == 2:
            self.entered = running.op == INSERT and not self.full
            if self.entered:
                place = len(self.entries) - len(self.affected)
                self.entries.insert(place, Entry(running.key, running.tag, running.value))
        else:
            for entry in self.affected:
                entry.key = (entry.key + running.push) % (1 << self.width)
            self.finish(self.entered)

    def chosen(self, operation: Operation) -> list[Entry]:
        """The entries that an operation concerns, in order."""
        match operation.op:
            case 0:  # INSERT: later entries
                return [entry for entry in self.entries if not self.earlier(entry.key, operation.key)]
            case 1:  # DELETE
                return [entry for entry in self.entries if entry.tag == operation.tag]
            case 2:  # DELETE_FIRST
                return self.entries[:1]
            case _:  # PUSH
                return list(self.entries)

    def finish(self, done: bool) -> None:
        self.ended, self.running, self.answer = self.running and self.running.op, None, done
