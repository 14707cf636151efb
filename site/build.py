"""Builds the site into target/site/html.

Usage: build.py [--program FILE] [--no-api]. The program is target/debug/forebay if not said. `--no-api` leaves out the documents of the interfaces,
which take minutes. Run by the system's Python, so the generators use the standard library only; MkDocs and pdoc run in target/site/venv.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

SITE = Path(__file__).resolve().parent
ROOT = SITE.parent
TARGET = ROOT / "target" / "site"
PAGES, HTML = TARGET / "pages", TARGET / "html"
sys.path[:0] = [str(SITE), str(ROOT / "xtask")]
from environment import environment  # noqa: E402
from parts import algorithms, api, commands, gallery, links, matrix, navigation, playground  # noqa: E402
from parts.pages import Pages  # noqa: E402
from parts.program import BuildError, Program, workspace  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", type=Path, default=ROOT / "target" / "debug" / "forebay")
    parser.add_argument("--no-api", action="store_true")
    given = parser.parse_args()
    python = environment(TARGET, SITE / "requirements.txt", "the site")
    if python is None:
        return 0
    try:
        site(Program(given.program.resolve()), python, with_api=not given.no_api)
    except BuildError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(f"site: {HTML}/index.html; python3 -m http.server --directory {HTML} serves it")
    return 0


def site(program: Program, python: Path, *, with_api: bool) -> None:
    """Pages, then HTML, then what stands beside it, then a look at every link."""
    shutil.rmtree(PAGES, ignore_errors=True)
    made_of_kinds, compliance = write_pages(program)
    configure(navigation.built(SITE / "navigation.toml", PAGES, ROOT / "docs", made_of_kinds, compliance))
    done = subprocess.run([str(python), "-m", "mkdocs", "build", "--quiet", "--clean", "--config-file", str(TARGET / "mkdocs.yml")], env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}, check=False)
    if done.returncode != 0:
        raise BuildError("MkDocs failed; its messages stand above. Pages are in target/site/pages, named as in docs/")
    if with_api:
        api.python(ROOT, TARGET, python, HTML / "api" / "python")
        api.rust(ROOT, HTML / "api" / "rust")
    play()
    wrong = links.problems(HTML, unbuilt=() if with_api else ("api/",))
    if wrong:
        raise BuildError("\n".join(wrong[:50] + ([f"and {len(wrong) - 50} more"] if len(wrong) > 50 else [])))


def write_pages(program: Program) -> tuple[list[tuple[str, list[str]]], list[str]]:
    """Writes every page; returns those of algorithms and of the compliance matrix, for the navigation."""
    scratch = workspace(ROOT, TARGET / "runs")

    def is_policy(text: str) -> bool:
        (scratch / "policy.oq").write_text(text)
        try:
            program.run(["check", "policy.oq"], scratch)
        except BuildError:
            return False
        return True

    pages = Pages(ROOT, PAGES, lambda page, where: playground.with_links(page, where, is_policy))
    for path in sorted((ROOT / "docs").rglob("*.md")) + sorted((ROOT / "docs" / "notebooks").glob("*.ipynb")):
        pages.need(path.relative_to(ROOT).as_posix())
    compliance = matrix.pages(ROOT)
    for where, text in compliance.items():
        pages.write(where, pages.markdown(text, matrix.SOURCE, where))
    for path in sorted((SITE / "pages").glob("*.md")):
        text = commands.with_outputs(path.read_text(), program, scratch)
        pages.write(path.name, pages.markdown(text, path.relative_to(ROOT).as_posix(), path.name))
    pages.all()
    pages.write("gallery.md", gallery.page(SITE / "gallery.toml", program, ROOT, PAGES))
    return algorithms.Algorithms(program, ROOT, PAGES).write(), list(compliance)


def configure(nav: list[object]) -> None:
    """Writes what `mkdocs.yml` leaves open; JSON is YAML."""
    theme = {"custom_dir": str(SITE / "theme")}
    settings = {"INHERIT": str(SITE / "mkdocs.yml"), "docs_dir": str(PAGES), "site_dir": str(HTML), "nav": nav, "hooks": [str(SITE / "hook.py")], "theme": theme}
    (TARGET / "mkdocs.yml").write_text("\n".join(f"{key}: {json.dumps(value)}" for key, value in settings.items()) + "\n")


def play() -> None:
    """Puts the playground beside the pages; where it has not been built, a page says how to."""
    target, built = HTML / "play", ROOT / "target" / "web" / "pages"
    shutil.rmtree(target, ignore_errors=True)
    if (built / "index.html").exists():
        shutil.copytree(built, target)
        return
    target.mkdir(parents=True)
    shutil.copy(SITE / "theme" / "no-playground.html", target / "index.html")


if __name__ == "__main__":
    sys.exit(main())
