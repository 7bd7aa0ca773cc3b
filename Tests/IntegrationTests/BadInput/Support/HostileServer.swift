import Foundation
import Synchronization

/// A TCP server that misbehaves: every connection is given to a function on a thread of its own, which may block.
final class HostileServer: Sendable {
    let address: String
    let port: UInt16
    private let listener: Int32
    private let connections = Mutex<(open: Set<Int32>, isStopped: Bool)>(([], false))
    private let serve: @Sendable (HostileConnection) -> Void

    static func start(
        on host: LabHost, _ serve: @escaping @Sendable (HostileConnection) -> Void
    ) async throws -> HostileServer {
        let (descriptor, port) = try await host.inNetwork { try listen() }
        let server = HostileServer(address: host.address, port: port, listener: descriptor, serve: serve)
        Thread.detachNewThread { server.accept() }
        return server
    }

    private init(
        address: String, port: UInt16, listener: Int32, serve: @escaping @Sendable (HostileConnection) -> Void
    ) {
        self.address = address
        self.port = port
        self.listener = listener
        self.serve = serve
    }

    /// Connections that are open now.
    var openCount: Int { connections.withLock { $0.open.count } }

    /// Ends the server and every connection; threads that serve one find it closed.
    func stop() {
        connections.withLock { state in
            state.isStopped = true
            for descriptor in state.open { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
        shutdown(listener, Int32(SHUT_RDWR))
    }

    private static func listen() throws -> (Int32, UInt16) {
        let descriptor = socket(AF_INET6, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                bind(descriptor, raw, size) == 0 && Glibc.listen(descriptor, 64) == 0
                    && getsockname(descriptor, raw, &size) == 0
            }
        }
        guard result else { throw WaitedInVain(description: "a listening socket: errno \(errno)") }
        return (descriptor, UInt16(bigEndian: address.sin6_port))
    }

    private func accept() {
        while true {
            let descriptor = Glibc.accept(listener, nil, nil)
            guard descriptor >= 0 else {
                if errno == EINTR || errno == ECONNABORTED { continue }
                break
            }
            let isWanted = connections.withLock { state in
                if !state.isStopped { state.open.insert(descriptor) }
                return !state.isStopped
            }
            guard isWanted else {
                Glibc.close(descriptor)
                break
            }
            Thread.detachNewThread { [self] in
                serve(HostileConnection(descriptor: descriptor))
                connections.withLock { _ = $0.open.remove(descriptor) }
                Glibc.close(descriptor)
            }
        }
        Glibc.close(listener)
    }
}

/// One connection, read and written by one thread.
final class HostileConnection {
    struct Request: Sendable {
        var method: String
        var path: String
        /// Lower-case names.
        var headers: [String: String]
        var body: String
    }

    private let descriptor: Int32
    private var buffer: [UInt8] = []

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// Connects from the calling thread's network; `nil` if no program listens.
    init?(to address: String, port: UInt16) {
        var target = sockaddr_in()
        target.sin_family = sa_family_t(AF_INET)
        target.sin_port = port.bigEndian
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard inet_pton(AF_INET, address, &target.sin_addr) == 1 else { return nil }
        let result = withUnsafePointer(to: target) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        self.descriptor = descriptor
        guard result == 0 else {
            Glibc.close(descriptor)
            return nil
        }
    }

    /// Only for a connection made by ``init(to:port:)``: the server closes its own.
    func close() { Glibc.close(descriptor) }

    /// Writes everything; `false` once the other side is gone.
    @discardableResult
    func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    @discardableResult
    func write(_ text: String) -> Bool { write(Array(text.utf8)) }

    func answer(_ status: String, headers: [String] = [], _ body: String = "") {
        let lines = ["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)", "Connection: close"] + headers
        write(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
    }

    /// Waits until the other side ends the connection.
    func waitForEnd() { while read() {} }

    /// The next line without its end; `nil` at the end of the connection.
    func readLine() -> String? {
        while true {
            if let end = buffer.firstIndex(of: 0x0A) {
                let line = buffer[..<end].filter { $0 != 0x0D }
                buffer.removeSubrange(...end)
                return String(decoding: line, as: UTF8.self)
            }
            guard read() else { return nil }
        }
    }

    func readRequest() -> Request? {
        guard let words = readLine()?.split(separator: " "), words.count == 3 else { return nil }
        var request = Request(method: String(words[0]), path: String(words[1]), headers: [:], body: "")
        while let line = readLine(), !line.isEmpty {
            guard let colon = line.firstIndex(of: ":") else { continue }
            request.headers[line[..<colon].lowercased()] =
                line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        }
        let length = Int(request.headers["content-length"] ?? "") ?? 0
        while buffer.count < length { guard read() else { return nil } }
        request.body = String(decoding: buffer.prefix(length), as: UTF8.self)
        buffer.removeFirst(length)
        return request
    }

    private func read() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 16_384)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return false }
        buffer += bytes[..<count]
        return true
    }
}
