"""The page in Chromium: how fast it is there, how soon it shows a change, and what its process takes. See Benchmarks/page."""

import atexit
import contextlib
import http.server
import os
import pathlib
import re
import statistics
import threading
import time

import test_speed
import wire
from browser import Browser
from programs import MEDIA, Page, eventually, in_host, mdhost, sessions

LOADS = 30
SAMPLES = 220
QUIET_SECONDS = 30
LIST_SCRIPT = """
    addEventListener("DOMContentLoaded", () => {
        const look = () => document.querySelectorAll("md-device").length >= %d
            ? (window.listed = performance.now()) : requestAnimationFrame(look)
        look()
    })"""
FIRST_PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"


class Signals:
    """A client of the daemon that notes when a signal with a volume arrives, in seconds of the wall clock."""

    def __init__(self):
        self.times = {}
        self.connection = wire.Connection(os.environ["XDG_RUNTIME_DIR"] + "/mdhost/socket")
        # The daemon tells those that have spoken to it.
        self.connection.call("/org/mdhost", "org.freedesktop.DBus.Peer", "Ping")
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        while True:
            signal = self.connection.next_signal(3600)
            if signal and signal.member == "PropertiesChanged":
                volume = signal.body()[1].get("Volume")
                if isinstance(volume, tuple):
                    volume = volume[-1]
                if volume is not None:
                    at = time.time() - (time.monotonic() - signal.at)
                    self.times.setdefault(round(volume * 100), []).append(at)


def floor():
    """The first paint of a page of one word, from a server on loopback: what this Chromium takes by itself here."""
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            body = b"<!doctype html><title>floor</title><p>Hello"
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def percentile(values, part):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * part))]


def loads(browser, count, address, is_first=False):
    """Milliseconds to the first paint and to the complete list; `is_first` forgets what the browser keeps of the page."""
    browser.driver.get(address)
    script = browser.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": LIST_SCRIPT % count})
    results = []
    for _ in range(LOADS):
        browser.driver.get("about:blank")
        if is_first:
            browser.driver.execute_cdp_cmd("Network.clearBrowserCache", {})
        browser.driver.get(address)
        if count:
            browser.until("all are listed", lambda: browser.script("return window.listed"), 30)
        paint = browser.until("it was painted", lambda: browser.script(f"return {FIRST_PAINT}"))
        results.append((paint, browser.script("return window.listed") if count else 0))
    browser.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", {"identifier": script["identifier"]})
    return [[row[index] for row in results] for index in range(2)]


def changes(browser):
    """Milliseconds from a signal of the daemon to the frame that shows it."""
    browser.play("Open Room", f"{MEDIA}/tone.mp3")
    eventually("it plays", lambda: sessions("Open Room"), 20)
    browser.until("its level is shown", lambda: browser.script(
        "return document.querySelector('.aside .player-card > md-level input').checkVisibility()"), 20)
    signals = Signals()
    browser.script("""
        window.frames_ = []
        const output = document.querySelector(".aside .player-card > md-level output")
        new MutationObserver(() => {
            const level = Number(output.textContent)
            // The frame is drawn right after its callbacks.
            requestAnimationFrame(() => {
                const { port1, port2 } = new MessageChannel()
                port1.onmessage = () => frames_.push([level, performance.timeOrigin + performance.now()])
                port2.postMessage(0)
            })
        }).observe(output, { childList: true, characterData: true, subtree: true })""")
    waits = []
    for index in range(SAMPLES):
        level = 20 + index % 60
        in_host("c", "mpc", "--port=6601", "volume", str(level))
        browser.until(f"{level} is shown", lambda: browser.script("return frames_.some(([each]) => each === arguments[0])", level))
        eventually("the signal came", lambda: signals.times.get(level))
        shown = browser.script("const found = frames_.find(([each]) => each === arguments[0]); frames_ = []; return found[1]", level)
        waits.append(shown - signals.times.pop(level)[0] * 1000)
    mdhost("stop", "Open Room")
    return waits


def processes():
    found = {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            words = (folder / "cmdline").read_bytes().split(b"\0")
            if words[0].endswith(b"/mdhost-page"):
                found["page" if b"--serve" in words else "keeper"] = folder
    return found


def kilobytes(folder, field):
    return int(re.search(rf"{field}:\s+(\d+)", (folder / "smaps_rollup").read_text())[1])


def switches(folder):
    """How often its threads began to run."""
    return sum(int(count) for status in folder.glob("task/*/status")
               for count in re.findall(r"ctxt_switches:\s+(\d+)", status.read_text()))


def main():
    rows = []

    def row(name, value, budget, isKept):
        rows.append((name, value, budget, "yes" if isKept else "NO"))
        print(f"{name:42} {value:>44}   {budget:>10}   {rows[-1][3]}", flush=True)

    page = Page()
    atexit.register(page.stop)
    browser = Browser()
    atexit.register(browser.close)
    browser.driver.get(page.link)
    browser.until("the page is in", lambda: browser.all("md-device"), 30)
    server = floor()
    bare, _ = loads(browser, 0, f"http://127.0.0.1:{server.server_port}/")
    with test_speed.announced([("a", 44)]):
        eventually("fifty are found", lambda: len(mdhost("discover", "--known")) >= 50, 30)
        paints, lists = loads(browser, 50, page.origin + "/")
        first_paints, first_lists = loads(browser, 50, page.origin + "/", is_first=True)
        text = lambda values: f"median {statistics.median(values):.0f} ms, slowest {max(values):.0f} ms"
        row("first paint of an empty page (Chromium alone)", text(bare), "", True)
        row("first paint, 50 devices", text(paints), "100 ms", statistics.median(paints) <= 100)
        row("complete list, 50 devices", text(lists), "100 ms", statistics.median(lists) <= 100)
        row("first paint, nothing in the cache", text(first_paints), "100 ms", statistics.median(first_paints) <= 100)
        row("complete list, nothing in the cache", text(first_lists), "100 ms", statistics.median(first_lists) <= 100)
        waits = changes(browser)
        row(f"D-Bus signal to the screen, {len(waits)} samples",
            f"median {statistics.median(waits):.1f} ms, p99 {percentile(waits, 0.99):.1f} ms", "50 ms p99",
            percentile(waits, 0.99) <= 50)
        found = processes()
        sizes = {name: (kilobytes(folder, "Rss"), kilobytes(folder, "Pss")) for name, folder in found.items()}
        row("memory of the page", "{:.1f} MB resident, {:.1f} MB proportional".format(*(size / 1024 for size in sizes["page"])),
            "30 MB", sizes["page"][0] <= 30 * 1024)
        row("memory of its keeper", "{:.1f} MB resident, {:.1f} MB proportional".format(*(size / 1024 for size in sizes["keeper"])), "", True)
    browser.close()
    eventually("no browser is connected", lambda: not any(each["isConnected"] for each in mdhost("page", "browsers")), 30)
    # Connections that are kept open end after 30 s.
    time.sleep(35)
    before = {name: switches(folder) for name, folder in processes().items()}
    time.sleep(QUIET_SECONDS)
    after = {name: switches(folder) for name, folder in processes().items()}
    woken = {name: after[name] - before[name] for name in before}
    row(f"wake-ups in {QUIET_SECONDS} s without a browser", f"page {woken['page']}, keeper {woken['keeper']}", "0", not any(woken.values()))


if __name__ == "__main__":
    main()
