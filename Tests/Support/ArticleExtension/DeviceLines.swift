import Dispatch
import Foundation
import NetworkConnections

/// A connection to a device that speaks in lines.
final class DeviceLines: Sendable {
    enum Event: Sendable {
        case line(String)
        /// The service has other addresses than this connection's.
        case moved
        /// The connection can't be made or broke; the last event.
        case failed(NWError)
    }

    let events: AsyncStream<Event>
    private let feed: AsyncStream<Event>.Continuation
    private let connection: NWConnection

    init(to endpoint: NWEndpoint) {
        (events, feed) = AsyncStream.makeStream(of: Event.self)
        let options = NWProtocolTCP.Options()
        options.connectionTimeout = 5
        connection = NWConnection(to: endpoint, using: NWParameters(tls: nil, tcp: options))
        connection.stateUpdateHandler = { [feed] state in
            switch state {
            case .failed(let error), .waiting(let error):
                feed.yield(.failed(error))
                feed.finish()
            case .cancelled: feed.finish()
            case .setup, .preparing, .ready: break
            }
        }
        connection.betterPathUpdateHandler = { [feed] isBetter in
            if isBetter { feed.yield(.moved) }
        }
        connection.start(queue: DispatchQueue(label: "org.example.article.connection"))
        receive(Data())
    }

    func send(_ line: String) {
        connection.send(content: Data((line + "\n").utf8), completion: .contentProcessed { _ in })
    }

    func cancel() { connection.cancel() }

    private func receive(_ rest: Data) {
        connection.receive(minimumIncompleteLength: 1, maximumLength: 4096) {
            [weak self] content, _, isComplete, error in
            guard let self else { return }
            var buffer = rest + (content ?? Data())
            while let end = buffer.firstIndex(of: 10) {
                feed.yield(.line(String(decoding: buffer[..<end], as: UTF8.self)))
                buffer = Data(buffer[buffer.index(after: end)...])
            }
            if isComplete {
                feed.yield(.failed(.posix(.ECONNRESET)))
                connection.cancel()
            } else if error == nil {
                receive(buffer)
            }
        }
    }
}
