import Foundation
import Synchronization

/// A connection to a Unix socket without knowledge of the protocol.
final class LocalSocket: Sendable {
    private let descriptor: Int32
    private let isOpen = Mutex(true)

    init(_ path: String) throws {
        descriptor = socket(
            AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw WaitedInVain(description: "a connection to \(path): errno \(errno)") }
    }

    deinit { close() }

    /// Writes the bytes that fit at once: a daemon that doesn't read must not block the test.
    func write(_ bytes: [UInt8]) { _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }

    func close() {
        let wasOpen = isOpen.withLock { isOpen in
            defer { isOpen = false }
            return isOpen
        }
        if wasOpen { Glibc.close(descriptor) }
    }
}

/// D-Bus messages as bytes (D-Bus Specification, "Message Format").
enum DBusBytes {
    /// A call whose one argument is an empty `a{sv}`.
    static func call(_ path: String, _ interface: String, _ member: String) -> [UInt8] {
        var fields: [UInt8] = []
        for (code, type, value) in [(1, "o", path), (2, "s", interface), (3, "s", member)] as [(UInt8, String, String)]
        {
            pad(&fields)
            fields += [code, 1] + Array(type.utf8) + [0] + number(value.utf8.count) + Array(value.utf8) + [0]
        }
        pad(&fields)
        fields += [8, 1, UInt8(ascii: "g"), 0, 5] + Array("a{sv}".utf8) + [0]
        // An empty array still has the padding before its first entry.
        let body = number(0) + number(0)
        var message = [UInt8(ascii: "l"), 1, 0, 1] + number(body.count) + number(1) + number(fields.count) + fields
        pad(&message)
        return message + body
    }

    private static func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }

    private static func pad(_ bytes: inout [UInt8]) { while bytes.count % 8 != 0 { bytes.append(0) } }
}
