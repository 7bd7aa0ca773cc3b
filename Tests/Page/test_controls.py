"""Controls that a person uses less often: files by hand, groups, confirmation, merging, outputs and the network."""

import contextlib
import os
import pathlib
import subprocess
import tempfile
import urllib.request

from selenium.webdriver.common.by import By

import programs
import test_page
from programs import MEDIA, Demo, DemoWithKeys, eventually, mdhost, sessions

browser = None


def setUpModule():
    global browser
    test_page.setUpModule()
    browser = test_page.browser


def known(name):
    return [each for each in mdhost("discover", "--known") if each["name"] == name]


def volume(name):
    (device,) = known(name)
    return round(device["volume"] * 100)


@contextlib.contextmanager
def sound_server():
    """A PulseAudio of this host, with an output that nobody hears."""
    folder = pathlib.Path(os.environ["XDG_RUNTIME_DIR"], "pulse")
    folder.mkdir(mode=0o700, exist_ok=True)
    server = subprocess.Popen(
        ["pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no",
         "-L", f"module-native-protocol-unix auth-anonymous=1 socket={folder}/native", "-L", "module-null-sink"],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        eventually("the sound server runs", lambda: (folder / "native").exists())
        yield f"unix:{folder}/native"
    finally:
        server.terminate()
        server.wait(10)


class FileTests(test_page.PageTest):
    def test_a_file_dropped_onto_a_device(self):
        with tempfile.TemporaryDirectory() as folder:
            song = pathlib.Path(folder, "Dropped.mp3")
            urllib.request.urlretrieve(f"{MEDIA}/tone.mp3", song)
            browser.until("it is listed", lambda: browser.row("Open Room"))
            x, y = browser.script("""
                const row = arguments[0]
                row.scrollIntoView({ block: "center" })
                const { left, top, width, height } = row.getBoundingClientRect()
                return [left + width / 2, top + height / 2]""", browser.row("Open Room"))
            data = {"items": [], "files": [str(song)], "dragOperationsMask": 1}
            for kind in ("dragEnter", "dragOver"):
                browser.driver.execute_cdp_cmd("Input.dispatchDragEvent", {"type": kind, "x": x, "y": y, "data": data})
            browser.until("it says that it takes the file", lambda: "drop" in browser.row("Open Room").get_attribute("class"))
            browser.driver.execute_cdp_cmd("Input.dispatchDragEvent", {"type": "drop", "x": x, "y": y, "data": data})
            browser.until("it plays", lambda: sessions("Open Room"), 20)
            browser.shows_player("Dropped")

    def test_a_file_beside_the_devices_is_not_opened(self):
        address = browser.driver.current_url
        with tempfile.NamedTemporaryFile(suffix=".mp3") as song:
            data = {"items": [], "files": [song.name], "dragOperationsMask": 1}
            for kind in ("dragEnter", "dragOver", "drop"):
                browser.driver.execute_cdp_cmd("Input.dispatchDragEvent", {"type": kind, "x": 30, "y": 620, "data": data})
        self.assertEqual(browser.driver.current_url, address)


class ConfirmationTests(test_page.PageTest):
    def begin(self, name):
        browser.open_device(name)
        browser.in_dialog("Pair")
        browser.sees("Confirm on the device")

    def test_confirmed_on_the_device(self):
        with DemoWithKeys("Button TV", "--confirm") as demo:
            self.begin("Button TV")
            browser.in_dialog("Continue")
            demo.sees("Press y for yes")
            demo.press("y")
            browser.sees("Paired with Button TV.")
            self.assertTrue(known("Button TV")[0]["isPaired"])

    def test_refused_on_the_device(self):
        with DemoWithKeys("Shy TV", "--confirm") as demo:
            self.begin("Shy TV")
            browser.in_dialog("Continue")
            demo.sees("Press y for yes")
            demo.press("n")
            browser.until("the dialog is closed", lambda: not browser.all(".pairing"))
            browser.sees("It was refused on the device.")
            self.assertFalse(known("Shy TV")[0]["isPaired"])


class GroupTests(test_page.PageTest):
    def test_volume_of_each_and_of_all(self):
        with Demo("East", "--open", "--speaker") as east, Demo("West", "--open", "--speaker"):
            browser.until("both are there", lambda: browser.row("East") and browser.row("West"))
            browser.play("East", east.sample)
            browser.shows_player("The Sample")
            browser.click(f"{browser.player} .where")
            browser.in_dialog("Play on West as well")
            browser.until("both play", lambda: len(sessions("East")[0]["devices"]) == 2)
            place = lambda name: next(each for each in browser.all(".where-sheet md-place") if each.find_element(
                By.CSS_SELECTOR, ".name").text == name)
            browser.until("both are in the list", lambda: place("East") and place("West").find_element(
                By.CSS_SELECTOR, "md-level input").is_displayed())
            for name, level in (("East", 20), ("West", 40)):
                browser.script("""
                    const slider = arguments[0].querySelector("md-level input")
                    slider.value = arguments[1]
                    for (const kind of ["input", "change"]) slider.dispatchEvent(new Event(kind, { bubbles: true }))""",
                               place(name), level)
                eventually(f"{name} alone is at {level}", lambda: volume(name) == level)
            self.assertEqual(volume("East"), 20)
            browser.until("that of all is what they have in common", lambda: browser.level(".all-row md-level") in (30, 40))
            browser.slide(".all-row input", 80)
            eventually("both are louder", lambda: volume("East") > 20 and volume("West") > 40)
            self.assertGreater(volume("West"), volume("East"))
            browser.slide(".all-row input", 0)
            eventually("both are silent", lambda: volume("East") == volume("West") == 0)


class MergeTests(test_page.PageTest):
    def test_two_entries_become_one_and_two_again(self):
        with Demo("Twin A", "--open"), Demo("Twin B", "--open"):
            browser.until("both are there", lambda: browser.row("Twin A") and browser.row("Twin B"))
            browser.open_device("Twin A")
            browser.in_dialog("Merge with…")
            browser.until("they can be chosen", lambda: browser.one(f"{browser.dialog} .check"))
            box = next(each for each in browser.all(f"{browser.dialog} .check") if "Twin B" in browser.script(
                "return arguments[0].closest('label').textContent", each))

            def checked():
                if not box.is_selected():
                    browser.script("arguments[0].scrollIntoView({ block: 'center' })", box)
                    box.click()
                return box.is_selected()
            browser.until("it is chosen", checked)
            browser.in_dialog("Merge")
            browser.sees("Merged.")
            browser.close_dialogs()
            one = browser.until("one is left", lambda: bool(browser.row("Twin A")) != bool(browser.row("Twin B")) and (
                "Twin A" if browser.row("Twin A") else "Twin B"))
            browser.open_device(one)
            browser.sees("Reached in several ways")
            browser.in_dialog("Split")
            browser.sees("Split into 2 devices.")
            browser.close_dialogs()
            browser.until("both are there again", lambda: browser.row("Twin A") and browser.row("Twin B"))


class OutputTests(test_page.PageTest):
    def test_a_speaker_becomes_an_output_of_the_desktop(self):
        with sound_server() as server:
            browser.open_device("Shair Room")
            toggle = browser.until("it can be an output", lambda: next(
                each for each in browser.all(f"{browser.dialog} [role=switch]")
                if "Output" in browser.script("return arguments[0].labels[0].textContent", each)))
            toggle.click()
            eventually("the command line lists it", lambda: mdhost("sink", "list"))
            sinks = lambda: programs.run("pactl", "--server", server, "list", "short", "sinks")
            eventually("the desktop lists it", lambda: "mdhost" in sinks().lower() or "shair" in sinks().lower(), 20)
            browser.close_dialogs()
            browser.click("button", "Settings")
            browser.sees("Outputs of this computer")
            browser.until("it is ready", lambda: any("Ready" in row.text for row in browser.all(".row") if "Shair Room" in row.text))
            browser.click("button", "Remove Shair Room")
            eventually("it is gone", lambda: not mdhost("sink", "list"))
            browser.sees("None yet.")
            browser.click("button", "Back to devices")


class NetworkTests(test_page.PageTest):
    def test_the_network_goes_and_comes_back(self):
        browser.until("it is there", lambda: browser.status("Living Room") == "DLNA")
        programs.cable("d", "down")
        try:
            browser.until("it is missed", lambda: browser.status("Living Room") != "DLNA", 45)
            # The page itself is on loopback and stays.
            self.assertFalse(browser.one(".connection").is_displayed())
        finally:
            programs.cable("d", "up")
        browser.until("it is back", lambda: browser.status("Living Room") == "DLNA", 45)


class ArtworkTests(test_page.PageTest):
    def test_a_large_picture_is_small_when_it_arrives(self):
        with tempfile.TemporaryDirectory() as folder, Demo("Gallery", "--open") as demo:
            cover = pathlib.Path(folder, "cover.png")
            programs.run("ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "testsrc2=size=2400x1800", "-frames:v", "1", cover)
            path = "/org/mdhost/devices/" + demo.id.replace("-", "_").lower()
            programs.run(
                "busctl", "--address=unix:path=" + os.environ["XDG_RUNTIME_DIR"] + "/mdhost/socket", "call", "org.mdhost", path,
                "org.mdhost.Device1", "Play", "sa{sv}", demo.sample, "2", "title", "s", "Painted", "artwork", "s", cover.as_uri())
            browser.shows_player("Painted")
            size = browser.until("the picture is shown", lambda: browser.script("""
                const image = document.querySelector(".aside md-art img")
                return image.checkVisibility() && image.naturalWidth ? [image.naturalWidth, image.naturalHeight] : null"""))
            self.assertEqual(size, [512, 384])
            address = browser.one(".aside md-art img").get_attribute("src")
            length, kind, caching = browser.driver.execute_async_script("""
                const done = arguments[1]
                fetch(arguments[0]).then(async (answer) => done([
                    (await answer.blob()).size, answer.headers.get("content-type"), answer.headers.get("cache-control")]))""", address)
            self.assertEqual(kind, "image/jpeg")
            self.assertLess(length, cover.stat().st_size / 3)
            self.assertIn("max-age=", caching)
