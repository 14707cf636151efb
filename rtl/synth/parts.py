"""A module of which a design has many: synthesised once, and put together in the finished netlist.

yosys reads a module for each instance. `share` replaces those of a part by one, after it has
checked that they are the same. So the work grows with the part and not with the design. abc
sees the readers of a net in one module only, so `spread` gives nets that many parts read a tree of
buffers. Timing is that of the whole design, across all borders.
"""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from . import tools

Module = dict[str, Any]


def share(modules: dict[str, Module], part: str) -> None:
    """Keeps one module of a part, under its name, for all instances."""
    names = [name for name in modules if name.startswith(f"{part}$")]
    if not names:
        raise tools.ToolError(f"the design has no {part}")
    first, *others = (shape(modules[name]) for name in names)
    if any(other != first for other in others):
        raise tools.ToolError(f"not all of {part} are the same")
    for module in modules.values():
        for cell in module["cells"].values():
            if cell["type"] in names:
                cell["type"] = part
    modules[part] = modules[names[0]]
    for name in names:
        del modules[name]


def shape(module: Module) -> str:
    """The ports, and the number of cells of each kind and size: yosys counts names and nets up from part to part."""
    cells = Counter(
        json.dumps([cell["type"].split("$")[0] or cell["type"], cell["parameters"]], sort_keys=True) for cell in module["cells"].values()
    )
    return json.dumps([module["ports"], sorted(cells.items())], sort_keys=True)


def instances(module: Module, part: str) -> list[str]:
    """The names of a part's instances."""
    return [name for name, cell in module["cells"].items() if cell["type"] == part]


def all_cells(modules: dict[str, Module], top: str, part: str | None) -> Counter[str]:
    """The number of each cell in the whole design."""
    found = Counter(cell["type"] for cell in modules[top]["cells"].values())
    if part is not None:
        count = found.pop(part)
        for kind, each in Counter(cell["type"] for cell in modules[part]["cells"].values()).items():
            found[kind] += count * each
    return found


def spread(module: Module, part: Module, names: list[str], fanout: int, buffer: str) -> None:
    """A tree of buffers for each net that several inputs of parts read, `fanout` to a buffer; abc gave it the weakest of drivers."""
    readers: dict[int, list[tuple[str, str, int]]] = {}
    for name in names:
        for port, bits in module["cells"][name]["connections"].items():
            if part["ports"][port]["direction"] == "input":
                for index, bit in enumerate(bits):
                    if isinstance(bit, int):
                        readers.setdefault(bit, []).append((name, port, index))
    fresh = new_bits(module)
    clocks = {bits[0] for cell in module["cells"].values() for pin, bits in cell["connections"].items() if pin == "CLK"}
    for bit, pins in readers.items():
        if bit in clocks or len(pins) == 1:
            continue
        # From the leaves: each layer's buffers are what the next one has to reach.
        layer = []
        for group in groups(pins, fanout):
            output = next(fresh)
            for name, port, index in group:
                module["cells"][name]["connections"][port][index] = output
            layer.append(add_buffer(module, buffer, bit, output))
        while len(layer) > 1:
            above = []
            for some in groups(layer, fanout):
                output = next(fresh)
                for cell in some:
                    cell["connections"]["A"] = [output]
                above.append(add_buffer(module, buffer, bit, output))
            layer = above


def groups(items: list[Any], size: int) -> Iterator[list[Any]]:
    """In order, as many at a time."""
    for start in range(0, len(items), size):
        yield items[start : start + size]


def new_bits(module: Module) -> Iterator[int]:
    """Numbers of nets that the module does not have."""
    used = [bit for net in module["netnames"].values() for bit in net["bits"] if isinstance(bit, int)]
    used += [bit for cell in module["cells"].values() for bits in cell["connections"].values() for bit in bits if isinstance(bit, int)]
    number = max(used, default=1)
    while True:
        number += 1
        yield number


def add_buffer(module: Module, kind: str, source: int, output: int) -> Module:
    """A buffer between two nets."""
    cell: Module = {"type": kind, "connections": {"A": [source], "Y": [output]}}
    module["cells"][f"spread_{output}"] = cell
    module["netnames"][f"spread_{output}"] = {"hide_name": 1, "bits": [output]}
    return cell
