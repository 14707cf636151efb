"""What the program says of its names, and what the documentation says of them."""

from __future__ import annotations

import unittest

from parts import algorithms, explain, mentions

EXPLAINED = """lru (cache policy)
  Least recently used: evicts the object that was used longest ago

  also      least-recently-used
  cost      O(1); two links per entry
  source    folklore
  use       forebay cache TRACE --policy lru
  parameters: none

  lru-mad: the same, but what the next miss would cost counts; its parameters
    counters: whose delays are counted
      "auto" or "forever",
      by default "auto"

lru (field of `seer`)
  Something else
"""


class Explain(unittest.TestCase):
    def test_facts_and_parameters_are_read(self) -> None:
        first, second = explain.parsed(EXPLAINED)
        self.assertEqual((first.kind, first.name, first.fact("cost")), ("cache policy", "lru", "O(1); two links per entry"))
        self.assertEqual(first.parameters[0].heading, "lru-mad: the same, but what the next miss would cost counts; its parameters")
        self.assertEqual(first.parameters[0].items[0].takes, '"auto" or "forever", by default "auto"')
        self.assertEqual((second.kind, second.title), ("field of `seer`", "Something else"))

    def test_parameters_without_a_heading_are_those_of_the_algorithm(self) -> None:
        found = explain.parsed("x (queue)\n  title\n\n  use       queue\n\n  parameters\n    n: number\n      a whole number\n")
        self.assertEqual((found[0].parameters[0].heading, found[0].parameters[0].items[0].name), ("", "n"))

    def test_a_page_of_parameters_has_a_row_for_each(self) -> None:
        lines = algorithms.parameters(explain.parsed(EXPLAINED)[0])
        self.assertIn('| <code>counters</code> | whose delays are counted | "auto" or "forever", by default "auto" |', lines)


class Mentions(unittest.TestCase):
    def section(self, heading: str, body: str) -> mentions.Section:
        return mentions.Section("docs/x.md", "X", heading, body)

    def test_a_name_counts_in_backticks_or_quotes_alone(self) -> None:
        sections = [self.section("A", "the `lru` policy"), self.section("B", "lru"), self.section("C", '"lru"'), self.section("D", "`lru-mad`")]
        self.assertEqual([it.heading for it in mentions.of("lru", sections)], ["A", "C"])

    def test_rows_have_the_heads_of_their_columns(self) -> None:
        table = "| queue | needs |\n| --- | --- |\n| `fifo` | nothing |\n| `pifo` | much |\n"
        self.assertEqual([row.cells for row in mentions.rows("fifo", [self.section("A", table)])], [[("needs", "nothing")]])

    def test_losses_are_those_of_the_mad_form(self) -> None:
        sections = [self.section("When MAD loses", "LHD-MAD does, and LRU does not"), self.section("B", "lhd-mad")]
        self.assertEqual([it.heading for it in mentions.losses("lhd", sections)], ["When MAD loses"])
        self.assertEqual(mentions.losses("lru", sections), [])
