import Dispatch
import Glibc

/// Raw bytes over TCP on loopback, by blocking calls on a queue of its own.
enum RawExchange {
    private static let queue = DispatchQueue(label: "fuzz.exchange")

    /// Sends the bytes to a server, waits for an answer, closes the sending direction, and reads until the server
    /// closes, for at most twenty seconds.
    static func ask(port: Int, _ bytes: [UInt8]) async throws -> [UInt8] {
        try await onQueue {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            defer { close(descriptor) }
            var limit = timeval(tv_sec: 20, tv_usec: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
            let isConnected = withLoopback(port: UInt16(port)) { connect(descriptor, $0, $1) == 0 }
            try demand(isConnected, "nobody listens any more: errno \(errno)")
            // It may have had enough and hung up: then there is nothing to send to.
            bytes.withUnsafeBytes { _ = send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            // A server may drop unanswered requests when the other side closes.
            var readiness = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            _ = poll(&readiness, 1, 20)
            shutdown(descriptor, Int32(SHUT_WR))
            return try all(of: descriptor)
        }
    }

    /// The second word of the first line: the status of an answer.
    static func status(of answer: [UInt8]) -> String {
        guard !answer.isEmpty else { return "closed" }
        return String(
            decoding: answer.prefix(12).split(separator: UInt8(ascii: " ")).dropFirst().first ?? [], as: UTF8.self)
    }

    private static func all(of descriptor: Int32) throws -> [UInt8] {
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            try demand(count >= 0 || errno == ECONNRESET, "no answer and no end: errno \(errno)")
            guard count > 0 else { return answer }
            answer += buffer[..<count]
        }
    }

    static func withLoopback<Result>(port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    static func onQueue<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try body() }) }
        }
    }
}

/// Answers every request with the bytes that were set last.
final class RawServer: Sendable {
    let port: Int
    private let listener: Int32

    init() throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        let listener = listener
        try demand(RawExchange.withLoopback(port: 0) { bind(listener, $0, $1) } == 0, "not bound: errno \(errno)")
        try demand(listen(listener, 16) == 0, "not listening: errno \(errno)")
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(listener, $0, &size) }
        }
        port = Int(UInt16(bigEndian: address.sin_port))
    }

    deinit { close(listener) }

    /// Takes one connection, sends the bytes and closes.
    func answerOne(_ bytes: [UInt8]) async throws {
        try await RawExchange.onQueue { [listener] in
            let descriptor = accept(listener, nil, nil)
            defer { close(descriptor) }
            var request = [UInt8](repeating: 0, count: 4096)
            _ = recv(descriptor, &request, request.count, 0)
            bytes.withUnsafeBytes { _ = send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        }
    }
}
