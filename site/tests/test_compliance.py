"""The compliance matrix, and that it counts as the tables of the repository do."""

from __future__ import annotations

import re
import unittest
from pathlib import Path

from parts import experiments, matrix
from parts.program import BuildError

ROOT = Path(__file__).resolve().parents[2]


class Statements(unittest.TestCase):
    def test_the_state_is_what_the_cell_begins_with(self) -> None:
        def state(has: str) -> str:
            return matrix.Statement("1", "x", has, "-").state

        self.assertEqual([state(it) for it in ["`hffs`", "in part: x", "not yet: x", "no: x", "no bound in the table"]], ["yes", "in part", "not yet", "no", "yes"])

    def test_a_row_with_other_cells_is_named(self) -> None:
        with self.assertRaisesRegex(BuildError, r"sources.md:2: a row has four cells"):
            matrix.statements("## BBQ (x)\n| 1 | a | b |\n")

    def test_every_document_of_the_page_has_a_page(self) -> None:
        page = (ROOT / matrix.SOURCE).read_text()
        names = [matrix.document(heading)[0] for heading in matrix.statements(page)]
        self.assertEqual(len(names), len(set(names)))

    def test_a_long_command_opens_at_a_click(self) -> None:
        self.assertNotIn("details", matrix.shown("forebay explain sp-pifo"))
        self.assertIn("<summary><code>forebay run x.toml ...</code></summary>", matrix.shown("forebay run x.toml " + "--set a=1 " * 9))


class Experiments(unittest.TestCase):
    def test_a_row_stands_as_its_fields_say(self) -> None:
        rows = [{}, {"differs": "x"}, {"differs": "x", "tested": {}}, {"certain": "x"}]
        self.assertEqual([experiments.standing(row) for row in rows], ["holds", "open", "tested", "certain"])

    def test_the_counts_are_those_of_the_ledger(self) -> None:
        last = re.search(r"^\| all \| (.+) \|$", (ROOT / "docs" / "limits.md").read_text(), re.MULTILINE)
        assert last is not None
        figures, _, *numbers = [int(number) for number in last[1].split(" | ")]
        read = experiments.read(ROOT)
        counts = experiments.counted(read)
        self.assertEqual((len(read), [counts[key] for key in experiments.STANDINGS]), (figures, numbers))
