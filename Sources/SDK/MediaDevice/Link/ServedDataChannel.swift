import DBus
import DataChannels
import ExtensionProgram
import Foundation
import HostInterface

/// An app's data channel, which this process serves.
final class ServedDataChannel: Sendable {
    /// The number of bytes of messages that may wait for the author's code.
    private static let longestUnprocessed = 64 << 10
    /// The number of bytes that an app may leave unread.
    private static let longestUnsent = 4 << 20

    private let socket: DataSocket
    private let window = DataWindow(size: longestUnprocessed)

    init(_ socket: DBusDescriptor) { self.socket = DataSocket(socket, longestUnsent: Self.longestUnsent) }

    deinit { close() }

    /// Begins to receive messages. Call it once.
    ///
    /// - Parameters:
    ///   - receive: Called for each message in order, on the reading thread. Answer each with ``answer(_:to:)``.
    ///   - ended: Called once when the channel has ended.
    /// - Throws: ``HostError`` `limit-exceeded` if the system has no thread left.
    func start(
        receive: @escaping @Sendable (Data) -> Void, ended: @escaping @Sendable () -> Void
    ) throws(HostError) {
        let isStarted = socket.start(longest: DataFrame.longestFromApp) { [window, weak self] frame in
            guard case .message(let data) = frame else {
                // Nothing was sent that has an answer.
                self?.close()
                return
            }
            if window.take(data.count) { receive(data) }
        } ended: { failure in
            if let failure {
                ExtensionLog.write("a data channel was closed, as a frame was invalid: \(failure.reason)")
            }
            ended()
        }
        guard isStarted else { throw HostError(.limitExceeded, "The extension has no thread left for a data channel.") }
    }

    /// Answers the oldest message that has no answer yet.
    ///
    /// - Parameters:
    ///   - error: The reason for which it was refused; `nil` if it was accepted.
    ///   - length: The length of the message.
    func answer(_ error: HostError?, to length: Int) {
        socket.send(error.map(DataFrame.refused) ?? .accepted)
        window.giveBack(length)
    }

    /// Sends a message.
    ///
    /// - Returns: `false` if the channel has ended.
    func send(_ data: Data) -> Bool { socket.send(.message(data)) }

    func close() {
        socket.close()
        window.close()
    }
}
