"""The reader of op streams."""

from pathlib import Path

import pytest

from bench.ops import Header, OpsError, read_header, read_steps

FILES = Path(__file__).resolve().parents[3] / "testdata" / "ops"


def stream(folder: Path, text: str) -> Path:
    path = folder / "stream.ops"
    path.write_text(f"capacity 4\nranks 10\n{text}\n")
    return path


def test_operations_are_read_with_their_lines(tmp_path: Path) -> None:
    path = stream(tmp_path, "push 5 1 -> ok # first\n\npush 6 2 at 900 -> full\npop-max -> 5 1\ninversions <= 9")
    assert read_header(path) == Header(4, 10)
    first, second, third = read_steps(path)
    assert (first.line, first.op, first.rank, first.item, first.time, first.answer) == (3, "push", 5, 1, None, "ok")
    assert (second.line, second.time, second.answer) == (5, 900, "full")
    assert (third.op, third.answer) == ("pop-max", "5 1")


@pytest.mark.parametrize("text", ["push 5 -> ok", "push x 1 -> ok", "pop", "peel -> empty"])
def test_a_line_that_is_no_operation_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(OpsError, match=":3: "):
        list(read_steps(stream(tmp_path, text)))


def test_a_stream_without_capacity_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "stream.ops"
    path.write_text("ranks 10\npop -> empty\n")
    with pytest.raises(OpsError, match="capacity"):
        read_header(path)


@pytest.mark.parametrize("path", sorted(FILES.glob("*.ops")), ids=lambda path: path.name)
def test_all_files_of_the_project_are_read(path: Path) -> None:
    assert read_header(path).capacity > 0
    assert len(list(read_steps(path))) > 3
