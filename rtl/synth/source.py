"""The input of synthesis: files, top module, parameters."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from . import tools


@dataclass(frozen=True)
class Source:
    """A module with its parameters and the files in order of compilation."""

    top: str
    files: tuple[Path, ...]
    parameters: tuple[tuple[str, int], ...] = ()

    @property
    def name(self) -> str:
        """For people: `bbq Levels=2 Width=4`."""
        return " ".join([self.top, *(f"{name}={value}" for name, value in self.parameters)])

    def read_command(self, flat: bool = True) -> str:
        """The command that makes yosys read it, into one module or into many; `-j 1` since the WebAssembly build has one thread."""
        parameters = " ".join(f"-G {name}={value}" for name, value in self.parameters)
        files = " ".join(str(path.relative_to(tools.ROOT)) for path in self.files)
        hierarchy = "" if flat else "--keep-hierarchy "
        return f"read_slang -j 1 {hierarchy}{parameters} --top {self.top} {files}"


def file_list(path: Path) -> list[Path]:
    """The sources that a `.f` file names, whose paths start at `rtl/`."""
    files = []
    for line in path.read_text().splitlines():
        entry = re.sub(r"(#|//).*", "", line).strip()
        if entry.startswith(("-f ", "-F ")):
            files += file_list(tools.ROOT / "rtl" / entry[3:].strip())
        elif entry and not entry.startswith(("-", "+")):
            files.append(tools.ROOT / "rtl" / entry)
    return list(dict.fromkeys(files))


def source(top: str, files: Sequence[Path], parameters: dict[str, int]) -> Source:
    """Checks that the files exist and are inside the project, which is all that the tools see."""
    listed: list[Path] = []
    for path in files:
        listed += file_list(path) if path.suffix == ".f" else [path.resolve()]
    for path in listed:
        if not path.is_file():
            raise tools.ToolError(f"{path} is missing")
        if not path.is_relative_to(tools.ROOT):
            raise tools.ToolError(f"{path} is outside {tools.ROOT}; put it below target/")
    return Source(top, tuple(dict.fromkeys(listed)), tuple(parameters.items()))
