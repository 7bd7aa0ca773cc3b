import PacketSockets

/// The source of readers of one medium: the host, which starts one for each socket.
package final class MediaReaderSource: Sendable {
    /// Takes over the reader's end of a socket.
    private let start: @Sendable (Int32) -> Void

    /// - Parameter start: A closure that takes over the reader's end of a socket and has a reader serve it. If that can't
    ///   be done, the socket is closed.
    package init(_ start: @escaping @Sendable (Int32) -> Void) { self.start = start }

    /// Has a reader started.
    ///
    /// - Returns: The end of the socket, which the caller owns.
    /// - Throws: ``DecodingError`` `unreadable` if the system has no descriptors left.
    func open() throws(DecodingError) -> Int32 {
        guard let (mine, readers) = PacketSocket.pair() else { throw .unreadable("no descriptor is left") }
        start(readers)
        return mine
    }
}

extension MediaReaderSource: Hashable {
    package static func == (left: MediaReaderSource, right: MediaReaderSource) -> Bool { left === right }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
