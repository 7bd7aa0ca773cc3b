"""What a call costs: through the daemon, and through bare sockets in the same run."""

import contextlib
import os
import socket
import struct
import subprocess
import time

import processes
from report import Row, Series, verdict
from setting import DEVICE, MANAGER, ROOT, end, wait_for_device
from wire import answer_mark

TRIPS = 3000
WARM_UP = 300


def round_trips(end_point, messages):
    """Sends each message and waits for its token; microseconds of each trip, without the first ones.

    The client is the same for what is measured and for the floor, so its own cost is on both sides.
    """
    times = []
    for message, token in messages:
        begun = time.perf_counter()
        end_point.sendall(message)
        received = end_point.recv(65536)
        while token not in received:
            received += end_point.recv(65536)
        times.append((time.perf_counter() - begun) * 1e6)
    return Series(times[WARM_UP:], "us")


def plain_messages():
    return [(token.ljust(64, b"."), token) for token in (b"#%08d" % number for number in range(TRIPS + WARM_UP))]


@contextlib.contextmanager
def echo_process(setting, hops):
    """A socket whose other end, so many processes away, gives everything back."""
    near, far = socket.socketpair()
    processes = []
    try:
        for _ in range(hops - 1):
            next_near, next_far = socket.socketpair()
            command = [setting.floor, "relay", str(far.fileno()), str(next_near.fileno())]
            processes.append(subprocess.Popen(command, pass_fds=[far.fileno(), next_near.fileno()]))
            far.close()
            next_near.close()
            far = next_far
        processes.append(subprocess.Popen([setting.floor, "echo", str(far.fileno())], pass_fds=[far.fileno()]))
        far.close()
        yield near
    finally:
        near.close()
        for process in processes:
            end(process)


@contextlib.contextmanager
def processors(count):
    """Everything started inside shares so many processors.

    Where the scheduler puts two processes that talk to each other makes a factor of two and more, for the floor as
    well; on one processor a trip is work and nothing else.
    """
    all_of_them = os.sched_getaffinity(0)
    os.sched_setaffinity(0, set(sorted(all_of_them)[-count:]))
    try:
        yield
    finally:
        os.sched_setaffinity(0, all_of_them)


def placements():
    available = len(os.sched_getaffinity(0))
    return [(1, "one processor")] + ([(available, f"{available} processors")] if available > 1 else [])


def command(setting):
    """Bytes from a client to an extension and back: over the data channel of an app, and by calls of the daemon."""
    return [row for count, where in placements() for row in command_rows(setting, count, where)]


def command_rows(setting, count, where):
    with processors(count), setting.daemon(with_extension=True) as daemon:
        with daemon.client(takes_descriptors=True) as client:
            device = wait_for_device(client, "Benchmark")
            client.call(device, DEVICE, "Activate", "a{sv}", {})
            pids = [daemon.pid, daemon.extension()]
            calls = [
                (client.encode(device, DEVICE, "SendData", "ay", message), token) for message, token in plain_messages()
            ]
            by_calls = measured(client.socket, calls, pids)
            client.call(device, DEVICE, "OpenDataChannel")
            with socket.socket(fileno=client.descriptors.pop()) as channel:
                framed = [(struct.pack("<II", 0, len(message)) + message, token) for message, token in plain_messages()]
                by_channel = measured(channel, framed, pids)
        with echo_process(setting, hops=2) as floor:
            bare = round_trips(floor, plain_messages())
    return [
        *compared(f"command app -> extension and back, {where}", by_channel, bare, 4, 60),
        *compared(f"the same by calls of the daemon, {where}", by_calls, bare),
    ]


def measured(end_point, messages, pids):
    """The trips, and the microseconds that each took of the processor in these processes."""
    before = [processes.processor_seconds(pid) for pid in pids]
    times = round_trips(end_point, messages)
    after = [processes.processor_seconds(pid) for pid in pids]
    return times, [(late - early) * 1e6 / len(messages) for early, late in zip(before, after)]


def compared(what, ours, bare, factor=None, most=None):
    times, (daemon, extension) = ours
    ratio = times.median / bare.median
    return [
        Row(what, spread(times), f"{spread(bare)} (two raw socketpair hops)", f"{ratio:.2f} x",
            f"<= {factor} x" if factor else "-", verdict(ratio <= factor) if factor else "-"),
        Row("of which processor time: daemon, extension", f"{daemon:.0f}, {extension:.0f} us",
            budget=f"daemon <= {most} us" if most else "-", verdict=verdict(daemon <= most) if most else "-"),
    ]


def call(setting):
    """One call of the daemon and its answer."""
    return [row for count, where in placements() for row in call_rows(setting, count, where)]


def call_rows(setting, count, where):
    calls = [
        ("`Peer.Ping`", (ROOT, "org.freedesktop.DBus.Peer", "Ping")),
        ("a property", (ROOT, "org.freedesktop.DBus.Properties", "Get", "ss", MANAGER, "Settled")),
        ("a method of the daemon's own", (ROOT, MANAGER, "ListApplications")),
    ]
    rows = []
    with processors(count), setting.daemon() as daemon, echo_process(setting, hops=1) as floor:
        bare = round_trips(floor, plain_messages())
        for what, words in calls:
            with daemon.client(looking=False) as client:
                ours = round_trips(client.socket, [answered(client, words) for _ in range(TRIPS + WARM_UP)])
            rows.append(Row(f"D-Bus round trip, {what}, {where}", spread(ours),
                            f"{spread(bare)} (one raw socketpair hop)", f"{ours.median / bare.median:.1f} x"))
    return rows


def answered(client, words):
    """A call, and the header field of its answer that names it."""
    data = client.encode(*words)
    return data, answer_mark(client.last_serial)


def spread(series):
    return f"p50 {series.median:.0f}, p99 {series.percentile(0.99):.0f} us"
