"""Markdown as GitHub reads it, made into what Python-Markdown reads; links between pages."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path

from parts import dialect, places, text


class Dialect(unittest.TestCase):
    def test_a_nested_item_gets_four_spaces(self) -> None:
        self.assertEqual(dialect.normalised("- a\n  - b\n    - c\n- d"), "- a\n    - b\n        - c\n- d")

    def test_a_list_below_a_paragraph_gets_an_empty_line(self) -> None:
        self.assertEqual(dialect.normalised("words:\n- a\n- b"), "words:\n\n- a\n- b")

    def test_a_paragraph_and_code_of_an_item_move_with_it(self) -> None:
        self.assertEqual(dialect.normalised("1. a\n\n   more\n\n       code"), "1. a\n\n    more\n\n        code")

    def test_a_block_of_code_stays_as_it_is(self) -> None:
        page = "```\nwords:\n- a\n  - b\n```"
        self.assertEqual(dialect.normalised(page), page)

    def test_an_indented_block_below_a_list_is_no_item(self) -> None:
        page = "- a\n\nwords\n\n    forebay run x"
        self.assertEqual(dialect.normalised(page), page)

    def test_a_fence_names_its_language_alone(self) -> None:
        self.assertEqual(dialect.normalised("```rust,ignore\n```rust,ignore\n```"), "```rust\n```rust,ignore\n```")

    def test_a_bar_in_code_in_a_table_is_written_as_html(self) -> None:
        self.assertEqual(dialect.normalised("| `a \\| b` | `c` |"), "| <code>a &#124; b</code> | `c` |")


class Cells(unittest.TestCase):
    def test_what_ends_a_cell_or_starts_a_tag_is_escaped_outside_code(self) -> None:
        self.assertEqual(text.cell("a_b <c> [d] `e_f`"), "a&#95;b &lt;c&gt; &#91;d] `e_f`")
        self.assertEqual(text.cell("a | b"), "a \\| b")

    def test_a_fence_is_longer_than_those_inside(self) -> None:
        self.assertEqual(text.fenced("```\nx\n```")[0], "````text")


class Links(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        for name in ["docs/a.md", "docs/b/c.md", "docs/n.ipynb", "docs/p.svg", "docs/s.toml", "rtl/README.md", "rtl/x.sv", "big.csv", "bare/y.c"]:
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("x" * (places.LARGEST_PAGE + 1 if name == "big.csv" else 1))

    def test_every_file_has_one_place(self) -> None:
        expected = {
            "docs/a.md": "a.md", "docs/b/c.md": "b/c.md", "docs/n.ipynb": "n.md", "docs/p.svg": "p.svg", "docs/s.toml": "source/docs/s.toml.md",
            "rtl": "source/rtl/README.md", "rtl/x.sv": "source/rtl/x.sv.md", "big.csv": "source/big.csv", "bare": "source/bare/index.md",
        }  # fmt: skip
        self.assertEqual({file: places.place(self.root, file) for file in expected}, expected)

    def test_links_to_files_are_resolved_and_others_stay(self) -> None:
        page = "[a](../x.rs#l) [b](https://e.org) [c](#d) `[e](f.md)`\n```\n[g](h.md)\n```\n[`i`](i.md)"
        seen = places.linked(page, "docs/sub", lambda file, link: f"<{file}>")
        self.assertEqual(seen, "[a](<docs/x.rs>#l) [b](https://e.org) [c](#d) `[e](f.md)`\n```\n[g](h.md)\n```\n[`i`](<docs/sub/i.md>)")

    def test_a_link_starts_at_the_folder_of_its_page(self) -> None:
        self.assertEqual(places.relative("algorithms/queue/x.md", "queues.md"), "../../queues.md")
        self.assertEqual(places.relative("index.md", "queues.md"), "queues.md")


if __name__ == "__main__":
    unittest.main()
