"""For everybody: axe-core's rules over each state, dark and light, and the order of the Tab key."""

import pathlib

import axe_core_python
from selenium.webdriver.common.keys import Keys

import test_page
from browser import Browser
from programs import Demo

AXE = (pathlib.Path(axe_core_python.__file__).parent / "axe.min.js").read_text()
browser = None


def setUpModule():
    global browser
    test_page.setUpModule()
    browser = test_page.browser


class ReadingTests(test_page.PageTest):
    def scheme(self, name, shown=None):
        (shown or browser).driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
            {"name": "prefers-color-scheme", "value": name}, {"name": "prefers-reduced-motion", "value": "reduce"}]})

    def tearDown(self):
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
        browser.driver.set_window_size(1280, 800)
        # It moves when the page is told of the width, a moment after the window has it.
        browser.until("the player is beside the devices", lambda: browser.all(f"{browser.player} .player-card"))
        super().tearDown()

    def check(self, state, shown=None):
        """No violation that axe-core calls serious or critical, in both schemes."""
        shown = shown or browser
        for scheme in ("light", "dark"):
            self.scheme(scheme, shown)
            shown.driver.execute_cdp_cmd("Runtime.evaluate", {"expression": AXE})
            found = shown.driver.execute_async_script("""
                axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => arguments[0](violations
                    .filter(({ impact }) => ["serious", "critical"].includes(impact))
                    .map(({ id, nodes }) => [id, nodes.slice(0, 3).map((node) => node.html.slice(0, 160) + " " + node.failureSummary)])))""")
            self.assertEqual(found, [], f"{state}, {scheme}")

    def test_devices_player_and_dialogs(self):
        with Demo("Readable", "--open") as demo, Demo("Second", "--open"):
            browser.until("it is there", lambda: browser.row("Readable") and browser.row("Second"))
            self.check("devices")
            browser.play("Readable", demo.sample)
            browser.shows_player("The Sample")
            self.check("playing")
            browser.click(f"{browser.player} .where")
            browser.until("it is open", lambda: browser.one(f"{browser.dialog} md-place"))
            self.check("where it plays")
            browser.close_dialogs()
            browser.open_device("Readable")
            self.check("a device")
            browser.in_dialog("Play something…")
            browser.until("it is open", lambda: browser.one(f"{browser.dialog} input[type=url]"))
            self.check("play something")
            browser.close_dialogs()
            browser.click("button", "Add a device")
            browser.until("it is open", lambda: browser.one(f"{browser.dialog} form"))
            self.check("add a device")
            browser.close_dialogs()
            browser.driver.set_window_size(390, 844)
            browser.until("the bar is shown", lambda: browser.one("md-dock").is_displayed())
            self.check("devices on a phone")
            browser.click("md-dock .device-main")
            browser.until("it is open", lambda: browser.one("dialog.player-sheet[open]"))
            self.check("the player on a phone")

    def test_pairing(self):
        with Demo("Readable Code TV"), Demo("Readable Word TV", "--password", "x"):
            for name, field in (("Readable Code TV", ".code-input"), ("Readable Word TV", ".password")):
                browser.open_device(name)
                browser.in_dialog("Pair")
                browser.until("it is asked for", lambda: browser.one(f".pairing {field}"))
                self.check(name)
                browser.in_dialog("Cancel")
                browser.until("the dialog is closed", lambda: not browser.all(".pairing"))
                browser.close_dialogs()

    def test_settings_and_log(self):
        browser.click("button", "Settings")
        browser.until("extensions are listed", lambda: len(browser.all("md-extension")) >= 6)
        self.check("settings")
        browser.click("button", "Log of MPD")
        browser.until("its log is shown", lambda: browser.one(f"{browser.dialog} .log"))
        self.check("a log")
        browser.close_dialogs()
        browser.click("button", "Allow another browser")
        browser.until("it is open", lambda: browser.one(f"{browser.dialog} form"))
        self.check("allow another browser")
        browser.close_dialogs()
        browser.click("button", "Back to devices")

    def test_a_browser_without_access(self):
        stranger = Browser()
        try:
            stranger.driver.get(test_page.page.origin + "/")
            stranger.sees("Run this command")
            self.check("entrance", stranger)
            # What isn't good is found.
            stranger.script("document.body.append(document.createElement('button'))")
            with self.assertRaises(AssertionError):
                self.check("a button without a name", stranger)
        finally:
            stranger.close()

    def test_the_tab_key_goes_through_everything_in_the_order_that_is_seen(self):
        with Demo("Ordered", "--open") as demo:
            browser.play("Ordered", demo.sample)
            browser.shows_player("The Sample")
            for place in ("the page", "a dialog"):
                if place == "a dialog":
                    browser.open_device("Ordered")
                expected = browser.script("""
                    const root = [...document.querySelectorAll("dialog[open]")].pop() ?? document
                    window.order = [...root.querySelectorAll("button, input, select, a[href], [tabindex='0']")].filter((each) =>
                        each.checkVisibility() && !each.disabled && each.tabIndex >= 0)
                    return order.length""")
                browser.script("order[0].focus()")
                seen = [0]
                while len(seen) < expected:
                    browser.driver.switch_to.active_element.send_keys(Keys.TAB)
                    index, shown = browser.script("""
                        const style = getComputedStyle(document.activeElement)
                        const marked = document.activeElement.closest("md-choice") ?? document.activeElement
                        return [order.indexOf(document.activeElement), parseFloat(getComputedStyle(marked).outlineWidth) > 0]""")
                    self.assertTrue(shown, f"{place}: what has the focus is marked")
                    seen.append(index)
                with self.subTest(place):
                    self.assertEqual(seen, list(range(expected)))
                    self.assertGreater(expected, 5)
