"""The host's programs, and the devices of the lab. Everything runs in host d of a LAN of its own (scripts/lab)."""

import contextlib
import fcntl
import json
import os
import pathlib
import plistlib
import pty
import re
import select
import signal
import subprocess
import termios
import threading
import time

TREE = pathlib.Path(__file__).resolve().parents[2]
BIN = pathlib.Path(os.environ.get("MDHOST_PROGRAMS", TREE / ".build/debug"))
LAB = TREE / "scripts/lab"
# What xdg-open starts where no desktop is: it notes what it is to show.
OPENED = pathlib.Path(os.environ.get("XDG_RUNTIME_DIR", "/tmp"), "opened")
os.environ["BROWSER"] = str(pathlib.Path(__file__).with_name("open-in-test"))
MEDIA = "http://10.77.0.4:8099"


class Failed(Exception):
    """A command failed, or something didn't happen in time."""


def eventually(what, condition, seconds=12):
    """Waits until the condition is true, and returns its value."""
    deadline = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise Failed(f"not within {seconds} s: {what}")
        time.sleep(0.02)


def run(*words, check=True, seconds=30):
    result = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=seconds)
    if check and result.returncode:
        raise Failed(f"{words}: {result.stdout}{result.stderr}")
    return result.stdout


def mdhost(*words, seconds=30):
    """Runs a command with --json, and returns the last value that it prints."""
    lines = run(BIN / "mdhost", *words, "--json", seconds=seconds).splitlines()
    return json.loads(lines[-1]) if lines else None


def in_host(host, *words, **options):
    return run(LAB, "in", host, *words, **options)


@contextlib.contextmanager
def unplugged(host):
    """Meanwhile the cable of the host is cut: its devices say no goodbye."""
    run(LAB, "switch", "ip", "link", "set", "v" + host, "down")
    try:
        yield
    finally:
        run(LAB, "switch", "ip", "link", "set", "v" + host, "up")


def sessions(device=None):
    """What plays, by the command line's own client; of one device if it is named."""
    every = [each for each in mdhost("sessions") if each["state"] == "active"]
    if device is None:
        return every
    (path,) = ["/org/mdhost/devices/" + each["id"].replace("-", "_").lower()
               for each in mdhost("discover", "--known") if each["name"] == device]
    return [each for each in every if path in each["devices"]]


class Demo:
    """A simulated device: `mdhost demo`, with what it says of itself."""

    def __init__(self, name, *options, program=(BIN / "mdhost", "demo", "--json")):
        self.name = name
        self.events = []
        self.process = subprocess.Popen(
            [*map(str, program), "--name", name, *options], stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True)
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        for line in self.process.stdout:
            with contextlib.suppress(ValueError):
                self.events.append(json.loads(line))

    def __enter__(self):
        ready = self.tells("ready")
        self.id, self.sample = ready["id"], ready["sample"]
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.reader.join(5)

    def tells(self, event, fits=lambda each: True, since=0):
        """Waits for an event, also one from before; `since` leaves out the first ones."""
        try:
            return eventually(
                f"{self.name} tells “{event}”",
                lambda: next((each for each in self.events[since:] if each["event"] == event and fits(each)), None))
        except Failed as error:
            raise Failed(f"{error}; it told: {self.events}") from None

    @property
    def count(self):
        return len(self.events)


class DemoWithKeys:
    """A simulated device in a terminal, with a person in front of it."""

    def __init__(self, name, *options):
        self.screen = ""
        self.terminal, other = pty.openpty()
        self.process = subprocess.Popen(
            [str(BIN / "mdhost"), "demo", "--name", name, *options], stdin=other, stdout=other, stderr=other,
            start_new_session=True, env={**os.environ, "TERM": "xterm"},
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        os.close(other)
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        with contextlib.suppress(OSError):
            while part := os.read(self.terminal, 4096):
                self.screen += part.decode(errors="replace")

    def __enter__(self):
        self.sees("mdhost discover")
        return self

    def __exit__(self, *_):
        self.press("q")
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def sees(self, text):
        eventually(f"its screen shows “{text}”", lambda: text in self.screen)

    def press(self, key):
        os.write(self.terminal, key.encode())


class App:
    """A media app that takes routes: the program RoutedPlayer, with its Info.plist."""

    def __init__(self, folder, name):
        information = pathlib.Path(folder, "Info.plist")
        information.write_bytes(plistlib.dumps({
            "CFBundleIdentifier": "org.example." + name.lower().replace(" ", "-"), "CFBundleDisplayName": name,
            "MDESupportsUniversalURLPlayback": True}))
        self.lines = []
        self.process = subprocess.Popen(
            [str(BIN / "RoutedPlayer"), f"{MEDIA}/tone.mp3"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, env={**os.environ, "MDHOST_INFO_PLIST": str(information)})
        threading.Thread(target=lambda: self.lines.extend(self.process.stdout), daemon=True).start()
        self.sees("waiting")

    def type(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def sees(self, text):
        eventually(f"the app prints “{text}”", lambda: any(text in line for line in self.lines))

    def stop(self):
        self.process.kill()
        self.process.wait()


def call(method, signature, *arguments):
    """Calls a method of the daemon on its own socket; returns what busctl prints."""
    socket = os.environ["XDG_RUNTIME_DIR"] + "/mdhost/socket"
    return run("busctl", f"--address=unix:path={socket}", "call", "org.mdhost", "/org/mdhost", "org.mdhost.Manager1",
               method, signature, *arguments)


class Page:
    """The page's server. With MDHOST_PAGE_FILES, for work on the page, it is unconfined and serves that folder."""

    def __init__(self):
        self.process = None
        if folder := os.environ.get("MDHOST_PAGE_FILES"):
            self.process = subprocess.Popen(
                [str(BIN / "mdhost-page"), "--unconfined", "--files", folder], stdout=subprocess.PIPE, text=True)
            ready, _, _ = select.select([self.process.stdout], [], [], 15)
            if not ready:
                self.process.kill()
                raise Failed("no link from mdhost-page")
            self.link = self.process.stdout.readline().strip()
        else:
            self.link = self.fresh_link()
        self.origin = re.match(r"(http://[^/]+)/", self.link)[1]
        self.port = int(self.origin.rsplit(":", 1)[1])

    @staticmethod
    def fresh_link():
        """A link that lets one browser in, once."""
        return run(BIN / "mdhost", "page", "--print").strip()

    def stop(self):
        if self.process:
            self.process.terminate()
            self.process.wait(10)
        else:
            mdhost("page", "stop")


def cable(host, state):
    """Unplugs and plugs in a host of the lab."""
    run(LAB, "switch", "ip", "link", "set", f"v{host}", state)


def opened_link():
    """The link in the file that the person's browser was to open; see BROWSER."""
    file = eventually("a browser was opened", lambda: OPENED.is_file() and OPENED.read_text().strip())
    OPENED.unlink()
    return file if file.startswith("file:") else f"file://{file}"


def kill_daemon():
    pid = mdhost("status")["daemon"]["processID"]
    os.kill(pid, signal.SIGKILL)
    return pid
