import Glibc

/// Sends and receives packets on a blocking socket of type `SOCK_SEQPACKET`.
package enum PacketSocket {
    /// Opens a pair of connected sockets.
    ///
    /// - Returns: `nil` if the system has no descriptors left, with the reason in `errno`.
    package static func pair() -> (Int32, Int32)? {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue)
        return socketpair(AF_UNIX, kind, 0, &ends) == 0 ? (ends[0], ends[1]) : nil
    }

    /// Returns whether a descriptor is such a socket.
    package static func isOne(_ descriptor: Int32) -> Bool {
        func option(_ name: Int32) -> Int32? {
            var value: Int32 = 0
            var length = socklen_t(MemoryLayout<Int32>.size)
            return getsockopt(descriptor, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
        }
        return option(SO_DOMAIN) == AF_UNIX && option(SO_TYPE) == Int32(SOCK_SEQPACKET.rawValue)
    }

    /// Sends a packet.
    ///
    /// - Parameter waits: Whether to wait until there is room for it.
    /// - Returns: `false` if the other end is gone, or there is no room.
    @discardableResult
    package static func send(_ packet: [UInt8], on socket: Int32, waits: Bool = true) -> Bool {
        let flags = Int32(MSG_NOSIGNAL) | (waits ? 0 : Int32(MSG_DONTWAIT))
        while Glibc.send(socket, packet, packet.count, flags) < 0 {
            guard errno == EINTR else { return false }
        }
        return true
    }

    /// The number of bytes that were sent and not taken yet, with the kernel's own for each packet.
    package static func backlog(of socket: Int32) -> Int {
        var length: Int32 = 0
        return ioctl(socket, UInt(TIOCOUTQ), &length) == 0 ? Int(length) : 0
    }

    /// Waits for a packet.
    ///
    /// - Returns: `nil` if the other end is gone, or the packet is longer than the buffer.
    package static func receive(on socket: Int32, into buffer: inout [UInt8]) -> ArraySlice<UInt8>? {
        while true {
            // With this flag, the length is the packet's own.
            let count = recv(socket, &buffer, buffer.count, Int32(MSG_TRUNC))
            if count < 0, errno == EINTR { continue }
            return count > 0 && count <= buffer.count ? buffer[..<count] : nil
        }
    }
}
