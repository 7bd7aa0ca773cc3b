import Foundation
import Testing

/// Raw sockets, for requests that `curl` can't send.
private func connectedSocket(port: Int, within seconds: Int) -> Int32? {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    var limit = timeval(tv_sec: seconds, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let isConnected = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
    }
    guard isConnected else {
        close(descriptor)
        return nil
    }
    return descriptor
}

private func send(_ text: String, to descriptor: Int32) {
    _ = send(descriptor, text, text.utf8.count, Int32(MSG_NOSIGNAL))
}

private func receive(from descriptor: Int32) -> String {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : ""
}

/// A request as it is written, for targets that `curl` doesn't send.
enum RawRequest {
    /// - Returns: The beginning of the server's answer.
    static func run(_ text: String, port: Int) async -> String {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                guard let descriptor = connectedSocket(port: port, within: 10) else {
                    return continuation.resume(returning: "not connected")
                }
                defer { close(descriptor) }
                send(text, to: descriptor)
                continuation.resume(returning: receive(from: descriptor))
            }
        }
    }
}

/// A request whose body is announced and doesn't come.
enum SlowRequest {
    /// - Returns: The server's answer.
    static func run(port: Int, host: String) async throws -> String {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                guard let descriptor = connectedSocket(port: port, within: 20) else {
                    return continuation.resume(returning: "not connected")
                }
                defer { close(descriptor) }
                // It needs no cookie: permission depends on the body.
                send(
                    """
                    POST /api/enter HTTP/1.1\r
                    Host: \(host)\r
                    Origin: http://\(host)\r
                    Content-Type: application/json\r
                    Content-Length: 60\r
                    \r
                    {"token":
                    """, to: descriptor)
                continuation.resume(returning: receive(from: descriptor))
            }
        }
    }
}

/// Many streams of one browser at once.
enum ManyStreams {
    /// - Returns: The status of each answer; 0 for a connection that was closed without one.
    static func open(_ count: Int, _ browser: Browser, _ home: Household) async throws -> [Int] {
        let cookie = try #require(try browser.cookie())
        let host = String(browser.origin.dropFirst(7))
        let port = try #require(host.split(separator: ":").last.flatMap { Int($0) })
        return await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let descriptors = (0..<count).compactMap { _ in connectedSocket(port: port, within: 5) }
                for descriptor in descriptors {
                    send("GET /api/events HTTP/1.1\r\nHost: \(host)\r\nCookie: \(cookie)\r\n\r\n", to: descriptor)
                }
                let statuses = descriptors.map { Int(receive(from: $0).dropFirst(9).prefix(3)) ?? 0 }
                for descriptor in descriptors { close(descriptor) }
                continuation.resume(returning: statuses)
            }
        }
    }
}

extension Browser {
    /// Its cookie, as `Cookie` sends it.
    func cookie() throws -> String? {
        let lines = try String(contentsOfFile: cookieFile, encoding: .utf8).split(separator: "\n")
        for line in lines {
            let columns = line.split(separator: "\t").map(String.init)
            if columns.count == 7, columns[5] == "mdhost-page" { return columns[5] + "=" + columns[6] }
        }
        return nil
    }
}
