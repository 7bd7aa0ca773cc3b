import HostInterface
import Testing

@testable import HostCore

/// The fetcher of media for a device: the device, its extension on this machine, or either.
struct MediaReadersTests {
    private static func device(_ capabilities: DeviceDescription.Capabilities) -> DeviceDescription {
        DeviceDescription(
            id: "1", name: "Den", capabilities: capabilities, type: "tv", volumeControl: .absolute, canMute: true,
            canGroup: true, supportsSimultaneousSessions: false, endpoints: ["10.0.0.7:7000", "[fd00::7]:7000"],
            txt: [:])
    }

    @Test func theyAreThoseWhoRead() {
        #expect(Self.device(.urlPlayback).mediaReaders == ["10.0.0.7", "fd00::7"])
        #expect(Self.device(.realtimeAudio).mediaReaders == ["127.0.0.1"])
        let both = Self.device([.urlPlayback, .realtimeAudio])
        #expect(both.mediaReaders == ["10.0.0.7", "fd00::7", "127.0.0.1"] && both.playsAddresses)
        #expect(!Self.device(.appLaunch).playsAddresses)
    }
}
