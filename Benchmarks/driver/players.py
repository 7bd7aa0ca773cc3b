"""What an app publishes: how soon another process knows, and what a storm of changes costs."""

import contextlib
import os
import shutil
import subprocess
import tempfile
import time

import processes
from report import Row, Series
from setting import Missing, end
from wire import BusConnection

PATH = "/org/mpris/MediaPlayer2"
PROPERTIES = "org.freedesktop.DBus.Properties"
STEPS = 400
STORM_SECONDS = 10
PER_SECOND = 1000


@contextlib.contextmanager
def session_bus():
    """A bus of its own: the path of its socket."""
    folder = tempfile.mkdtemp(prefix="mdhost-bus-")
    path = f"{folder}/bus"
    process = subprocess.Popen(
        ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--nosyslog", f"--address=unix:path={path}"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 10
        while not os.path.exists(path):
            if time.monotonic() > deadline:
                raise Missing("dbus-daemon does not listen")
            time.sleep(0.01)
        yield path
    finally:
        end(process)
        shutil.rmtree(folder, ignore_errors=True)


class Player:
    """The app, told by lines."""

    def __init__(self, program, environment):
        self.process = subprocess.Popen(
            [program], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def tell(self, line):
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def line(self):
        return self.process.stdout.readline().decode().split()


def titles(listener, timeout):
    """The title in the next signal of a player, and when it came; None where none came."""
    deadline = time.monotonic() + timeout
    while (message := listener.next_signal(max(0, deadline - time.monotonic()))) is not None:
        if message.member != "PropertiesChanged" or message.path != PATH:
            continue
        _, changed, _ = message.body()
        title = changed.get("Metadata", {}).get("xesam:title")
        if title:
            return title, message.at
    return None


def follow(listener):
    listener.bus_call("AddMatch", "s", f"type='signal',path='{PATH}'")


def now_playing(setting):
    with session_bus() as bus:
        previous = os.environ.get("DBUS_SESSION_BUS_ADDRESS")
        os.environ["DBUS_SESSION_BUS_ADDRESS"] = f"unix:path={bus}"
        try:
            with setting.daemon() as daemon:
                return measure(setting, bus, daemon)
        finally:
            if previous is None:
                del os.environ["DBUS_SESSION_BUS_ADDRESS"]
            else:
                os.environ["DBUS_SESSION_BUS_ADDRESS"] = previous


def measure(setting, bus, daemon):
    listener = BusConnection(bus)
    follow(listener)
    player = Player(setting.player, daemon.environment)
    try:
        deadline = time.monotonic() + 10
        while not any("mdhost" in name for name in listener.bus_call("ListNames")[0]
                      if name.startswith("org.mpris.MediaPlayer2.")):
            if time.monotonic() > deadline:
                raise Missing("the player does not appear")
            time.sleep(0.02)
        return [latency_row(listener, player, bus), *storm_rows(listener, player, daemon)]
    finally:
        player.process.stdin.close()
        end(player.process)
        listener.close()


def latency_row(listener, player, bus):
    times = []
    for number in range(1, STEPS + 1):
        player.tell(f"step {number}")
        _, _, begun = player.line()
        while (found := titles(listener, 5)) is not None and found[0] != f"Step {number}":
            pass
        if found is None:
            raise Missing(f"step {number} never arrived")
        times.append((found[1] - float(begun)) * 1000)
        # Longer than a frame: what is measured is one change, not what is gathered.
        time.sleep(0.03)
    ours, floor = Series(times[20:]), bare_signals(listener, bus)
    return Row("model changes -> signal in another process", spread(ours), f"{spread(floor)} (a bare signal, same bus)",
               f"{ours.median / floor.median:.1f} x", "<= 16.7 ms (a frame), p99",
               "kept" if ours.percentile(0.99) <= 16.7 else "MISSED")


def bare_signals(listener, bus):
    sender = BusConnection(bus)
    times = []
    for number in range(STEPS):
        begun = time.monotonic()
        metadata = {"Metadata": ("a{sv}", {"xesam:title": ("s", f"Bare {number}")})}
        sender.emit(PATH, PROPERTIES, "PropertiesChanged", "sa{sv}as", "org.mpris.MediaPlayer2.Player", metadata, [])
        found = titles(listener, 5)
        if found is None:
            raise Missing("a bare signal did not arrive")
        times.append((found[1] - begun) * 1000)
        time.sleep(0.01)
    sender.close()
    return Series(times[20:])


def storm_rows(listener, player, daemon):
    pids = {"app": player.process.pid, "daemon": daemon.pid}
    before = {name: processes.processor_seconds(pid) for name, pid in pids.items()}
    begun = time.monotonic()
    count = STORM_SECONDS * PER_SECOND
    player.tell(f"storm {count} {PER_SECOND}")
    signals, last = 0, None
    while last != f"Storm {count}":
        found = titles(listener, 10)
        if found is None:
            raise Missing(f"the storm ended at {last}")
        signals, last = signals + 1, found[0]
    took = time.monotonic() - begun
    used = {name: processes.processor_seconds(pid) - before[name] for name, pid in pids.items()}
    shares = ", ".join(f"{name} {seconds / took * 100:.1f} %" for name, seconds in used.items())
    rate = signals / took
    return [
        Row(f"{PER_SECOND:,} changes a second: signals", f"{rate:.0f} a second; the last is the last",
            f"{PER_SECOND:,} changes", f"1 in {count / signals:.0f}", "<= 60 a second",
            "kept" if rate <= 61 else "MISSED"),
        Row(f"{PER_SECOND:,} changes a second: processor", shares),
    ]


def spread(series):
    return f"p50 {series.median:.2f}, p99 {series.percentile(0.99):.2f} ms"
