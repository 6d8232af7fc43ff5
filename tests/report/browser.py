"""A headless Chromium, driven over the WebDriver protocol of its own chromedriver."""

from __future__ import annotations

import base64
import json
import re
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
)


class Browser:
    """One page of one browser session."""

    def __init__(self, server: str, session: str) -> None:
        self._base = f"{server}/session/{session}"

    def open(self, page: Path, fragment: str = "") -> None:
        """Load a file anew."""
        post(f"{self._base}/url", {"url": "about:blank"})
        post(f"{self._base}/url", {"url": page.as_uri() + fragment})

    def run(self, script: str) -> Any:
        """The value of a script, which says `return`."""
        return post(f"{self._base}/execute/sync", {"script": script, "args": []})

    def press(self, keys: str) -> None:
        """Keys, pressed one after the other wherever the focus is."""
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        post(f"{self._base}/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def protocol(self, command: str, **parameters: Any) -> Any:
        """A command of the browser's own debugging protocol."""
        return post(f"{self._base}/goog/cdp/execute", {"cmd": command, "params": parameters})

    def resize(self, width: int, height: int) -> None:
        self.protocol(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False
        )

    def emulate(self, scheme: str = "light", media: str = "screen") -> None:
        feature = {"name": "prefers-color-scheme", "value": scheme}
        self.protocol("Emulation.setEmulatedMedia", media=media, features=[feature])

    def console(self) -> list[str]:
        """What was written to the console since the last call."""
        return [entry["message"] for entry in post(f"{self._base}/se/log", {"type": "browser"})]

    def requested(self) -> list[str]:
        """Addresses that were asked for since the last call."""
        events = [json.loads(e["message"])["message"] for e in post(f"{self._base}/se/log", {"type": "performance"})]
        return [e["params"]["request"]["url"] for e in events if e["method"] == "Network.requestWillBeSent"]

    def screenshot(self, path: Path) -> None:
        """What the window shows, as PNG."""
        path.write_bytes(base64.b64decode(self.protocol("Page.captureScreenshot", format="png")["data"]))


def post(url: str, body: dict[str, Any]) -> Any:
    """The value that a WebDriver endpoint answers with."""
    request = urllib.request.Request(url, json.dumps(body).encode("utf-8"), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as response:
        return json.load(response)["value"]


@contextmanager
def browser(driver: str, chromium: str, profile: Path) -> Iterator[Browser]:
    """A browser with an empty profile, ended with its driver afterwards."""
    process = subprocess.Popen([driver, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        server = f"http://127.0.0.1:{_port(process)}"
        options = {"binary": chromium, "args": [*FLAGS, f"--user-data-dir={profile}"]}
        wanted = {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}
        session = post(f"{server}/session", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]
        try:
            yield Browser(server, session)
        finally:
            end = urllib.request.Request(f"{server}/session/{session}", method="DELETE")
            urllib.request.urlopen(end, timeout=60).close()
    finally:
        process.terminate()
        process.wait()
        if process.stdout:
            process.stdout.close()


def _port(process: subprocess.Popen[str]) -> int:
    assert process.stdout is not None
    for line in process.stdout:
        if found := re.search(r"started successfully on port (\d+)", line):
            return int(found[1])
    raise RuntimeError("chromedriver ended before it was ready")
