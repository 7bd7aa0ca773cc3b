"""Makes the pictures of the documentation, from the real page: `scripts/page-tests pictures`. Not a test."""

import contextlib
import os
import pathlib
import tempfile
import unittest

import programs
from browser import Browser
from programs import MEDIA, App, Demo, Failed, Page, call, eventually, mdhost, sessions

FOLDER = pathlib.Path(os.environ.get("MDHOST_PICTURES", programs.TREE / "docs/page"))
PHONE, DESKTOP = (390, 844), (1280, 800)


class Pictures(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # The first picture is of a network without devices.
        for host in "abc":
            programs.cable(host, "down")
        cls.page = Page()
        cls.browser = Browser("--hide-scrollbars")
        cls.browser.driver.get(cls.page.link)

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.page.stop()

    def looks(self, scheme, size):
        """Shows the page as a phone or a desktop does, light or dark."""
        driver = self.browser.driver
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": scheme},
                         {"name": "prefers-reduced-motion", "value": "reduce"}]})
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": size == PHONE})

    def keep(self, name):
        self.browser.until("the search is over", lambda: "Looking for devices" not in self.browser.text(), 30)
        self.browser.script("document.activeElement?.blur()")
        self.browser.script("document.querySelectorAll('.toast').forEach((each) => each.remove())")
        self.browser.driver.save_screenshot(str(FOLDER / f"{name}.png"))

    def test_a_network_without_devices(self):
        browser = self.browser
        try:
            self.looks("dark", PHONE)
            browser.sees("No devices found yet", 30)
            browser.until("what was tried is shown", lambda: len(browser.all(".tried li")) > 2, 40)
            self.keep("phone-empty-dark")
        finally:
            for host in "abc":
                programs.cable(host, "up")

    def test_devices_and_playback(self):
        browser = self.browser
        for name in ("Living Room", "Shair Room", "Open Room"):
            browser.until(f"{name} is listed", lambda: browser.row(name), 30)
        self.looks("light", PHONE)
        self.keep("phone-devices-light")
        mdhost("play", "Living Room", f"{MEDIA}/tone.flac", "--title", "A long tone", "--detach")
        mdhost("play", "Open Room", f"{MEDIA}/tone.mp3", "--title", "Evening tone", "--artist", "The Oscillators", "--detach")
        browser.until("it plays", lambda: len(sessions()) == 2, 20)
        for scheme in ("light", "dark"):
            self.looks(scheme, DESKTOP)
            browser.shows_player("Evening tone")
            self.keep(f"desktop-{scheme}")
        self.looks("dark", PHONE)
        browser.click("md-dock .device-main")
        browser.until("the player is open", lambda: browser.all("dialog[open]"))
        self.keep("phone-playing-dark")
        browser.close_dialogs()

    def test_pairing(self):
        with Demo("Bedroom TV") as demo:
            self.looks("light", PHONE)
            self.browser.open_device("Bedroom TV")
            self.browser.in_dialog("Pair")
            demo.tells("code")
            self.browser.until("the code can be typed", lambda: self.browser.all(f"{self.browser.dialog} input"))
            self.keep("phone-pairing-light")
            self.browser.close_dialogs()

    def test_group(self):
        browser = self.browser
        with Demo("Hall", "--open", "--speaker") as hall, Demo("Kitchen", "--open", "--speaker"):
            browser.until("both are listed", lambda: browser.row("Hall") and browser.row("Kitchen"), 30)
            mdhost("play", "Hall", hall.sample, "--with", "Kitchen", "--detach")
            browser.until("both play", lambda: any(len(each["devices"]) == 2 for each in sessions()), 20)
            mdhost("volume", "Hall", "40")
            mdhost("volume", "Kitchen", "55")
            self.looks("dark", PHONE)
            browser.click("md-dock .device-main")
            browser.click("dialog .where")
            browser.until("the levels are there", lambda: browser.level(".all-row md-level") > 0)
            self.keep("phone-where-dark")
            browser.close_dialogs()

    def test_picker(self):
        with tempfile.TemporaryDirectory() as folder:
            app = App(folder, "Film Club")
            try:
                def shown():
                    with contextlib.suppress(Failed):
                        return call("ShowPicker", "sa{sv}", "Film Club", "1", "open", "b", "false").split('"')[1]
                link = eventually("the daemon knows the app", shown)
                self.looks("light", PHONE)
                self.browser.driver.get("about:blank")
                self.browser.driver.get(link)
                self.browser.sees("Choose a device for Film Club")
                self.browser.until("the devices are listed", lambda: self.browser.row("Living Room"))
                self.keep("phone-picker-light")
            finally:
                app.stop()
