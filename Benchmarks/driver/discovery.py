"""How fast devices are found, against Avahi's own browser and the scans of other programs."""

import os
import select
import subprocess
import time

from report import Row, Series, at_least, at_most, verdict
from setting import Lines, Missing, end, milliseconds, milliseconds_to_first_line


def first_device(setting):
    """A daemon that knows the LAN: until the first device is printed."""
    browse = setting.peer("avahi-browse")
    ours, theirs, start = [], [], []
    with setting.daemon() as daemon:
        milliseconds([setting.mdhost, "discover"], daemon.environment)
        for _ in range(setting.rounds * 4):
            command = [setting.mdhost, "discover", "--watch", "--json"]
            ours.append(milliseconds_to_first_line(command, lambda line: line.startswith("{"), daemon.environment))
            command = [browse, "-rpt", "_mpd._tcp"]
            theirs.append(milliseconds_to_first_line(command, lambda line: line.startswith("=")))
            start.append(milliseconds([setting.mdhost, "--version"]))
    return [
        at_most("warm `mdhost discover`, first device", Series(ours), Series(theirs), 1.5, "`avahi-browse -rpt`"),
        Row("of that, starting the program (`mdhost --version`)", str(Series(start))),
    ]


def announced(setting):
    """A service appears in host c: its device at a client of the daemon, its lines at `avahi-browse`."""
    browse = setting.peer("avahi-browse")
    behind_seen, behind_resolved, seen_after = [], [], []
    with setting.daemon() as daemon, daemon.client() as client:
        browser = Lines([browse, "-rp", "_mpd._tcp"])
        try:
            settle(client, browser)
            for number in range(setting.rounds):
                name = f"Announced {os.getpid()} {number}"
                # A port of its own: another name of a known address and port is the same device.
                begun, at = announce(setting, name, 6700 + number, client, browser)
                seen_after.append((at["seen"] - begun) * 1000)
                behind_seen.append((at["device"] - at["seen"]) * 1000)
                behind_resolved.append((at["device"] - at["resolved"]) * 1000)
        finally:
            browser.close()
    seen, resolved = Series(behind_seen), Series(behind_resolved)
    return [
        Row("service announced -> device signal, after `avahi-browse -r` has its address", f"{resolved}",
            "0 (`avahi-browse -r`, same run)", f"{resolved.median:+.1f} ms", "<= +10 ms",
            verdict(resolved.median <= 10)),
        Row("the same, after `avahi-browse` has its name", f"{seen}",
            f"{Series(seen_after)} after the announcement", f"{seen.median:+.1f} ms", "<= +10 ms",
            verdict(seen.median <= 10)),
    ]


def settle(client, browser):
    """Reads what is known already, until nothing came for a second."""
    while select.select([client, browser], [], [], 1)[0]:
        if select.select([browser], [], [], 0)[0] and browser.read() is None:
            raise Missing("avahi-browse ended")
        while client.next_signal(0) is not None:
            pass


def announce(setting, name, port, client, browser):
    """When the service was asked for, and when each side had it."""
    begun = time.monotonic()
    service = subprocess.Popen(
        [setting.lab, "in", "c", "avahi-publish", "-s", name, "_mpd._tcp", str(port)],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    escaped = name.replace(" ", "\\032")
    at = {}
    try:
        while len(at) < 3:
            ready = select.select([client, browser], [], [], max(0, begun + 10 - time.monotonic()))[0]
            now = time.monotonic()
            if not ready:
                raise Missing(f"only {sorted(at)} came within 10 s")
            if client in ready:
                while (message := client.next_signal(0)) is not None:
                    if message.member == "InterfacesAdded" and name.encode() in message.data:
                        at.setdefault("device", now)
            if browser in ready:
                for line in browser.read() or []:
                    if escaped in line:
                        at.setdefault("seen" if line.startswith("+") else "resolved", now)
        return begun, at
    finally:
        end(service)


def full_scan(setting):
    """Everything on the LAN, by the commands people use: from nothing, and once more right after."""
    cold, warm = [], []
    for _ in range(setting.rounds):
        with setting.home() as environment:
            command = [setting.mdhost, "discover", "--json"]
            try:
                cold.append(milliseconds(command, environment))
                warm.append(milliseconds(command, environment))
            finally:
                milliseconds([setting.mdhost, "daemon", "--quit"], environment)
    rows = []
    for command, budget in ((["atvremote", "scan"], 10), (["catt", "scan"], 10)):
        name = f"`{' '.join(command)}`"
        try:
            peer = [setting.peer(command[0])] + command[1:]
            times = Series([scan(peer) for _ in range(max(2, setting.rounds // 2))])
            rows.append(at_least("full scan, list is settled", Series(warm), times, budget, name))
            rows.append(at_least("full scan, daemon and cache cold", Series(cold), times, budget, name))
        except Missing as reason:
            rows.append(Row("full scan", str(Series(warm)), f"{name}: {reason}"))
    return rows


def scan(command):
    """A peer that finds none of its own devices says so by its exit code: only the time counts."""
    begun = time.monotonic()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, timeout=60)
    return (time.monotonic() - begun) * 1000
