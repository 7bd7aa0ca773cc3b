import Foundation
import MediaDecoding
import Testing

/// Against a real HTTPS server with a self-signed certificate.
@Suite(.timeLimit(.minutes(1))) struct CertificateTests {
    /// `openssl s_server`, which serves the files of its folder.
    private final class SecureServer {
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
            process.executableURL = request.executableURL
            process.currentDirectoryURL = folder
            process.arguments = [
                "s_server", "-accept", "127.0.0.1:0", "-cert", "cert.pem", "-key", "key.pem", "-HTTP",
            ]
            process.standardError = FileHandle.nullDevice
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            var text = ""
            while !text.contains("ACCEPT ") || !text.hasSuffix("\n") {
                let data = output.fileHandleForReading.availableData
                guard !data.isEmpty else { break }
                text += String(decoding: data, as: UTF8.self)
            }
            let line = text.split(separator: "\n").first { $0.hasPrefix("ACCEPT ") } ?? ""
            server = String(line.dropFirst("ACCEPT ".count))
            try #require(server.hasPrefix("127.0.0.1:"))
        }

        deinit {
            // Foundation hands on the signal mask of a thread that blocks SIGTERM.
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            try? FileManager.default.removeItem(at: folder)
        }

        func address(_ name: String) -> String { "https://\(server)/\(name)" }

        /// The server sends files as they are, so each is a whole answer.
        func put(_ data: Data, as name: String) throws {
            let head =
                "HTTP/1.0 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: \(data.count)\r\n\r\n"
            try (Data(head.utf8) + data).write(to: folder.appending(path: name))
        }
    }

    /// One second of silence.
    private static let wave: Data = {
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

    private func frames(_ address: String, _ trust: CertificateTrust) throws -> Int {
        let decoder = try AudioDecoder(address: address, trust: trust)
        var count = 0
        while let samples = try decoder.read() { count += samples.count / 2 }
        return count
    }

    @Test func aSelfSignedServerIsReadOnlyWhereItWasAccepted() throws {
        let server = try SecureServer()
        try server.put(Self.wave, as: "tone.wav")
        #expect(throws: DecodingError.untrusted(server.server)) {
            try frames(server.address("tone.wav"), CertificateTrust())
        }
        #expect(throws: DecodingError.untrusted(server.server)) {
            try frames(server.address("tone.wav"), CertificateTrust(exempt: ["127.0.0.1:443", "nas:443"]))
        }
        #expect(try frames(server.address("tone.wav"), CertificateTrust(exempt: [server.server])) == 44_100)
        // Whom an authority vouches for needs no exception.
        #expect(try frames(server.address("tone.wav"), CertificateTrust(authorities: server.certificate)) == 44_100)
    }

    @Test func aCertificateOfAnotherNameIsNotTrusted() throws {
        let server = try SecureServer(name: "DNS:other.example")
        try server.put(Self.wave, as: "tone.wav")
        #expect(throws: DecodingError.untrusted(server.server)) {
            try frames(server.address("tone.wav"), CertificateTrust(authorities: server.certificate))
        }
    }

    @Test func aServerThatIsNotThereIsNoMatterOfItsCertificate() {
        #expect(throws: DecodingError.unreadable("Connection refused")) {
            try frames("https://127.0.0.1:1/tone.wav", CertificateTrust())
        }
    }

    @Test(
        arguments: [
            ("https://nas.local/a", "nas.local:443"), ("HTTPS://NAS.local:8443", "nas.local:8443"),
            ("https://user:pass@nas:1?x", "nas:1"), ("https://[fd00::1]/a", "[fd00::1]:443"),
            ("https://[fd00::1]:8443/a", "[fd00::1]:8443"), ("http://nas/a", nil), ("https:///a", nil), ("/a", nil),
        ] as [(String, String?)])
    func serversOfAddresses(address: String, server: String?) {
        #expect(CertificateTrust.server(of: address) == server)
    }
}
