import Foundation
import Testing

/// An HTTPS server with a certificate of its own, which serves the files of its folder.
final class SecureServer {
    /// One second of silence.
    static let wave: Data = {
        var data = Data("RIFF".utf8)
        func append<Number: FixedWidthInteger>(_ number: Number) {
            withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) }
        }
        append(UInt32(36 + 176_400))
        data.append(contentsOf: "WAVEfmt ".utf8)
        append(UInt32(16))
        append(UInt16(1))
        append(UInt16(2))
        append(UInt32(44_100))
        append(UInt32(176_400))
        append(UInt16(4))
        append(UInt16(16))
        data.append(contentsOf: "data".utf8)
        append(UInt32(176_400))
        return data + Data(count: 176_400)
    }()

    let folder: URL
    let server: String
    var certificate: String { folder.appending(path: "cert.pem").path }
    private let process = Process()

    init(name: String = "IP:127.0.0.1") throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "mdhost-tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        let request = Process()
        request.executableURL = URL(filePath: "/usr/bin/openssl")
        request.arguments = [
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=nas", "-addext",
            "subjectAltName=\(name)", "-keyout", folder.appending(path: "key.pem").path, "-out",
            folder.appending(path: "cert.pem").path,
        ]
        request.standardError = FileHandle.nullDevice
        try request.run()
        request.waitUntilExit()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = ["-c", Self.program, folder.path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        server = line.trimmingCharacters(in: .whitespacesAndNewlines)
        try #require(server.hasPrefix("127.0.0.1:"))
    }

    /// Files are sent as they are, over any number of connections at a time.
    private static let program = """
        import pathlib, socket, ssl, sys, threading
        folder = pathlib.Path(sys.argv[1])
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(folder / "cert.pem", folder / "key.pem")
        def serve(plain):
            try:
                with context.wrap_socket(plain, server_side=True) as secure:
                    request = secure.makefile("rb")
                    name = request.readline().decode().split(" ")[1].lstrip("/")
                    while request.readline().strip(): pass
                    path = folder / name
                    secure.sendall(path.read_bytes() if path.is_file() else b"HTTP/1.0 404 No\\r\\nContent-Length: 0\\r\\n\\r\\n")
                    secure.unwrap()
            except (OSError, IndexError):
                pass
        with socket.create_server(("127.0.0.1", 0), backlog=64) as listener:
            print("127.0.0.1:%d" % listener.getsockname()[1], flush=True)
            while True:
                threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
        """

    deinit {
        // Foundation hands on the signal mask of a thread that blocks SIGTERM.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    func address(_ name: String) -> String { "https://\(server)/\(name)" }

    func redirect(_ name: String, to address: String) throws {
        let head = "HTTP/1.0 302 Found\r\nLocation: \(address)\r\nContent-Length: 0\r\n\r\n"
        try Data(head.utf8).write(to: folder.appending(path: name))
    }

    /// The server sends files as they are, so each is a whole answer.
    func put(_ data: Data, as name: String) throws {
        let head =
            "HTTP/1.0 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: \(data.count)\r\n\r\n"
        try (Data(head.utf8) + data).write(to: folder.appending(path: name))
    }
}
