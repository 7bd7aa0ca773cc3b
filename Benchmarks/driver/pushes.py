"""Pushes to many sessions over a broker, which is started again meanwhile, as a gateway is killed."""

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time

import processes
from report import Row, Series, number, verdict
from setting import Missing, end, wait_for_port

HOSTS = 20
HOT = 1000
PROBE_RATE = 100
SECONDS = 60
RESTART_AFTER = 20
KILL_AFTER = 40
PASSWORD = "secret"


class Broker:
    """mosquitto with the configuration of examples/push-broker, without TLS, as load and hosts are one machine."""

    def __init__(self, folder, example):
        self.program = shutil.which("mosquitto", path=f"/usr/sbin:{os.environ['PATH']}")
        if not self.program:
            raise Missing("mosquitto is not installed")
        self.folder, self.port, self.used = folder, free_port(), 0.0
        with open(f"{example}/mosquitto.conf") as file:
            lines = [line for line in file.read().splitlines() if not line.startswith(("certfile", "keyfile"))]
        lines[lines.index("listener 8883")] = f"listener {self.port} 127.0.0.1"
        if os.getuid() == 0:
            lines.append("user root")
        with open(f"{folder}/mosquitto.conf", "w") as file:
            file.write("\n".join(lines) + "\n")
        with open(f"{example}/acl") as file, open(f"{folder}/acl", "w") as copy:
            copy.write(file.read() + "\nuser probe\ntopic readwrite probe/#\n")
        with open(f"{folder}/passwords", "w") as file:
            for user in ["gateway", "probe"] + [f"host-{host}" for host in range(HOSTS)]:
                file.write(f"{user}:{PASSWORD}\n")
        # Hashes the passwords in place.
        subprocess.run(["mosquitto_passwd", "-U", f"{folder}/passwords"], check=True)
        self.start()

    def start(self):
        with open(f"{self.folder}/log", "a") as log:
            self.process = subprocess.Popen(
                [self.program, "-c", "mosquitto.conf"], cwd=self.folder, stdout=log, stderr=log)
        wait_for_port(self.port, self.process)

    def restart(self):
        self.used += processes.whole_seconds(self.process.pid)
        self.process.terminate()
        self.process.wait()
        self.start()

    @property
    def processor_seconds(self):
        return self.used + processes.whole_seconds(self.process.pid)


class Gateway:
    def __init__(self, setting, folder, broker, environment):
        self.port, self.used = free_port(), 0.0
        self.command = [
            setting.mdhost, "push", "serve", "--json", "--port", str(self.port), "--folder", f"{folder}/keys",
            "--broker", f"mqtt://gateway@127.0.0.1:{broker.port}", "--password-file", f"{folder}/password"]
        self.environment, self.log = environment, f"{folder}/gateway-{self.port}.log"
        self.start()

    def start(self):
        with open(self.log, "a") as log:
            self.process = subprocess.Popen(
                self.command, env=self.environment, stdout=subprocess.PIPE, stderr=log, text=True)
        line = self.process.stdout.readline()
        if not line:
            raise Missing("a gateway did not start")
        self.introduction = json.loads(line)

    def kill(self):
        self.used += processes.whole_seconds(self.process.pid)
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.start()

    @property
    def processor_seconds(self):
        return self.used + processes.whole_seconds(self.process.pid)


def pushes(setting):
    if not setting.load:
        raise Missing("PushLoad was not built")
    runs = [run(setting) for _ in range(max(1, setting.rounds // 3))]
    return rows(setting, runs)


def run(setting):
    folder = tempfile.mkdtemp(prefix="mdhost-push-")
    os.chmod(folder, 0o700)
    with contextlib.ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        environment = dict(os.environ, XDG_STATE_HOME=f"{folder}/state")
        with open(os.open(f"{folder}/password", os.O_CREAT | os.O_WRONLY, 0o600), "w") as file:
            file.write(PASSWORD + "\n")
        broker = Broker(folder, setting.broker)
        stack.callback(lambda: end(broker.process))
        gateways = []
        for _ in range(2):
            gateways.append(Gateway(setting, folder, broker, environment))
            stack.callback(lambda gateway=gateways[-1]: end(gateway.process))
        return load(setting, folder, broker, gateways)


def load(setting, folder, broker, gateways):
    introduction = gateways[0].introduction
    plan = {
        "broker": broker.port, "password": PASSWORD, "gateways": [gateway.port for gateway in gateways],
        "authority": introduction["authority"], "keyFile": introduction["keyFile"], "keyID": introduction["keyID"],
        "teamID": introduction["teamID"], "hosts": HOSTS, "tokens": setting.tokens, "hot": HOT, "rate": setting.push_rate,
        "seconds": SECONDS, "probeRate": PROBE_RATE, "quiet": RESTART_AFTER - 2}
    with open(f"{folder}/plan", "w") as file:
        json.dump(plan, file)
    process = subprocess.Popen([setting.load, f"{folder}/plan"], stdout=subprocess.PIPE, text=True)
    try:
        registered = json.loads(next_line(process))
        next_line(process)
        before = [each.processor_seconds for each in [broker] + gateways]
        begun = time.monotonic()
        timers = [threading.Timer(RESTART_AFTER, broker.restart), threading.Timer(KILL_AFTER, gateways[0].kill)]
        for timer in timers:
            timer.start()
        result = json.loads(next_line(process))
        seconds = time.monotonic() - begun
        for timer in timers:
            timer.join()
        after = [each.processor_seconds for each in [broker] + gateways]
        used = [(late - early) / seconds * 100 for early, late in zip(before, after)]
        memory = [processes.memory(gateway.process.pid).resident / 1024 / 1024 for gateway in gateways]
        return {**result, "registered": registered["seconds"], "processor": used, "memory": memory}
    finally:
        end(process)


def rows(setting, runs):
    def series(part, name):
        return Series([run[part][name] for run in runs])

    sums = {name: sum(run[name] for run in runs) for name in ("lost", "appliedTwice", "outOfOrder")}
    first = runs[0]
    refusals = ", ".join(f"{count} {what}" for what, count in sorted(first["refusals"].items())) or "none"
    found = [
        Row(f"{setting.tokens:,} tokens told to the broker by {HOSTS} hosts",
            str(Series([run["registered"] for run in runs], "s"))),
        Row(f"{setting.push_rate:,} pushes a second for {SECONDS} s: answered 200; lost, applied twice, out of order",
            f"{sum(run['accepted'] for run in runs):,}; {', '.join(str(value) for value in sums.values())}",
            budget=f"{setting.push_rate * SECONDS * len(runs):,}; 0, 0, 0",
            verdict=verdict(not any(sums.values())
                            and all(run["accepted"] == setting.push_rate * SECONDS for run in runs))),
        Row("of that: attempts refused or without an answer, and sent again", refusals),
        Row("of that: copies that hosts told apart", str(sum(run["repeated"] for run in runs))),
        Row("longest time without any 200", str(Series([run["longestSilence"] for run in runs], "s"))),
    ]
    for what, part in (("due -> 200", "answer"), ("due -> applied by the host", "application")):
        for name in ("quiet p50", "quiet p99"):
            ours, bare = series(part, name), series("probe", name)
            found.append(Row(f"{what}, {name.replace('quiet ', 'before the restart, ')}", str(ours),
                             f"{bare} (bare mosquitto)", f"{ours.median / bare.median:.1f} x"))
        for name in ("p50", "p99"):
            ours, bare = series(part, name), series("probe", name)
            found.append(Row(f"{what}, all of the minute, {name}", str(ours), f"{bare} (bare mosquitto)",
                             f"{ours.median / bare.median:.1f} x"))
    processor = "; ".join(f"{number(value)} %" for value in first["processor"])
    found.append(Row("processor, of one core: broker; gateways", processor))
    found.append(Row("a gateway's memory: the one that stayed", f"{first['memory'][1]:.1f} MB resident"))
    return found


def next_line(process):
    line = process.stdout.readline()
    if not line:
        raise Missing(f"the load ended with {process.wait()}")
    return line


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]
