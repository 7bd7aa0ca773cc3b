import DBus
import Foundation
import HostInterface
import MediaDevice
import Testing

@MainActor
@Suite("A host that sends nonsense", .timeLimit(.minutes(1)))
struct HostileHostTests {
    nonisolated private static let id = DBusValue.string(MediaOutputDevice.sampleID.uuidString)
    nonisolated private static let empty = DBusValue.dictionary(key: "s", value: "v", [:])

    nonisolated private static func dictionary(_ values: [String: DBusValue]) -> DBusValue {
        .dictionary(
            key: "s", value: "v",
            Dictionary(uniqueKeysWithValues: values.map { (DBusValue.string($0.key), .variant($0.value)) }))
    }

    nonisolated static let nonsense: [(String, [DBusValue])] = [
        // Wrong signatures.
        ("StartDeviceDiscovery", [.string("x")]),
        ("SetVolume", [id]),
        ("SetVolume", [id, .string("loud")]),
        ("SetVolume", []),
        ("ActivateDevice", [.string("x"), .string("s1"), .int64(0), .bytes([])]),
        ("BrowserEvents", [.string("x"), .array(of: "s", [])]),
        ("NoSuchMethod", []),
        // Right signatures, wrong values.
        ("SetVolume", [id, .double(.nan)]),
        ("SetVolume", [.string("not-a-uuid"), .double(0)]),
        ("MuteDevice", [.string("")]),
        ("ActivateDevice", [empty, .string("s1"), .int64(0), .bytes([])]),
        (
            "ActivateDevice",
            [dictionary(["id": .int64(4), "name": .boolean(true)]), .string("s1"), .int64(.min), .bytes([])]
        ),
        ("DeactivateDevice", [id, .string("")]),
        ("StartSession", [.string("s1"), .string(""), .string(""), empty]),
        ("StartSession", [.string("s1"), .string(""), .string("no scheme"), empty]),
        (
            "StartSession",
            [.string("s1"), .string(""), .string("http://127.0.0.1/"), dictionary(["duration": .string("long")])]
        ),
        ("StartSession", [.string(""), .string(""), .string("http://127.0.0.1/"), empty]),
        ("PlaybackCommand", [.string("s1"), empty]),
        ("PlaybackCommand", [.string("s1"), dictionary(["kind": .string("explode")])]),
        ("PlaybackCommand", [.string("s1"), dictionary(["kind": .array(of: "s", [])])]),
        ("BrowserEvents", [.uint32(1), .array(of: "a{sv}", [dictionary(["kind": .string("sniffed")])])]),
        ("BrowserEvents", [.uint32(1), .array(of: "a{sv}", [empty])]),
    ]

    @Test("is answered with an error, and the extension goes on", arguments: nonsense.indices)
    func answered(index: Int) async throws {
        let (member, arguments) = Self.nonsense[index]
        let link = try await LinkedExtension.greeted()
        let error = await #expect(throws: DBusError.self) { try await link.host.call(member, arguments) }
        #expect(error?.name != DBusError.Name.disconnected)
        #expect(link.extension.requests.isEmpty)
        try await link.host.call("StopDeviceDiscovery")
        #expect(link.extension.requests == [.stopDeviceDiscovery])
    }

    @Test("a wrong value is named")
    func named() async throws {
        let link = try await LinkedExtension.greeted()
        let error = await #expect(throws: DBusError.self) {
            try await link.host.call("SetVolume", [.string("not-a-uuid"), .double(0)])
        }
        #expect(error?.name == DBusError.Name.invalidArguments)
        #expect(error?.message.contains("not-a-uuid") == true)
    }

    @Test("events for a browser that does not exist are no error")
    func strayEvents() async throws {
        let link = try await LinkedExtension.greeted()
        let event = Self.dictionary(["kind": .string("settled")])
        try await link.host.call("BrowserEvents", [.uint32(99), .array(of: "a{sv}", [event])])
    }
}
