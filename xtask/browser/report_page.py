"""Opens reports (`--report`) in headless Chromium, as a reader does. Nothing fails, the page sends no request to a network, pictures are
drawn and follow the choices, and the tables have the numbers of the result.

Usage: report_page.py FOREBAY FOLDER. Leaves pages, screenshots and a PDF in the folder.
"""

from __future__ import annotations

import csv
import json
import subprocess
import sys
import urllib.parse
from pathlib import Path

from browser import Browser, program

# A name that would end a script, begin one, and match a placeholder of the page's template.
EVIL = "</script><script>bad=1{{data}}&'"
SCENARIO = f"""
name = "buffers"
repetitions = 3
port = {{ rate = "20 Mbps", buffer = ["20 packets", "60 packets", "200 packets"] }}
traffic = {{ load = 0.9, packets = 5000, arrivals = "poisson", rank = {{ distribution = "uniform", min = 0, max = 100 }} }}
[[policy]]
name = "FIFO"
rank = "packet-rank"
queue = "fifo"
[[policy]]
name = "{EVIL}"
rank = "packet-rank"
queue = "pifo"
"""
# Dots of a picture that are neither white nor transparent.
INK = """[...document.querySelectorAll('.picture canvas')].map((canvas) => {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  let dots = 0;
  for (let at = 0; at < data.length; at += 4) if (data[at + 3] > 0 && data[at] + data[at + 1] + data[at + 2] < 720) dots += 1;
  return dots;
})"""
FIRST = "document.querySelector('#picture-1 canvas').toDataURL()"


def choose(browser: Browser, control: str, value: str) -> None:
    browser.value(f"""(() => {{ const select = document.getElementById('{control}');
      select.value = {json.dumps(value)}; select.dispatchEvent(new Event('change')); }})()""")
    browser.value("new Promise((done) => setTimeout(done, 60))")


def check(condition: bool, what: str, why: object = "") -> None:
    if not condition:
        raise SystemExit(f"{what} {why}")


def clean(browser: Browser, page: str) -> None:
    errors = browser.errors()
    check(not errors, f"{page} complains:", errors)


def pictures_follow_choices(browser: Browser, page: Path, folder: Path) -> None:
    for width in (1280, 390):
        browser.open(page, width)
        check(browser.value("typeof bad === 'undefined'"), "a name was taken for a program")
        check(browser.value("document.documentElement.scrollWidth") <= width, f"the page is wider than {width} dots")
        ink = browser.value(INK)
        check(len(ink) == 2 and min(ink) > 2000, "pictures are empty:", ink)
        browser.screenshot(folder / f"report-{width}.png")
        clean(browser, f"{page} at {width} dots")
    browser.open(page)
    for control, value in (("y-1", "drop_share"), ("logx-1", "log"), ("logy-1", "log"), ("x-1", "policy"), ("logy-1", "linear"), ("by-1", "buffer")):
        before = browser.value(FIRST)
        chosen = browser.value(f"document.getElementById('{control}').value")
        choose(browser, control, value)
        check(browser.value(FIRST) != before or chosen == value, f"{control} = {value} changes nothing in the picture")
    before = browser.value(FIRST)
    browser.value("document.querySelector('#picture-1 .legend button').click()")
    check(browser.value(FIRST) != before, "the legend hides no series")
    # The address keeps the choice.
    address = browser.value("location.hash")
    browser.open(page, state=str(address))
    check(browser.value("document.getElementById('y-1').value") == "drop_share", "the address lost the metric")
    # A pointer reads numbers.
    browser.value("document.getElementById('picture-2').scrollIntoView()")
    box = browser.value("(({ left, top }) => ({ x: left + 120, y: top + 80 }))(document.querySelector('#picture-2 .u-over').getBoundingClientRect())")
    browser.call("Input.dispatchMouseEvent", type="mouseMoved", **box)
    browser.value("new Promise((done) => setTimeout(done, 60))")
    check("(n = 3)" in str(browser.value("document.querySelector('#picture-2 .tip').textContent")), "a pointer reads no numbers")
    browser.value("document.getElementById('more').click()")
    check(browser.value("document.querySelectorAll('.picture').length") == 3, "no picture was added")
    clean(browser, str(page))
    browser.print(folder / "report.pdf")


def table_has_the_numbers(browser: Browser, page: Path, summary: Path) -> None:
    """summary.csv has every number of a picture, with the same buffer and policy."""
    with summary.open() as file:
        rows = [row for row in csv.DictReader(file) if row["metric"] == "delay:p99" and row["subject"] == "all"]
    expected = {(row["buffer"], row["policy"]): (float(row["mean"]), float(row["ci95"]), row["repetitions"]) for row in rows}
    state = urllib.parse.quote(json.dumps([{"y": "delay:p99", "of": "all", "x": "buffer", "by": "policy", "show": "value", "where": {}}]))
    browser.open(page, state=f"#{state}")
    browser.value("document.querySelector('#picture-1 details').open = true")
    browser.value("new Promise((done) => setTimeout(done, 60))")
    shown = browser.value("[...document.querySelectorAll('#picture-1 details tbody tr')].map((row) => [...row.children].map((cell) => cell.textContent))")
    found = {(buffer.split()[0], policy): (float(mean), float(half), n) for buffer, policy, mean, half, n in shown}
    check(found == expected, "the table of a picture differs from summary.csv:", (found, expected))
    cells = browser.value("[...document.querySelectorAll('.overview tbody tr')].map((row) => [...row.children].map((cell) => cell.textContent))")
    check(len(cells) == len(expected), "the overview has another number of rows")
    heads = browser.value("[...document.querySelectorAll('.overview thead th')].map((head) => head.dataset.metric || head.textContent)")
    unit = browser.value("document.querySelector('.overview [data-metric=\"delay:p99\"] small').textContent")
    seconds = {"s": 1, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9}[unit]
    for row in cells:
        mean, half = (float(text) * seconds for text in row[heads.index("delay:p99")].split(" ± "))
        right = expected[(row[1].split()[0], row[0])]
        check(abs(mean - right[0]) <= 0.05 * right[1] + 1e-9 and abs(half - right[1]) <= 0.05 * right[1], f"the overview differs: {row}", right)


def main() -> None:
    forebay, folder = sys.argv[1], Path(sys.argv[2])
    path = program()
    if path is None:
        print("skipped: reports in a browser (there is no chromium, and only root may install it; run: sudo apt-get install chromium)")
        return
    folder.mkdir(parents=True, exist_ok=True)
    scenario, page = folder / "buffers.toml", folder / "report.html"
    scenario.write_text(SCENARIO)
    run = lambda *words: subprocess.run([forebay, *map(str, words)], check=True, stdout=subprocess.DEVNULL)
    run("run", scenario, "--out", folder / "results", "--report", page, "--baseline", "FIFO")
    cache = folder / "cache.html"
    run("cache", "zipf:objects=1e3,requests=2e4", "--policy", "lru,lru-mad", "--capacity", "16,64", "--latency", "100", "--report", cache)
    browser = Browser(path)
    try:
        pictures_follow_choices(browser, page, folder)
        table_has_the_numbers(browser, page, folder / "results" / "summary.csv")
        browser.open(cache, 390)
        check(min(browser.value(INK)) > 2000, "a picture of caches is empty")
        clean(browser, str(cache))
    finally:
        browser.close()
    print(f"reports are drawn, and have the numbers of their results; see {folder}")


if __name__ == "__main__":
    main()
