import DBus
import Foundation
import Glibc
import Testing

let echoPath = "/org/example"
let echoInterface = "org.example.Echo1"

/// An interface that returns its arguments, with two properties and a signal.
func echo() -> DBusInterface {
    DBusInterface(
        echoInterface,
        methods: [
            DBusMethod("Echo", in: [("text", "s")], out: [("text", "s")]) { $0.reply($0.arguments) },
            DBusMethod("EchoAny", in: [("value", "v")], out: [("value", "v")]) { $0.reply($0.arguments) },
            DBusMethod("Fail") { $0.fail(DBusError(name: "org.example.Error.Refused", message: "not today")) },
            DBusMethod("Forget") { _ in },
            DBusMethod("Mismatch", out: [("number", "i")]) { $0.reply([.string("no number")]) },
            .async("Slow", in: [("text", "s")], out: [("text", "s")]) { call in
                await Task.yield()
                return call.arguments
            },
            .async("Throw") { _ in throw SomeError() },
        ],
        properties: [DBusProperty("Level", "d"), DBusProperty("Name", "s", emits: .invalidation)],
        signals: [DBusSignalDeclaration("Changed", [("count", "u")])])
}

let echoValues: [String: DBusValue] = ["Level": .double(0.5), "Name": .string("a")]

struct SomeError: Error {}

extension DBusConnection {
    func echo(_ text: String, to destination: String? = nil) async throws(DBusError) -> String? {
        try await call(destination, path: echoPath, interface: echoInterface, member: "Echo", [.string(text)])
            .first?.asString
    }
}

func socketPair() throws -> (Int32, Int32) {
    var descriptors: [Int32] = [0, 0]
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    try #require(socketpair(AF_UNIX, type, 0, &descriptors) == 0)
    return (descriptors[0], descriptors[1])
}

/// A folder of its own for one test.
struct TemporaryFolder: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/dbus-tests-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        path = template.withUnsafeBytes { String(decoding: $0.dropLast(), as: UTF8.self) }
    }

    func remove() { try? FileManager.default.removeItem(atPath: path) }
}

/// The inode of a descriptor's file.
func inode(_ descriptor: Int32) -> UInt64 {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? UInt64(status.st_ino) : 0
}

/// The inodes of all sockets this process has open.
func openSockets() -> Set<UInt64> {
    let links = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return Set(
        links.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") }
            .compactMap { $0.hasPrefix("socket:[") ? UInt64($0.dropFirst(8).dropLast()) : nil })
}
