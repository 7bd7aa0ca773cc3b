import Foundation
import HostInterface
import MediaDevice
import Testing

@Suite("Devices, identifiers and errors")
struct DeviceTests {
    @Test(
        "version-5 UUIDs",
        arguments: [
            // RFC 9562, appendix A.4.
            ("www.example.com", "6BA7B810-9DAD-11D1-80B4-00C04FD430C8", "2ED6657D-E927-568B-95E1-2665A8AEA6A2"),
            ("living-room", "0536744D-E1AF-5A68-A682-886D0CD6223A", "3E06DB67-6BE3-53AC-BA18-0339BFBCC352"),
            (
                String(repeating: "long ", count: 40), "6BA7B810-9DAD-11D1-80B4-00C04FD430C8",
                "BFECCB31-3321-51F8-877F-AD474E71ADBB"
            ),
        ])
    func version5(name: String, namespace: String, expected: String) throws {
        #expect(UUID(version5: name, namespace: try #require(UUID(uuidString: namespace))).uuidString == expected)
    }

    @Test("the namespace is the documented one")
    func namespace() {
        #expect(UUID.mediaOutputDeviceNamespace.uuidString == "0536744D-E1AF-5A68-A682-886D0CD6223A")
    }

    @Test("a device needs an endpoint, except in the early spelling")
    func endpoints() {
        let id = UUID()
        #expect(
            MediaOutputDevice(id: id, displayName: "A", capabilities: .urlPlayback, requiredNetworkEndpoints: []) == nil
        )
        let early = MediaOutputDevice(id: id.uuidString, displayName: "A", capabilities: .urlPlayback)
        #expect(early.id == id)
        #expect(MediaOutputDevice(id: "x", displayName: "A", capabilities: []).id == UUID(version5: "x"))
    }

    @Test("devices are equal when their identifiers are")
    func equality() {
        #expect(MediaOutputDevice.sample("A") == MediaOutputDevice.sample("B"))
        #expect(Set([MediaOutputDevice.sample("A"), .sample("B"), .sample("C", id: UUID())]).count == 2)
    }

    @Test(
        "a description goes through a device unchanged",
        arguments: [
            "tv", "media-stick", "laptop", "desktop", "tv-and-mediabox", "speaker", "speaker-pair", "tv-and-speaker",
        ])
    func description(type: String) throws {
        let description = DeviceDescription(
            id: UUID().uuidString, name: "A", capabilities: [.realtimeAudio, .urlPlayback], type: type,
            volumeControl: .none, canMute: false, canGroup: false, supportsSimultaneousSessions: true,
            endpoints: ["127.0.0.1:80", "[::1]:81"], txt: ["a": "b"], deduplicationIdentifiers: ["mac:0011223344aa"])
        #expect(try #require(MediaOutputDevice(description)).onLink == description)
    }

    @Test("what else it is known as goes along in one spelling, and nonsense does not")
    func deduplication() {
        var device = MediaOutputDevice.sample()
        #expect(device.onLink.deduplicationIdentifiers.isEmpty)
        device.deduplicationIdentifiers = ["upnp:uuid:ABCD-1", "MAC:00:11:22:33:44:AA", "ip:10.0.0.5"]
        #expect(device.onLink.deduplicationIdentifiers == ["mac:0011223344aa", "upnp:abcd-1"])
        #expect(device.onLink.leastLatency == nil)
        for (latency, told) in [(0.1, 0.1), (30, 30), (-1, nil), (31, nil), (.nan, nil)] as [(Double, Double?)] {
            device.leastLatency = latency
            #expect(device.onLink.leastLatency == told && MediaOutputDevice(device.onLink)?.leastLatency == told)
            device.usualLatency = latency
            #expect(device.onLink.usualLatency == told && MediaOutputDevice(device.onLink)?.usualLatency == told)
        }
    }

    @Test("what a newer host remembers is still a device")
    func unknownType() throws {
        var description = MediaOutputDevice.sample().onLink
        description.type = "hologram"
        description.endpoints = ["127.0.0.1:80", ""]
        let device = try #require(MediaOutputDevice(description))
        #expect(device.deviceType == .tv && device.networkEndpoints.count == 1)
        description.id = "nonsense"
        #expect(MediaOutputDevice(description) == nil)
    }

    @Test(
        "every error code has its slug, and the device's words win",
        arguments: [
            (MediaDeviceError.Code.discoveryFailed, HostError.Code.discoveryFailed),
            (.connectionFailed, .unreachable), (.deviceInUse, .deviceInUse),
            (.authorizationFailed, .authorizationFailed), (.sessionFailed, .sessionFailed),
        ])
    func errors(code: MediaDeviceError.Code, slug: HostError.Code) {
        let plain = MediaDeviceError(code)
        #expect(plain.asHostError == HostError(slug, plain.errorDescription ?? ""))
        #expect(plain.errorDescription?.isEmpty == false)
        #expect(MediaDeviceError(code, reason: "Ouch.").asHostError == HostError(slug, "Ouch."))
        let precise = MediaDeviceError(code, detail: .deviceRefused, reason: "No.")
        #expect(precise.asHostError == HostError(.deviceRefused, "No."))
        #expect(precise.failureReason == "No.")
    }

    @Test("capabilities and texts describe themselves")
    func texts() {
        let capabilities: MediaOutputDevice.Capabilities = [.urlPlayback, .realtimeAudioStreaming]
        #expect(capabilities.description == "[realtime-audio, url-playback]")
        let count = 3
        let text: LocalizedStringResource = "Wait \(count) seconds"
        #expect(String(localized: text) == "Wait 3 seconds")
        #expect(String(localized: LocalizedStringResource("wait.key", defaultValue: "Wait")) == "Wait")
    }

    @Test("what an app tells about media is kept where it makes sense")
    func mediaInformation() throws {
        #expect(MediaOutputSession.MediaInformation(MediaInformation()) == nil)
        let far = MediaInformation(title: "A", duration: 1e300, startPosition: 1e300)
        #expect(MediaOutputSession.MediaInformation(far) == .init(title: "A"))
        let information = try #require(
            MediaOutputSession.MediaInformation(
                MediaInformation(
                    title: "A", artworkURL: "http://127.0.0.1/a.png", contentType: "video/mp4", duration: .infinity,
                    startPosition: -1)))
        #expect(
            information
                == .init(title: "A", artworkURL: URL(string: "http://127.0.0.1/a.png"), contentType: "video/mp4"))
    }
}
