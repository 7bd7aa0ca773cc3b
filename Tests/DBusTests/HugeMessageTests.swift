import DBus
import Foundation
import Glibc
import Testing

/// Messages that are valid, and would need many times their size in memory.
@Suite("Huge messages", .timeLimit(.minutes(2)))
struct HugeMessageTests {
    private static func refusal(_ link: Link, _ value: DBusValue) async -> String? {
        let error = await #expect(throws: DBusError.self) {
            try await link.call("EchoAny", [.variant(value)])
        }
        return error?.name
    }

    @Test(arguments: Transport.available.filter { $0 != .bus })
    func tooManyValuesOrBytesAreRefusedAndTheNextCallIsAnswered(_ transport: Transport) async throws {
        let link = try await Link(transport)
        let numbers = DBusValue.array(of: "i", Array(repeating: .int32(0), count: 250_000))
        #expect(await Self.refusal(link, numbers) == DBusError.Name.limitsExceeded)
        let empty = DBusValue.array(of: "ay", Array(repeating: .bytes([]), count: 250_000))
        #expect(await Self.refusal(link, empty) == DBusError.Name.limitsExceeded)
        let bytes = DBusValue.bytes([UInt8](repeating: 1, count: 40 << 20))
        #expect(await Self.refusal(link, bytes) == DBusError.Name.limitsExceeded)
        let text = DBusValue.string(String(repeating: "a", count: 40 << 20))
        #expect(await Self.refusal(link, text) == DBusError.Name.limitsExceeded)
        let picture = DBusValue.bytes([UInt8](repeating: 1, count: 16 << 20))
        #expect(try await link.call("EchoAny", [.variant(picture)]) == [.variant(picture)])
        #expect(try await link.client.echo("alive", to: Link.name) == "alive")
        await link.close()
    }

    /// The sender is a program of the user that runs extensions: it may be answered with everything there is.
    @Test func theReplyOfAServerIsNotLimited() async throws {
        let many = DBusInterface(
            echoInterface,
            methods: [
                DBusMethod("Many", out: [("values", "ai")]) {
                    $0.reply([.array(of: "i", Array(repeating: .int32(7), count: 250_000))])
                }
            ])
        let link = try await Link(.pair, many)
        guard case .array(_, let values)? = try await link.call("Many").first else {
            Issue.record("no array")
            return
        }
        #expect(values.count == 250_000)
        await link.close()
    }

    /// The other way round, as a daemon calls an extension.
    @Test func theReplyToAServerIsLimited() async throws {
        let (first, second) = try socketPair()
        let server = DBusConnection(loop: DBusLoop(label: "server"))
        let client = DBusConnection(loop: DBusLoop(label: "client"))
        let objects = DBusObjectServer(loop: client.loop, objectManagerPath: echoPath)
        let many = DBusInterface(
            echoInterface,
            methods: [
                DBusMethod("Many", out: [("values", "ai")]) {
                    $0.reply([.array(of: "i", Array(repeating: .int32(7), count: 250_000))])
                },
                DBusMethod("Few", out: [("value", "i")]) { $0.reply([.int32(7)]) },
            ])
        try await objects.add(path: echoPath, [(many, [:])])
        try await server.openPeer(fileDescriptor: first, role: .server)
        try await client.openPeer(fileDescriptor: second, role: .client)
        try await objects.attach(client)
        let error = await #expect(throws: DBusError.self) {
            try await server.call(nil, path: echoPath, interface: echoInterface, member: "Many")
        }
        #expect(error?.name == DBusError.Name.limitsExceeded)
        #expect(
            try await server.call(nil, path: echoPath, interface: echoInterface, member: "Few") == [.int32(7)])
        await client.close()
        await server.waitUntilClosed()
    }

    /// Variants in variants, far deeper than a thread's stack.
    @Test func valuesNestedTooDeepAreRefused() async throws {
        let variants = repeatElement([1, UInt8(ascii: "v"), 0], count: 20_000).joined()
        let body: [UInt8] = Array(variants) + [1, UInt8(ascii: "y"), 0, 5]
        let text = try await answer(
            to: RawMessages.handshake + RawMessages.call("EchoAny", "v", body) + RawMessages.echo)
        #expect(text.contains("OK ") && text.contains("Error"), "\(text)")
    }
}
