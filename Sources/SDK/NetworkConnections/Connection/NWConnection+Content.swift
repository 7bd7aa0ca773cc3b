import DeviceDiscovery
import Foundation
import NIOCore

extension NWConnection {
    /// Gets content, its context, whether a message is complete (of a stream: its end), and an error.
    public typealias ReceiveCompletion = @Sendable (Data?, ContentContext?, Bool, NWError?) -> Void

    /// Receives part of a stream, or of the next message.
    ///
    /// The end of a stream is told once: with the last content or without any, as complete and with a final context. A receive
    /// after it ends with `ENODATA`.
    ///
    /// - Parameters:
    ///   - minimumIncompleteLength: The bytes to wait for, unless the stream or message ends before.
    ///   - maximumLength: The most bytes to get.
    ///   - completion: Called once.
    public func receive(
        minimumIncompleteLength: Int, maximumLength: Int, completion: @escaping ReceiveCompletion
    ) {
        driver.receive(
            ReceiveQueue.Request(
                id: face.nextNumber(), minimum: min(minimumIncompleteLength, maximumLength), maximum: maximumLength),
            completion)
    }

    /// Receives a whole message: a datagram, a WebSocket message, or a stream until its end, up to 64 MiB.
    public func receiveMessage(completion: @escaping ReceiveCompletion) {
        driver.receive(ReceiveQueue.Request(id: face.nextNumber(), wantsMessage: true), completion)
    }

    /// Sends content, after all that was sent before; before the connection is ready it waits.
    ///
    /// - Parameters:
    ///   - content: `nil` for an empty message, or to end a stream by the final message.
    ///   - contentContext: ``ContentContext/finalMessage`` closes this direction after the content; the other stays open.
    ///   - isComplete: Whether the message ends with this content. Datagrams and WebSocket messages are sent when they are
    ///     complete.
    ///   - completion: Told in the order of the sends.
    public func send<Content: DataProtocol>(
        content: Content?, contentContext: ContentContext = .defaultMessage, isComplete: Bool = true,
        completion: SendCompletion
    ) {
        driver.send(content.map { ByteBuffer(bytes: $0) }, contentContext, isComplete: isComplete, completion)
    }

    /// Sends content, after all that was sent before; before the connection is ready it waits.
    public func send(
        content: Data?, contentContext: ContentContext = .defaultMessage, isComplete: Bool = true,
        completion: SendCompletion
    ) {
        driver.send(content.map { ByteBuffer(bytes: $0) }, contentContext, isComplete: isComplete, completion)
    }

    /// Runs a block that sends and receives.
    public func batch(_ block: () -> Void) { block() }
}
