"""A thousand devices announced on the network through Avahi, and what its limits hide of more."""

import contextlib
import os
import select
import subprocess
import time

import processes
from report import Row, Series, verdict
from setting import DEVICE, MANAGER, ROOT, Missing, milliseconds, wait_for_device

HERE = os.path.dirname(os.path.abspath(__file__))
TYPE = "_mdhost-bench._tcp"
# Hosts of the lab, how many services each announces, and from which port on.
FIRST = [("a", 334, 20_000), ("b", 333, 20_000), ("c", 333, 20_000)]
MORE = ("c", 500, 30_000)


def announcements(setting):
    """1,000 services of three hosts; then 500 more, which is more than Avahi's cache takes."""
    wanted = sum(count for _, count, _ in FIRST)
    with contextlib.ExitStack() as stack:
        daemon = stack.enter_context(setting.daemon(with_extension=True))
        client = stack.enter_context(daemon.client())
        # Its extension runs then.
        wait_for_device(client, "Benchmark")
        extension = daemon.extension()
        pids = {"daemon": daemon.pid, "extension": extension}
        listed = Listed(client)
        before = {name: (processes.memory(pid), processes.whole_seconds(pid)) for name, pid in pids.items()}
        begun = time.monotonic()
        hosts = [stack.enter_context(Announcer(setting, *which)) for which in FIRST]
        for host in hosts:
            host.wait()
        published = time.monotonic()
        at = listed.wait(wanted, 120)
        rows = [
            Row(f"{wanted:,} services of three hosts: Avahi has published all", f"{published - begun:.1f} s"),
            Row("the last one listed, after that", f"{(at - published) * 1000:+,.0f} ms",
                f"{seen_by_avahi_browse(setting):,} seen by `avahi-browse`", verdict=verdict(listed.count == wanted)),
        ]
        for name, pid in pids.items():
            memory, seconds = before[name]
            now = processes.memory(pid)
            rows.append(Row(
                f"{wanted:,} announced: {name}", f"{(now.anonymous - memory.anonymous) / wanted / 1024:.2f} KB its own",
                ratio=f"{(processes.whole_seconds(pid) - seconds) / wanted * 1000:.2f} ms of a processor a device"))
        rows.append(rest_row(pids, wanted))
        scans = [milliseconds([setting.mdhost, "discover", "--json"], daemon.environment) for _ in range(setting.rounds)]
        rows.append(Row(f"`mdhost discover` with {wanted:,} announced", str(Series(scans))))

        more = stack.enter_context(Announcer(setting, *MORE))
        more.wait()
        total = wanted + MORE[1]
        listed.until_quiet()
        seen = seen_by_avahi_browse(setting)
        problems = [text for code, text in client.call(
            ROOT, "org.freedesktop.DBus.Properties", "Get", "ss", MANAGER, "Problems")[0] if code == "discovery-limited"]
        rows.append(Row(
            f"{total:,} announced: listed, and what is said of the rest",
            f"{listed.count:,} listed; " + (" ".join(problems) or "nothing is said"),
            f"{seen:,} seen by `avahi-browse`", budget="said", verdict=verdict(bool(problems) or listed.count == total)))
        rows.append(doctor_row(setting, daemon))

        begun = time.monotonic()
        for host in hosts + [more]:
            host.end()
        at = listed.wait(0, 60)
        rows.append(Row("all of them leave: until the last is off the list", f"{at - begun:.1f} s"))
    return rows


class Announcer:
    def __init__(self, setting, host, count, port):
        self.count = count
        self.process = subprocess.Popen(
            [setting.lab, "in", host, "python3", "-B", f"{HERE}/announcer.py", f"{host}{port}", str(count), str(port)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def wait(self, seconds=180):
        """Until Avahi has published all; it names what it refused first."""
        deadline = time.monotonic() + seconds
        while select.select([self.process.stdout], [], [], max(0, deadline - time.monotonic()))[0]:
            line = self.process.stdout.readline()
            if line.startswith("published"):
                if line.split()[1] != str(self.count):
                    raise Missing(line.strip())
                return
            if not line:
                break
        raise Missing("Avahi did not publish everything")

    def end(self):
        if not self.process.stdin.closed:
            self.process.stdin.close()
        self.process.wait(20)


class Listed:
    """How many of the announced devices are in the daemon's list."""

    def __init__(self, client):
        self.client = client
        self.paths = set()

    @property
    def count(self):
        return len(self.paths)

    def read(self, message):
        if message.member == "InterfacesAdded":
            path, interfaces = message.body()
            if interfaces.get(DEVICE, {}).get("Extension") == "org.mdhost.benchmark" and not self.is_entrance(interfaces):
                self.paths.add(path)
        elif message.member == "InterfacesRemoved":
            self.paths.discard(message.body()[0])

    @staticmethod
    def is_entrance(interfaces):
        """The extension's own device, which nobody announces."""
        return interfaces[DEVICE]["Name"] == "Benchmark"

    def wait(self, count, seconds):
        """When so many were listed for the first time."""
        deadline = time.monotonic() + seconds
        at = time.monotonic()
        while self.count != count and time.monotonic() < deadline:
            message = self.client.next_signal(1)
            if message is not None:
                self.read(message)
                at = message.at
        return at

    def until_quiet(self, seconds=4, limit=120):
        deadline = time.monotonic() + limit
        while time.monotonic() < deadline and (message := self.client.next_signal(seconds)) is not None:
            self.read(message)


def seen_by_avahi_browse(setting):
    lines = subprocess.run(
        [setting.peer("avahi-browse"), "-pt", TYPE], stdout=subprocess.PIPE, text=True, timeout=60).stdout.splitlines()
    return len({line.split(";")[3] for line in lines if line.startswith("+")})


def rest_row(pids, wanted):
    """Each is tried every 8 s while somebody looks."""
    time.sleep(3)
    before, begun = {name: processes.whole_seconds(pid) for name, pid in pids.items()}, time.monotonic()
    time.sleep(16)
    seconds = time.monotonic() - begun
    used = {name: (processes.whole_seconds(pid) - before[name]) / seconds * 100 for name, pid in pids.items()}
    return Row(f"{wanted:,} listed, somebody looks: processor",
               "; ".join(f"{name} {share:.1f} %" for name, share in used.items()))


def doctor_row(setting, daemon):
    result = subprocess.run([setting.mdhost, "doctor"], env=daemon.environment, stdout=subprocess.PIPE, text=True)
    lines = [line.strip() for line in result.stdout.splitlines() if "no room for more services" in line]
    return Row("`mdhost doctor` then", lines[0] if lines else "says nothing of it", budget="said",
               verdict=verdict(bool(lines)))
