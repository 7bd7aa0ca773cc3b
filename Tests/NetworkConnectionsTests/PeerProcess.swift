import Foundation
import NetworkConnections

/// A server in Python, which prints its port and ends with its standard input.
final class PeerProcess: Sendable {
    let port: NWEndpoint.Port
    private let process: Process
    private let input: Pipe

    /// - Parameter program: Prints its port first, then the lines that the test reads.
    init(_ program: String, _ arguments: [String] = []) throws {
        process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        let watch = """
            import os, sys, threading
            threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()

            """
        process.arguments = ["-u", "-c", watch + program] + arguments
        let output = Pipe()
        input = Pipe()
        process.standardOutput = output
        process.standardInput = input
        try process.run()
        var line = Data()
        while let byte = try output.fileHandleForReading.read(upToCount: 1), let byte = byte.first, byte != 10 {
            line.append(byte)
        }
        guard let port = NWEndpoint.Port(String(decoding: line, as: UTF8.self)) else {
            throw CocoaError(.fileReadCorruptFile)
        }
        self.port = port
    }

    // Threads of the tests may have other signals blocked, and their children with them.
    deinit { kill(process.processIdentifier, SIGKILL) }

    func stop() async {
        await withCheckedContinuation { continuation in
            process.terminationHandler = { _ in continuation.resume() }
            kill(process.processIdentifier, SIGKILL)
        }
    }

    static let echo = """
        import socket
        s = socket.create_server(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 0))
        print(s.getsockname()[1])
        while True:
            c, _ = s.accept()
            def serve(c):
                received = b""
                while True:
                    data = c.recv(65536)
                    if not data: break
                    received += data
                    c.sendall(data)
                # The other side is done; this one still has something to say.
                c.sendall(b"<%d>" % len(received))
                c.close()
            threading.Thread(target=serve, args=(c,), daemon=True).start()
        """

    static let datagrams = """
        import socket
        s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        s.bind(("127.0.0.1", 0))
        print(s.getsockname()[1])
        while True:
            data, sender = s.recvfrom(65536)
            s.sendto(data, sender)
        """

    /// A client: sends two datagrams to the port in its argument, then answers each one of that port alone.
    static let datagramClient = """
        import socket
        s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        s.bind(("127.0.0.1", 0))
        s.connect(("127.0.0.1", int(sys.argv[1])))
        s.send(b"one")
        s.send(b"two")
        print(s.getsockname()[1])
        while True: s.send(b"got " + s.recv(65536))
        """

    /// Arguments: certificate and key.
    static let secure = """
        import http.server, ssl
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                body = b"hello over TLS"
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
            def log_message(self, *a): pass
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.set_alpn_protocols(["http/1.1"])
        context.load_cert_chain(sys.argv[1], sys.argv[2])
        server.socket = context.wrap_socket(server.socket, server_side=True)
        print(server.server_address[1])
        server.serve_forever()
        """

    /// Answers the handshake, then every frame with one of the same kind and content; no masks, at most 125 bytes.
    static let webSocket = """
        import base64, hashlib, socket
        s = socket.create_server(("127.0.0.1", 0))
        print(s.getsockname()[1])
        c, _ = s.accept()
        head = b""
        while b"\\r\\n\\r\\n" not in head: head += c.recv(1)
        lines = head.decode().split("\\r\\n")
        fields = {l.split(": ", 1)[0].lower(): l.split(": ", 1)[1] for l in lines[1:] if ": " in l}
        accept = base64.b64encode(hashlib.sha1((fields["sec-websocket-key"] +
            "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()).decode()
        c.sendall(("HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\n"
            "Sec-WebSocket-Accept: " + accept + "\\r\\n\\r\\n").encode())
        greeting = (lines[0] + "|" + fields.get("x-test", "")).encode()
        c.sendall(bytes([0x81, len(greeting)]) + greeting)
        def exactly(n):
            data = b""
            while len(data) < n:
                more = c.recv(n - len(data))
                if not more: os._exit(0)
                data += more
            return data
        while True:
            a, b = exactly(2)
            mask, data = exactly(4), exactly(b & 127)
            data = bytes(x ^ mask[i % 4] for i, x in enumerate(data))
            opcode = 0xA if a & 15 == 9 else a & 15
            c.sendall(bytes([0x80 | opcode, len(data)]) + data)
        """
}
