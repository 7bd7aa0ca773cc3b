import CNIOLinux  // the socket addresses, which it declares for Swift
import Foundation
import Glibc

/// A client of HTTP/1.1 on a blocking socket, so that a test sees every byte and can stop reading when it likes.
///
/// Has a thread of its own: blocking one of the concurrency pool could keep the server from answering.
actor RawClient {
    private final class Executor: SerialExecutor {
        let queue = DispatchQueue(label: "client")
        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        }
    }

    private let executor = Executor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    private let descriptor: Int32
    private var buffer: [UInt8] = []

    struct Head: Sendable {
        var status: Int
        /// Names in lower case.
        var headers: [String: String]
    }

    enum Failure: Error {
        case refused(Int32)
        case closed
        case malformed(String)
    }

    /// - Parameters:
    ///   - source: Local address to come from.
    ///   - receiveBuffer: Size of the kernel's buffer; `nil` leaves its default.
    init(to url: URL, from source: String = "127.0.0.1", receiveBuffer: Int32? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        if var size = receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let results = [(source, 0, false), (url.host() ?? "", url.port ?? 0, true)].map { host, port, connects in
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = UInt16(port).bigEndian
            inet_pton(AF_INET, host, &address.sin_addr)
            return withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
                    return connects ? connect(descriptor, $0, size) : bind(descriptor, $0, size)
                }
            }
        }
        // The actor's end closes the descriptor.
        guard results == [0, 0] else { throw Failure.refused(errno) }
    }

    deinit { close(descriptor) }

    func request(_ method: String, _ path: String, _ headers: [String: String] = [:]) throws -> Head {
        let lines = headers.map { "\($0.key): \($0.value)\r\n" }.joined()
        let text = Array("\(method) \(path) HTTP/1.1\r\nHost: x\r\n\(lines)\r\n".utf8)
        guard send(descriptor, text, text.count, Int32(MSG_NOSIGNAL)) == text.count else { throw Failure.closed }
        return try readHead()
    }

    private func readHead() throws -> Head {
        let end = Array("\r\n\r\n".utf8)
        while buffer.firstRange(of: end) == nil { try fill() }
        guard let range = buffer.firstRange(of: end) else { throw Failure.closed }
        let lines = String(decoding: buffer[..<range.lowerBound], as: UTF8.self).split(separator: "\r\n")
        buffer.removeSubrange(..<range.upperBound)
        guard let first = lines.first, let status = Int(first.split(separator: " ").dropFirst().first ?? "") else {
            throw Failure.malformed(lines.joined())
        }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { throw Failure.malformed(String(line)) }
            headers[line[..<colon].lowercased()] =
                line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        }
        return Head(status: status, headers: headers)
    }

    /// - Throws: ``Failure/closed`` if the connection ends first.
    func body(_ count: Int) throws -> [UInt8] {
        while buffer.count < count { try fill() }
        defer { buffer.removeFirst(count) }
        return Array(buffer.prefix(count))
    }

    /// The next chunk of a body without a length; nothing at its end.
    func chunk() throws -> [UInt8] {
        let newline = Array("\r\n".utf8)
        while buffer.firstRange(of: newline) == nil { try fill() }
        guard let end = buffer.firstRange(of: newline),
            let count = Int(String(decoding: buffer[..<end.lowerBound], as: UTF8.self), radix: 16)
        else { throw Failure.malformed("a chunk") }
        buffer.removeSubrange(..<end.upperBound)
        let bytes = try body(count)
        _ = try body(2)
        return bytes
    }

    /// Reads and drops until the connection ends.
    func drain() -> Int {
        var count = buffer.count
        buffer = []
        while (try? fill()) != nil {
            count += buffer.count
            buffer.removeAll(keepingCapacity: true)
        }
        return count
    }

    private func fill() throws {
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        let count = recv(descriptor, &chunk, chunk.count, 0)
        guard count > 0 else { throw Failure.closed }
        buffer += chunk[..<count]
    }
}
