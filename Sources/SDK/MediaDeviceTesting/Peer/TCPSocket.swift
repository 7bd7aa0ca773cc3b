import Foundation

/// A nonblocking TCP socket as a descriptor, which its owner closes.
struct TCPSocket: Sendable {
    let descriptor: Int32

    /// Returns a listening socket on 127.0.0.1.
    static func listening(port: Int) throws(ScriptedPeerError) -> TCPSocket {
        guard let port = UInt16(exactly: port) else {
            throw .socketFailed("bind", reason: "\(port) isn't a port")
        }
        let socket = TCPSocket(
            descriptor: socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
        )
        guard socket.descriptor >= 0 else { throw failure("socket") }
        var isReused: Int32 = 1
        setsockopt(socket.descriptor, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket.descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isBound, listen(socket.descriptor, 16) == 0 else {
            let error = failure(isBound ? "listen" : "bind")
            Glibc.close(socket.descriptor)
            throw error
        }
        return socket
    }

    func port() throws(ScriptedPeerError) -> Int {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isKnown = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) == 0 }
        }
        guard isKnown else { throw Self.failure("getsockname") }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    /// Accepts a connection.
    ///
    /// - Returns: `nil` if none is waiting.
    func accept() -> TCPSocket? {
        let accepted = Glibc.accept(descriptor, nil, nil)
        guard accepted >= 0 else { return nil }
        _ = fcntl(accepted, F_SETFL, O_NONBLOCK)
        _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
        return TCPSocket(descriptor: accepted)
    }

    /// Reads the available bytes.
    ///
    /// - Returns: The bytes, and whether more can arrive.
    func read() -> (bytes: Data, isOpen: Bool) {
        var bytes = Data()
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count > 0 {
                bytes += buffer.prefix(count)
            } else {
                let isOpen = count < 0 && (errno == EAGAIN || errno == EINTR)
                return (bytes, isOpen)
            }
        }
    }

    func write(_ bytes: Data) throws(ScriptedPeerError) {
        var rest = [UInt8](bytes)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                guard poll(&polled, 1, 5_000) > 0 else {
                    throw .socketFailed("send", reason: "the extension doesn't read")
                }
            } else if errno != EINTR {
                throw Self.failure("send")
            }
        }
    }

    /// Makes closing the socket reset the connection.
    func discardsOnClose() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
    }

    private static func failure(_ call: String) -> ScriptedPeerError {
        .socketFailed(call, reason: String(cString: strerror(errno)))
    }
}
