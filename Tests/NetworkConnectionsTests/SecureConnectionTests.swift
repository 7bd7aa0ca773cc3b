import Foundation
import NetworkConnections
import ObservedConnections
import Testing

/// TLS with Python's server and a certificate that only this test knows.
@Suite(.timeLimit(.minutes(2))) struct SecureConnectionTests {
    private final class Certificate: Sendable {
        let folder: URL
        var certificate: URL { folder.appending(path: "cert.pem") }
        var key: URL { folder.appending(path: "key.pem") }

        init() throws {
            folder = FileManager.default.temporaryDirectory.appending(path: "tls-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/openssl")
            process.arguments = [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
                "-keyout", folder.appending(path: "key.pem").path, "-out", folder.appending(path: "cert.pem").path,
            ]
            process.standardError = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            try #require(process.terminationStatus == 0)
        }

        deinit { try? FileManager.default.removeItem(at: folder) }
    }

    private func client(
        _ server: PeerProcess, verify: (@Sendable (SecTrust) -> Bool)?
    ) -> ObservedConnection {
        let options = NWProtocolTLS.Options()
        let security = options.securityProtocolOptions
        sec_protocol_options_add_tls_application_protocol(security, "http/1.1")
        sec_protocol_options_set_min_tls_protocol_version(security, .TLSv12)
        if let verify {
            sec_protocol_options_set_verify_block(
                security,
                { _, trust, complete in complete(verify(sec_trust_copy_ref(trust).takeRetainedValue())) },
                DispatchQueue(label: "verify"))
        }
        return ObservedConnection(NWConnection(host: "localhost", port: server.port, using: NWParameters(tls: options)))
            .start()
    }

    @Test func aCertificateNobodyKnowsIsRefused() async throws {
        let certificate = try Certificate()
        let server = try PeerProcess(PeerProcess.secure, [certificate.certificate.path, certificate.key.path])
        let client = client(server, verify: nil)
        #expect(await client.settled() == .failed(.tls(errSSLXCertChainInvalid)))
    }

    @Test func theVerificationBlockDecides() async throws {
        let certificate = try Certificate()
        let server = try PeerProcess(PeerProcess.secure, [certificate.certificate.path, certificate.key.path])
        let pem = try String(contentsOf: certificate.certificate, encoding: .utf8)
        let expected = Data(
            base64Encoded: pem.split(separator: "\n").filter { !$0.hasPrefix("-") }.joined())
        let client = client(server) { trust in
            var error: (any Error)?
            // The system doesn't trust it, but it is the pinned certificate.
            guard !SecTrustEvaluateWithError(trust, &error), error != nil else { return false }
            return SecTrustCopyCertificateChain(trust)?.first.map { SecCertificateCopyData($0) } == expected
        }
        #expect(await client.settled() == .ready)
        let metadata = client.connection.metadata(definition: NWProtocolTLS.definition) as? NWProtocolTLS.Metadata
        let security = try #require(metadata).securityProtocolMetadata
        #expect(sec_protocol_metadata_get_negotiated_protocol(security).map { String(cString: $0) } == "http/1.1")
        #expect(await client.send("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n") == nil)
        var text = ""
        while !text.hasSuffix("hello over TLS") {
            let received = await client.receive()
            guard let more = received.text else { break }
            text += more
        }
        #expect(text.hasPrefix("HTTP/1.0 200") && text.hasSuffix("hello over TLS"))
        let refused = self.client(server) { _ in false }
        #expect(await refused.settled() == .failed(.tls(errSSLXCertChainInvalid)))
    }

    @Test func aListenerSpeaksTLSWithAnIdentity() async throws {
        let certificate = try Certificate()
        let options = NWProtocolTLS.Options()
        let identity = sec_identity_t(
            pemCertificates: try Data(contentsOf: certificate.certificate),
            pemPrivateKey: try Data(contentsOf: certificate.key))
        sec_protocol_options_set_local_identity(options.securityProtocolOptions, identity)
        let listener = try NWListener(using: NWParameters(tls: options), on: .any)
        let (accepted, feed) = AsyncStream.makeStream(of: ObservedConnection.self)
        listener.newConnectionHandler = { feed.yield(ObservedConnection($0).start()) }
        let port = try await ListenerTests.start(listener)
        let verified = NWProtocolTLS.Options()
        sec_protocol_options_set_peer_authentication_required(verified.securityProtocolOptions, false)
        let client = ObservedConnection(to: port, using: NWParameters(tls: verified)).start()
        var peers = accepted.makeAsyncIterator()
        let peer = try #require(await peers.next())
        #expect(await client.settled() == .ready)
        #expect(await client.send("ping") == nil)
        #expect(await peer.receive(4).text == "ping")
        #expect(await peer.send("pong", .finalMessage) == nil)
        #expect(await client.receive(4).text == "pong")
        listener.cancel()
    }

    @Test func aListenerWithoutAnIdentityIsRefused() {
        #expect(throws: NWError.posix(.EINVAL)) { try NWListener(using: .tls) }
        #expect(throws: NWError.posix(.EPROTONOSUPPORT)) {
            try NWListener(using: NWParameters(dtls: NWProtocolTLS.Options(), udp: NWProtocolUDP.Options()))
        }
    }
}
