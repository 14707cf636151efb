"""Chromium without a window, controlled over a pipe by its DevTools protocol: messages in JSON that end in a zero byte.

Uses the standard library alone.
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

# Seconds within which the browser must answer.
PATIENCE = 60
NAMES = ("chromium", "chromium-browser", "google-chrome")


def program() -> str | None:
    """The browser, if there is one; installs Debian's as root."""
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    if found is None and os.geteuid() == 0 and shutil.which("apt-get"):
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        install = ["apt-get", "install", "--yes", "--quiet", "--no-install-recommends", "chromium"]
        for command in (install, ["apt-get", "update", "--quiet"], install):
            subprocess.run(command, check=False, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            if found := shutil.which("chromium"):
                break
    return found


class Browser:
    """A browser with one page."""

    def __init__(self, path: str) -> None:
        self.folder = tempfile.TemporaryDirectory(prefix="forebay-browser-")
        to_browser, self.sending = os.pipe()
        self.receiving, from_browser = os.pipe()

        def give_pipes() -> None:
            # The browser reads from 3 and writes to 4. Copies above these do not interfere.
            reading, writing = os.dup(to_browser), os.dup(from_browser)
            os.dup2(reading, 3)
            os.dup2(writing, 4)

        options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run",
                   "--disable-background-networking", "--remote-debugging-pipe", f"--user-data-dir={self.folder.name}", "about:blank"]
        self.process = subprocess.Popen([path, *options], preexec_fn=give_pipes, close_fds=False, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.number = 0
        self.buffer = b""
        self.events: list[dict] = []
        self.session: str | None = None
        target = next(one for one in self.call("Target.getTargets")["targetInfos"] if one["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **params: object) -> dict:
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session is not None:
            message["sessionId"] = self.session
        os.write(self.sending, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + PATIENCE
        while True:
            answer = self.receive(deadline)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def receive(self, deadline: float) -> dict:
        while b"\0" not in self.buffer:
            if time.monotonic() > deadline:
                raise RuntimeError(f"the browser did not answer within {PATIENCE} s")
            piece = os.read(self.receiving, 1 << 20)
            if not piece:
                raise RuntimeError("the browser has ended")
            self.buffer += piece
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def open(self, page: Path, width: int = 1280, height: int = 900, state: str = "") -> None:
        """Opens a file in a window of this size, and waits until it is drawn."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        self.events.clear()
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=page.resolve().as_uri() + state)
        deadline = time.monotonic() + PATIENCE
        while self.value("document.readyState") != "complete" or not self.value("location.protocol === 'file:'"):
            if time.monotonic() > deadline:
                raise RuntimeError(f"{page} was not loaded within {PATIENCE} s")
            time.sleep(0.05)
        # uPlot draws before the next frame.
        self.value("new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))")

    def value(self, expression: str) -> object:
        """The value of an expression on the page; a promise is awaited."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"].get("exception", {}).get("description", "the page has failed"))
        return answer["result"].get("value")

    def errors(self) -> list[str]:
        """Errors of the page since it was opened, and its requests to a network."""
        found = []
        for event in self.events:
            method, params = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                found.append(params["exceptionDetails"].get("exception", {}).get("description", "an exception"))
            elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning", "assert"):
                found.append(f"console: {params['args']}")
            elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
                found.append(f"log: {params['entry']['text']}")
            elif method == "Network.requestWillBeSent" and not params["request"]["url"].startswith(("file:", "data:", "about:")):
                found.append(f"network: {params['request']['url']}")
        return found

    def screenshot(self, file: Path) -> None:
        height = self.value("document.documentElement.scrollHeight")
        width = self.value("window.innerWidth")
        clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
        picture = self.call("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)
        file.write_bytes(base64.b64decode(picture["data"]))

    def print(self, file: Path) -> None:
        paper = self.call("Page.printToPDF", printBackground=False, preferCSSPageSize=True, paperWidth=8.27, paperHeight=11.69)
        file.write_bytes(base64.b64decode(paper["data"]))

    def close(self) -> None:
        try:
            self.session = None
            self.call("Browser.close")
        except (RuntimeError, OSError):
            self.process.kill()
        self.process.wait(timeout=PATIENCE)
        self.folder.cleanup()
