import Foundation
import Testing

@testable import ReferenceReceiver

/// A simulated device is on the network, too.
@MainActor
@Suite(.timeLimit(.minutes(1))) struct ReceiverServerTests {
    private final class Client {
        private let descriptor: Int32

        init(port: Int) throws {
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = UInt16(port).bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            let result = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            try #require(result == 0)
        }

        deinit { close(descriptor) }

        var isOpen: Bool {
            var bytes = [UInt8](repeating: 0, count: 65_536)
            let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
            return count > 0 || count < 0 && errno == EAGAIN
        }
    }

    @Test func anAddressHasABoundedNumberOfConnections() async throws {
        try await Home().withReceiver({ $0.authorization = .none }) { receiver in
            var clients = try (0..<100).map { _ in try Client(port: receiver.place.port) }
            while clients.count(where: \.isOpen) > 32 { await Task.yield() }
            #expect(clients.count(where: \.isOpen) == 32)
            clients = []
            // The places are free again.
            var next = try Client(port: receiver.place.port)
            while !next.isOpen {
                await Task.yield()
                next = try Client(port: receiver.place.port)
            }
        }
    }

    @Test func placesAreCountedByAddressAndInTotal() {
        var places = ClientPlaces()
        let own = (0..<40).map { _ in places.take("a") }
        let others = (0..<40).map { _ in places.take("b") }
        #expect(own.count { $0 } == 32 && others.count { $0 } == 32)
        let refused = places.take("c")
        places.leave("a")
        let accepted = places.take("c")
        places.leave("nobody")
        let refusedAgain = places.take("c")
        #expect(!refused && accepted && !refusedAgain)
    }
}
