"""What no browser sends: requests written by hand, each refused or answered as one request, and the daemon unmoved."""

import ctypes
import os
import pathlib
import re
import socket
import threading

import test_page
from programs import Page, eventually, mdhost, sessions


def setUpModule():
    test_page.setUpModule()


class Wire:
    """A connection to the page, and a browser's cookie by a link of its own."""

    def __init__(self):
        self.port = test_page.page.port
        self.host = f"127.0.0.1:{self.port}"
        self.before = {each["id"] for each in mdhost("page", "browsers")}
        token = Page.fresh_link().split("#enter=")[1]
        answer = self.post("/api/enter", f'{{"token":"{token}"}}')
        self.cookie = re.search(r"(?i)set-cookie: (mdhost-page=[^;]+)", answer)[1]
        (self.id,) = {each["id"] for each in mdhost("page", "browsers")} - self.before

    def revoke(self):
        if self.id in {each["id"] for each in mdhost("page", "browsers")}:
            mdhost("page", "revoke", self.id)

    def send(self, text, seconds=5):
        """Sends bytes as they are; returns all that comes back until the server closes or is quiet."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=seconds) as connection:
            connection.sendall(text.encode())
            return self.read(connection)

    @staticmethod
    def read(connection):
        received = b""
        try:
            while part := connection.recv(65536):
                received += part
        except TimeoutError:
            pass
        except ConnectionResetError:
            pass
        return received.decode(errors="replace")

    def head(self, line, *fields, cookie=None):
        fields = [f"Host: {self.host}", *([f"Cookie: {cookie}"] if cookie else []), *fields]
        return f"{line} HTTP/1.1\r\n" + "".join(field + "\r\n" for field in fields) + "\r\n"

    def post(self, path, body, *fields, cookie=None):
        return self.send(self.head(
            f"POST {path}", f"Origin: http://{self.host}", "Content-Type: application/json", "Connection: close",
            f"Content-Length: {len(body)}", *fields, cookie=cookie) + body)


def read(path):
    try:
        return path.read_bytes()
    except OSError:
        return b""


def statuses(answer):
    return [int(each) for each in re.findall(r"HTTP/1\.1 (\d{3})", answer)]


class WireTests(test_page.PageTest):
    def setUp(self):
        if test_page.page.process:
            self.skipTest("the page runs without its keeper (MDHOST_PAGE_FILES)")
        super().setUp()
        self.wire = Wire()
        self.addCleanup(self.wire.revoke)

    def test_a_second_request_in_the_body_of_the_first_is_not_carried_out(self):
        """Request smuggling: two lengths, or a length that isn't a number."""
        wire = self.wire
        inner = wire.head("POST /api/do/demo", f"Origin: http://{wire.host}", "Content-Type: application/json",
                          "Content-Length: 2", cookie=wire.cookie) + "{}"
        own = (f"Origin: http://{wire.host}", "Content-Type: application/json")
        demos = lambda: [each for each in mdhost("discover", "--known") if each["name"].startswith("Demo TV")]
        for fields in (("Content-Length: 4", "Transfer-Encoding: chunked"), ("Transfer-Encoding: chunked", "Content-Length: 4"),
                       ("Content-Length: 5", "Content-Length: 6"), ("Content-Length: +2",), ("Content-Length: 0x2",),
                       ("Transfer-Encoding: xchunked",), ("Transfer-Encoding : chunked",)):
            body = "0\r\n\r\n" if "chunked" in str(fields) else "{}"
            answer = wire.send(wire.head("POST /api/do/search", *own, *fields, cookie=wire.cookie) + body + inner, 2)
            with self.subTest(str(fields)):
                self.assertNotIn(200, statuses(answer)[1:], answer)
                self.assertEqual(demos(), [])

    def test_heads_that_name_two_servers_or_none(self):
        wire = self.wire
        own = f"Host: {wire.host}"
        for head in (f"GET /api/events HTTP/1.1\r\n{own}\r\nHost: evil.example\r\n",
                     f"GET /api/events HTTP/1.1\r\nHost: evil.example\r\n{own}\r\n",
                     "GET /api/events HTTP/1.1\r\n", "GET /api/events HTTP/1.0\r\n",
                     f"GET /api/events HTTP/1.1\r\n{own}@evil.example\r\n", f"GET /api/events HTTP/1.1\r\n{own} evil\r\n",
                     f"GET /api/events HTTP/1.1\r\n{own}\r\nOrigin: http://{wire.host}\r\nOrigin: http://evil.example\r\n",
                     f"GET /api/events HTTP/1.1\r\n{own}\r\nX: 1\r\n Origin: x\r\n\tY: z\r\nBad Name: 1\r\n"):
            answer = wire.send(f"{head}Cookie: {wire.cookie}\r\n\r\n", 2)
            with self.subTest(head):
                self.assertNotIn("event: snapshot", answer)
                self.assertIn((statuses(answer) or [0])[0], (0, 400, 403, 421), answer)

    def test_a_target_that_names_a_server_is_refused(self):
        """Its server would count, whatever `Host` says."""
        wire = self.wire
        for target in ("http://evil.example/page/app.js", f"http://{wire.host}/api/state", "HTTPS://evil.example/", "x:/api/state", "*"):
            answer = wire.send(wire.head(f"GET {target}", cookie=wire.cookie), 2)
            with self.subTest(target):
                self.assertIn(statuses(answer), ([421], [400]))
        self.assertEqual(statuses(wire.send(wire.head("GET /api/state", "Connection: close", cookie=wire.cookie), 2)), [200])

    def test_the_keeper_answers_the_page_alone(self):
        """Another process with the page's own socket, which this test may take because it is root."""
        (process,) = [path.parent.name for path in pathlib.Path("/proc").glob("[0-9]*/cmdline")
                      if (words := read(path).split(b"\0"))[0].endswith(b"/mdhost-page") and b"--serve" in words]
        self.assertTrue(os.readlink(f"/proc/{process}/fd/3").startswith("socket:"))
        handle = os.pidfd_open(int(process))
        stolen = ctypes.CDLL(None, use_errno=True).syscall(438, handle, 3, 0)  # pidfd_getfd
        os.close(handle)
        if stolen < 0:
            self.skipTest(f"pidfd_getfd: {os.strerror(ctypes.get_errno())}")
        before = len(mdhost("discover", "--known"))
        with socket.socket(fileno=stolen) as keeper:
            for word in (b"connect", b"doctor", b"demo", b"x" * 100_000):
                own, passed = socket.socketpair()
                own.settimeout(10)
                socket.send_fds(keeper, [word], [passed.fileno()])
                passed.close()
                with self.subTest(word[:10]), own:
                    self.assertEqual(own.recv(512), b"")
        self.assertEqual(len(mdhost("discover", "--known")), before)
        findings = self.wire.post("/api/do/doctor", "{}", "Connection: close", cookie=self.wire.cookie)
        self.assertIn('"findings"', findings, "the page itself is still served")

    def test_no_other_protocol_on_this_port(self):
        wire = self.wire
        for fields in (("Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="),
                       ("Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA")):
            for path in ("/api/events", "/"):
                answer = wire.send(wire.head(f"GET {path}", *fields, cookie=wire.cookie), 2)
                with self.subTest(f"{path} {fields[1]}"):
                    self.assertNotIn(101, statuses(answer))
        for text in ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", f"CONNECT {wire.host} HTTP/1.1\r\nHost: {wire.host}\r\n\r\n",
                     "\x16\x03\x01\x02\x00\x01\x00\x01", f"TRACE / HTTP/1.1\r\nHost: {wire.host}\r\nCookie: {wire.cookie}\r\n\r\n"):
            answer = wire.send(text, 2)
            with self.subTest(text[:12]):
                self.assertNotIn(200, statuses(answer))
                self.assertNotIn(wire.cookie, answer)

    def test_a_cookie_of_another_server_of_this_host_gives_nothing(self):
        """Fixation: a cookie that somebody else chose never becomes a browser's; of two, none is taken."""
        wire = self.wire
        chosen = "mdhost-page=" + "A" * 43
        token = Page.fresh_link().split("#enter=")[1]
        answer = wire.post("/api/enter", f'{{"token":"{token}"}}', cookie=chosen)
        fresh = re.search(r"(?i)set-cookie: (mdhost-page=[^;]+)", answer)[1]
        self.assertNotEqual(fresh, chosen)
        self.assertEqual(statuses(wire.post("/api/do/search", "{}", cookie=chosen)), [401])
        for pair in (f"{wire.cookie}; {chosen}", f"{chosen}; {wire.cookie}"):
            self.assertEqual(statuses(wire.post("/api/do/search", "{}", cookie=pair)), [401])
        self.assertEqual(statuses(wire.post("/api/do/search", "{}", cookie=wire.cookie)), [200])
        for each in mdhost("page", "browsers"):
            if each["id"] not in wire.before and each["id"] != wire.id:
                mdhost("page", "revoke", each["id"])

    def test_ids_of_events_are_no_key(self):
        wire = self.wire
        for last in ("0-0", "1-1", "-1--1", "99999999999999999999-1", "x", "1-", "1-18446744073709551615", "a" * 4000):
            head = lambda cookie: wire.head("GET /api/events", f"Last-Event-ID: {last}", cookie=cookie)
            with self.subTest(last[:30]):
                self.assertEqual(statuses(wire.send(head(None), 2)), [401])
                self.assertIn("event: snapshot", wire.send(head(wire.cookie), 1))

    def test_paths_lead_nowhere_else(self):
        wire = self.wire
        for path in ("/api/artwork/session/..%2f..%2fbrowsers.json", "/api/artwork/media/%00", "/api/artwork/media/%2e%2e",
                     "/api/artwork/file/etc", "/api/artwork/session/" + "a" * 5000, "/page/%2e%2e%2fbrowsers.json", "/page//etc/passwd",
                     "/page/..;/x", "//evil.example/", "/page/app.js%00.svg", "/api/do/..%2fevents", "/api/do/%73earch/x"):
            answer = wire.send(wire.head(f"GET {path}", "Connection: close", "Range: bytes=0-99999999999", cookie=wire.cookie), 2)
            with self.subTest(path[:60]):
                self.assertIn((statuses(answer) or [0])[0], (0, 400, 404, 414, 431), answer[:200])
                self.assertNotIn("cookieHash", answer)
                self.assertNotIn("root:", answer)

    def test_a_revoked_browser_sends_no_more_of_its_file(self):
        wire = self.wire
        device = next(each["id"] for each in mdhost("discover", "--known") if each["name"] == "Open Room")
        with socket.create_connection(("127.0.0.1", wire.port), timeout=20) as connection:
            connection.sendall(wire.head(
                f"POST /api/upload?device={device}&name=endless.wav", f"Origin: http://{wire.host}", "X-Mdhost-Page: 1",
                "Content-Type: audio/wav", "Content-Length: 4000000000", cookie=wire.cookie).encode())
            header = b"RIFF\xff\xff\xff\xffWAVEfmt \x10\0\0\0\x01\0\x02\0\x44\xac\0\0\x10\xb1\x02\0\x04\0\x10\0data\xff\xff\xff\xff"
            sent = [0]

            def feed():
                try:
                    connection.sendall(header)
                    while True:
                        connection.sendall(bytes(16384))
                        sent[0] += 16384
                except OSError:
                    pass
            feeder = threading.Thread(target=feed, daemon=True)
            feeder.start()
            eventually("it plays", lambda: sessions("Open Room"), 20)
            # From now on nobody reads, so the page waits to write.
            mdhost("pause", "Open Room")
            mdhost("page", "revoke", wire.id)
            feeder.join(15)
            self.assertFalse(feeder.is_alive(), "the connection ends")
        self.assertLess(sent[0], 100_000_000)
        eventually("it stops by itself, or was stopped", lambda: not sessions("Open Room") or mdhost("stop", "Open Room"), 20)
        self.assertEqual(statuses(wire.post("/api/do/search", "{}", cookie=wire.cookie)), [401])

    def test_slow_and_silent_connections_make_room(self):
        """As many connections as there may be, each silent: those that are let in are closed in time, and the page answers."""
        wire = self.wire
        silent = []
        try:
            for _ in range(300):
                silent.append(socket.create_connection(("127.0.0.1", wire.port), timeout=5))
            eventually("the page answers", lambda: self.answers(), 45)
        finally:
            for connection in silent:
                connection.close()

    def answers(self):
        try:
            return statuses(self.wire.post("/api/do/search", "{}", cookie=self.wire.cookie)) == [200]
        except OSError:
            return False
