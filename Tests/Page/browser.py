"""The page in a browser, as a person uses it: by what it shows, and by keys and clicks."""

import contextlib
import shutil
import subprocess
import tempfile
import urllib.request

from selenium import webdriver
from selenium.common.exceptions import (
    ElementClickInterceptedException, ElementNotInteractableException, StaleElementReferenceException,
    NoSuchElementException, TimeoutException, WebDriverException)
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from programs import LAB, eventually

SECONDS = 12
PASSING = (
    StaleElementReferenceException, NoSuchElementException, ElementNotInteractableException,
    ElementClickInterceptedException)


class RemoteDriver:
    """A chromedriver in another host of the lab, with another network, for one browser."""

    PORT = 9515

    def __init__(self, host):
        self.address = f"http://10.77.0.{'abcd'.index(host) + 1}:{self.PORT}"
        self.process = subprocess.Popen(
            [str(LAB), "in", host, shutil.which("chromedriver"), f"--port={self.PORT}", "--allowed-ips=10.77.0.4"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        eventually("chromedriver answers", self._answers)

    def _answers(self):
        with contextlib.suppress(OSError):
            return urllib.request.urlopen(self.address + "/status", timeout=2).status == 200

    def close(self):
        with contextlib.suppress(OSError):
            urllib.request.urlopen(self.address + "/shutdown", timeout=5)
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Browser:
    """A browser with a profile of its own."""

    def __init__(self, *switches, size=(1280, 800), host=None):
        """In this host of the lab, or in another one, by its own chromedriver."""
        self.profile = tempfile.mkdtemp(prefix="mdhost-browser-")
        self.service = None
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium")
        # In the lab's namespaces the browser's own sandbox has no users to switch to.
        for switch in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--no-first-run",
                       "--disable-background-networking", "--disable-component-update", "--disable-sync",
                       f"--user-data-dir={self.profile}", f"--window-size={size[0]},{size[1]}", *switches):
            options.add_argument(switch)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        options.set_capability("unhandledPromptBehavior", "ignore")
        if host:
            self.service = RemoteDriver(host)
            self.driver = webdriver.Remote(self.service.address, options=options)
        else:
            self.driver = webdriver.Chrome(options, webdriver.ChromeService(shutil.which("chromedriver")))
        self.driver.set_page_load_timeout(20)
        self.driver.set_script_timeout(20)

    def close(self):
        with contextlib.suppress(WebDriverException):
            self.driver.quit()
        if self.service:
            self.service.close()
        shutil.rmtree(self.profile, ignore_errors=True)

    # MARK: waiting

    def until(self, what, condition, seconds=SECONDS):
        """Waits until the condition holds; elements that change meanwhile are looked for again."""
        wait = WebDriverWait(self.driver, seconds, poll_frequency=0.03, ignored_exceptions=PASSING)
        try:
            return wait.until(lambda _: condition())
        except TimeoutException:
            raise AssertionError(f"not within {seconds} s: {what}\n{self.text()[:1500]}") from None

    def script(self, source, *arguments):
        return self.driver.execute_script(source, *arguments)

    def text(self):
        return self.script("return document.body.innerText")

    def sees(self, text, seconds=SECONDS):
        self.until(f"“{text}” is shown", lambda: text in self.text(), seconds)

    def logs(self):
        """Errors that scripts left, and what the page's policy stopped."""
        return [entry["message"] for entry in self.driver.get_log("browser")
                if entry["level"] == "SEVERE" and "Failed to load resource" not in entry["message"]]

    # MARK: elements

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def click(self, selector, label=None):
        """Clicks what fits the selector and, if a label is given, has that text or name, once it can be clicked."""
        def clicked():
            for element in self.all(selector):
                if label is not None and label not in (element.text.strip(), element.get_attribute("aria-label")):
                    continue
                if element.is_displayed() and element.is_enabled():
                    element.click()
                    return True
            return False
        self.until(f"{selector} “{label or ''}” can be clicked", clicked)

    @property
    def dialog(self):
        """The selector of the topmost dialog."""
        return "dialog[open]:not(:has(~ dialog[open]))"

    def in_dialog(self, label):
        self.click(f"{self.dialog} button", label)

    def close_dialogs(self):
        while self.all("dialog[open]"):
            count = len(self.all("dialog[open]"))
            self.script("[...document.querySelectorAll('dialog[open]')].pop().close()")
            self.until("the dialog is closed", lambda: len(self.all("dialog[open]")) < count)

    # MARK: devices

    def row(self, name):
        return self.script(
            "return [...document.querySelectorAll('md-device')].find("
            "row => row.querySelector('.name').textContent === arguments[0]) ?? null", name)

    def status(self, name):
        row = self.row(name)
        return row and row.find_element(By.CSS_SELECTOR, ".status").get_attribute("textContent")

    def open_device(self, name):
        self.until(f"{name} is listed", lambda: self.row(name))

        def opened():
            self.row(name).find_element(By.CSS_SELECTOR, ".device-main").click()
            return True
        self.until(f"{name} can be opened", opened)
        self.until(f"{name} is open", lambda: self.one(f"{self.dialog} h2").text == name)

    def play(self, name, address):
        """Plays an address as a person does."""
        self.open_device(name)
        self.in_dialog("Play something…")
        field = self.until("the address can be typed", lambda: self.one(f"{self.dialog} input[type=url]"))
        field.send_keys(address + Keys.ENTER)
        self.close_device(name)

    def close_device(self, name):
        self.until("one dialog is left", lambda: len(self.all("dialog[open]")) <= 1)
        self.close_dialogs()

    # MARK: what plays

    @property
    def player(self):
        return ".aside md-player"

    def title(self):
        """What the player shows; nothing if nothing plays."""
        card = self.one(f"{self.player} .player-card")
        return card.find_element(By.CSS_SELECTOR, ".player-title").text if card.is_displayed() else ""

    def shows_player(self, title):
        """Shows what plays with that title."""
        def shown():
            if self.title() == title:
                return True
            for line in self.all(f"{self.player} .also md-line"):
                if line.find_element(By.CSS_SELECTOR, ".name").text == title:
                    line.find_element(By.CSS_SELECTOR, ".device-main").click()
            return False
        self.until(f"“{title}” is in the player", shown)

    def position(self):
        return float(self.script("return document.querySelector('.aside md-position input').value"))

    def level(self, selector=".player-card > md-level"):
        return round(float(self.script("return document.querySelector(arguments[0] + ' input').value", selector)))

    def toggle_label(self):
        return self.one(f"{self.player} .transport .big").get_attribute("aria-label")

    def choose(self, label, text):
        """Chooses an option of one of the menus."""
        def chosen():
            return self.script("""
                const select = document.querySelector(`md-player select[aria-label="${arguments[0]}"]`)
                const option = [...select.options].find((each) => each.text.startsWith(arguments[1]))
                if (select.disabled || !option) return false
                select.value = option.value
                select.dispatchEvent(new Event("change"))
                return true""", label, text)
        self.until(f"{label}: {text} can be chosen", chosen)

    def chosen(self, label):
        return self.script(
            "const s = document.querySelector(`md-player select[aria-label='${arguments[0]}']`);"
            "return s?.selectedOptions[0]?.text ?? null", label)

    def slide(self, selector, value):
        """Moves a slider to a value, as a finger that is lifted there."""
        self.script("""
            const slider = document.querySelector(arguments[0])
            slider.value = arguments[1]
            slider.dispatchEvent(new Event("input", { bubbles: true }))
            slider.dispatchEvent(new Event("change", { bubbles: true }))""", selector, value)
