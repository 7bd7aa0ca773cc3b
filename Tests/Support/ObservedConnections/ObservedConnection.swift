package import Dispatch
import Foundation
package import NetworkConnections

/// Records the calls of a connection's handlers and completions, in order.
package final class ObservedConnection: Sendable {
    package let queue = DispatchQueue(label: "ObservedConnection")
    package let connection: NWConnection
    private let states: AsyncStream<NWConnection.State>

    package init(_ connection: NWConnection) {
        self.connection = connection
        let (states, feed) = AsyncStream.makeStream(of: NWConnection.State.self)
        self.states = states
        connection.stateUpdateHandler = { feed.yield($0) }
    }

    package convenience init(to port: NWEndpoint.Port, using parameters: NWParameters = .tcp) {
        self.init(NWConnection(host: "127.0.0.1", port: port, using: parameters))
    }

    deinit { connection.forceCancel() }

    package func start() -> Self {
        connection.start(queue: queue)
        return self
    }

    package func next() async -> NWConnection.State? {
        for await state in states { return state }
        return nil
    }

    /// - Returns: The first state that is neither `.setup` nor `.preparing`.
    package func settled() async -> NWConnection.State? {
        for await state in states where state != .preparing { return state }
        return nil
    }

    package func send(
        _ text: String?, _ context: NWConnection.ContentContext = .defaultMessage
    ) async -> NWError? {
        await withCheckedContinuation { continuation in
            connection.send(
                content: text.map { Data($0.utf8) }, contentContext: context,
                completion: .contentProcessed { continuation.resume(returning: $0) })
        }
    }

    package struct Received: Equatable, Sendable {
        package var text: String?
        package var isComplete = false
        package var isFinal = false
        package var error: NWError?

        package init(text: String? = nil, isComplete: Bool = false, isFinal: Bool = false, error: NWError? = nil) {
            (self.text, self.isComplete, self.isFinal, self.error) = (text, isComplete, isFinal, error)
        }
    }

    package func receive(_ minimum: Int = 1, _ maximum: Int = 65_536) async -> Received {
        await withCheckedContinuation { continuation in
            connection.receive(minimumIncompleteLength: minimum, maximumLength: maximum) {
                continuation.resume(returning: Received($0, $1, $2, $3))
            }
        }
    }

    package func receiveMessage() async -> (received: Received, opcode: NWProtocolWebSocket.Opcode?) {
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

extension ObservedConnection.Received {
    init(_ content: Data?, _ context: NWConnection.ContentContext?, _ isComplete: Bool, _ error: NWError?) {
        self.init(
            text: content.map { String(decoding: $0, as: UTF8.self) }, isComplete: isComplete,
            isFinal: context?.isFinal ?? false, error: error)
    }
}
