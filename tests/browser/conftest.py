"""A real browser for pages: Chromium without a window, driven by Selenium; what is not installed is said.

`make browser` installs what these tests need.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
AXE = ROOT / ".browser" / "node_modules" / "axe-core" / "axe.min.js"
ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


class Page:
    """A page in the browser."""

    def __init__(self, driver) -> None:
        self.driver = driver

    def show(
        self, path: Path, *, width: int = 1280, height: int = 900, theme: str = "light", fragment: str = ""
    ) -> None:
        phone = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", phone)
        self.driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": theme}]}
        )
        self.driver.get("about:blank")
        self.driver.get_log("performance")
        self.driver.get_log("browser")
        self.driver.get(path.absolute().as_uri() + fragment)

    def run(self, script: str, *arguments):
        return self.driver.execute_script(script, *arguments)

    def find(self, selector: str):
        return self.driver.find_elements("css selector", selector)

    def complaints(self) -> list[str]:
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self) -> list[str]:
        """Addresses asked for, other than the page itself and what is inside it."""
        import json

        found = []
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                found.append(message["params"]["request"]["url"])
        return [url for url in found if not url.startswith(("file:", "data:", "about:"))]

    def overflow(self) -> int:
        return self.run("return document.documentElement.scrollWidth - window.innerWidth")

    def faults(self) -> list[str]:
        """What axe-core finds wrong with contrast, labels and the like."""
        if not AXE.exists():
            pytest.skip("axe-core is not installed: make browser")
        self.run(AXE.read_text(encoding="utf-8"))
        result = self.driver.execute_async_script(
            "const done = arguments[arguments.length - 1];"
            "axe.run(document, {resultTypes: ['violations']}).then(done, error => done({error: String(error)}));"
        )
        assert "error" not in result, result
        return [f"{fault['id']}: {fault['help']}: {fault['nodes'][0]['html'][:200]}" for fault in result["violations"]]


@pytest.fixture(scope="session")
def browser():
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    driver_path = shutil.which("chromedriver")
    if chromium is None or driver_path is None:
        pytest.skip("no Chromium with its driver is installed: make browser")
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for argument in ARGUMENTS:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    os.environ.setdefault("SE_OFFLINE", "true")
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver_path))
    driver.set_script_timeout(120)
    yield Page(driver)
    driver.quit()
