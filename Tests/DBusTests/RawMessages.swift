import DBus
import Glibc

/// Bytes of the wire format of the D-Bus specification, little-endian.
enum RawMessages {
    static let handshake = Array("\0AUTH EXTERNAL\r\nDATA\r\nNEGOTIATE_UNIX_FD\r\nBEGIN\r\n".utf8)

    /// `Echo("hi")`.
    static let echo = call("Echo", "s", word(2) + Array("hi".utf8) + [0])

    static func call(_ member: String, _ signature: String, _ body: [UInt8]) -> [UInt8] {
        func padded(_ bytes: [UInt8]) -> [UInt8] { bytes + [UInt8](repeating: 0, count: (8 - bytes.count % 8) % 8) }
        func field(_ code: UInt8, _ type: Character, _ text: String) -> [UInt8] {
            let length = type == "g" ? [UInt8(text.utf8.count)] : word(text.utf8.count)
            return [code, 1, type.asciiValue ?? 0, 0] + length + Array(text.utf8) + [0]
        }
        let named = [field(1, "o", echoPath), field(2, "s", echoInterface), field(3, "s", member)]
        let fields = named.flatMap(padded) + field(8, "g", signature)
        // Little-endian, method call, no flags, protocol 1, length, serial, fields.
        let header = [UInt8(ascii: "l"), 1, 0, 1] + word(body.count) + word(1) + word(fields.count)
        return padded(header + fields) + body
    }

    private static func word(_ value: Int) -> [UInt8] {
        withUnsafeBytes(of: UInt32(value).littleEndian) { Array($0) }
    }
}

/// Sends bytes to a new server with the echo object, and returns the text that it wrote until the connection ended.
func answer(to bytes: [UInt8]) async throws -> String {
    let (first, second) = try socketPair()
    defer { close(second) }
    let server = DBusConnection(loop: DBusLoop(label: "server"))
    let objects = DBusObjectServer(loop: server.loop, objectManagerPath: echoPath)
    try await objects.add(path: echoPath, [(echo(), echoValues)])
    try await server.openPeer(fileDescriptor: first, role: .server)
    try await objects.attach(server)
    send(bytes, to: second)
    shutdown(second, Int32(SHUT_WR))
    await server.waitUntilClosed()
    var answer = [UInt8](repeating: 0, count: 65_536)
    let count = read(second, &answer, answer.count)
    return String(decoding: answer.prefix(max(0, count)), as: UTF8.self)
}
