"""Runs the measurements and prints one table; started by `Benchmarks/run` in host d of a lab."""

import argparse
import os
import sys

import announcements
import cast
import clients
import crowd
import discovery
import files
import messages
import players
import pushes
import report
import resources
import sinks
import speakers
from setting import Missing, Setting
from wire import CallFailed

MEASUREMENTS = {
    "first-device": discovery.first_device,
    "announced": discovery.announced,
    "scan": discovery.full_scan,
    "command": messages.command,
    "call": messages.call,
    "clients": clients.clients,
    "now-playing": players.now_playing,
    "pushes": pushes.pushes,
    "idle": resources.idle,
    "devices": resources.many_devices,
    "crowd": crowd.crowd,
    "announcements": announcements.announcements,
    "files": files.serving,
    "speakers": speakers.speakers,
    "sinks": sinks.sinks,
    "cast": cast.cast,
}


def main():
    arguments = parse()
    setting = Setting(
        mdhost=arguments.mdhost, floor=arguments.floor, player=arguments.player, extensions=arguments.extensions,
        peers=arguments.peers, lab=arguments.lab, load=arguments.load, broker=arguments.broker,
        tokens=arguments.tokens, push_rate=arguments.push_rate, rounds=arguments.rounds, idle_seconds=arguments.idle_seconds,
        crowd=arguments.crowd, turning=arguments.turning, cycles=arguments.cycles)
    rows = []
    for name in arguments.only or MEASUREMENTS:
        load = os.getloadavg()[0]
        print(f"{name} … (load {load:.1f})", file=sys.stderr, flush=True)
        try:
            rows += MEASUREMENTS[name](setting)
        except (Missing, CallFailed, OSError) as reason:
            rows.append(report.Row(name, f"not measured: {reason}", verdict="?"))
    print("min / median / max where several were measured\n")
    print(report.table(rows))


def parse():
    parser = argparse.ArgumentParser()
    for name in ("mdhost", "floor", "player", "extensions", "peers", "lab"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--load")
    parser.add_argument("--broker", default=os.path.join(os.path.dirname(__file__), "../../examples/push-broker"))
    parser.add_argument("--tokens", type=int, default=100_000)
    parser.add_argument("--push-rate", type=int, default=1_000)
    parser.add_argument("--only", action="append", choices=list(MEASUREMENTS))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--idle-seconds", type=float, default=30)
    parser.add_argument("--crowd", type=int, default=10_000)
    parser.add_argument("--turning", type=int, default=1_000)
    parser.add_argument("--cycles", type=int, default=100)
    return parser.parse_args()


if __name__ == "__main__":
    main()
