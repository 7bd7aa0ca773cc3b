import Dispatch
import Foundation
import NetworkConnections

/// A connection to a display, which plays the bytes that it receives.
final class DisplayConnection: Sendable {
    private let connection: NWConnection

    init(to endpoint: NWEndpoint) { connection = NWConnection(to: endpoint, using: .tcp) }

    /// Connects.
    ///
    /// - Throws: `NWError` if the display doesn't answer.
    func open() async throws {
        let states = AsyncStream<NWConnection.State> { continuation in
            connection.stateUpdateHandler = { continuation.yield($0) }
        }
        connection.start(queue: DispatchQueue(label: "org.example.raw-display"))
        for await state in states {
            switch state {
            case .ready: return
            case .failed(let error), .waiting(let error):
                connection.cancel()
                throw error
            case .cancelled: throw CancellationError()
            case .setup, .preparing: break
            @unknown default: break
            }
        }
    }

    /// Returns when the system has taken the bytes.
    func send(_ bytes: Data) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            connection.send(
                content: bytes,
                completion: .contentProcessed { error in
                    if let error { continuation.resume(throwing: error) } else { continuation.resume() }
                })
        }
    }

    func close() { connection.cancel() }
}
