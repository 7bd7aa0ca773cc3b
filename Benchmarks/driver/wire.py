"""D-Bus as far as a measuring client needs it: one connection to the daemon's own socket or to a bus, blocking, nothing
else.

A library would cost more time than what is measured.
"""

import os
import select
import socket
import struct
import time

METHOD_CALL, METHOD_RETURN, ERROR, SIGNAL = 1, 2, 3, 4
_ALIGNMENT = {"y": 1, "g": 1, "v": 1, "n": 2, "q": 2, "b": 4, "i": 4, "u": 4, "s": 4, "o": 4, "a": 4, "h": 4,
              "x": 8, "t": 8, "d": 8, "(": 8, "{": 8}
_NUMBERS = {"y": "<B", "n": "<h", "q": "<H", "b": "<I", "i": "<i", "u": "<I", "h": "<I", "x": "<q", "t": "<Q",
            "d": "<d"}
_FIELDS = {1: "path", 2: "interface", 3: "member", 4: "error", 5: "reply_to", 6: "destination", 7: "sender",
           8: "signature", 9: "descriptors"}


class CallFailed(Exception):
    """An error reply: its name and sentence."""


def first_type(signature):
    """The length of the first complete type."""
    if signature[0] == "a":
        return 1 + first_type(signature[1:])
    if signature[0] in "({":
        depth = 0
        for index, letter in enumerate(signature):
            depth += (letter in "({") - (letter in ")}")
            if depth == 0:
                return index + 1
    return 1


class Writer:
    def __init__(self):
        self.data = bytearray()

    def pad(self, alignment):
        self.data += bytes(-len(self.data) % alignment)

    def write(self, signature, value):
        kind = signature[0]
        self.pad(_ALIGNMENT[kind])
        if kind in _NUMBERS:
            self.data += struct.pack(_NUMBERS[kind], value)
        elif kind in "so":
            text = value.encode()
            self.data += struct.pack("<I", len(text)) + text + b"\0"
        elif kind == "g":
            self.data += bytes([len(value)]) + value.encode() + b"\0"
        elif kind == "v":
            inner, content = value
            self.write("g", inner)
            self.write(inner, content)
        elif kind == "a":
            element = signature[1:first_type(signature)]
            at = len(self.data)
            self.data += bytes(4)
            self.pad(_ALIGNMENT[element[0]])
            start = len(self.data)
            if element == "y":
                self.data += value
            else:
                for item in value.items() if element[0] == "{" else value:
                    self.write(element, item)
            self.data[at:at + 4] = struct.pack("<I", len(self.data) - start)
        else:
            rest = signature[1:first_type(signature) - 1]
            for item in value:
                length = first_type(rest)
                self.write(rest[:length], item)
                rest = rest[length:]


class Reader:
    def __init__(self, data, position=0):
        self.data = data
        self.position = position

    def read(self, signature):
        kind = signature[0]
        self.position += -self.position % _ALIGNMENT[kind]
        if kind in _NUMBERS:
            (value,) = struct.unpack_from(_NUMBERS[kind], self.data, self.position)
            self.position += struct.calcsize(_NUMBERS[kind])
            return bool(value) if kind == "b" else value
        if kind in "so":
            return self._text(self.read("u"))
        if kind == "g":
            return self._text(self.read("y"))
        if kind == "v":
            return self.read(self.read("g"))
        if kind == "a":
            return self._array(signature[1:first_type(signature)])
        values, rest = [], signature[1:first_type(signature) - 1]
        while rest:
            length = first_type(rest)
            values.append(self.read(rest[:length]))
            rest = rest[length:]
        return tuple(values)

    def _text(self, length):
        text = bytes(self.data[self.position:self.position + length]).decode()
        self.position += length + 1
        return text

    def _array(self, element):
        length = self.read("u")
        self.position += -self.position % _ALIGNMENT[element[0]]
        end = self.position + length
        if element == "y":
            value = bytes(self.data[self.position:end])
            self.position = end
            return value
        values = []
        while self.position < end:
            values.append(self.read(element))
        return dict(values) if element[0] == "{" else values


class Message:
    """A received message; its body is only read when somebody asks."""

    def __init__(self, data, body_at, at):
        self.kind = data[1]
        self.at = at
        self.data = data
        self.body_at = body_at
        self.fields = {}
        reader = Reader(data, 12)
        end = 16 + struct.unpack_from("<I", data, 12)[0]
        reader.position = 16
        while reader.position < end:
            code, value = reader.read("(yv)")
            self.fields[_FIELDS.get(code, code)] = value

    @property
    def member(self):
        return self.fields.get("member")

    @property
    def path(self):
        return self.fields.get("path")

    def body(self):
        reader, values, rest = Reader(self.data[self.body_at:]), [], self.fields.get("signature", "")
        while rest:
            length = first_type(rest)
            values.append(reader.read(rest[:length]))
            rest = rest[length:]
        return values


def answer_mark(serial):
    """The bytes in an answer's header that name the call."""
    return struct.pack("<BBBBI", 5, 1, ord("u"), 0, serial)


class Connection:
    """One client of the daemon. Signals that arrive while a call waits are kept for `next_signal`.

    On a bus it `greets`, and its calls say whom they are `to`. Where it `takes_descriptors`, those of answers are in
    `descriptors`.
    """

    def __init__(self, path, greets=False, takes_descriptors=False):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.connect(path)
        self.socket.sendall(b"\0AUTH EXTERNAL " + str(os.getuid()).encode().hex().encode() + b"\r\n")
        answer = b""
        while not answer.endswith(b"\r\n"):
            answer += self.socket.recv(256)
        if not answer.startswith(b"OK"):
            raise ConnectionError(answer.decode().strip())
        if takes_descriptors:
            self.socket.sendall(b"NEGOTIATE_UNIX_FD\r\n")
            answer = b""
            while not answer.endswith(b"\r\n"):
                answer += self.socket.recv(256)
            if not answer.startswith(b"AGREE_UNIX_FD"):
                raise ConnectionError(answer.decode().strip())
        self.socket.sendall(b"BEGIN\r\n")
        self.descriptors = []
        self.last_serial = 0
        self._buffer = bytearray()
        self._signals = []
        if greets:
            self.call("/org/freedesktop/DBus", "org.freedesktop.DBus", "Hello", to="org.freedesktop.DBus")

    def fileno(self):
        return self.socket.fileno()

    def close(self):
        self.socket.close()

    def is_cut_off(self):
        """Whether the other end closed it, as far as can be told without reading."""
        poll = select.poll()
        poll.register(self.socket, select.POLLHUP)
        return any(events & select.POLLHUP for _, events in poll.poll(0))

    def encode(self, path, interface, member, signature="", *values, kind=METHOD_CALL, destination=None):
        """The bytes of a call, or of a signal."""
        body = Writer()
        rest = signature
        for value in values:
            length = first_type(rest)
            body.write(rest[:length], value)
            rest = rest[length:]
        self.last_serial += 1
        fields = [(1, ("o", path)), (2, ("s", interface)), (3, ("s", member))]
        if destination:
            fields.append((6, ("s", destination)))
        if signature:
            fields.append((8, ("g", signature)))
        head = Writer()
        head.data += struct.pack("<cBBBII", b"l", kind, 0, 1, len(body.data), self.last_serial)
        head.write("a(yv)", fields)
        head.pad(8)
        return bytes(head.data + body.data)

    def post(self, *call, to=None):
        """Sends a call and does not wait; returns its serial."""
        self.socket.sendall(self.encode(*call, destination=to))
        return self.last_serial

    def call(self, *call, timeout=30, parsed=True, to=None):
        """The values of the answer; nothing where they are not to be parsed."""
        return self.answer(self.post(*call, to=to), call[2], timeout, parsed)

    def answer(self, serial, member, timeout=30, parsed=True):
        deadline = time.monotonic() + timeout
        while True:
            message = self._receive(deadline)
            if message is None:
                raise TimeoutError(f"no answer to {member}")
            if message.kind == SIGNAL:
                self._signals.append(message)
            elif message.fields.get("reply_to") == serial:
                if message.kind == ERROR:
                    raise CallFailed(message.fields.get("error"), *message.body())
                return message.body() if parsed else []

    def round_trip(self, *call):
        """Seconds from sending a call to its answer; signals that come before it are read over.

        Not to be mixed with `next_signal`, which would miss them.
        """
        data = self.encode(*call)
        answer = answer_mark(self.last_serial)
        begun = time.perf_counter()
        self.socket.sendall(data)
        received = b""
        while answer not in received:
            fresh = self.socket.recv(1 << 20)
            if not fresh:
                raise ConnectionError("the daemon closed the connection")
            received = received[-8:] + fresh
        return time.perf_counter() - begun

    def next_signal(self, timeout):
        """The next signal, or None after `timeout` seconds."""
        if self._signals:
            return self._signals.pop(0)
        deadline = time.monotonic() + timeout
        while True:
            message = self._receive(deadline)
            if message is None or message.kind == SIGNAL:
                return message

    def _receive(self, deadline):
        while True:
            message = self._take()
            if message is not None:
                return message
            if not select.select([self.socket], [], [], max(0, deadline - time.monotonic()))[0]:
                return None
            received, descriptors, _, _ = socket.recv_fds(self.socket, 1 << 20, 4)
            if not received:
                raise ConnectionError("the daemon closed the connection")
            self._buffer += received
            self.descriptors += descriptors

    def _take(self):
        if len(self._buffer) < 16:
            return None
        body, fields = struct.unpack_from("<I", self._buffer, 4)[0], struct.unpack_from("<I", self._buffer, 12)[0]
        body_at = 16 + fields + (-fields % 8)
        if len(self._buffer) < body_at + body:
            return None
        data = bytes(self._buffer[:body_at + body])
        del self._buffer[:body_at + body]
        return Message(data, body_at, time.monotonic())


class BusConnection(Connection):
    """A client of a message bus."""

    def __init__(self, path):
        super().__init__(path)
        self.name = self.bus_call("Hello")[0]

    def bus_call(self, member, signature="", *values):
        place = "/org/freedesktop/DBus", "org.freedesktop.DBus"
        self.socket.sendall(self.encode(*place, member, signature, *values, destination="org.freedesktop.DBus"))
        return self.answer(self.last_serial, member)

    def emit(self, path, interface, member, signature, *values):
        self.socket.sendall(self.encode(path, interface, member, signature, *values, kind=SIGNAL))
