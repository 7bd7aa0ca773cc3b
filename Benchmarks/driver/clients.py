"""Thousands of clients of the daemon, and whether one more is still answered."""

import contextlib
import os
import resource
import signal
import time

import processes
from report import Row, Series, verdict
from setting import MANAGER, ROOT
from wire import CallFailed, Connection

PROCESSES = 50
OF_EACH = 100
DESCRIPTORS = 1024
STAY = 10
# The daemon gives memory back 2, 10 and 30 s after many clients have left.
RETURN = 40
MEGABYTE = 1024 * 1024
CALL = ROOT, MANAGER, "ListApplications"


def clients(setting):
    """5,000 clients in 50 processes, while another program of the user connects anew for each call."""
    with descriptors(DESCRIPTORS), setting.daemon() as daemon, daemon.client():
        time.sleep(10)
        before = processes.memory(daemon.pid).resident
        rest = honest(daemon.socket, 5)
        used = processes.processor_seconds(daemon.pid)
        crowd = [Crowd(daemon.socket) for _ in range(PROCESSES)]
        try:
            come = honest(daemon.socket, 60, until=lambda: all(one.is_there() for one in crowd))
            used = processes.processor_seconds(daemon.pid) - used
            served = sum(one.served or 0 for one in crowd)
            stay = honest(daemon.socket, STAY)
            held = processes.memory(daemon.pid).resident
        finally:
            for one in crowd:
                one.end()
        time.sleep(RETURN)
        after = processes.memory(daemon.pid).resident
    grown = (after - before) / MEGABYTE
    rows = [Row(f"{PROCESSES * OF_EACH:,} clients in {PROCESSES} processes, `ulimit -n {DESCRIPTORS}`",
                f"{served:,} served; {used:.2f} s of the daemon's processor")]
    for what, (times, refused) in (("at rest", rest), ("while they come", come), ("while they stay", stay)):
        p99 = times.percentile(0.99)
        is_kept = p99 <= 250 and refused == 0
        rows.append(Row(f"a new client's call, {what}",
                        f"p50 {times.median:.1f}, p99 {p99:.1f} ms of {len(times.values)}; {refused} refused",
                        budget="p99 <= 250 ms, none refused", verdict=verdict(is_kept)))
    rows.append(Row("memory of the daemon, resident: before, with them, after",
                    ", ".join(f"{value / MEGABYTE:.1f}" for value in (before, held, after)) + " MB",
                    budget="back to within 10 MB", verdict=verdict(grown <= 10)))
    return rows


@contextlib.contextmanager
def descriptors(count):
    """Programs started inside have the usual limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(count, hard), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def honest(path, seconds, until=lambda: False):
    """Milliseconds of calls over new connections, fifty a second, and how many were refused."""
    times, refused, deadline = [], 0, time.monotonic() + seconds
    while time.monotonic() < deadline and not until():
        begun = time.perf_counter()
        try:
            connection = Connection(path)
            connection.call(*CALL)
            connection.close()
        except (OSError, CallFailed):
            refused += 1
        else:
            times.append((time.perf_counter() - begun) * 1000)
        time.sleep(0.02)
    return Series(times or [float("inf")]), refused


class Crowd:
    """A process that connects as often as it may, calls once on each connection, and stays."""

    def __init__(self, path):
        self.served = None
        self._result, told = os.pipe()
        self._pid = os.fork()
        if self._pid == 0:
            try:
                signal.signal(signal.SIGTERM, signal.SIG_DFL)
                kept = []
                for _ in range(OF_EACH):
                    with contextlib.suppress(OSError, CallFailed):
                        connection = Connection(path)
                        connection.call(*CALL)
                        kept.append(connection)
                os.write(told, b"%d\n" % len(kept))
                signal.pause()
            finally:
                os._exit(0)
        os.close(told)
        os.set_blocking(self._result, False)

    def is_there(self):
        if self.served is None:
            with contextlib.suppress(BlockingIOError):
                self.served = int(os.read(self._result, 16) or 0)
        return self.served is not None

    def end(self):
        os.kill(self._pid, signal.SIGTERM)
        os.waitpid(self._pid, 0)
        os.close(self._result)
