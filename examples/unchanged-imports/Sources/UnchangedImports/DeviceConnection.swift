import Foundation
import Network

/// A line-based connection to a device, as it is written on iOS.
final class DeviceConnection: Sendable {
    private let connection: NWConnection
    private let queue = DispatchQueue(label: "com.example.unchangedimports.connection")
    private let lineHandler: @Sendable (String) -> Void

    init(to endpoint: NWEndpoint, lineHandler: @escaping @Sendable (String) -> Void) {
        let options = NWProtocolTCP.Options()
        options.noDelay = true
        options.connectionTimeout = 5
        connection = NWConnection(to: endpoint, using: NWParameters(tls: nil, tcp: options))
        self.lineHandler = lineHandler
    }

    func start(stateHandler: @escaping @Sendable (NWConnection.State) -> Void) {
        connection.stateUpdateHandler = { [weak self] state in
            stateHandler(state)
            if state == .ready { self?.receive(Data()) }
        }
        connection.start(queue: queue)
    }

    func send(_ line: String) {
        connection.send(
            content: Data((line + "\n").utf8),
            completion: .contentProcessed { [connection] error in
                if error != nil { connection.cancel() }
            })
    }

    func cancel() { connection.cancel() }

    private func receive(_ rest: Data) {
        connection.receive(minimumIncompleteLength: 1, maximumLength: 4096) {
            [weak self] content, _, isComplete, error in
            guard let self else { return }
            var buffer = rest + (content ?? Data())
            while let end = buffer.firstIndex(of: 10) {
                lineHandler(String(decoding: buffer[..<end], as: UTF8.self))
                buffer = Data(buffer[buffer.index(after: end)...])
            }
            if isComplete || error != nil { connection.cancel() } else { receive(buffer) }
        }
    }
}
