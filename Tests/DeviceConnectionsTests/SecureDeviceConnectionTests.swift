import DeviceConnections
import DeviceDiscovery
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SecureDeviceConnectionTests {
    private func open(
        _ server: LoopbackServer, _ security: ConnectionSecurity
    ) async throws -> DeviceConnection<LineMachine> {
        try await DeviceConnection.open(anyOf: [server.endpoint], security: security) { LineMachine() }
    }

    @Test func anyCertificateIsAcceptedOnRequest() async throws {
        let server = try await LoopbackServer(greeting: "hello\n", tls: .device) { $0 }
        let connection = try await open(server, .tls(.anyCertificate))
        #expect(try await connection.request("one") == "one")
        await connection.close()
        try await server.stop()
    }

    @Test func onlyThePinnedCertificateIsAccepted() async throws {
        let server = try await LoopbackServer(greeting: "hello\n", tls: .device) { $0 }
        let connection = try await open(server, .tls(.pinned(TestCertificate.device.der)))
        #expect(try await connection.request("one") == "one")
        await connection.close()
        let other = try TestCertificate.otherDevice.der
        await #expect {
            try await open(server, .tls(.pinned(other)))
        } throws: { error in
            if case .disconnected(let reason)? = error as? TransportFailure { reason.contains("TLS") } else { false }
        }
        try await server.stop()
    }

    @Test func aDeviceWithoutTLSIsRefused() async throws {
        let server = try await LoopbackServer(greeting: "hello\n") { $0 }
        await #expect {
            try await open(server, .tls(.anyCertificate))
        } throws: { error in
            if case .disconnected(let reason)? = error as? TransportFailure { reason.contains("TLS") } else { false }
        }
        try await server.stop()
    }
}
