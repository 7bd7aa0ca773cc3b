import DBus
import HostInterface
import LinkProtocol
import Testing

/// The declared identifiers of a process's devices, which it may have written without the SDK.
struct DeclaredDeviceTests {
    private func found(declaring identifiers: [String]) throws -> [String]? {
        try found(identifiers, name: "TV")?.deduplicationIdentifiers
    }

    private func found(_ identifiers: [String], name: String) throws -> DeviceDescription? {
        let device = DeviceDescription(
            id: "11111111-2222-3333-4444-555555555555", name: name, capabilities: .urlPlayback, type: "tv",
            volumeControl: .none, canMute: false, canGroup: false, supportsSimultaneousSessions: false,
            endpoints: ["10.0.0.5:80"], txt: [:], deduplicationIdentifiers: identifiers)
        let message = try ExtensionMessage(.foundDevice, [DBusDictionaryEncoder().encode(device)])
        guard case .foundDevice(let read) = message else { return nil }
        return read
    }

    @Test func isReadInOneSpelling() throws {
        #expect(
            try found(declaring: ["UPNP:uuid:ABCD-1", "mac:00:11:22:33:44:aa", "mac:0011223344AA"])
                == ["mac:0011223344aa", "upnp:abcd-1"])
        #expect(try found(declaring: []) == [])
    }

    @Test func aNameDrivesNoTerminal() throws {
        #expect(try found([], name: "TV\u{1B}[2J\u{9B}31m\u{7}\r\nforged")?.name == "TV [2J 31m   forged")
    }

    @Test func addressesAndWhatManyHaveAreNotHeard() throws {
        #expect(try found(declaring: ["ip:10.0.0.5", "host:tv.local", "mac:000000000000", "\u{1B}[31m:x"]) == [])
        #expect(try found(declaring: (0..<1_000).map { "x:abc\($0)" })?.count == DeclaredIdentifier.limit)
    }
}
