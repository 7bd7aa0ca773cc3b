"""Where everything is, and how to run programs in it: daemons of their own, lines with the time they came."""

import contextlib
import dataclasses
import os
import pty
import select
import shutil
import signal
import socket
import subprocess
import tempfile
import time

import processes
from wire import Connection

MANAGER = "org.mdhost.Manager1"
DEVICE = "org.mdhost.Device1"
ROOT = "/org/mdhost"


class Missing(Exception):
    """Something a measurement needs is not there; the row says so."""


@dataclasses.dataclass
class Setting:
    mdhost: str
    floor: str
    player: str
    """An app that publishes what it is told."""
    extensions: str
    """The folder with Benchmark.mdext."""
    peers: str
    """`bin` of the environment with the peers from PyPI."""
    lab: str
    """The script that runs a command in another host."""
    load: str
    """The program that pushes and is pushed to; None where it was not built."""
    broker: str
    """The folder with a broker's configuration."""
    tokens: int
    push_rate: int
    """How many pushes a second go to the gateways."""
    rounds: int
    idle_seconds: float
    crowd: int
    """How many devices there are in a crowd, how many of them turn over at a time, and how often."""
    turning: int
    cycles: int

    def peer(self, name):
        path = shutil.which(name, path=f"{self.peers}:{os.environ['PATH']}")
        if not path:
            raise Missing(f"{name} is not installed")
        return path

    @contextlib.contextmanager
    def home(self, with_extension=False):
        """An environment with folders that no other daemon uses, removed at the end."""
        folder = tempfile.mkdtemp(prefix="mdhost-bench-")
        environment = dict(os.environ, XDG_RUNTIME_DIR=folder, XDG_STATE_HOME=f"{folder}/state",
                           XDG_DATA_HOME=f"{folder}/data")
        if with_extension:
            environment["MDHOST_EXTENSION_PATH"] = self.extensions
        try:
            yield environment
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    @contextlib.contextmanager
    def daemon(self, with_extension=False):
        """A daemon that only leaves at the end."""
        with self.home(with_extension) as environment:
            with open(f"{environment['XDG_RUNTIME_DIR']}/log", "w") as log:
                process = subprocess.Popen(
                    [self.mdhost, "daemon"], env=environment, stdout=log, stderr=log, stdin=subprocess.DEVNULL)
            daemon = Daemon(process, environment)
            try:
                daemon.wait_until_it_listens()
                yield daemon
                if process.poll() is not None:
                    raise Missing("the daemon ended by itself")
            except Exception as error:
                if process.poll() is None:
                    raise
                with open(f"{environment['XDG_RUNTIME_DIR']}/log") as log:
                    words = log.read().strip()[-400:]
                raise Missing(f"the daemon ended with {process.returncode}: {words}") from error
            finally:
                end(process)


class Daemon:
    def __init__(self, process, environment):
        self.process = process
        self.environment = environment
        self.socket = f"{environment['XDG_RUNTIME_DIR']}/mdhost/socket"

    @property
    def pid(self):
        return self.process.pid

    def extension(self):
        """The process of the Benchmark extension."""
        (pid,) = [pid for pid in processes.children(self.pid) if processes.name(pid) == "BenchmarkExtension"]
        return pid

    def wait_until_it_listens(self):
        deadline = time.monotonic() + 10
        while True:
            try:
                return self.connect().close()
            except OSError as error:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    raise Missing(f"the daemon does not listen: {error}") from error
                time.sleep(0.01)

    def connect(self, takes_descriptors=False):
        return Connection(self.socket, takes_descriptors=takes_descriptors)

    @contextlib.contextmanager
    def client(self, looking=True, takes_descriptors=False):
        """A connection, with a discovery lease unless told otherwise."""
        connection = self.connect(takes_descriptors)
        try:
            if looking:
                connection.call(ROOT, MANAGER, "AcquireDiscoveryLease", "a{sv}", {})
            yield connection
        finally:
            connection.close()


def devices(connection):
    """Name to object path of every device."""
    (objects,) = connection.call(ROOT, "org.freedesktop.DBus.ObjectManager", "GetManagedObjects")
    return {
        interfaces[DEVICE]["Name"]: path for path, interfaces in objects.items() if DEVICE in interfaces
    }


def wait_for_device(connection, name, seconds=10):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        path = devices(connection).get(name)
        if path:
            return path
        connection.next_signal(0.2)
    raise Missing(f"the device {name} did not appear")


def wait_for_port(port, process, address="127.0.0.1"):
    deadline = time.monotonic() + 60
    while True:
        try:
            return socket.create_connection((address, port), timeout=1).close()
        except OSError as error:
            if process.poll() is not None or time.monotonic() > deadline:
                raise Missing(f"nothing listens on port {port}") from error
            time.sleep(0.01)


def end(process):
    """Ends a process in order, and for good if it does not."""
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


class Lines:
    """A program's lines as it writes them; on a terminal, so that nothing waits in its buffer."""

    def __init__(self, command, environment=None):
        self.begun = time.monotonic()
        ours, theirs = pty.openpty()
        self.process = subprocess.Popen(
            command, env=environment, stdout=theirs, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(theirs)
        self._descriptor = ours
        self._rest = b""

    def fileno(self):
        return self._descriptor

    def read(self):
        """The complete lines that are there; None at the end."""
        try:
            data = os.read(self._descriptor, 65536)
        except OSError:
            data = b""
        if not data:
            return None
        *lines, self._rest = (self._rest + data).split(b"\n")
        return [line.rstrip(b"\r").decode(errors="replace") for line in lines]

    def first(self, wanted, seconds=10):
        """Seconds from the start of the program to the first line that is wanted."""
        deadline = self.begun + seconds
        while select.select([self], [], [], max(0, deadline - time.monotonic()))[0]:
            at, lines = time.monotonic(), self.read()
            if lines is None:
                break
            if any(wanted(line) for line in lines):
                return at - self.begun
        raise Missing("the awaited line did not come")

    def close(self):
        end(self.process)
        os.close(self._descriptor)


def milliseconds_to_first_line(command, wanted, environment=None):
    lines = Lines(command, environment)
    try:
        return lines.first(wanted) * 1000
    finally:
        lines.close()


def milliseconds(command, environment=None):
    """How long a command takes as a whole."""
    begun = time.monotonic()
    result = subprocess.run(
        command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
    if result.returncode != 0:
        raise Missing(f"{os.path.basename(command[0])} failed: {result.stderr.decode(errors='replace').strip()[-200:]}")
    return (time.monotonic() - begun) * 1000
