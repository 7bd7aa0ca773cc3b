"""What other pages, other names and devices could try against the page, in a browser that may administrate."""

import contextlib
import http.server
import os
import re
import threading

import test_page
from browser import Browser
from programs import Demo, eventually, run, sessions

# As long as a name on the network may be.
SCRIPT = "<img src=x onerror=\"document.title='script'\">"

# What another page can send without being asked: a form, a fetch without CORS, and one that asks first.
ATTACK = """<!doctype html><title>attack</title>
<iframe id="frame" src="%(origin)s/"></iframe>
<form id="form" method="post" enctype="text/plain" target="sink" action="%(origin)s/api/do/stop">
<input name='{"session":"%(session)s","x":"' value='"}'></form><iframe name="sink"></iframe>
<script>
const results = {}
const send = async (name, type, mode) => {
    try {
        const answer = await fetch("%(origin)s/api/do/stop", {
            method: "POST", mode, credentials: "include", headers: { "Content-Type": type },
            body: JSON.stringify({ session: "%(session)s" }) })
        results[name] = answer.type === "opaque" ? "opaque" : answer.status
    } catch (error) { results[name] = "blocked" }
}
addEventListener("load", async () => {
    document.getElementById("form").submit()
    await send("plain", "text/plain", "no-cors")
    await send("json", "application/json", "cors")
    try { results.read = (await fetch("%(origin)s/api/events", { credentials: "include" })).status } catch { results.read = "blocked" }
    document.title = JSON.stringify(results)
})
</script>"""


@contextlib.contextmanager
def other_site(content):
    """A server of somebody else, on this computer."""
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(content().encode())

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)


def setUpModule():
    test_page.setUpModule()


class AttackTests(test_page.PageTest):
    @property
    def browser(self):
        return test_page.browser

    @property
    def page(self):
        return test_page.page

    def test_another_name_for_this_computer_gets_nothing(self):
        stranger = Browser("--host-resolver-rules=MAP evil.example 127.0.0.1")
        try:
            stranger.driver.get(f"http://evil.example:{self.page.port}/")
            self.assertEqual(stranger.all("#app"), [])
            status = stranger.driver.execute_async_script(
                "fetch('/api/events').then(answer => arguments[0](answer.status), () => arguments[0](0))")
            self.assertIn(status, (0, 403, 421))
        finally:
            stranger.close()

    def test_other_pages_cannot_command_read_or_frame_it(self):
        browser, host = self.browser, re.match(r"http://([^:/]+)", self.page.origin)[1]
        with Demo("Target", "--open") as demo:
            browser.play("Target", demo.sample)
            session = eventually("it plays", lambda: sessions("Target"))[0]["id"]
            content = lambda: ATTACK % {"origin": self.page.origin, "session": session}
            with other_site(content) as port:
                # Another site; and the page's own name with another port, to which the browser would send the cookie.
                for name in ("127.0.0.1", host):
                    with self.subTest(name):
                        browser.driver.switch_to.new_window("tab")
                        try:
                            browser.driver.get(f"http://{name}:{port}/")
                            browser.until("the attack is over", lambda: browser.driver.title.startswith("{"))
                            self.assertIn('"json":"blocked"', browser.driver.title)
                            self.assertIn('"read":"blocked"', browser.driver.title)
                            browser.driver.switch_to.frame("frame")
                            self.assertEqual(browser.all("#app"), [])
                            browser.driver.switch_to.default_content()
                        finally:
                            browser.driver.close()
                            browser.driver.switch_to.window(browser.driver.window_handles[0])
                        self.assertEqual([each["id"] for each in sessions("Target")], [session])
            browser.driver.get_log("browser")

    def test_what_devices_say_is_text(self):
        browser = self.browser
        with Demo(SCRIPT, "--open") as demo:
            browser.until("it is listed by its name", lambda: browser.row(SCRIPT))
            socket = os.environ["XDG_RUNTIME_DIR"] + "/mdhost/socket"
            path = "/org/mdhost/devices/" + demo.id.replace("-", "_").lower()
            run("busctl", f"--address=unix:path={socket}", "call", "org.mdhost", path, "org.mdhost.Device1", "Play", "sa{sv}",
                demo.sample, "3", "title", "s", SCRIPT, "artist", "s", SCRIPT, "artwork", "s", "javascript:document.title='script'")
            browser.until("it plays", lambda: sessions(SCRIPT))
            browser.open_device(SCRIPT)
            browser.close_dialogs()
            browser.until("the player shows where", lambda: browser.one(".where-name").get_attribute("textContent") == SCRIPT)
            self.assertNotEqual(browser.driver.title, "script")
            self.assertEqual(browser.script(
                "return [...document.querySelectorAll('img')].filter(each => each.src && !each.src.startsWith(location.origin)).length"), 0)
            self.assertEqual(browser.logs(), [])
