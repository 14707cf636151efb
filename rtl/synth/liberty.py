"""ASAP7 cells: the published liberty files, unpacked, reduced to what area and timing need.

abc reads one library, so the combinational cells of four files become one. Power and waveforms
are left out, so that reading takes a second. Tables and areas are as published.
"""

import hashlib
import lzma
import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

from . import tools

COMBINATIONAL = ("SIMPLE_RVT_TT_nldm_211120", "INVBUF_RVT_TT_nldm_220122", "AO_RVT_TT_nldm_211120", "OA_RVT_TT_nldm_211120")
SEQUENTIAL = ("SEQ_RVT_TT_nldm_220123",)
# Delay cells, cells for clock trees, adders, ties (made by hilomap, not by abc), and more inputs than abc matches (6).
UNUSED = ("HB*", "CKINVDC*", "FAx1_*", "HAxp5_*", "*3[23]2x*", "*33[13]x*")
# Flip-flops at the rising edge; the others are latches, scan cells, clock gates and falling edges.
FLIP_FLOPS = ("DFFHQNx*",)
LEFT_OUT = re.compile(r"^( *)(internal_power|leakage_power|normalized_driver_waveform|pg_pin|power_lut_template) *\(.*\{\s*$")


def folder() -> Path | None:
    """The path of the library, if it exists."""
    path = tools.shared_data() / "asap7"
    return path if path.is_dir() else None


def shortened(text: str) -> Iterator[str]:
    """The lines without groups that are left out; a group ends at a brace of the same indent."""
    end: str | None = None
    for line in text.splitlines():
        if end is not None:
            if line.rstrip() == end:
                end = None
            continue
        left_out = LEFT_OUT.match(line)
        if left_out:
            end = left_out[1] + "}"
        else:
            yield line


def split(text: str) -> tuple[list[str], dict[str, list[str]]]:
    """A library's header and the lines of each of its cells."""
    header: list[str] = []
    cells: dict[str, list[str]] = {}
    lines = header
    for line in shortened(text):
        if match := re.match(r"^  cell *\((\w+)\)", line):
            lines = cells.setdefault(match[1], [])
        if line.startswith("}"):
            break
        lines.append(line)
    return header, cells


def merge(texts: Sequence[str], name: str, keep: Sequence[str], drop: Sequence[str]) -> str:
    """One library of the cells that match `keep` and not `drop`, with the first file's header."""
    parts = [split(text) for text in texts]
    merged = [f"library ({name}) {{" if line.startswith("library") else line for line in parts[0][0]]
    for _, cells in parts:
        for cell, lines in cells.items():
            if any(fnmatch(cell, each) for each in keep) and not any(fnmatch(cell, each) for each in drop):
                merged += lines
    return "\n".join([*merged, "}"]) + "\n"


@cache
def libraries() -> tuple[Path, Path]:
    """Combinational and sequential cells, made from the published files once."""
    packed = folder()
    if packed is None:
        raise tools.ToolError(f"the ASAP7 cells are not at {tools.shared_data() / 'asap7'}; set FOREBAY_SHARED")
    made = []
    for name, files, keep, drop in (
        ("combinational", COMBINATIONAL, ("*",), UNUSED),
        ("sequential", SEQUENTIAL, FLIP_FLOPS, ()),
    ):
        sources = [packed / f"asap7sc7p5t_{file}.lib.xz" for file in files]
        missing = [str(path) for path in sources if not path.is_file()]
        if missing:
            raise tools.ToolError(f"missing: {', '.join(missing)}")
        contents = [path.read_bytes() for path in sources]
        digest = hashlib.sha256(repr((keep, drop, LEFT_OUT.pattern)).encode() + b"".join(contents)).hexdigest()[:12]
        path = tools.OUT / "asap7_cells" / f"{name}_{digest}.lib"
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            part = path.with_suffix(".part")
            part.write_text(merge([lzma.decompress(content).decode() for content in contents], name, keep, drop))
            part.replace(path)
        made.append(path)
    return made[0], made[1]


@cache
def areas() -> dict[str, float]:
    """Area of each cell in square micrometres."""
    found: dict[str, float] = {}
    for path in libraries():
        cell = ""
        for line in path.read_text().splitlines():
            if match := re.match(r"^  cell *\((\w+)\)", line):
                cell = match[1]
            elif cell and (match := re.match(r"^ *area *: *([0-9.]+)", line)):
                found[cell] = float(match[1])
    return found
