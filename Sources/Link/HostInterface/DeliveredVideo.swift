package import DBus
import PacketSockets

/// The live video of a session, for the extension whose device shows it.
package struct DeliveredVideo: Codable, Sendable, Hashable {
    /// The limits of a size and a rate.
    private static let limits = (width: 16...7680, height: 16...4320, rate: 1...240)

    /// The size of the picture in pixels.
    package var width: Int
    package var height: Int
    /// Pictures a second at most.
    package var rate: Int
    /// An end of a pair of sockets for packets (`SOCK_SEQPACKET`). A byte that is written to it asks for a key frame.
    package var socket: DBusDescriptor

    /// - Throws: ``HostError`` `invalid-argument` if a number is out of range.
    package init(width: Int, height: Int, rate: Int, socket: DBusDescriptor) throws(HostError) {
        self.width = width
        self.height = height
        self.rate = rate
        self.socket = socket
        try check()
    }

    /// Opens a pair of sockets.
    ///
    /// - Returns: The reading end, with the format, and the sending end; `nil` if the system has no descriptors left,
    ///   with the reason in `errno`.
    /// - Throws: ``HostError`` `invalid-argument` if a number is out of range.
    package static func pair(
        width: Int, height: Int, rate: Int
    ) throws(HostError) -> (video: DeliveredVideo, sending: DBusDescriptor)? {
        guard let (reading, sending) = PacketSocket.pair() else { return nil }
        let end = DBusDescriptor(received: sending)
        return (
            try DeliveredVideo(width: width, height: height, rate: rate, socket: DBusDescriptor(received: reading)), end
        )
    }

    /// - Throws: ``HostError`` `invalid-argument` if a number is out of range.
    package func check() throws(HostError) {
        guard Self.limits.width.contains(width), Self.limits.height.contains(height) else {
            throw HostError(.invalidArgument, "Video of \(width)x\(height) isn't between 16x16 and 7680x4320.")
        }
        guard Self.limits.rate.contains(rate) else {
            throw HostError(.invalidArgument, "\(rate) pictures a second aren't between 1 and 240.")
        }
    }
}
