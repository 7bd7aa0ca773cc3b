package import HostInterface
package import MediaReading

/// The programs that read and decode media for extensions.
package protocol MediaReaders: Sendable {
    /// Starts a reader, which serves the extension on the socket until that closes its end. Errors reach the extension over
    /// the socket.
    ///
    /// - Parameters:
    ///   - socket: A packet socket. It comes from the extension, which isn't trusted.
    ///   - identifier: The extension's identifier.
    func start(_ request: ReaderRequest, on socket: ReaderSocket, for identifier: String) async
}
