"""How fast media begins on a Google Cast device, and what its playback takes, against the Python senders."""

import contextlib
import functools
import http.server
import json
import os
import select
import signal
import subprocess
import tempfile
import threading
import time
import wave

import processes
from report import Row, Series, at_most, verdict
from setting import DEVICE, Lines, Missing, end, milliseconds, milliseconds_to_first_line, wait_for_device

NAME = "Benchmark Cast"
CLIP = "http://10.77.0.4:8099/clip.mp4"
MEGABYTE = 1024 * 1024
SENDER = os.path.join(os.path.dirname(__file__), "../../scripts/lab.d/cast-sender")
# Connected and following the state until it is ended, as a program on the library is.
LISTENER = f"""
import pychromecast, sys, time
casts, browser = pychromecast.get_listed_chromecasts(friendly_names=[{NAME!r}])
casts[0].wait()
casts[0].media_controller.play_media(sys.argv[1], "audio/wav")
casts[0].media_controller.block_until_active()
print("ready", flush=True)
while True:
    time.sleep(3600)
"""


class Device:
    """The simulated device in host c, and the events it tells."""

    def __init__(self, setting):
        program = os.path.join(os.path.dirname(setting.mdhost), "mdhost-demo-cast")
        if not os.access(program, os.X_OK):
            raise Missing(f"{program} was not built")
        self.lines = Lines([setting.lab, "in", "c", program, "--name", NAME])
        self.lines.first(lambda line: '"ready"' in line)

    def milliseconds_to_playback(self, command, environment=None):
        """From the start of a command until the device has accepted its media."""
        while select.select([self.lines], [], [], 0)[0]:
            self.lines.read()
        begun = time.monotonic()
        said = tempfile.TemporaryFile()
        process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=said, stderr=said)
        try:
            while select.select([self.lines], [], [], max(0, begun + 30 - time.monotonic()))[0]:
                at, lines = time.monotonic(), self.lines.read()
                if lines is None:
                    break
                if any('"state":"PLAYING"' in line for line in lines):
                    process.wait(30)
                    return (at - begun) * 1000
            said.seek(0)
            words = said.read().decode(errors="replace").strip()[-200:]
            raise Missing(f"{command[0]} began nothing: {words or 'it says nothing'}")
        finally:
            end(process)


@contextlib.contextmanager
def simulated(setting):
    device = Device(setting)
    try:
        yield device
    finally:
        device.lines.close()


def end_daemon(setting, environment):
    """Ends the daemon that a command started."""
    status = subprocess.run([setting.mdhost, "status", "--json"], env=environment, capture_output=True, check=True)
    pid = json.loads(status.stdout)["daemon"]["processID"]
    os.kill(pid, signal.SIGTERM)
    deadline = time.monotonic() + 10
    while os.path.exists(f"/proc/{pid}") and time.monotonic() < deadline:
        time.sleep(0.02)


def cast(setting):
    """Discovery, media from command to acceptance, and minutes of playback."""
    with simulated(setting) as device:
        return discovery_rows(setting) + loading_rows(setting, device) + playback_rows(setting)


def discovery_rows(setting):
    scan = [setting.peer("catt"), "scan"]
    ours, theirs = [], []
    for _ in range(setting.rounds):
        with setting.home() as environment:
            command = [setting.mdhost, "discover", "--watch", "--json"]
            ours.append(milliseconds_to_first_line(command, lambda line: NAME in line, environment))
            end_daemon(setting, environment)
        theirs.append(milliseconds_to_first_line(scan, lambda line: NAME in line))
    return [at_most("Google Cast: cold `mdhost discover`, the device", Series(ours), Series(theirs), 1, "`catt scan`")]


def loading_rows(setting, device):
    senders = {
        "`catt cast`": [setting.peer("catt"), "-d", NAME, "cast", CLIP],
        "pychromecast": [setting.peer("python"), SENDER, NAME, "play", CLIP, "video/mp4"],
    }
    stop = [setting.peer("python"), SENDER, NAME, "quit"]
    cold, warm = [], []
    theirs = {name: [] for name in senders}
    play = [setting.mdhost, "play", NAME, CLIP, "--detach"]
    for _ in range(setting.rounds):
        with setting.home() as environment:
            cold.append(device.milliseconds_to_playback(play, environment))
            subprocess.run([setting.mdhost, "stop", NAME], env=environment, capture_output=True, check=False)
            warm.append(device.milliseconds_to_playback(play, environment))
            subprocess.run([setting.mdhost, "stop", NAME], env=environment, capture_output=True, check=False)
            end_daemon(setting, environment)
        for name, command in senders.items():
            theirs[name].append(device.milliseconds_to_playback(command))
            milliseconds(stop)
    return [
        at_most(f"Google Cast: {what} `mdhost play` -> media accepted", Series(ours), Series(values), 1, name)
        for what, ours in (("cold", cold), ("warm", warm)) for name, values in theirs.items()
    ]


@contextlib.contextmanager
def silence(seconds):
    """The address of silence, longer than what is measured: its end would end the session."""
    with tempfile.TemporaryDirectory() as folder:
        with wave.open(f"{folder}/silence.wav", "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(8000)
            file.writeframes(bytes(16_000 * int(seconds)))
        handler = functools.partial(Quiet, directory=folder)
        server = Server(("10.77.0.4", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://10.77.0.4:{server.server_port}/silence.wav"
        finally:
            server.shutdown()


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, *_):
        """A device that hangs up is none."""


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def playback_rows(setting):
    seconds = max(60, setting.idle_seconds * 4)
    with silence(seconds * 4 + 120) as address:
        return followed_rows(setting, address, seconds)


def followed_rows(setting, address, seconds):
    with setting.daemon() as daemon, daemon.client(looking=False) as client:
        # Without this the search for devices would be measured as well.
        with daemon.client() as looking:
            path = wait_for_device(looking, NAME)
        client.call(path, DEVICE, "Play", "sa{sv}", address, {})
        # What was needed for the search ends after half a minute.
        time.sleep(45)
        extensions = [pid for pid in processes.children(daemon.pid) if "googlecast" in processes.name(pid)]
        ours = taken([daemon.pid, *extensions], seconds)
    listener = Lines([setting.peer("python"), "-c", LISTENER, address])
    try:
        listener.first(lambda line: "ready" in line)
        theirs = taken([listener.process.pid], seconds)
    finally:
        listener.close()
    what = f"Google Cast: connected for {seconds:.0f} s"
    return [
        Row(f"{what}, daemon and extension: memory, its share", f"{ours[0]:.1f} MB", f"{theirs[0]:.1f} MB (pychromecast)",
            f"{ours[0] / theirs[0]:.2f} x", "<= 1 x", verdict(ours[0] <= theirs[0])),
        Row(f"{what}, daemon and extension: processor", f"{ours[1]:.3f} %", f"{theirs[1]:.3f} % (pychromecast)",
            f"{ours[1] / theirs[1]:.2f} x" if theirs[1] else "-", "<= 1 x", verdict(ours[1] <= theirs[1])),
    ]


def taken(pids, seconds):
    """Megabytes, and the share of a processor in percent."""
    before = [processes.processor_seconds(pid) for pid in pids]
    time.sleep(seconds)
    used = sum(processes.processor_seconds(pid) for pid in pids) - sum(before)
    return sum(processes.memory(pid).proportional for pid in pids) / MEGABYTE, used / seconds * 100
