package import HostInterface
package import MediaReading
import PacketSockets
import Synchronization

/// The readers of media in a test system. By default there are none.
package final class TestMediaReaders: Sendable {
    private struct State {
        var addresses: [String: String] = [:]
        var start: (@Sendable (ReaderRequest, ReaderSocket) -> Void)?
    }

    private let state = Mutex(State())

    /// Sets the closure that starts readers.
    package func install(_ start: @escaping @Sendable (ReaderRequest, ReaderSocket) -> Void) {
        state.withLock { $0.start = start }
    }

    /// Sets the URL that a session was given.
    func set(_ address: String, of session: String) { state.withLock { $0.addresses[session] = address } }

    func start(_ session: String, _ socket: ReaderSocket) {
        let (address, start) = state.withLock { ($0.addresses[session], $0.start) }
        guard let address, let start else {
            let failure = ReaderPacket.failure(.unreadable("the test has no readers"), generation: 0)
            PacketSocket.send(failure.bytes, on: socket.number, waits: false)
            return
        }
        start(ReaderRequest(address: address), socket)
    }
}
