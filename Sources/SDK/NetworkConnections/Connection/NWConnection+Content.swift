public import DeviceDiscovery
import Foundation
import NIOCore

extension NWConnection {
    /// A closure that receives the content, its context, a Boolean value that indicates whether the message (or stream)
    /// is complete, and an error.
    public typealias ReceiveCompletion = @Sendable (Data?, ContentContext?, Bool, NWError?) -> Void

    /// Receives a part of a stream, or of the next message.
    ///
    /// The end of a stream is reported once: with the last content or without content, as complete and with a final
    /// context. A receive after the end fails with `ENODATA`.
    ///
    /// - Parameters:
    ///   - minimumIncompleteLength: The number of bytes to wait for, unless the stream or message ends earlier.
    ///   - maximumLength: The highest number of bytes to receive.
    ///   - completion: A closure that is called once.
    public func receive(
        minimumIncompleteLength: Int, maximumLength: Int, completion: @escaping ReceiveCompletion
    ) {
        driver.receive(
            ReceiveQueue.Request(
                id: face.nextNumber(), minimum: min(minimumIncompleteLength, maximumLength), maximum: maximumLength),
            completion)
    }

    /// Receives a whole message: a datagram, a WebSocket message, or a stream until its end, up to 64 MiB.
    ///
    /// - Parameter completion: A closure that is called once. A stream of more than 64 MiB gives `EMSGSIZE`; read it in
    ///   parts.
    public func receiveMessage(completion: @escaping ReceiveCompletion) {
        driver.receive(ReceiveQueue.Request(id: face.nextNumber(), wantsMessage: true), completion)
    }

    /// Sends content after all earlier content. Content waits until the connection is ready.
    ///
    /// - Parameters:
    ///   - content: The content; `nil` for an empty message, or to end a stream with the final message.
    ///   - contentContext: The context. ``ContentContext/finalMessage`` closes this direction after the content; the
    ///     other direction stays open.
    ///   - isComplete: `true` if the message ends with this content. Datagrams and WebSocket messages are sent when
    ///     they are complete.
    ///   - completion: The report. Reports arrive in the order of the sends; `ENOBUFS` means that more than 64 MiB
    ///     wait, so send less until earlier sends are reported.
    public func send<Content: DataProtocol>(
        content: Content?, contentContext: ContentContext = .defaultMessage, isComplete: Bool = true,
        completion: SendCompletion
    ) {
        driver.send(content.map { ByteBuffer(bytes: $0) }, contentContext, isComplete: isComplete, completion)
    }

    /// Sends content after all earlier content. The parameters are those of the generic method.
    public func send(
        content: Data?, contentContext: ContentContext = .defaultMessage, isComplete: Bool = true,
        completion: SendCompletion
    ) {
        driver.send(content.map { ByteBuffer(bytes: $0) }, contentContext, isComplete: isComplete, completion)
    }

    /// Runs a closure that sends and receives.
    public func batch(_ block: () -> Void) { block() }
}
