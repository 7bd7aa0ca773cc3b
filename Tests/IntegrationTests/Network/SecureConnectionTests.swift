import Foundation
import NetworkConnections
import ObservedConnections
import Testing

extension Product {
    /// TLS with OpenSSL and curl as the other side.
    @Suite struct SecureConnectionTests {
        /// A certificate that only host b and this one know.
        private struct Certificate {
            let folder = FileManager.default.temporaryDirectory.appending(path: "tls-\(UUID().uuidString)").path
            var certificate: String { folder + "/cert.pem" }
            var key: String { folder + "/key.pem" }

            init() async throws {
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                let result = try await Command.run([
                    "/usr/bin/openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                    "-nodes", "-days", "2", "-subj", "/CN=lab", "-addext",
                    "subjectAltName=IP:10.77.0.2,IP:10.77.0.4", "-keyout", key, "-out", certificate,
                ])
                try #require(result.status == 0, "\(result)")
            }

            /// As the first certificate of a chain has it.
            func encoded() throws -> Data? {
                let lines = try String(contentsOfFile: certificate, encoding: .utf8).split(separator: "\n")
                return Data(base64Encoded: lines.filter { !$0.hasPrefix("-") }.joined())
            }

            func remove() { try? FileManager.default.removeItem(atPath: folder) }
        }

        private func client(pinning expected: Data?) -> ObservedConnection {
            let options = NWProtocolTLS.Options()
            if let expected {
                sec_protocol_options_set_verify_block(
                    options.securityProtocolOptions,
                    { _, trust, complete in
                        let chain = SecTrustCopyCertificateChain(sec_trust_copy_ref(trust).takeRetainedValue())
                        complete(chain?.first.map { SecCertificateCopyData($0) } == expected)
                    }, DispatchQueue(label: "verification"))
            }
            return ObservedConnection(
                NWConnection(host: "10.77.0.2", port: 7443, using: NWParameters(tls: options))
            ).start()
        }

        @Test func aWebServerIsTrustedByItsPinnedCertificateAlone() async throws {
            let certificate = try await Certificate()
            let server = try await LANPeer.start(
                [
                    "openssl", "s_server", "-accept", "7443", "-www", "-cert", certificate.certificate, "-key",
                    certificate.key,
                ], on: "b", saying: "ACCEPT")
            #expect(await client(pinning: nil).settled() == .failed(.tls(errSSLXCertChainInvalid)))
            #expect(await client(pinning: Data("other".utf8)).settled() == .failed(.tls(errSSLXCertChainInvalid)))
            let client = client(pinning: try certificate.encoded())
            #expect(await client.settled() == .ready)
            #expect(await client.send("GET / HTTP/1.0\r\n\r\n") == nil)
            var answer = ""
            while true {
                let received = await client.receive()
                answer += received.text ?? ""
                if received.isComplete || received.error != nil { break }
            }
            #expect(answer.hasPrefix("HTTP/1.0 200 ok") && answer.contains("TLSv1.3"), "\(answer)")
            await server.stop()
            certificate.remove()
        }

        @Test func curlIsServedByAListener() async throws {
            let certificate = try await Certificate()
            let options = NWProtocolTLS.Options()
            sec_protocol_options_set_local_identity(
                options.securityProtocolOptions,
                sec_identity_t(
                    pemCertificates: try Data(contentsOf: URL(filePath: certificate.certificate)),
                    pemPrivateKey: try Data(contentsOf: URL(filePath: certificate.key))))
            let listener = try NWListener(using: NWParameters(tls: options), on: 7444)
            let (accepted, feed) = AsyncStream.makeStream(of: ObservedConnection.self)
            listener.newConnectionHandler = { feed.yield(ObservedConnection($0).start()) }
            let (states, told) = AsyncStream.makeStream(of: NWListener.State.self)
            listener.stateUpdateHandler = { told.yield($0) }
            listener.start(queue: DispatchQueue(label: "listener"))
            for await state in states {
                if state == .ready { break }
                try #require(state == .setup, "\(state)")
            }
            async let fetched = LabHost.run(
                "curl", "--silent", "--show-error", "--cacert", certificate.certificate, "https://10.77.0.4:7444/",
                on: "b")
            for await peer in accepted {
                #expect(await peer.receive().text?.hasPrefix("GET / HTTP/1.1\r\n") == true)
                let answer = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello"
                #expect(await peer.send(answer, .finalMessage) == nil)
                break
            }
            let result = try await fetched
            #expect(result.output == "hello", "\(result)")
            listener.cancel()
            certificate.remove()
        }
    }
}
