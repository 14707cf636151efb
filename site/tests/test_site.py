"""The rest of the builder: playground, commands, gallery, navigation, notebooks, interfaces, and the check of links."""

from __future__ import annotations

import base64
import json
import tempfile
import unittest
import zlib
from pathlib import Path

from parts import api, commands, frames, gallery, links, navigation, notebook, playground
from parts.program import BuildError, Program

SITE = Path(__file__).resolve().parents[1]
ROOT = SITE.parent
SCENARIO = '[port]\nrate = "1 Gbps"\n[[policy]]\nrank = "arrival"\n'


class Folder(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path


class Playground(unittest.TestCase):
    def test_the_fragment_can_be_read_again(self) -> None:
        content = {"room": "policies", "scenario": SCENARIO}
        data = playground.fragment(content).removeprefix("#s=")
        self.assertNotIn("=", data)
        read = zlib.decompress(base64.urlsafe_b64decode(data + "=" * (-len(data) % 4)), -15)
        self.assertEqual(json.loads(read), content)

    def test_whole_scenarios_have_a_room_and_parts_have_none(self) -> None:
        def room(text: str) -> object:
            found = playground.content("toml", text, lambda text: True)
            return found and found["room"]

        self.assertEqual(room(SCENARIO), "policies")
        self.assertEqual(room("[network]\n[[policy]]\n"), "networks")
        self.assertIsNone(room("[port]\n"))
        self.assertIsNone(room("[[policy]]\n"))
        self.assertIsNone(room(SCENARIO + 'policy = "x.oq"\n'))
        self.assertIsNone(room("[port\n"))

    def test_policies_have_a_link_if_they_can_be_used(self) -> None:
        page = "```openqueue\nq = Queue(1);\n```\n"
        self.assertIn('<a href="../play/index.html#s=', playground.with_links(page, "targets/x.md", lambda text: True))
        self.assertEqual(playground.with_links(page, "x.md", lambda text: False), page)


class Commands(Folder):
    def program(self) -> Program:
        path = self.write("program", '#!/bin/sh\necho "ran $@"\necho more\n[ "$1" != fail ]\n')
        path.chmod(0o755)
        return Program(path)

    def test_a_command_becomes_its_output(self) -> None:
        page = commands.with_outputs("a\n\n<!-- run first 1: forebay list 'x y' -->\n", self.program(), self.folder)
        self.assertEqual(page, "a\n\n```text\n$ forebay list 'x y'\nran list x y\n```\n")

    def test_a_command_that_fails_and_another_program_are_named(self) -> None:
        with self.assertRaisesRegex(BuildError, "`forebay fail` failed in"):
            commands.with_outputs("<!-- run: forebay fail -->", self.program(), self.folder)
        with self.assertRaisesRegex(BuildError, "is no forebay command"):
            commands.with_outputs("<!-- run: rm x -->", self.program(), self.folder)

    def test_a_program_that_is_not_there_says_how_to_build_it(self) -> None:
        with self.assertRaisesRegex(BuildError, "cargo build"):
            Program(self.folder / "nothing")

    def test_a_figure_with_a_wrong_field_is_named(self) -> None:
        file = self.write("gallery.toml", '[[figure]]\ntitle = "x"\n')
        with self.assertRaisesRegex(BuildError, "figure 1 has the fields title; write about, commands, picture, title"):
            gallery.entries(file)

    def test_the_list_of_the_gallery_is_well_formed(self) -> None:
        self.assertTrue(gallery.entries(SITE / "gallery.toml"))


class Navigation(Folder):
    def test_every_page_of_the_documentation_is_in_a_section(self) -> None:
        missing = navigation.missing(SITE / "navigation.toml", ROOT / "docs")
        self.assertEqual(missing, [], "add these pages to a section of site/navigation.toml")

    def test_one_page_in_place_of_a_list_is_a_link(self) -> None:
        file = self.write("navigation.toml", '[sections]\nHome = "a.md"\nPlay = "play/index.html"\n')
        page = self.write("docs/a.md", "")
        self.assertEqual(navigation.missing(file, page.parent), [])
        self.assertEqual(navigation.built(file, page.parent, page.parent, [], []), [{"Home": "a.md"}, {"Play": "play/index.html"}])
        with self.assertRaisesRegex(BuildError, "names a.md, which is no page"):
            navigation.built(file, self.folder, page.parent, [], [])

    def test_a_page_without_a_section_stands_under_more_and_a_wrong_one_is_named(self) -> None:
        file = self.write("navigation.toml", '[sections]\nA = ["a.md"]\nB = ["ALGORITHMS"]\n')
        self.write("docs/a.md", "")
        self.write("docs/b.md", "")
        kinds = [("Queues", ["algorithms/queue/index.md"])]
        self.write("pages/a.md", "")
        late = navigation.built(file, self.folder / "pages", self.folder / "docs", kinds, [])
        self.assertEqual([list(section)[0] for section in late], ["A", "B"])
        built = navigation.built(file, self.folder / "docs", self.folder / "docs", kinds, [])
        self.assertEqual(built, [{"A": ["a.md"]}, {"B": ["algorithms/index.md", {"Queues": ["algorithms/queue/index.md"]}]}, {"More": ["b.md"]}])
        with self.assertRaisesRegex(BuildError, "names a.md, which is no page"):
            navigation.built(file, self.folder, self.folder / "docs", kinds, [])


class Beside(Folder):
    def test_a_notebook_has_texts_code_and_outputs(self) -> None:
        outputs = [{"text": ["1\n"]}, {"data": {"image/svg+xml": ["<?xml?>\n", "<svg>\n\n</svg>"]}}, {"data": {"text/plain": "2"}}, {"data": {}}]
        cells = [{"cell_type": "markdown", "source": ["# T"]}, {"cell_type": "code", "source": ["x"], "outputs": outputs}]
        page = notebook.page(self.write("n.ipynb", json.dumps({"cells": cells})))
        self.assertEqual(page, '# T\n\n```python\nx\n```\n\n```text\n1\n```\n\n<div class="picture"><svg>  </svg></div>\n\n```text\n2\n```\n')

    def test_a_picture_gets_a_box_and_opens_alone(self) -> None:
        image = '<img alt="a" src="b.svg" />'
        box = f'<div class="picture"><a href="b.svg" title="Open the picture alone">{image}</a></div>'
        self.assertEqual(frames.framed(f"<p>{image}</p><p>x {image}</p>"), f"{box}<p>x {image}</p>")

    def test_a_file_of_types_can_be_imported(self) -> None:
        text = api.importable("import numpy as np\nVERSION: str\nclass A:\n    x: int = 1\n    def f(self) -> np.ndarray: ...\n")
        names: dict[str, object] = {}
        exec(compile(text, "stub", "exec"), names)  # noqa: S102
        self.assertEqual(names["VERSION"], "")


class Links(Folder):
    def test_what_leads_nowhere_or_to_another_host_is_named(self) -> None:
        self.write("a.html", '<a id="x" href="b.html#y"></a><a href="b.html#z"></a><a href="c.html"></a><a href="d/"></a><a href="/a.html#x"></a><a href="https://e.org"></a>')
        self.write("b.html", '<p id="y"><a href="play/index.html#s=abc"></a><img src="no.png"><script src="https://e.org/x.js"></script>')
        self.write("d/index.html", '<a href="../a.html"></a><a href="../api/r.html"></a>')
        self.write("play/index.html", "")
        expected = [
            "a.html: b.html#z leads to no anchor: b.html has no `z`",
            "a.html: c.html leads nowhere: there is no c.html",
            "b.html: no.png leads nowhere: there is no no.png",
            "b.html: https://e.org/x.js is fetched from another host",
        ]
        self.assertEqual(links.problems(self.folder, unbuilt=("api/",)), expected)
        self.assertIn("d/index.html: ../api/r.html leads nowhere: there is no api/r.html", links.problems(self.folder))
