"""The designs that are compared: where they are, and how many cycles an operation takes."""

from dataclasses import dataclass

from . import tools
from .source import Source, source

DATA_WIDTH = 17


@dataclass(frozen=True)
class Design:
    """One queue. Cycles are those of its documentation, when enqueues and dequeues take turns."""

    name: str
    title: str
    files: str
    enqueue_cycles: int
    dequeue_cycles: int

    @property
    def cycles(self) -> float:
        """Of an operation, as many enqueues as dequeues."""
        return (self.enqueue_cycles + self.dequeue_cycles) / 2


DESIGNS = {
    design.name: design
    for design in (
        Design("bbq", "BBQ", "rtl/bbq/bbq.f", 1, 1),
        Design("pifo", "PIFO", "rtl/pifo/pifo.f", 1, 1),
        Design("pieo", "PIEO", "rtl/pieo/pieo.f", 6, 6),
        Design("bmw_tree", "BMW-Tree", "rtl/bmw_tree/bmw_tree.f", 1, 2),
        Design("bmw_tree_reg", "BMW-Tree, registers", "rtl/bmw_tree/bmw_tree_reg.f", 1, 1),
        Design("pheap", "pHeap", "rtl/pheap/pheap.f", 2, 2),
    )
}


@dataclass(frozen=True)
class Point:
    """One configuration of one design. Levels and Width are BBQ's, which give the bits of a rank."""

    design: str
    entries: int
    rank_bits: int
    levels: int | None = None
    width: int | None = None

    @property
    def shape(self) -> Design:
        """Its design."""
        return DESIGNS[self.design]

    @property
    def available(self) -> bool:
        """Whether its sources are there."""
        return (tools.ROOT / self.shape.files).is_file()

    def source(self) -> Source:
        """The source that is synthesised."""
        parameters = {"Entries": self.entries, "DataWidth": DATA_WIDTH}
        if self.levels is not None and self.width is not None:
            parameters = {"Levels": self.levels, "Width": self.width, **parameters}
        else:
            parameters["RankWidth"] = self.rank_bits
        return source(self.design, [tools.ROOT / self.shape.files], parameters)


def bbq(levels: int, width: int, entries: int) -> Point:
    """A BBQ; its ranks have the bits of a path through the tree."""
    return Point("bbq", entries, levels * (width.bit_length() - 1), levels, width)
