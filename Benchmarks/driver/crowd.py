"""Thousands of devices that come, change and go while something plays: what it costs, and what others notice of it."""

import contextlib
import statistics
import tempfile
import threading
import time
import wave

import processes
from messages import spread
from report import Row, Series, number, verdict
from resources import MEGABYTE, wait_until_quiet
from setting import DEVICE, ROOT, Missing, milliseconds, wait_for_device

SESSION = "org.mdhost.Session1"
COMMANDS = [("Pause", "", ()), ("SetVolume", "d", (0.4,)), ("Resume", "", ()), ("SetVolume", "d", (0.5,))]


def crowd(setting):
    """A session plays on a real receiver; 10,000 devices appear, and then a part of them turns over and over."""
    size, turning, cycles = setting.crowd, setting.turning, setting.cycles
    with setting.daemon(with_extension=True) as daemon, daemon.client() as client:
        entrance = wait_for_device(client, "Benchmark")
        client.call(entrance, DEVICE, "Activate", "a{sv}", {})
        with playback(daemon, client) as controller:
            rows = [latency_row("nothing else happens", controller.commands(400, 0.01))]
            crowd = Crowd(client, entrance, daemon)
            rows += arrival_rows(crowd, size)
            rows.append(latency_row(f"{size:,} devices listed, nothing changes", controller.commands(400, 0.01)))
            rows += reading_rows(setting, daemon, size)
            rows += churn_rows(crowd, controller, turning, cycles)
            rows += slow_client_rows(daemon, crowd, controller, turning)
            crowd.do("lose", size)
            rows.append(Row("what plays, after all of it", controller.state(), budget="active",
                            verdict=verdict(controller.state() == "active")))
    return rows


class Crowd:
    """The devices of the benchmark's extension, and what its process and the daemon's take."""

    def __init__(self, client, entrance, daemon):
        self.client, self.entrance, self.daemon = client, entrance, daemon
        self.extension = daemon.extension()
        self.signals = {}

    @property
    def pids(self):
        return {"daemon": self.daemon.pid, "extension": self.extension}

    def do(self, what, count):
        """Returns when everything the command changes was signalled: the answer comes behind it."""
        begun = time.monotonic()
        self.client.post(self.entrance, DEVICE, "SendData", "ay", b"%s %d" % (what.encode(), count))
        while True:
            message = self.client.next_signal(120)
            if message is None:
                raise Missing(f"{what} {count} was not carried out")
            self.signals[message.member] = self.signals.get(message.member, 0) + 1
            if message.member == "DataReceived":
                return message.at - begun

    def memory(self):
        return {name: processes.memory(pid) for name, pid in self.pids.items()}

    def processor(self):
        return {name: processes.whole_seconds(pid) for name, pid in self.pids.items()}


class Controller:
    """A client of its own that controls what plays, and nothing else."""

    def __init__(self, connection, session):
        self.connection, self.session = connection, session

    def commands(self, count, pause):
        """Microseconds from sending each to its answer."""
        return Series([self.command(index, pause) for index in range(count)], "us")

    def command(self, index, pause):
        """What else comes on the connection is read over, not parsed."""
        time.sleep(pause)
        name, signature, arguments = COMMANDS[index % len(COMMANDS)]
        return self.connection.round_trip(self.session, SESSION, name, signature, *arguments) * 1e6

    def state(self):
        try:
            return self.connection.call(
                self.session, "org.freedesktop.DBus.Properties", "Get", "ss", SESSION, "State")[0]
        except Exception as error:
            return f"gone: {error}"


@contextlib.contextmanager
def playback(daemon, client):
    """Half an hour of silence, served by the daemon itself to an MPD of the lab."""
    receiver = wait_for_device(client, "Open Room")
    with tempfile.TemporaryDirectory() as folder, daemon.client(looking=False) as connection:
        path = f"{folder}/silence.wav"
        with wave.open(path, "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(1)
            file.setframerate(8000)
            file.writeframes(b"\x80" * 8000 * 1800)
        (session,) = connection.call(receiver, DEVICE, "Play", "sa{sv}", f"file://{path}", {}, timeout=60)
        controller = Controller(connection, session)
        try:
            yield controller
        finally:
            connection.call(session, SESSION, "Stop")


def latency_row(when, series):
    return Row(f"control command and its answer, {when}", spread(series))


def arrival_rows(crowd, size):
    before, used = crowd.memory(), crowd.processor()
    seconds = crowd.do("report", size)
    after_use = crowd.processor()
    wait_until_quiet(crowd.pids.values())
    after = crowd.memory()
    rows = [Row(f"{size:,} devices appear: until the last is signalled", f"{seconds * 1000:,.0f} ms",
                ratio=f"{seconds / size * 1e6:.0f} us a device")]
    for name in crowd.pids:
        resident = (after[name].resident - before[name].resident) / size / 1024
        own = (after[name].anonymous - before[name].anonymous) / size / 1024
        is_daemon = name == "daemon"
        rows.append(Row(
            f"{size:,} devices: memory a device, {name}", f"{number(own)} KB its own, {number(resident)} KB resident",
            budget="<= 2 KB" if is_daemon else "-", verdict=verdict(own <= 2) if is_daemon else "-"))
        rows.append(Row(
            f"{size:,} devices appear: processor, {name}",
            f"{(after_use[name] - used[name]) / size * 1e6:.0f} us a device"))
    return rows


def reading_rows(setting, daemon, size):
    listed = Series([
        milliseconds([setting.mdhost, "discover", "--json"], daemon.environment) for _ in range(max(3, setting.rounds))])
    started = Series([milliseconds([setting.mdhost, "--version"]) for _ in range(3)])
    with daemon.client(looking=False) as connection:
        times = []
        for _ in range(max(3, setting.rounds)):
            begun = time.monotonic()
            connection.call(ROOT, "org.freedesktop.DBus.ObjectManager", "GetManagedObjects", parsed=False)
            times.append((time.monotonic() - begun) * 1000)
    return [
        Row(f"`mdhost discover` with {size:,} devices", str(listed), f"{started} (`mdhost --version`)",
            f"{(listed.median - started.median) / size * 1000:.0f} us a device"),
        Row(f"`GetManagedObjects` with {size:,} devices", str(Series(times)),
            ratio=f"{Series(times).median / size * 1000:.0f} us a device"),
    ]


def churn_rows(crowd, controller, turning, cycles):
    """Each cycle: so many leave, come back and change their names, while commands are given."""
    latencies, is_over = [], threading.Event()

    def give_commands():
        index = 0
        while not is_over.is_set():
            latencies.append(controller.command(index, 0.005))
            index += 1

    # Once before: what is made on first use is no growth.
    crowd.do("turn", turning)
    used, crowd.signals, begun = crowd.processor(), {}, time.monotonic()
    sizes, thread = [], threading.Thread(target=give_commands)
    thread.start()
    try:
        for _ in range(cycles):
            crowd.do("turn", turning)
            sizes.append(crowd.memory())
    finally:
        is_over.set()
        thread.join()
    seconds, after = time.monotonic() - begun, crowd.processor()
    changes = 3 * turning * cycles
    rows = [
        latency_row(f"while {changes / seconds:,.0f} devices a second change", Series(latencies, "us")),
        Row("that many changes, and signals for them", f"{changes:,}",
            f"{sum(crowd.signals.values()) - cycles:,} signals",
            f"{(sum(crowd.signals.values()) - cycles) / changes:.2f} a change"),
    ]
    for name in crowd.pids:
        rows.append(Row(f"processor, {name}", f"{(after[name] - used[name]) / changes * 1e6:.0f} us a change",
                        ratio=f"{(after[name] - used[name]) / seconds * 100:.0f} % of one"))
        own = [memory[name].anonymous / MEGABYTE for memory in sizes]
        tenth = max(1, len(own) // 10)
        first, last = statistics.median(own[:tenth]), statistics.median(own[-tenth:])
        rows.append(Row(
            f"{cycles} cycles: {name}'s own memory, first and last tenth", f"{first:.1f} MB, {last:.1f} MB",
            ratio=f"{(last - first) * 1024 / cycles:+.1f} KB a cycle", budget="no growth",
            verdict=verdict(last - first <= max(0.5, first * 0.02))))
    return rows


def slow_client_rows(daemon, crowd, controller, turning):
    """Somebody connects, asks once, and never reads again."""
    with daemon.client(looking=False) as slow:
        slow.call(ROOT, "org.freedesktop.DBus.Peer", "Ping")
        before = processes.memory(daemon.pid).anonymous
        peak, cycles = 0, 0
        latencies = []
        while not slow.is_cut_off() and cycles < 60:
            crowd.do("turn", turning)
            latencies.append(controller.command(cycles, 0))
            peak = max(peak, processes.memory(daemon.pid).anonymous)
            cycles += 1
        is_cut = slow.is_cut_off()
    for _ in range(3):
        crowd.do("turn", turning)
    after = processes.memory(daemon.pid).anonymous
    return [
        Row("a client that does not read",
            f"cut off after {cycles * 3 * turning:,} changes" if is_cut else f"not cut off by {cycles} cycles",
            f"daemon {(peak - before) / MEGABYTE:+.1f} MB then, {(after - before) / MEGABYTE:+.1f} MB later",
            verdict=verdict(is_cut)),
        latency_row("meanwhile, between the changes", Series(latencies, "us")),
    ]
