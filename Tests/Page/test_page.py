"""The page in Chromium, against the daemon, `mdhost demo` and real receivers of the lab. `scripts/page-tests` runs it."""

import atexit
import pathlib
import re
import tempfile
import unittest
import urllib.request

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

import programs
from browser import Browser
from programs import MEDIA, Demo, Page, eventually, in_host, mdhost, sessions, unplugged

page = browser = None


def setUpModule():
    """One page and one browser for all tests."""
    global page, browser
    if page:
        return
    page = Page()
    atexit.register(page.stop)
    browser = Browser()
    atexit.register(browser.close)
    browser.driver.get(page.link)
    browser.until("the page is in", lambda: browser.all("md-device"), 30)


class PageTest(unittest.TestCase):
    def setUp(self):
        browser.close_dialogs()
        # Messages of the test before, which may lie over what is clicked.
        browser.script("document.querySelectorAll('.toast').forEach((each) => each.remove())")

    def tearDown(self):
        result = self._outcome.result
        if any(test is self for test, _ in result.failures + result.errors):
            self.keep_evidence()
        if browser.one(f"{browser.player} .player-card").is_displayed():
            for session in sessions():
                mdhost("stop", session["id"])

    def keep_evidence(self):
        folder = programs.TREE / ".build/reports"
        folder.mkdir(parents=True, exist_ok=True)
        browser.driver.save_screenshot(str(folder / f"page-{self._testMethodName}.png"))


class EntranceTests(PageTest):
    def test_the_link_lets_in_once_and_leaves_the_address(self):
        self.assertIn(browser.driver.current_url, (page.origin + "/", page.origin + "/#"))
        stranger = Browser()
        try:
            stranger.driver.get(page.link)
            stranger.sees("This link was used or has expired.")
            self.assertEqual(stranger.driver.current_url, page.origin + "/")
            self.assertEqual(stranger.all("md-device"), [])
        finally:
            stranger.close()

    def test_everything_comes_from_the_page_itself(self):
        browser.driver.refresh()
        browser.until("all is there again", lambda: browser.row("Living Room"))
        urls = browser.script("return performance.getEntriesByType('resource').map(each => each.name)")
        self.assertTrue(urls)
        self.assertGreater(browser.script("return document.styleSheets[0].cssRules.length"), 100)
        self.assertEqual([url for url in urls if not url.startswith(page.origin + "/")], [])
        self.assertEqual(browser.logs(), [])

    def test_the_head_that_is_shown_first_stays(self):
        """The scripts replace the head of the first file by the same one, so that nothing moves."""
        shape = """
            const shape = (element) => [element.localName, element.classList[0] ?? "", element.hidden, element.localName === "h1" && element.textContent]
            return [...arguments[0].querySelectorAll("header.top, header.top > *, .top-inner > :is(.mark, h1), .mark > svg")].map(shape)"""
        first = "const page = new DOMParser().parseFromString(await (await fetch('/')).text(), 'text/html');"
        browser.until("the page is in", lambda: browser.row("Living Room"))
        shown = browser.script(shape.replace("arguments[0]", "document"))
        self.assertEqual(browser.script("return (async () => {" + first + shape.replace("arguments[0]", "page") + "})()"), shown)
        self.assertEqual([each[0] for each in shown], ["header", "div", "span", "svg", "h1"])

    def test_the_whole_page_is_small(self):
        """Every file as it is sent, those of dialogs included; found by what imports what."""
        found, waiting = {}, ["/"]
        while waiting:
            path = waiting.pop()
            with urllib.request.urlopen(page.origin.replace(page.origin[7:].split(":")[0], "127.0.0.1") + path) as answer:
                found[path] = answer.read()
            names = re.findall(
                rb'(?:href|src)="/page/(?:\w{12}/)?([\w.-]+)"|(?:from|import\()\s?"\./([\w.-]+)"|URL\("([\w.-]+)"', found[path])
            for name in names:
                name = "/page/" + b"".join(name).decode()
                if name not in [*found, *waiting]:
                    waiting.append(name)
        self.assertEqual(
            {path.removeprefix("/page/") for path in found if path != "/"} | {"index.html"},
            {file.name for file in (programs.TREE / "Sources/mdhost-page/Page").iterdir()})
        size = sum(map(len, found.values()))
        print(f"\nthe whole page: {size} bytes in {len(found)} files", flush=True)
        self.assertLessEqual(size, 150 * 1024)

    def test_a_browser_keeps_the_files_of_the_page(self):
        """The first load brings all modules at once; later ones bring none."""
        script = """return performance.getEntriesByType('resource')
            .filter(each => each.name.includes('/page/')).map(each => [each.name.split('/').pop(), each.transferSize])"""
        browser.driver.execute_cdp_cmd("Network.clearBrowserCache", {})
        loads = []
        for _ in range(2):
            browser.driver.get("about:blank")
            browser.driver.get(page.origin + "/")
            browser.until("the devices are listed", lambda: browser.row("Living Room"))
            loads.append(dict(browser.script(script)))
        self.assertGreater(loads[0]["strings.js"], 1000)
        self.assertEqual({name: size for name, size in loads[1].items() if size}, {})
        self.assertIn("app.js", loads[1])

    def test_tabs_share_one_stream(self):
        first = browser.driver.current_window_handle
        browser.driver.switch_to.new_window("tab")
        try:
            browser.driver.get(page.origin + "/")
            browser.until("the second tab shows the devices", lambda: browser.row("Living Room"))
            streams = browser.script(
                "return performance.getEntriesByType('resource').filter(each => each.name.endsWith('/events')).length")
            self.assertEqual(streams, 0)
        finally:
            browser.driver.close()
            browser.driver.switch_to.window(first)


class DeviceTests(PageTest):
    def test_receivers_of_the_lan_are_listed(self):
        for name in ("Living Room", "Shair Room", "Open Room"):
            browser.until(f"{name} is listed", lambda: browser.row(name))
        self.assertEqual(browser.status("Living Room"), "DLNA")

    def test_a_device_comes_and_goes(self):
        with Demo("Visitor", "--open"):
            browser.until("Visitor comes", lambda: browser.row("Visitor"))
        browser.until(
            "Visitor goes", lambda: browser.row("Visitor") is None or browser.status("Visitor") == "Not reachable")

    def test_a_device_that_does_not_answer_says_why(self):
        browser.play("Open Room", f"{MEDIA}/tone.mp3")
        browser.until("it is in use", lambda: sessions("Open Room"), 20)
        programs.cable("c", "down")
        try:
            browser.until("it is missed", lambda: browser.status("Open Room") == "Lost. Waiting for it to come back", 20)
            browser.open_device("Open Room")
            browser.sees("Why isn't it reachable?")
        finally:
            programs.cable("c", "up")
        browser.close_dialogs()
        browser.until("it is back", lambda: browser.status("Open Room") not in (
            "Lost. Waiting for it to come back", "Reconnecting…"), 20)

    def test_rename(self):
        with Demo("Old Name", "--open"):
            browser.open_device("Old Name")
            browser.in_dialog("Rename")
            field = browser.until("the name can be typed", lambda: browser.one(f"{browser.dialog} .field input"))
            field.send_keys(Keys.CONTROL, "a")
            field.send_keys("Küche" + Keys.ENTER)
            browser.until("the new name is shown", lambda: browser.row("Küche"))
            self.assertIn("Küche", [each["name"] for each in mdhost("discover", "--known")])
            browser.close_dialogs()

    def test_keys_alone_open_a_device_and_come_back(self):
        body = browser.one("body")
        browser.script("document.activeElement.blur()")
        for _ in range(12):
            body.send_keys(Keys.TAB)
            focus = browser.driver.switch_to.active_element
            if "device-main" in (focus.get_attribute("class") or ""):
                break
            body = focus
        name = focus.find_element(By.CSS_SELECTOR, ".name").text
        focus.send_keys(Keys.ENTER)
        browser.until("the dialog is open", lambda: browser.one(f"{browser.dialog} h2").text == name)
        self.assertTrue(browser.script("return document.activeElement.closest('dialog[open]') !== null"))
        browser.driver.switch_to.active_element.send_keys(Keys.ESCAPE)
        browser.until("the dialog is closed", lambda: not browser.all("dialog[open]"))
        self.assertEqual(browser.driver.switch_to.active_element, focus)

    def test_every_control_has_a_name_and_room_for_a_finger(self):
        with Demo("Named", "--open") as demo:
            browser.play("Named", demo.sample)
            browser.shows_player("The Sample")
            small, nameless = browser.script("""
                const seen = [...document.querySelectorAll("button, input, select, a")].filter((each) => each.checkVisibility())
                const name = (each) => each.getAttribute("aria-label") || each.labels?.[0]?.textContent || each.textContent.trim()
                // A switch is as high as a finger by what surrounds it.
                const isSmall = (each) => {
                    const { offsetWidth, offsetHeight } = each.closest("md-choice, label") ?? each
                    return (offsetHeight < 44 || offsetWidth < 44) && !each.matches(".skip, .switch")
                }
                return [seen.filter(isSmall).map((each) => each.outerHTML), seen.filter((each) => !name(each)).map((each) => each.outerHTML)]""")
            self.assertEqual(small, [])
            self.assertEqual(nameless, [])


class PairingTests(PageTest):
    def code_field(self):
        return browser.until("a code is asked for", lambda: browser.one(".pairing .code-input"))

    def test_a_wrong_code_then_the_right_one(self):
        with Demo("Coded TV") as demo:
            browser.open_device("Coded TV")
            browser.in_dialog("Pair")
            field = self.code_field()
            self.assertEqual(len(browser.all(".code-box")), 4)
            code = demo.tells("code")["code"]
            seen = demo.count
            field.send_keys("0000" if code != "0000" else "1111")
            browser.sees("2 attempts left")
            fresh = next((each["code"] for each in demo.events[seen:] if each["event"] == "code"), code)
            self.code_field().send_keys(fresh)
            browser.sees("Paired with Coded TV.")
            browser.until("the dialog is closed", lambda: not browser.all(".pairing"))
            (device,) = [each for each in mdhost("discover", "--known") if each["name"] == "Coded TV"]
            self.assertTrue(device["isPaired"])

    def test_six_digits(self):
        with Demo("Long TV", "--pin", "6") as demo:
            browser.open_device("Long TV")
            browser.in_dialog("Pair")
            field = self.code_field()
            self.assertEqual(len(browser.all(".code-box")), 6)
            field.send_keys(demo.tells("code")["code"])
            browser.sees("Paired with Long TV.")

    def test_a_password(self):
        with Demo("Locked TV", "--password", "open sesame"):
            browser.open_device("Locked TV")
            browser.in_dialog("Pair")
            field = browser.until("a password is asked for", lambda: browser.one(".pairing .password"))
            self.assertEqual(field.get_attribute("type"), "password")
            field.send_keys("open sesame" + Keys.ENTER)
            browser.sees("Paired with Locked TV.")

    def test_cancelled_by_the_person(self):
        with Demo("Refused TV"):
            browser.open_device("Refused TV")
            browser.in_dialog("Pair")
            self.code_field().send_keys(Keys.ESCAPE)
            browser.until("the dialog is closed", lambda: not browser.all(".pairing"))
            browser.until("it can be paired again", lambda: browser.one(
                f"{browser.dialog} .actions button:nth-child(4)").is_enabled())

    def test_a_device_that_goes_while_it_waits(self):
        with Demo("Leaving TV") as demo:
            browser.open_device("Leaving TV")
            browser.in_dialog("Pair")
            self.code_field()
            demo.process.kill()
            browser.sees("The connection to Leaving TV was lost.")
            browser.until("the dialog is closed", lambda: not browser.all(".pairing"))

    def test_a_device_that_falls_silent_while_it_waits(self):
        browser.open_device("MPD Room")
        browser.in_dialog("Pair")
        browser.until("a password is asked for", lambda: browser.one(".pairing .password"))
        with unplugged("c"):
            browser.sees("MPD Room doesn't answer any more.", 20)
            browser.in_dialog("Cancel")
            browser.until("the dialog is closed", lambda: not browser.all(".pairing"))
        for name in ("MPD Room", "Open Room"):
            browser.until(f"{name} is back", lambda: browser.row(name), 20)


class PlaybackTests(PageTest):
    def test_play_pause_seek_and_stop(self):
        with Demo("Player", "--open") as demo:
            browser.play("Player", demo.sample)
            browser.shows_player("The Sample")
            demo.tells("playing")
            browser.until("it plays", lambda: browser.toggle_label() == "Pause")
            first = browser.position()
            browser.until("the position moves by itself", lambda: browser.position() > first + 0.3)

            browser.click(f"{browser.player} .transport .big")
            demo.tells("paused")
            browser.until("it is paused", lambda: browser.toggle_label() == "Play")
            self.assertEqual(browser.status("Player"), "Paused · The Sample")

            slider = browser.one(".aside md-position input")
            before = browser.position()
            slider.send_keys(Keys.PAGE_UP)
            browser.until("30 s further", lambda: abs(browser.position() - before - 30) < 1)
            eventually("the device is there", lambda: abs(
                sessions("Player")[0]["playback"]["position"]["value"] - before - 30) < 1)

            # From the other side.
            mdhost("resume", "Player")
            browser.until("it plays again", lambda: browser.toggle_label() == "Pause")
            browser.click(f"{browser.player} button[aria-label='Stop']")
            browser.until("nothing plays", lambda: not sessions("Player"))
            browser.until("the row says so", lambda: browser.status("Player") == "Reference")

    def test_sound_subtitles_speed_and_chapters(self):
        with Demo("Cinema", "--open") as demo:
            browser.play("Cinema", demo.sample)
            browser.shows_player("The Sample")
            for label, text, key, value in (
                    ("Sound", "Deutsch", "currentAudioOption", "de"),
                    ("Subtitles", "日本語", "currentLegibleOption", "sub-ja"),
                    ("Speed", "1.5×", "playbackSpeed", 1.5)):
                browser.choose(label, text)
                eventually(f"{label} is {text}", lambda: sessions("Cinema")[0]["playback"].get(key) == value)
                browser.until(f"{text} is shown", lambda: browser.chosen(label).startswith(text))
            browser.choose("Subtitles", "Off")
            eventually("no subtitles", lambda: "currentLegibleOption" not in sessions("Cinema")[0]["playback"])
            browser.choose("Chapters", "Credits")
            browser.until("the credits are shown", lambda: browser.position() >= 110)
            self.assertTrue(browser.all(".aside md-position .ticks i"))

    def test_volume_from_both_sides(self):
        browser.play("Open Room", f"{MEDIA}/tone.mp3")
        browser.until("it plays", lambda: sessions("Open Room"), 20)
        browser.shows_player(browser.title())
        in_host("c", "mpc", "--port=6601", "volume", "37")
        browser.until("the other side's volume is shown", lambda: browser.level() == 37)
        browser.slide(".aside .player-card > md-level input", 62)
        eventually("the receiver has it", lambda: "62%" in in_host("c", "mpc", "--port=6601", "volume"))
        browser.until("the row shows it", lambda: browser.row("Open Room").find_element(
            By.CSS_SELECTOR, "output").text == "62")

    def test_mute(self):
        with Demo("Loud", "--open") as demo:
            browser.play("Loud", demo.sample)
            browser.shows_player("The Sample")
            browser.click(f"{browser.player} .mute")
            pressed = lambda: browser.one(f"{browser.player} .mute").get_attribute("aria-pressed")
            browser.until("it is muted", lambda: pressed() == "true")
            mdhost("mute", "Loud", "--off")
            browser.until("it is heard", lambda: pressed() == "false")

    def test_two_together_and_apart(self):
        with Demo("North", "--open", "--speaker") as north, Demo("South", "--open", "--speaker"):
            browser.until("both are there", lambda: browser.row("North") and browser.row("South"))
            browser.play("North", north.sample)
            browser.shows_player("The Sample")
            browser.click(f"{browser.player} .where")
            browser.in_dialog("Play on South as well")
            browser.until("both play", lambda: len(sessions("North")[0]["devices"]) == 2)
            browser.until("the volume of both is offered", lambda: browser.one(".all-row").is_displayed())
            browser.slide(".all-row input", 80)
            eventually("both are louder", lambda: all(
                each["volume"] > 0.7 for each in mdhost("discover", "--known") if each["name"] in ("North", "South")))
            browser.in_dialog("Stop on South alone")
            browser.until("one plays", lambda: len(sessions("North")[0]["devices"]) == 1)

    def test_move(self):
        with Demo("Here", "--open") as here, Demo("There", "--open"):
            browser.until("both are there", lambda: browser.row("Here") and browser.row("There"))
            browser.play("Here", here.sample)
            browser.shows_player("The Sample")
            browser.one(".aside md-position input").send_keys(Keys.PAGE_UP)
            browser.until("it is further", lambda: browser.position() > 29)
            browser.click(f"{browser.player} .where")
            browser.in_dialog("Move to There")
            browser.until("it plays there", lambda: sessions("There"))
            browser.until("and no longer here", lambda: not sessions("Here"))
            browser.until("at the same place", lambda: browser.position() > 29)
            browser.until("the page says where", lambda: browser.one(".where-name").get_attribute("textContent") == "There")

    def test_a_file_is_sent_as_it_is_read(self):
        with tempfile.TemporaryDirectory() as folder:
            song = pathlib.Path(folder, "A file of mine.mp3")
            urllib.request.urlretrieve(f"{MEDIA}/tone.mp3", song)
            browser.open_device("Open Room")
            browser.in_dialog("Play something…")
            browser.until("a file can be chosen", lambda: browser.one(f"{browser.dialog} input[type=file]")).send_keys(str(song))
            browser.until("it plays", lambda: sessions("Open Room"), 20)


class FaultTests(PageTest):
    def test_the_daemon_dies_and_comes_back(self):
        with Demo("Survivor", "--open") as demo:
            browser.play("Survivor", demo.sample)
            browser.shows_player("The Sample")
            browser.until("it plays", lambda: browser.toggle_label() == "Pause")
            programs.kill_daemon()
            browser.until("the page notices", lambda: browser.one(".connection").is_displayed()
                          or "Connected again." in browser.text())
            browser.until("it is back", lambda: not browser.one(".connection").is_displayed(), 20)
            try:
                browser.until("what played plays", lambda: browser.title() == "The Sample"
                              and browser.toggle_label() == "Pause", 20)
            except AssertionError as error:
                raise AssertionError(f"{error}\nThe device told: {demo.events}") from None

    def test_the_page_itself_comes_back(self):
        global page
        origin = page.origin
        page.stop()
        browser.sees("The page's server doesn't answer. Reconnecting…", 20)
        atexit.unregister(page.stop)
        page = Page()
        atexit.register(page.stop)
        self.assertEqual(page.origin, origin)
        browser.until("it is connected again", lambda: not browser.one(".connection").is_displayed(), 20)
        browser.until("the devices are there", lambda: browser.row("Living Room"))

    def test_reload(self):
        with Demo("Steady", "--open") as demo:
            browser.play("Steady", demo.sample)
            browser.shows_player("The Sample")
            browser.driver.refresh()
            browser.until("all is there again", lambda: browser.title() == "The Sample" and browser.row("Steady"))

    def test_a_refusal_says_what_to_do(self):
        browser.play("Open Room", "http://10.77.0.4:8099/nothing.mp3")
        browser.until("an error is said", lambda: browser.one("[role=alert] .toast").text, 20)


class SettingsTests(PageTest):
    def test_extensions_logs_and_health(self):
        browser.click("button", "Settings")
        browser.until("extensions are listed", lambda: len(browser.all("md-extension")) >= 6)
        browser.click("button", "Log of MPD")
        browser.until("its log is shown", lambda: browser.one(f"{browser.dialog} h2").text == "Log of MPD")
        browser.close_dialogs()
        switch = browser.one("[role=switch][aria-label='Kodi on']")
        switch.click()
        browser.until("Kodi is off", lambda: mdhost("extension", "info", "kodi")["state"] == "disabled")
        browser.until("the switch says so", lambda: not switch.is_selected() and switch.is_enabled())
        switch.click()
        browser.until("Kodi is on", lambda: mdhost("extension", "info", "kodi")["state"] != "disabled")
        browser.click("button", "Back to devices")
        browser.until("devices again", lambda: browser.row("Living Room"))


if __name__ == "__main__":
    unittest.main()
