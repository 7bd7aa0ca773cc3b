"""Live sound to AirPlay speakers: what one and eight of them cost, and whether a packet was late."""

import contextlib
import json
import os
import shutil
import subprocess
import tempfile
import time
import wave

import processes
from report import Row, verdict
from setting import Missing, end, wait_for_port
from sinks import load_module

HOST, ADDRESS = "c", "10.77.0.3"
FIRST_PORT = 5101
SECONDS = 30
COUNTS = (1, 8)
RATE = 44_100
PEER_TRIES = 4
# Of the daemon, the reader and the extension, in MB.
MOST_MEMORY = 45


def speakers(setting):
    folder = tempfile.mkdtemp(prefix="mdhost-speakers-", dir="/var/tmp")
    try:
        path = f"{folder}/noise.wav"
        write_noise(path, SECONDS + 60)
        os.chmod(folder, 0o755)
        rows = []
        for count in COUNTS:
            with receivers(setting, folder, count) as names:
                ours = our_cost(setting, path, names)
            rows += rows_of(count, ours, peer_cost_at_last(setting, folder, path, count))
        return rows
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def rows_of(count, ours, bare):
    what = "1 speaker" if count == 1 else f"{count} speakers in step"
    share, memory, quality, parts = ours
    sent, late, lost = (quality[key] for key in ("packetsSent", "packetsLate", "packetsLost"))
    counts = Row(f"{what}: packets", f"{sent:,} sent, {late} late, {lost} lost, {quality['stalls']} stalls")
    if isinstance(bare, Missing):
        return [Row(f"{what}: processor; memory", f"{share:.1f} %; {memory:.0f} MB", str(bare)), counts]
    return [
        Row(f"{what}: processor ({parts})", f"{share:.1f} %", f"{bare[0]:.1f} % (PulseAudio's raop-sink)",
            f"{share / bare[0]:.2f} x", "<= 1 x", verdict(share <= bare[0])),
        Row(f"{what}: memory, their share", f"{memory:.1f} MB", f"{bare[1]:.1f} MB (PulseAudio)",
            f"{memory / bare[1]:.2f} x", f"<= {MOST_MEMORY} MB", verdict(memory <= MOST_MEMORY)),
        counts,
    ]


def write_noise(path, seconds):
    """Nothing that could be compressed, so that every packet is full."""
    block = os.urandom(4 * RATE)
    with wave.open(path, "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(RATE)
        for _ in range(seconds):
            file.writeframes(block)
    os.chmod(path, 0o644)


@contextlib.contextmanager
def receivers(setting, folder, count):
    """shairport-syncs that throw away what they hear, all in one host: their names."""
    names, running = [], []
    try:
        for number_ in range(count):
            name, port = f"Bench Speaker {number_ + 1}", FIRST_PORT + number_
            path = f"{folder}/{port}.conf"
            with open(path, "w") as file:
                file.write(
                    f'general = {{ name = "{name}"; port = {port}; output_backend = "dummy"; mdns_backend = "avahi";\n'
                    f'  interpolation = "basic"; udp_port_base = {6200 + 10 * number_}; udp_port_range = 10;\n'
                    f"  airplay_device_id_offset = {number_ + 16}; }};\n")
            running.append(subprocess.Popen(
                [setting.lab, "in", HOST, "shairport-sync", "-c", path], stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
            names.append(name)
        # PulseAudio's module asks once, and plays nothing if nobody answers.
        for number_, process in enumerate(running):
            wait_for_port(FIRST_PORT + number_, process, ADDRESS)
        yield names
    finally:
        for process in running:
            end(process)


def our_cost(setting, path, names):
    with setting.daemon() as daemon:
        wait_until_listed(setting, daemon, names)
        words = [setting.mdhost, "play", names[0], path, "--detach"]
        for name in names[1:]:
            words += ["--with", name]
        result = subprocess.run(words, env=daemon.environment, capture_output=True, text=True, timeout=60)
        if result.returncode != 0:
            raise Missing(f"it does not play: {result.stderr.strip()[-200:]}")
        pids = [daemon.pid] + [
            pid for pid in descendants(daemon.pid) if processes.name(pid) in ("mdhost-airplay", "mdhost-reader")]
        each = shares(pids)
        memory = sum(processes.memory(pid).proportional for pid in pids) / 2**20
        quality = told_quality(setting, daemon)
        parts = ", ".join(f"{processes.name(pid).removeprefix('mdhost-')} {share:.1f}" for pid, share in zip(pids, each))
        return sum(each), memory, quality, parts


def descendants(pid):
    for child in processes.children(pid):
        yield child
        yield from descendants(child)


def wait_until_listed(setting, daemon, names):
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        result = subprocess.run(
            [setting.mdhost, "discover", "--json"], env=daemon.environment, capture_output=True, text=True)
        listed = {device["name"] for device in values(result.stdout)}
        if listed.issuperset(names):
            return
    raise Missing(f"not listed: {sorted(set(names) - listed)}")


def values(text):
    """Of every line, which are lists or values by themselves."""
    for line in text.splitlines():
        value = json.loads(line)
        yield from value if isinstance(value, list) else [value]


def told_quality(setting, daemon):
    result = subprocess.run(
        [setting.mdhost, "sessions", "--json"], env=daemon.environment, capture_output=True, text=True)
    for session in values(result.stdout):
        if quality := session.get("quality"):
            return quality
    raise Missing(f"no quality is told: {result.stdout.strip()[-200:]} {result.stderr.strip()[-200:]}")


def shares(pids):
    """Percent of one processor that each takes, once it has begun."""
    time.sleep(5)
    before = used(pids)
    begun = time.monotonic()
    time.sleep(SECONDS)
    passed = time.monotonic() - begun
    return [(now - earlier) / passed * 100 for now, earlier in zip(used(pids), before)]


def used(pids):
    try:
        return [processes.whole_seconds(pid) for pid in pids]
    except (IndexError, OSError) as reason:
        raise Missing("a program ended that was to be measured") from reason


def peer_cost_at_last(setting, folder, path, count):
    """It aborts now and then when the speaker answers (an assertion in raop-sink.c); what stopped it at last otherwise."""
    for _ in range(PEER_TRIES):
        try:
            with receivers(setting, folder, count):
                return peer_cost(setting, folder, path, count)
        except Missing as reason:
            last = reason
    return last


def peer_cost(setting, folder, path, count):
    """PulseAudio with the same speakers, and one program that plays to it. Of PCM it would send nothing but zeros."""
    server = f"{folder}/pulse"
    os.makedirs(server, mode=0o700, exist_ok=True)
    sinks = [f"speaker{index}" for index in range(count)]
    modules = [f"module-native-protocol-unix socket={server}/native auth-anonymous=1"]
    modules += [
        f"module-raop-sink server=[{ADDRESS}]:{FIRST_PORT + index} sink_name={sink} protocol=UDP encryption=none codec=ALAC"
        for index, sink in enumerate(sinks)
    ]
    environment = dict(os.environ, XDG_RUNTIME_DIR=server, HOME=server, PULSE_SERVER=f"unix:{server}/native")
    words = [setting.peer("pulseaudio"), "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no"]
    process = subprocess.Popen(
        words + [f"--load={module}" for module in modules], env=environment, stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    player = None
    try:
        deadline = time.monotonic() + 15
        while not os.path.exists(f"{server}/native"):
            if process.poll() is not None or time.monotonic() > deadline:
                raise Missing(f"PulseAudio does not start: {process.poll()}")
            time.sleep(0.05)
        # A sink that is used before its receiver has answered never plays, and nothing tells that it has.
        time.sleep(2)
        target = sinks[0]
        if count > 1:
            target = "every"
            load_module(setting, environment, "module-combine-sink", "sink_name=every", f"slaves={','.join(sinks)}")
        player = subprocess.Popen(
            [setting.peer("paplay"), f"--device={target}", path], env=environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        (share,) = shares([process.pid])
        if process.poll() is not None:
            raise Missing(f"PulseAudio ended with {process.returncode}")
        if player.poll() is not None:
            raise Missing(f"paplay ended: {player.stderr.read().strip()[-200:]}")
        # A tick of its clock is 0.03 %.
        if share < 0.1:
            raise Missing("PulseAudio waits, and plays nothing")
        return share, processes.memory(process.pid).proportional / 2**20
    finally:
        if player:
            player.kill()
            player.wait()
            player.stderr.close()
        end(process)
