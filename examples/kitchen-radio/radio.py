#!/usr/bin/env python3
"""A kitchen radio to try the extension with: it plays nothing, and says what it would play.

    radio.py [PORT]      needs avahi-publish
"""
import asyncio
import subprocess
import sys
import time

port = int(sys.argv[1]) if len(sys.argv) > 1 else 4711
DURATION = 60.0
radio = {"url": None, "playing": False, "position": 0.0, "since": 0.0, "volume": 50}
listeners = set()


def position():
    moved = time.monotonic() - radio["since"] if radio["playing"] else 0
    return min(DURATION, radio["position"] + moved)


def set_state(playing, at):
    radio.update(playing=playing, position=at, since=time.monotonic())


def state():
    return f"state {'playing' if radio['playing'] else 'paused'} {position():.2f} {DURATION}"


def tell(line):
    print(line, flush=True)
    for writer in listeners:
        writer.write((line + "\n").encode())


def perform(command, argument):
    """Returns an error, or None."""
    if command == "play":
        radio["url"] = argument
        set_state(True, 0)
    elif command == "volume":
        radio["volume"] = int(argument)
        tell(f"volume {radio['volume']}")
        return None
    elif command == "plays":
        if radio["url"] != argument:
            return "something else plays"
    elif radio["url"] is None:
        return "nothing plays"
    elif command == "pause":
        set_state(False, position())
    elif command == "resume":
        set_state(True, position())
    elif command == "seek":
        set_state(radio["playing"], float(argument))
    elif command == "stop":
        radio["url"] = None
        tell("stopped")
        return None
    elif command != "tell":
        return f"no command {command}"
    tell(state())
    return None


async def serve(reader, writer):
    listeners.add(writer)
    writer.write(f"radio\nvolume {radio['volume']}\n".encode())
    while line := await reader.readline():
        command, _, argument = line.decode().strip().partition(" ")
        print(">", command, argument, flush=True)
        error = perform(command, argument)
        writer.write(f"error {error}\n".encode() if error else b"ok\n")
    listeners.discard(writer)


async def main():
    server = await asyncio.start_server(serve, "0.0.0.0", port)
    announcement = subprocess.Popen(
        ["avahi-publish", "-s", "Kitchen radio", "_kitchen-radio._tcp", str(port), "serial=4711"])
    try:
        async with server:
            while True:
                await asyncio.sleep(0.2)
                if radio["url"] and radio["playing"] and position() >= DURATION:
                    radio["url"] = None
                    tell("ended")
    finally:
        announcement.terminate()


asyncio.run(main())
