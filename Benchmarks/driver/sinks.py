"""Sinks of the sound server: how soon a device plays, how late it is, and whether the samples stay what they are."""

import array
import contextlib
import os
import shutil
import subprocess
import tempfile
import threading
import time
import wave

from report import Row, Series, at_most, number
from setting import Missing, end

RATE = 44_100
SECOND = 4 * RATE
BEFORE, GAP, AFTER = 5, 0.5, 8
"""Seconds of noise, of silence, and of noise again."""
PEER_TRIES = 4
SPEAKER, SPEAKER_PORT = "10.77.0.1", 5000


def sinks(setting):
    folder = tempfile.mkdtemp(prefix="mdhost-sinks-", dir="/var/tmp")
    try:
        path = f"{folder}/noise.wav"
        noise = write_noise(path)
        rows = []
        for name, file, peer_name, peer in [
            ("AirPlay (shairport-sync)", lab_file("a/shairport/samples.out"), "module-raop-sink", raop_sink),
            ("DLNA (gmediarender)", lab_file("a/living-room.pcm"), "pa-dlna", pa_dlna),
        ]:
            device = "Shair Room" if peer is raop_sink else "Living Room"
            ours = [heard(setting, folder, path, noise, file, our_sink(device)) for _ in range(setting.rounds)]
            try:
                others = [peer_heard(setting, folder, path, noise, file, peer) for _ in range(setting.rounds)]
            except Missing as reason:
                others = reason
            rows += rows_of(name, ours, peer_name, others)
        return rows
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def peer_heard(setting, *words):
    """raop-sink aborts now and then when the speaker answers (an assertion in raop-sink.c), and pa-dlna sometimes doesn't
    notice that a program plays."""
    for _ in range(PEER_TRIES):
        try:
            return heard(setting, *words)
        except Missing as reason:
            last = reason
    raise last


def rows_of(name, ours, peer_name, others):
    def series(heard, value):
        return Series([value(each) * 1000 for each in heard])

    rows = []
    for what, value in [("start", lambda each: each.start), ("delay", lambda each: each.delay)]:
        label = f"sink, {name}: {what}"
        if isinstance(others, Missing):
            rows.append(Row(label, str(series(ours, value)), f"{others} ({peer_name})"))
        else:
            rows.append(at_most(label, series(ours, value), series(others, value), 1, peer_name))
    words = [kept(ours), "-" if isinstance(others, Missing) else f"{kept(others)} ({peer_name})"]
    return rows + [Row(f"sink, {name}: samples", *words)]


def kept(heard):
    missing = max(each.missing for each in heard)
    same = "the same" if all(each.is_same for each in heard) else "changed"
    return f"{same}, {number(missing * 1000)} ms missing at the start"


class Heard:
    """What one playback was at the device."""

    def __init__(self, start, delay, missing, is_same):
        self.start, self.delay, self.missing, self.is_same = start, delay, missing, is_same


def write_noise(path):
    """Nothing quiet in it, so that the silence in the middle can be found after any change of the samples.

    Returns the samples."""
    def loud(seconds):
        samples = array.array("h", os.urandom(int(seconds * SECOND)))
        return array.array("h", [sample // 4 + (6_000 if sample >= 0 else -6_000) for sample in samples]).tobytes()

    samples = loud(BEFORE) + bytes(int(GAP * RATE) * 4) + loud(AFTER)
    with wave.open(path, "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(samples)
    return samples


class Recording:
    """Samples with the time at which each piece came."""

    def __init__(self):
        self.data = bytearray()
        self.pieces = []

    def add(self, piece):
        self.data += piece
        self.pieces.append((time.monotonic(), len(self.data)))

    def moment(self, offset):
        """When the byte came: the median over the pieces around it, as they come in lumps."""
        moments, before = [], 0
        for at, size in self.pieces:
            if abs(before - offset) < SECOND:
                moments.append(at - (before - offset) / SECOND)
            before = size
        if not moments:
            raise Missing("the samples came without their times")
        return sorted(moments)[len(moments) // 2]

    def first_sound(self):
        return self.edge(0, lambda level: level > 2_000)

    def end_of_gap(self):
        """The offset of the first sound after the silence."""
        quiet = self.edge(self.first_sound() + SECOND, lambda level: level < 500, lasting=int(GAP * 60))
        return self.edge(quiet, lambda level: level > 2_000)

    def edge(self, begin, fits, lasting=1):
        """The offset of the first of `lasting` hundredths of a second of which each fits, to the sample where it is loud."""
        step = SECOND // 100
        run = 0
        for offset in range(begin - begin % step, len(self.data) - step, step):
            samples = array.array("h", bytes(self.data[offset:offset + step]))
            level = max(abs(sample) for sample in samples[::7])
            run = run + 1 if fits(level) else 0
            if run == lasting:
                if lasting > 1:
                    return offset - (lasting - 1) * step
                loud = next(index for index, sample in enumerate(samples) if abs(sample) > 2_000)
                return offset + loud // 2 * 4
        raise Missing("the noise did not come")


@contextlib.contextmanager
def following(take):
    """Calls `take` again and again in a thread of its own."""
    ending = threading.Event()

    def run():
        while not ending.is_set():
            if not take():
                ending.wait(0.004)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ending.set()
        thread.join(5)


@contextlib.contextmanager
def growth(path):
    """What is added to a file, which may begin anew."""
    recording, place = Recording(), [os.path.getsize(path) if os.path.exists(path) else 0]

    def take():
        try:
            with open(path, "rb") as file:
                if os.fstat(file.fileno()).st_size < place[0]:
                    place[0] = 0
                file.seek(place[0])
                piece = file.read()
        except OSError:
            return False
        place[0] += len(piece)
        if piece:
            recording.add(piece)
        return bool(piece)

    with following(take):
        yield recording


@contextlib.contextmanager
def monitor(setting, environment, sink):
    """What the sound server plays to the sink."""
    process = subprocess.Popen(
        [setting.peer("parec"), "-d", f"{sink}.monitor", "--raw", "--format=s16le", f"--rate={RATE}", "--channels=2",
         "--latency-msec=10"], env=environment, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    recording = Recording()

    def take():
        piece = os.read(process.stdout.fileno(), 65_536)
        if piece:
            recording.add(piece)
        return bool(piece)

    with following(take):
        try:
            yield recording
        finally:
            end(process)


def heard(setting, folder, path, noise, file, sink_of):
    """Plays the noise to a sink of a sound server of its own."""
    with server(setting, folder) as environment, sink_of(setting, environment) as sink:
        with growth(file) as played, monitor(setting, environment, sink) as shown:
            begin = time.monotonic()
            player = subprocess.run(
                [setting.peer("paplay"), "--latency-msec=100", f"--device={sink}", path], env=environment,
                capture_output=True, text=True, timeout=90)
            if player.returncode != 0:
                raise Missing(f"paplay failed: {' '.join(player.stderr.split())[-200:]}")
            wait(lambda: played.end_of_gap() + 2 * SECOND < len(played.data), "the noise at the device", 30)
            first, gap = played.first_sound(), played.end_of_gap()
            delay = played.moment(gap) - shown.moment(shown.end_of_gap())
            # Of a device that plays it all, there is as much before the silence as in the file.
            missing = max(0, (BEFORE + GAP) - (gap - first) / SECOND)
            piece = noise[int((BEFORE + GAP) * SECOND):][:SECOND]
            return Heard(played.moment(first) - begin, delay, missing, bytes(played.data).find(piece) >= 0)


def wait(condition, what, seconds):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        with contextlib.suppress(Missing):
            if condition():
                return
        time.sleep(0.1)
    raise Missing(f"not within {seconds} s: {what}")


@contextlib.contextmanager
def server(setting, folder):
    """PulseAudio with no output of its own: the environment of its programs."""
    home = tempfile.mkdtemp(dir=folder)
    os.chmod(home, 0o700)
    environment = dict(
        os.environ, XDG_RUNTIME_DIR=home, HOME=home, XDG_STATE_HOME=f"{home}/state", XDG_DATA_HOME=f"{home}/data",
        XDG_CONFIG_HOME=f"{home}/config", PULSE_RUNTIME_PATH=f"{home}/pulse", PULSE_SERVER=f"unix:{home}/pulse/native")
    os.makedirs(f"{home}/pulse", mode=0o700)
    process = subprocess.Popen(
        [setting.peer("pulseaudio"), "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no",
         f"--load=module-native-protocol-unix socket={home}/pulse/native auth-anonymous=1", "--load=module-always-sink"],
        env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait(lambda: os.path.exists(f"{home}/pulse/native"), "PulseAudio", 15)
        yield environment
    finally:
        end(process)
        shutil.rmtree(home, ignore_errors=True)


def names(setting, environment):
    lines = subprocess.run(
        [setting.peer("pactl"), "list", "short", "sinks"], env=environment, capture_output=True, text=True).stdout
    return [line.split("\t")[1] for line in lines.splitlines() if "\t" in line]


def appeared(setting, environment, fits, what):
    wait(lambda: any(map(fits, names(setting, environment))), what, 30)
    return next(filter(fits, names(setting, environment)))


def our_sink(device):
    @contextlib.contextmanager
    def sink(setting, environment):
        with open(f"{environment['HOME']}/log", "w") as log:
            process = subprocess.Popen(
                [setting.mdhost, "daemon"], env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            wait(lambda: os.path.exists(f"{environment['XDG_RUNTIME_DIR']}/mdhost/socket"), "the daemon", 10)
            for words in (["sink", "add", device], ["volume", device, "100"]):
                result = subprocess.run(
                    [setting.mdhost, *words], env=environment, capture_output=True, text=True, timeout=60)
                if result.returncode != 0:
                    raise Missing(f"mdhost {words[0]}: {result.stderr.strip()[-200:]}")
            yield appeared(setting, environment, lambda name: name.startswith("mdhost."), "the sink")
        finally:
            end(process)

    return sink


def load_module(setting, environment, *words):
    result = subprocess.run(
        [setting.peer("pactl"), "load-module", *words], env=environment, capture_output=True, text=True)
    if result.returncode != 0:
        raise Missing(f"the module is refused: {result.stderr.strip()[-200:]}")


@contextlib.contextmanager
def raop_sink(setting, environment):
    load_module(
        setting, environment, "module-raop-sink", f"server=[{SPEAKER}]:{SPEAKER_PORT}", "sink_name=speaker",
        "protocol=UDP", "encryption=none", "codec=ALAC")
    yield appeared(setting, environment, lambda name: name == "speaker", "the sink")


@contextlib.contextmanager
def pa_dlna(setting, environment):
    process = subprocess.Popen(
        [setting.peer("pa-dlna"), "--msearch-interval", "5"], env=environment, stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield appeared(setting, environment, lambda name: name.startswith("gmediarender"), "the sink of pa-dlna")
    finally:
        end(process)


def lab_file(path):
    return f"{os.environ['MDHOST_LAB_DIR']}/{path}"
