import DeviceDiscovery
import Glibc
import Testing

@testable import DeviceConnections

/// A device that keeps the connection open and reads nothing.
@Suite(.timeLimit(.minutes(1))) struct UnreadConnectionTests {
    /// A protocol without answers: every request is a megabyte.
    private struct Talker: ConnectionMachine {
        mutating func connected() -> [ConnectionAction<Int, Int>] { [.ready] }
        mutating func submit(_ id: RequestID, _ request: Int) -> [ConnectionAction<Int, Int>] {
            [.send([UInt8](repeating: 0, count: 1 << 20)), .complete(id, request)]
        }
        mutating func received(_ bytes: [UInt8]) -> [ConnectionAction<Int, Int>] { [] }
        mutating func timedOut() -> [ConnectionAction<Int, Int>] { [] }
    }

    @Test func bytesThatTheDeviceDoesNotTakeEndTheConnection() async throws {
        // The system accepts connections for it.
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        try #require(listener >= 0)
        defer { close(listener) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let port = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer -> UInt16? in
                guard bind(listener, pointer, size) == 0, listen(listener, 4) == 0,
                    getsockname(listener, pointer, &size) == 0
                else { return nil }
                return UnsafeRawPointer(pointer).load(as: sockaddr_in.self).sin_port.bigEndian
            }
        }
        let number = try #require(port.flatMap { NWEndpoint.Port(rawValue: $0) })
        let endpoint = NWEndpoint.hostPort(host: "127.0.0.1", port: number)
        let connection = try await DeviceConnection.open(anyOf: [endpoint]) { Talker() }
        var sent = 0
        var failure: TransportFailure?
        while failure == nil, sent < 200 {
            do throws(TransportFailure) {
                sent += try await connection.request(1)
            } catch {
                failure = error
            }
        }
        // As much as the system's buffers and the limit take.
        #expect(failure == .tooLarge("it reads nothing") && sent >= 4 && sent < 40, "\(sent) MB")
        await connection.close()
    }
}
