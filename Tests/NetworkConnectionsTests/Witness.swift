import Dispatch
import Foundation
import NetworkConnections

/// Notes in order what a connection's handlers and completions are told.
final class Witness: Sendable {
    let queue = DispatchQueue(label: "Witness")
    let connection: NWConnection
    private let states: AsyncStream<NWConnection.State>

    init(_ connection: NWConnection) {
        self.connection = connection
        let (states, feed) = AsyncStream.makeStream(of: NWConnection.State.self)
        self.states = states
        connection.stateUpdateHandler = { feed.yield($0) }
    }

    convenience init(to port: NWEndpoint.Port, using parameters: NWParameters = .tcp) {
        self.init(NWConnection(host: "127.0.0.1", port: port, using: parameters))
    }

    deinit { connection.forceCancel() }

    func start() -> Self {
        connection.start(queue: queue)
        return self
    }

    func next() async -> NWConnection.State? {
        for await state in states { return state }
        return nil
    }

    /// - Returns: The first state that is neither `.setup` nor `.preparing`.
    func settled() async -> NWConnection.State? {
        for await state in states where state != .preparing { return state }
        return nil
    }

    func send(
        _ text: String?, _ context: NWConnection.ContentContext = .defaultMessage
    ) async -> NWError? {
        await withCheckedContinuation { continuation in
            connection.send(
                content: text.map { Data($0.utf8) }, contentContext: context,
                completion: .contentProcessed { continuation.resume(returning: $0) })
        }
    }

    struct Received: Equatable, Sendable {
        var text: String?
        var isComplete = false
        var isFinal = false
        var error: NWError?
    }

    func receive(_ minimum: Int = 1, _ maximum: Int = 65_536) async -> Received {
        await withCheckedContinuation { continuation in
            connection.receive(minimumIncompleteLength: minimum, maximumLength: maximum) {
                continuation.resume(returning: Received($0, $1, $2, $3))
            }
        }
    }

    func receiveMessage() async -> (received: Received, opcode: NWProtocolWebSocket.Opcode?) {
        await withCheckedContinuation { continuation in
            connection.receiveMessage { content, context, isComplete, error in
                let metadata = context?.protocolMetadata(definition: NWProtocolWebSocket.definition)
                continuation.resume(
                    returning: (
                        Received(content, context, isComplete, error),
                        (metadata as? NWProtocolWebSocket.Metadata)?.opcode
                    ))
            }
        }
    }
}

extension Witness.Received {
    init(_ content: Data?, _ context: NWConnection.ContentContext?, _ isComplete: Bool, _ error: NWError?) {
        self.init(
            text: content.map { String(decoding: $0, as: UTF8.self) }, isComplete: isComplete,
            isFinal: context?.isFinal ?? false, error: error)
    }
}
