import Foundation
import NetworkConnections
import ObservedConnections
import Testing

extension Product {
    /// `NWConnection` and `NWListener` with servers and clients of others in other hosts of the LAN.
    @Suite struct ConnectionTests {
        private func connection(
            _ host: NWEndpoint.Host, _ port: NWEndpoint.Port, timeout: Int = 10, datagrams: Bool = false
        ) -> ObservedConnection {
            let options = NWProtocolTCP.Options()
            options.connectionTimeout = timeout
            let parameters = datagrams ? NWParameters.udp : NWParameters(tls: nil, tcp: options)
            return ObservedConnection(NWConnection(host: host, port: port, using: parameters)).start()
        }

        private func text(_ client: ObservedConnection, until end: String) async -> String {
            var text = ""
            while !text.contains(end) {
                let received = await client.receive()
                text += received.text ?? ""
                if received.isComplete || received.error != nil { break }
            }
            return text
        }

        @Test func aMusicServerGreetsAnswersAndEnds() async throws {
            let client = connection("10.77.0.3", 6601)
            #expect(await client.settled() == .ready)
            #expect(await text(client, until: "\n").hasPrefix("OK MPD "))
            #expect(await client.send("status\n") == nil)
            let status = await text(client, until: "\nOK\n")
            #expect(status.contains("volume:") && status.contains("state:"), "\(status)")
            #expect(await client.send("close\n") == nil)
            let end = await client.receive()
            #expect(end.isComplete && end.isFinal && end.error == nil, "\(end)")
            client.connection.cancel()
            #expect(await client.next() == .cancelled)
        }

        @Test func aStreamIsHalfClosed() async throws {
            let server = try await LANPeer.python(LANPeer.echo, on: "b")
            let client = connection("10.77.0.2", 7007)
            #expect(await client.settled() == .ready)
            let path = client.connection.currentPath
            #expect(path?.remoteEndpoint == .hostPort(host: "10.77.0.2", port: 7007), "\(String(describing: path))")
            #expect(await client.send(String(repeating: "x", count: 200_000), .finalMessage) == nil)
            let answer = await text(client, until: "<200000>")
            #expect(answer.count == 200_008 && answer.hasSuffix("x<200000>"))
            #expect(await client.send("late") == .posix(.EPIPE))
            await server.stop()
        }

        @Test func datagramsAreEchoed() async throws {
            let server = try await LANPeer.python(LANPeer.datagramEcho, on: "b")
            let client = connection("10.77.0.2", 7007, datagrams: true)
            #expect(await client.settled() == .ready)
            for size in [1, 1_472, 20_000] {
                let message = String(repeating: "d", count: size)
                #expect(await client.send(message) == nil)
                #expect(
                    await client.receiveMessage().received
                        == ObservedConnection.Received(text: message, isComplete: true),
                    "\(size) bytes")
            }
            await server.stop()
        }

        @Test func refusedSilentAndCancelledAreTold() async throws {
            let refused = connection("10.77.0.2", 9)
            #expect(await refused.settled() == .waiting(.posix(.ECONNREFUSED)))
            // It is tried again, and there is a server by then.
            let server = try await LANPeer.python(LANPeer.echo.replacing("7007", with: "9"), on: "b")
            refused.connection.restart()
            #expect(await refused.settled() == .ready)
            async let waiting = refused.receive()
            #expect(await refused.send("once") == nil)
            #expect(await waiting.text == "once")
            async let cancelled = refused.receive()
            refused.connection.cancel()
            #expect(await cancelled.error == .posix(.ECANCELED))
            #expect(await refused.next() == .cancelled)
            await server.stop()

            _ = try await Firewall.on("b").around("tcp dport 7010 drop") {
                let silent = connection("10.77.0.2", 7010, timeout: 2)
                #expect(await silent.settled() == .waiting(.posix(.ETIMEDOUT)))
                silent.connection.cancel()
                #expect(await silent.settled() == .cancelled)
            }
        }

        @Test func aConnectionThatBreaksFails() async throws {
            let server = try await LANPeer.python(LANPeer.echo, on: "b")
            let client = connection("10.77.0.2", 7007)
            #expect(await client.settled() == .ready)
            #expect(await client.send("a") == nil)
            #expect(await client.receive().text == "a")
            // Answered as if the other side had been started anew.
            _ = try await Firewall.on("b").around("tcp dport 7007 reject with tcp reset") {
                async let received = client.receive()
                _ = await client.send("b")
                #expect(await received.error == .posix(.ECONNRESET))
                #expect(await client.settled() == .failed(.posix(.ECONNRESET)))
            }
            await server.stop()
        }
    }
}
