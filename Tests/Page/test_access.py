"""Who may use the page: links, codes and QR codes, browsers of the network, apps, and a page that is kept on."""

import contextlib
import pathlib
import re
import subprocess
import tempfile
import time
import urllib.request

from selenium.webdriver.common.by import By

import programs
import test_page
from browser import Browser
from programs import BIN, App, Demo, Page, call, eventually, mdhost, opened_link, run

PHONE = (390, 844)


def setUpModule():
    test_page.setUpModule()


@contextlib.contextmanager
def in_network():
    """The page is offered to browsers in the network meanwhile."""
    run(BIN / "mdhost", "page", "open", "--lan", "--print")
    try:
        yield f"http://10.77.0.4:{test_page.page.port}/"
    finally:
        run(BIN / "mdhost", "page", "open", "--no-lan", "--print")
        test_page.browser.until("the page is connected", lambda: not test_page.browser.one(".connection").is_displayed(), 20)


@contextlib.contextmanager
def phone_in_a():
    """A browser in another host of the lab, with a network of its own."""
    phone = Browser(size=PHONE, host="a")
    try:
        yield phone
    finally:
        phone.close()


def status_of(browser, command, body="{}"):
    return browser.driver.execute_async_script(
        "fetch('/api/do/' + arguments[0], { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: arguments[1] })"
        ".then(answer => arguments[2](answer.status))", command, body)


class AccessTests(test_page.PageTest):
    def setUp(self):
        if test_page.page.process:
            self.skipTest("the page runs without its keeper (MDHOST_PAGE_FILES)")
        super().setUp()

    def test_a_revoked_browser_sees_nothing_more(self):
        before = {each["id"] for each in mdhost("page", "browsers")}
        other = Browser()
        try:
            other.driver.get(Page.fresh_link())
            other.until("it is in", lambda: other.all("md-device"))
            (mine,) = [each["id"] for each in mdhost("page", "browsers") if each["id"] not in before]
            mdhost("page", "revoke", mine)
            other.sees("Access ended")
            self.assertEqual(other.all("md-device"), [])
        finally:
            other.close()

    def test_a_browser_of_another_host_looks_and_is_revoked_at_once(self):
        with in_network() as address, phone_in_a() as phone:
            phone.driver.get(address)
            phone.click("button", "Ask for access")
            code = phone.until("a code is shown", lambda: phone.one(".big-code").text).replace(" ", "")
            (asking,) = [each for each in mdhost("page", "browsers") if each.get("address")]
            self.assertEqual(asking["address"], "10.77.0.1")
            mdhost("page", "allow", code, "--role", "look")
            phone.until("it is in", lambda: phone.row("Living Room"), 20)
            phone.sees("View only")
            phone.open_device("Living Room")
            self.assertFalse(phone.one("dialog .button.primary").is_enabled())
            for command, body in (("demo", "{}"), ("volume", '{"device":"x","level":1}'), ("invite", '{"role":"look"}')):
                self.assertEqual(status_of(phone, command, body), 403)
            (mine,) = [each for each in mdhost("page", "browsers") if each["role"] == "look"]
            self.assertTrue(mine["isConnected"])
            mdhost("page", "revoke", mine["id"])
            begun = time.monotonic()
            phone.sees("Access ended", 3)
            print(f"\nrevoked: seen in the other host within {1000 * (time.monotonic() - begun):.0f} ms", flush=True)
            self.assertEqual(phone.all("md-device"), [])
            self.assertEqual(status_of(phone, "search"), 401)

    def test_a_qr_code_lets_one_browser_in_once(self):
        """As a phone's camera sees it: the code that the page shows, read by zbarimg."""
        admin = test_page.browser
        with in_network() as address, phone_in_a() as phone, tempfile.TemporaryDirectory() as folder:
            admin.click("button", "Settings")
            admin.click("button", "Allow another browser")
            admin.in_dialog("Show a QR code instead")
            code = admin.until("the code is shown", lambda: admin.one(f"{admin.dialog} .qr-code"))
            picture = pathlib.Path(folder, "code.png")
            picture.write_bytes(code.screenshot_as_png)
            link = run("zbarimg", "--quiet", "--raw", picture).strip()
            self.assertTrue(link.startswith(address + "#enter="), link)
            admin.close_dialogs()
            admin.click("button", "Back to devices")
            phone.driver.get(link)
            phone.until("it is in", lambda: phone.row("Living Room"), 20)
            self.assertEqual(phone.driver.current_url, address)
            self.assertEqual(status_of(phone, "revoke", '{"browser":"x"}'), 403)
            (mine,) = [each for each in mdhost("page", "browsers") if each["role"] == "control"]
            mdhost("page", "revoke", mine["id"])
            phone.sees("Access ended")
            phone.driver.get("about:blank")
            phone.driver.get(link)
            phone.sees("Ask for access")
            self.assertEqual(phone.all("md-device"), [])

    def test_the_terminal_shows_the_same_code(self):
        with in_network() as address, tempfile.TemporaryDirectory() as folder:
            lines = run(BIN / "mdhost", "page", "invite", "--role", "look").splitlines()
            self.assertTrue(lines[-1].startswith(address + "#enter="))
            rows = [re.sub(r"\x1b\[[\d;]*m", "", line) for line in lines[:-1]]
            pixels = []
            for row in rows:
                for cells in ("▀█", "▄█"):
                    line = [str(int(cell in cells)) for cell in row for _ in range(4)]
                    pixels += [" ".join(line)] * 4
            picture = pathlib.Path(folder, "code.pbm")
            picture.write_text(f"P1 {4 * len(rows[0])} {len(pixels)}\n" + "\n".join(pixels) + "\n")
            self.assertEqual(run("zbarimg", "--quiet", "--raw", picture).strip(), lines[-1])
        self.assertIn("--lan", subprocess.run([BIN / "mdhost", "page", "invite"], capture_output=True, text=True).stderr)

    def test_a_page_that_is_kept_on_starts_with_the_daemon(self):
        url = f"http://127.0.0.1:{test_page.page.port}/"

        def answers():
            with contextlib.suppress(OSError):
                return urllib.request.urlopen(url, timeout=1).status == 200
        mdhost("page", "--enable")
        try:
            mdhost("page", "stop")
            eventually("it is gone", lambda: not answers())
            programs.kill_daemon()
            mdhost("status")
            eventually("it is there with the next daemon", answers)
        finally:
            mdhost("page", "--disable")
        self.assertFalse(mdhost("page", "--disable")["enabled"])
        browser = test_page.browser
        browser.until("the browser is connected again", lambda: not browser.one(".connection").is_displayed(), 20)
        browser.until("the devices are there", lambda: browser.row("Living Room"), 20)


class PickerTests(test_page.PageTest):
    def setUp(self):
        if test_page.page.process:
            self.skipTest("the page runs without its keeper (MDHOST_PAGE_FILES)")
        super().setUp()

    def pick(self, link, app):
        picker = Browser(size=PHONE)
        try:
            picker.driver.get(link)
            picker.sees("Choose a device for Film App")
            picker.until("it is listed", lambda: picker.row("Picked TV"))
            picker.row("Picked TV").find_element(By.CSS_SELECTOR, ".device-main").click()
            app.sees("activate Picked TV")
            picker.sees("Film App uses Picked TV.")
            picker.until("the picking is over", lambda: not picker.one("md-picker").is_displayed())
        finally:
            picker.close()

    def test_by_dbus(self):
        with Demo("Picked TV", "--open"), tempfile.TemporaryDirectory() as folder:
            app = App(folder, "Film App")
            try:
                def shown():
                    with contextlib.suppress(programs.Failed):
                        return call("ShowPicker", "sa{sv}", "Film App", "1", "open", "b", "false").split('"')[1]
                self.pick(eventually("the daemon knows the app", shown), app)
            finally:
                app.stop()

    def test_by_the_app_itself(self):
        """`AVRoutePickerView.present()` of a real app, by xdg-open and the browser that it starts."""
        with Demo("Picked TV", "--open"), tempfile.TemporaryDirectory() as folder:
            app = App(folder, "Film App")
            try:
                app.type("picker")
                link = opened_link()
                app.sees("picker: open")
                self.pick(link, app)
            finally:
                app.stop()
