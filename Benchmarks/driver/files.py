"""Serving a local file to a device, against the least that serving a file takes."""

import os
import socket
import subprocess
import tempfile
import time
import urllib.parse

from report import Row, Series, number
from setting import DEVICE, Missing, end, wait_for_device

SIZE = 256 * 1024 * 1024


def serving(setting):
    with tempfile.NamedTemporaryFile(suffix=".flac", dir="/var/tmp") as file:
        block = os.urandom(1024 * 1024)
        for _ in range(SIZE // len(block)):
            file.write(block)
        file.flush()
        os.chmod(file.name, 0o644)
        bare = bare_speeds(setting, file.name)
        try:
            ours = our_speeds(setting, file.name)
        except Missing as reason:
            return [Row("local file to a device", str(reason), f"{bare} (raw sendfile)")]
    ratio = ours.median / bare.median
    return [Row("local file to a device", str(ours), f"{bare} (raw sendfile)", f"{ratio:.2f} x")]


def bare_speeds(setting, path):
    process = subprocess.Popen([setting.floor, "serve", path], stdout=subprocess.PIPE)
    try:
        port = int(process.stdout.readline())
        return Series([fetch("127.0.0.1", port, "/") for _ in range(setting.rounds)], "MB/s")
    finally:
        end(process)
        process.stdout.close()


def our_speeds(setting, path):
    """The benchmark's extension tells the address that it was given to play."""
    with setting.daemon(with_extension=True) as daemon, daemon.client() as client:
        device = wait_for_device(client, "Benchmark")
        client.call(device, DEVICE, "Activate", "a{sv}", {})
        client.post(device, DEVICE, "Play", "sa{sv}", "file://" + urllib.parse.quote(path), {})
        url = urllib.parse.urlsplit(told_address(client))
        return Series([fetch(url.hostname, url.port, url.path) for _ in range(setting.rounds)], "MB/s")


def told_address(client):
    while True:
        message = client.next_signal(5)
        if message is None:
            raise Missing("this build serves no files")
        if message.member == "DataReceived":
            return message.body()[0].decode()


def fetch(host, port, path):
    """Megabytes a second of one complete answer."""
    buffer = bytearray(1 << 20)
    begun = time.monotonic()
    with socket.create_connection((host, port)) as connection:
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n\r\n".encode())
        received = 0
        while count := connection.recv_into(buffer):
            received += count
    if received < SIZE:
        raise Missing(f"only {number(received)} bytes came")
    return SIZE / 1e6 / (time.monotonic() - begun)
